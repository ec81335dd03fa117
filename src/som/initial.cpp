#include "som/initial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "som/streams.hpp"

namespace atl::som {
namespace {

/// Covariance over n, (m, m).
std::vector<double> covariance(const ScaledData& data, const std::vector<double>& mean) {
  const std::size_t m = data.columns();
  std::vector<double> c(m * m, 0.0);
  std::vector<double> d(m);
  for (std::size_t r = 0; r < data.rows; ++r) {
    for (std::size_t i = 0; i < m; ++i) d[i] = data.values[r * m + i] - mean[i];
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j <= i; ++j) c[i * m + j] += d[i] * d[j];
  }
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j <= i; ++j) c[j * m + i] = c[i * m + j] /= static_cast<double>(data.rows);
  return c;
}

double off_diagonal(const std::vector<double>& a, std::size_t m) {
  double sum = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < i; ++j) sum += a[i * m + j] * a[i * m + j];
  return sum;
}

/// One Jacobi rotation that zeroes a[p][q] of the symmetric matrix; `v` collects the eigenvectors in its columns.
void rotate(std::vector<double>& a, std::vector<double>& v, std::size_t m, std::size_t p, std::size_t q) {
  const double apq = a[p * m + q];
  if (apq == 0) return;
  const double theta = (a[q * m + q] - a[p * m + p]) / (2 * apq);
  const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1);
  const double s = t * c;
  for (std::size_t k = 0; k < m; ++k) {
    const double akp = a[k * m + p];
    const double akq = a[k * m + q];
    a[k * m + p] = c * akp - s * akq;
    a[k * m + q] = s * akp + c * akq;
  }
  for (std::size_t k = 0; k < m; ++k) {
    const double apk = a[p * m + k];
    const double aqk = a[q * m + k];
    a[p * m + k] = c * apk - s * aqk;
    a[q * m + k] = s * apk + c * aqk;
    const double vkp = v[k * m + p];
    const double vkq = v[k * m + q];
    v[k * m + p] = c * vkp - s * vkq;
    v[k * m + q] = s * vkp + c * vkq;
  }
}

struct EigenPair {
  double value = 0;
  std::vector<double> vector;
};

/// The two largest, by cyclic Jacobi.
std::vector<EigenPair> largest_by_jacobi(std::vector<double> a, std::size_t m) {
  constexpr int sweeps = 60;
  std::vector<double> v(m * m, 0.0);
  for (std::size_t i = 0; i < m; ++i) v[i * m + i] = 1;
  double trace = 0;
  for (std::size_t i = 0; i < m; ++i) trace += std::abs(a[i * m + i]);
  for (int sweep = 0; sweep < sweeps && off_diagonal(a, m) > 1e-32 * trace * trace; ++sweep)
    for (std::size_t p = 0; p + 1 < m; ++p)
      for (std::size_t q = p + 1; q < m; ++q) rotate(a, v, m, p, q);
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) { return a[i * m + i] > a[j * m + j]; });
  std::vector<EigenPair> pairs(2);
  for (std::size_t k = 0; k < std::min<std::size_t>(2, m); ++k) {
    pairs[k].value = a[order[k] * m + order[k]];
    pairs[k].vector.resize(m);
    for (std::size_t i = 0; i < m; ++i) pairs[k].vector[i] = v[i * m + order[k]];
  }
  return pairs;
}

/// The largest eigenvalue that is orthogonal to `found`, by power iteration from the diagonal's largest direction.
EigenPair largest_by_iteration(const std::vector<double>& a, std::size_t m, const std::vector<EigenPair>& found) {
  constexpr int steps = 3000;
  EigenPair pair;
  pair.vector.resize(m);
  for (std::size_t i = 0; i < m; ++i) pair.vector[i] = 1 / std::sqrt(static_cast<double>(m)) + (i % 7 == 0 ? 0.25 : 0);
  std::vector<double> next(m);
  for (int step = 0; step < steps; ++step) {
    for (const EigenPair& f : found) {
      const double along = std::inner_product(f.vector.begin(), f.vector.end(), pair.vector.begin(), 0.0);
      for (std::size_t i = 0; i < m; ++i) pair.vector[i] -= along * f.vector[i];
    }
    for (std::size_t i = 0; i < m; ++i)
      next[i] = std::inner_product(pair.vector.begin(), pair.vector.end(),
                                   a.begin() + static_cast<std::ptrdiff_t>(i * m), 0.0);
    const double length = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
    if (length == 0) return pair;
    double change = 0;
    for (std::size_t i = 0; i < m; ++i) {
      change = std::max(change, std::abs(next[i] / length - pair.vector[i]));
      pair.vector[i] = next[i] / length;
    }
    pair.value = length;
    if (change < 1e-14) break;
  }
  return pair;
}

void make_largest_positive(std::vector<double>& v) {
  if (v.empty()) return;
  const auto largest = std::ranges::max_element(v, {}, [](double x) { return std::abs(x); });
  if (*largest < 0)
    for (double& x : v) x = -x;
}

/// Equally spaced in [-1, 1]; a single place is in the middle.
double place(int index, int count) {
  return count > 1 ? 2.0 * index / (count - 1) - 1.0 : 0.0;
}

std::vector<double> on_components(const MapSetting& map, std::size_t m, const PrincipalComponents& pc) {
  const bool along_columns = map.columns >= map.rows;
  std::vector<double> w(static_cast<std::size_t>(map.neurons()) * m);
  for (int j = 0; j < map.neurons(); ++j) {
    const double across = place(j % map.columns, map.columns);
    const double down = place(j / map.columns, map.rows);
    const double first = (along_columns ? across : down) * pc.first_width;
    const double second = (along_columns ? down : across) * pc.second_width;
    for (std::size_t c = 0; c < m; ++c)
      w[static_cast<std::size_t>(j) * m + c] = pc.mean[c] + first * pc.first[c] + second * pc.second[c];
  }
  return w;
}

/// Missing cells of a sampled point start at the mean of their column.
std::vector<double> from_points(const MapSetting& map, const TrainerInputs& inputs, const std::vector<double>& mean) {
  const std::size_t m = inputs.data.columns();
  const auto chosen = sample_points(inputs.seed, stream_of(map), static_cast<std::size_t>(map.neurons()),
                                    static_cast<std::uint32_t>(inputs.data.rows));
  std::vector<double> w;
  w.reserve(chosen.size() * m);
  for (const std::uint32_t point : chosen)
    for (std::size_t c = 0; c < m; ++c) {
      const double x = inputs.data.values[point * m + c];
      w.push_back(std::isnan(x) ? mean[c] : x);
    }
  return w;
}

}  // namespace

PrincipalComponents principal_components(const ScaledData& data) {
  constexpr std::size_t jacobi_columns = 64;
  const std::size_t m = data.columns();
  PrincipalComponents pc;
  pc.mean = column_means(data);
  const std::vector<double> matrix = covariance(data, pc.mean);
  std::vector<EigenPair> pairs;
  if (m <= jacobi_columns) {
    pairs = largest_by_jacobi(matrix, m);
  } else {
    pairs.push_back(largest_by_iteration(matrix, m, {}));
    pairs.push_back(largest_by_iteration(matrix, m, pairs));
  }
  for (EigenPair& pair : pairs) {
    pair.vector.resize(m, 0.0);
    make_largest_positive(pair.vector);
  }
  pc.first = pairs[0].vector;
  pc.second = pairs[1].vector;
  pc.first_width = std::sqrt(std::max(pairs[0].value, 0.0));
  pc.second_width = std::sqrt(std::max(pairs[1].value, 0.0));
  return pc;
}

std::vector<double> column_means(const ScaledData& data) {
  const std::size_t m = data.columns();
  std::vector<double> mean(m, 0.0);
  std::vector<double> count(m, 0.0);
  for (std::size_t r = 0; r < data.rows; ++r)
    for (std::size_t c = 0; c < m; ++c) {
      const double x = data.values[r * m + c];
      if (std::isnan(x)) continue;
      mean[c] += x;
      count[c] += 1;
    }
  for (std::size_t c = 0; c < m; ++c) mean[c] /= std::max(count[c], 1.0);
  return mean;
}

std::vector<double> initial_weights(const MapSetting& map, const TrainerInputs& inputs,
                                    const PrincipalComponents& components) {
  const std::size_t m = inputs.data.columns();
  switch (inputs.training.initial) {
    case config::MapInitial::sample:
      return from_points(map, inputs, components.mean);
    case config::MapInitial::uniform: {
      const double low = inputs.training.uniform_low;
      const double width = inputs.training.uniform_high - low;
      auto w = uniform_numbers(inputs.seed, stream_of(map), static_cast<std::size_t>(map.neurons()) * m);
      for (double& v : w) v = low + width * v;
      return w;
    }
    case config::MapInitial::pca:
      return on_components(map, m, components);
    case config::MapInitial::file:
      break;
  }
  return inputs.codebooks.at(static_cast<std::size_t>(map.codebook)).values;
}

}  // namespace atl::som
