#include "de/problem.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/fnv.hpp"
#include "de/benchmarks.hpp"
#include "de/objective_text.hpp"

namespace atl::de {
namespace {

using config::ProblemKind;
using config::ProblemSettings;

void add_entries(Problem& problem, const config::Parameter& parameter) {
  const int count = std::max(parameter.size, 1);
  for (int i = 0; i < count; ++i) {
    Entry entry;
    entry.name = parameter.size > 0 ? fmt::format("{}[{}]", parameter.name, i) : parameter.name;
    entry.min = parameter.min;
    entry.max = parameter.max;
    entry.log_scale = parameter.log_scale;
    entry.integer = parameter.integer;
    entry.fixed = parameter.value.has_value();
    entry.value = parameter.value.value_or(0);
    if (!parameter.start.empty()) {
      entry.start = parameter.start[parameter.start.size() == 1 ? 0 : static_cast<std::size_t>(i)];
    }
    problem.entries.push_back(std::move(entry));
  }
}

void add_search_box(Problem& problem) {
  for (Entry& entry : problem.entries) {
    if (entry.fixed) continue;
    entry.free_index = static_cast<int>(problem.lower.size());
    if (entry.integer) {
      problem.lower.push_back(std::ceil(entry.min) - 0.5);
      problem.upper.push_back(std::floor(entry.max) + 0.5);
    } else {
      problem.lower.push_back(entry.log_scale ? std::log(entry.min) : entry.min);
      problem.upper.push_back(entry.log_scale ? std::log(entry.max) : entry.max);
    }
  }
}

std::size_t find_column(const data::Table& table, const std::string& name, const char* key, const Location& where) {
  const std::size_t column = table.find(name);
  if (column < table.columns()) return column;
  std::vector<std::string> quoted;
  for (const std::string& known : table.names) {
    if (quoted.size() == 20) {
      quoted.push_back(fmt::format("and {} more", table.columns() - 20));
      break;
    }
    quoted.push_back(fmt::format("\"{}\"", known));
  }
  fail_at(ExitCode::bad_configuration, where, "{}: {} has no column \"{}\"; its columns are {}{}", key, table.source,
          name, fmt::join(quoted, ", "),
          table.named ? "" : " (the file has no header; problem.columns gives its columns names)");
}

void check_target(const Problem& problem, const Location& where) {
  const auto values = problem.table->column(problem.target);
  const auto bad = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
  if (bad == values.end()) return;
  fail_at(ExitCode::bad_data, where, "problem.target: column \"{}\" of {} is {} in row {}; it must be finite",
          problem.table->names[problem.target], problem.table->source, *bad, bad - values.begin() + 1);
}

void check_weight(const Problem& problem, const Location& where) {
  const auto values = problem.table->column(*problem.weight);
  const auto& name = problem.table->names[*problem.weight];
  const auto bad = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value) && value >= 0; });
  if (bad != values.end()) {
    fail_at(ExitCode::bad_data, where,
            "problem.weight: column \"{}\" of {} is {} in row {}; weights are finite and >= 0", name,
            problem.table->source, *bad, bad - values.begin() + 1);
  }
  if (std::ranges::all_of(values, [](double value) { return value == 0; })) {
    fail_at(ExitCode::bad_data, where,
            "problem.weight: column \"{}\" of {} is 0 in every row, so that nothing is fitted", name,
            problem.table->source);
  }
}

expression::Symbols symbols(const Problem& problem, const ProblemSettings& settings) {
  expression::Symbols result;
  std::size_t offset = 0;
  for (const config::Parameter& parameter : settings.parameters) {
    const auto size = static_cast<std::size_t>(parameter.size);
    result.parameters.push_back({parameter.name, offset, size});
    offset += std::max<std::size_t>(size, 1);
  }
  for (const config::Constant& constant : settings.constants) {
    result.constants.push_back({constant.name, constant.value});
  }
  result.columns = problem.table->names;
  result.forbidden_column = settings.target;
  return result;
}

void warn_unused(Problem& problem, const ProblemSettings& settings) {
  const auto& used = problem.model->parameters_used();
  for (std::size_t i = 0; i < settings.parameters.size(); ++i) {
    const config::Parameter& parameter = settings.parameters[i];
    if (used[i] || parameter.value) continue;
    problem.warnings.push_back(fmt::format("{}: parameters.{} does not occur in the model, so any value of it fits",
                                           parameter.where.text(), parameter.name));
  }
}

void read_model(Problem& problem, const ProblemSettings& settings) {
  if (!problem.table) {
    fail_at(ExitCode::bad_configuration, settings.where,
            "problem.model needs problem.data, the table that it is fitted to");
  }
  problem.name = "model";
  problem.target = find_column(*problem.table, settings.target, "problem.target", settings.target_where);
  check_target(problem, settings.target_where);
  if (!settings.weight.empty()) {
    problem.weight = find_column(*problem.table, settings.weight, "problem.weight", settings.weight_where);
    check_weight(problem, settings.weight_where);
  }
  problem.loss = settings.loss;
  problem.loss_scale = settings.loss_scale;
  problem.model =
      std::make_shared<const expression::Expression>(settings.text, symbols(problem, settings), settings.where);
  const data::Table& table = *problem.table;
  problem.model->check_indices([&](std::size_t row, std::size_t column) { return table.column(column)[row]; },
                               table.rows);
  warn_unused(problem, settings);
}

void read_objective(Problem& problem, const ProblemSettings& settings) {
  problem.name = settings.text;
  problem.per_row = problem.table.has_value();
  errno = 0;
  std::ifstream file(settings.text, std::ios::binary);
  const int reason = errno;
  if (!file || std::filesystem::is_directory(settings.text)) {
    fail_at(ExitCode::missing_input, settings.where, "problem.objective: cannot read {}: {}", settings.text,
            file ? "it is a folder" : std::strerror(reason));
  }
  problem.objective_text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  check_objective_text(problem);
}

}  // namespace

Problem make_problem(const config::DeSettings& settings) {
  const ProblemSettings& from = settings.problem;
  Problem problem;
  problem.kind = from.kind;
  problem.constants = from.constants;
  for (const config::Parameter& parameter : from.parameters) add_entries(problem, parameter);
  add_search_box(problem);
  if (!from.data.empty()) {
    problem.table = data::read_table(from.data, {from.columns, data::Missing::error}, from.data_where);
    if (problem.table->rows == 0) fail_at(ExitCode::bad_data, from.data_where, "{} has no rows", problem.table->source);
  }
  switch (from.kind) {
    case ProblemKind::model:
      read_model(problem, from);
      break;
    case ProblemKind::objective:
      read_objective(problem, from);
      break;
    case ProblemKind::benchmark:
      problem.name = benchmark(from.text).name;
      if (problem.name == "rosenbrock" && problem.dimension() == 1) {
        problem.warnings.push_back(
            fmt::format("{}: rosenbrock couples neighbours; with one parameter it is 0 everywhere", from.where.text()));
      }
      break;
  }
  return problem;
}

std::vector<double> decode(const Problem& problem, const std::vector<double>& u) {
  std::vector<double> x;
  x.reserve(problem.dimension());
  for (const Entry& entry : problem.entries) {
    if (entry.fixed) {
      x.push_back(entry.value);
      continue;
    }
    const double searched = u[static_cast<std::size_t>(entry.free_index)];
    if (entry.integer) {
      x.push_back(std::clamp(std::floor(searched + 0.5), std::ceil(entry.min), std::floor(entry.max)));
    } else {
      x.push_back(entry.log_scale ? std::clamp(std::exp(searched), entry.min, entry.max) : searched);
    }
  }
  return x;
}

std::vector<double> encode(const Problem& problem, const std::vector<double>& x) {
  std::vector<double> u(problem.free());
  for (std::size_t i = 0; i < problem.dimension(); ++i) {
    const Entry& entry = problem.entries[i];
    if (entry.fixed) continue;
    const auto free = static_cast<std::size_t>(entry.free_index);
    u[free] = std::clamp(entry.log_scale ? std::log(x[i]) : x[i], problem.lower[free], problem.upper[free]);
  }
  return u;
}

double operations(const Problem& problem) {
  if (problem.kind == ProblemKind::benchmark) {
    return static_cast<double>(problem.dimension()) * benchmark(problem.name).operations_per_dimension;
  }
  if (problem.kind == ProblemKind::objective) {
    // The work of a user's program is not known; its text is a guess that is the same everywhere.
    const auto signs = std::ranges::count_if(problem.objective_text,
                                             [](char c) { return c == '+' || c == '-' || c == '*' || c == '('; });
    const double body = 2 * static_cast<double>(signs) + 2 * static_cast<double>(problem.dimension());
    return body * static_cast<double>(problem.per_row ? problem.rows() : 1);
  }
  const double loss_work[] = {3, 3, 7, 27};  // absolute, squared, huber, cauchy
  const double row = problem.model->operations() + loss_work[static_cast<int>(problem.loss)] + (problem.weight ? 1 : 0);
  return row * static_cast<double>(problem.rows());
}

std::uint64_t fingerprint(const Problem& problem) {
  Fnv hash;
  hash.add(static_cast<std::uint64_t>(problem.kind));
  hash.add(problem.kind == ProblemKind::objective ? problem.objective_text : problem.name);
  if (problem.model) hash.add(problem.model->opencl([](std::size_t column) { return fmt::format("c{}", column); }));
  if (problem.table) hash.add(data::fingerprint(*problem.table));
  hash.add(std::uint64_t{problem.target});
  hash.add(std::uint64_t{problem.weight ? *problem.weight + 1 : 0});
  hash.add(static_cast<std::uint64_t>(problem.loss));
  hash.add(problem.loss_scale);
  for (const Entry& entry : problem.entries) {
    hash.add(entry.name);
    for (const double value : {entry.min, entry.max, entry.value, entry.start.value_or(0)}) hash.add(value);
    hash.add(std::uint64_t{entry.log_scale} | std::uint64_t{entry.integer} << 1 | std::uint64_t{entry.fixed} << 2 |
             std::uint64_t{entry.start.has_value()} << 3);
  }
  for (const config::Constant& constant : problem.constants) {
    hash.add(constant.name);
    hash.add(constant.value);
  }
  return hash.value();
}

}  // namespace atl::de
