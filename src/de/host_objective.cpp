#include "de/host_objective.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "de/benchmarks.hpp"
#include "de/objective_source.hpp"

namespace atl::de {
namespace {

/// What a model's sum needs, of its own: the problem may be gone when the function is called.
struct ModelSum {
  std::shared_ptr<const expression::Expression> model;
  std::vector<double> cells;  // row-major
  std::vector<double> target, weight;
  std::size_t columns = 0;
  config::LossKind kind = config::LossKind::absolute;
  double scale = 1;

  [[nodiscard]] double value(std::span<const double> x, std::size_t row) const {
    return model->evaluate(x, std::span(cells).subspan(row * columns, columns));
  }

  [[nodiscard]] double part(std::span<const double> x, std::size_t row) const {
    if (!weight.empty() && weight[row] == 0) return 0;
    const double one = loss(kind, scale, target[row] - value(x, row));
    return weight.empty() ? one : weight[row] * one;
  }

  // The order of the sum is that of the kernels.
  [[nodiscard]] double operator()(std::span<const double> x) const {
    std::array<double, row_stripes> sums{};
    for (std::size_t row = 0; row < target.size(); ++row) sums[row % row_stripes] += part(x, row);
    for (std::size_t stride = row_stripes / 2; stride > 0; stride /= 2) {
      for (std::size_t s = 0; s < stride; ++s) sums[s] += sums[s + stride];
    }
    return sums[0];
  }
};

ModelSum model_sum(const Problem& problem) {
  const data::Table& table = *problem.table;
  ModelSum sum;
  sum.model = problem.model;
  sum.columns = table.columns();
  sum.kind = problem.loss;
  sum.scale = problem.loss_scale;
  sum.cells.resize(table.rows * sum.columns);
  for (std::size_t c = 0; c < sum.columns; ++c) {
    const auto column = table.column(c);
    for (std::size_t row = 0; row < table.rows; ++row) sum.cells[row * sum.columns + c] = column[row];
  }
  const auto copy = [&](std::size_t c) { return std::vector<double>(table.column(c).begin(), table.column(c).end()); };
  sum.target = copy(problem.target);
  if (problem.weight) sum.weight = copy(*problem.weight);
  return sum;
}

}  // namespace

HostObjective host_objective(const Problem& problem) {
  switch (problem.kind) {
    case config::ProblemKind::model:
      return
          [sum = std::make_shared<const ModelSum>(model_sum(problem))](std::span<const double> x) { return (*sum)(x); };
    case config::ProblemKind::benchmark:
      return benchmark(problem.name).value;
    case config::ProblemKind::objective:
      break;
  }
  return {};
}

std::vector<double> predict(const Problem& problem, std::span<const double> x) {
  const ModelSum sum = model_sum(problem);
  std::vector<double> values(problem.rows());
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = sum.value(x, row);
  return values;
}

double loss(config::LossKind kind, double scale, double residual) {
  switch (kind) {
    case config::LossKind::absolute:
      return std::abs(residual);
    case config::LossKind::squared:
      return residual * residual;
    case config::LossKind::huber: {
      const double size = std::abs(residual);
      return size <= scale ? residual * residual : scale * (2 * size - scale);
    }
    case config::LossKind::cauchy: {
      const double relative = residual / scale;
      return scale * scale * std::log1p(relative * relative);
    }
  }
  fail(ExitCode::internal, "there is no loss {}", static_cast<int>(kind));
}

}  // namespace atl::de
