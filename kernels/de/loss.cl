// What one row adds to the objective: the loss of its residual data - model.
real loss_absolute(real residual) { return fabs(residual); }

real loss_squared(real residual) { return residual * residual; }

// Squared within delta, a straight line of equal slope beyond.
real loss_huber(real residual, real delta) {
  const real size = fabs(residual);
  return size <= delta ? residual * residual : delta * (2 * size - delta);
}

real loss_cauchy(real residual, real scale) {
  const real relative = residual / scale;
  return scale * scale * log1p(relative * relative);
}

// A row of weight 0 takes no part, even where the model is not finite there.
real weighted(real weight, real loss) { return weight > 0 ? weight * loss : (real)0; }
