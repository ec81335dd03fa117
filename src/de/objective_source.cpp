#include "de/objective_source.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "de/benchmarks.hpp"
#include "de/objective_text.hpp"
#include "device/kernel_table.hpp"

namespace atl::de {
namespace {

using config::LossKind;
using config::ProblemKind;

// A table in the program text lets the compiler share common factors of the rows, but every row is compiled: only for
// small tables of small models.
constexpr std::size_t literal_rows_limit = row_stripes;
constexpr double literal_work_limit = 20'000;

/// "PARAMETER_a1 3" ...: names that are no identifiers get _ for every other character; one that then clashes is left
/// out.
void define_names(std::string& text, const std::string& prefix,
                  const std::vector<std::pair<std::string, std::string>>& named) {
  std::map<std::string, int> uses;
  const auto identifier = [](std::string name) {
    std::ranges::replace_if(
        name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return name;
  };
  for (const auto& [name, value] : named) ++uses[identifier(name)];
  for (const auto& [name, value] : named) {
    const std::string word = identifier(name);
    if (uses[word] == 1) text += fmt::format("#define {}_{} {}\n", prefix, word, value);
  }
}

/// The names that an objective file may use.
std::string user_names(const Problem& problem) {
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<std::pair<std::string, std::string>> columns;
  std::vector<std::pair<std::string, std::string>> constants;
  for (std::size_t i = 0; i < problem.dimension(); ++i) {
    const std::string& name = problem.entries[i].name;
    const std::size_t bracket = name.find('[');
    if (bracket == std::string::npos || name.substr(bracket) == "[0]") {  // a vector's name is that of its first entry
      parameters.emplace_back(name.substr(0, bracket), std::to_string(i));
    }
  }
  for (std::size_t c = 0; problem.table && c < problem.table->columns(); ++c) {
    columns.emplace_back(problem.table->names[c], std::to_string(c));
  }
  for (const config::Constant& constant : problem.constants) {
    constants.emplace_back(constant.name, "(" + expression::literal(constant.value) + ")");
  }
  std::string text;
  define_names(text, "PARAMETER", parameters);
  define_names(text, "COLUMN", columns);
  define_names(text, "CONSTANT", constants);
  return text;
}

std::string define_sizes(const Problem& problem, bool single_precision, std::size_t rows, std::size_t table_columns) {
  std::string text = fmt::format("#define ATOLL_DIMENSION {}\n#define ATOLL_ROWS {}\n#define ATOLL_TABLE_COLUMNS {}\n",
                                 problem.dimension(), rows, table_columns);
  if (problem.kind == ProblemKind::objective) {
    text += fmt::format("#define ATOLL_COLUMNS {}\n", problem.table ? problem.table->columns() : 0);
    const char* scalar = single_precision ? "float" : "double";
    for (const char* width : {"2", "3", "4", "8", "16"})
      text += fmt::format("typedef {0}{1} real{1};\n", scalar, width);
    text += user_names(problem);
  }
  return text;
}

/// The loss of one row, given the text of its target, weight and model.
std::string row_loss(const Problem& problem, const std::string& target, const std::string& weight,
                     const std::string& model) {
  const std::string residual = fmt::format("{} - ({})", target, model);
  const std::string scale = expression::literal(problem.loss_scale);
  std::string loss;
  switch (problem.loss) {
    case LossKind::absolute:
      loss = fmt::format("loss_absolute({})", residual);
      break;
    case LossKind::squared:
      loss = fmt::format("loss_squared({})", residual);
      break;
    case LossKind::huber:
      loss = fmt::format("loss_huber({}, {})", residual, scale);
      break;
    case LossKind::cauchy:
      loss = fmt::format("loss_cauchy({}, {})", residual, scale);
      break;
  }
  return problem.weight ? fmt::format("weighted({}, {})", weight, loss) : loss;
}

/// evaluate() of a small table: each row an expression of its own, added in the order of row_sum.cl.
std::string literal_evaluate(const Problem& problem) {
  const data::Table& table = *problem.table;
  std::string text = "real evaluate(const real *x, global const real *data) {\n";
  for (std::size_t row = 0; row < table.rows; ++row) {
    const auto cell = [&](std::size_t column) { return expression::literal(table.column(column)[row]); };
    text += fmt::format("  real part{} = {};\n", row,
                        row_loss(problem, cell(problem.target), problem.weight ? cell(*problem.weight) : "",
                                 problem.model->opencl(cell)));
  }
  for (std::size_t stride = row_stripes / 2; stride > 0; stride /= 2) {
    for (std::size_t s = 0; s < stride && s + stride < table.rows; ++s) {
      text += fmt::format("  part{} += part{};\n", s, s + stride);
    }
  }
  return text + "  return part0;\n}\n";
}

/// evaluate_row() of a model: `columns` are the ones in the buffer, in order.
std::string model_row(const Problem& problem, const std::vector<std::size_t>& columns) {
  std::string text = "real evaluate_row(const real *x, global const real *data, int row) {\n";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += fmt::format("  const real c{} = data[(size_t){} + row];\n", columns[i], i * problem.rows());
  }
  const auto cell = [](std::size_t column) { return fmt::format("c{}", column); };
  text += fmt::format("  return {};\n}}\n",
                      row_loss(problem, cell(problem.target), problem.weight ? cell(*problem.weight) : "",
                               problem.model->opencl(cell)));
  return text;
}

/// The user's file, with its names that are also ours renamed while it is read.
void add_file(ObjectiveSource& source, const Problem& problem) {
  std::string before;
  std::string after;
  for (const std::string& name : names_of_ours(problem)) {
    before += fmt::format("#define {0} user_{0}\n", name);
    after += fmt::format("#undef {}\n", name);
  }
  if (!before.empty()) source.pieces.push_back({before, ""});
  source.pieces.push_back({problem.objective_text, problem.name});
  if (!after.empty()) source.pieces.push_back({after, ""});
}

void add_columns(ObjectiveSource& source, const data::Table& table, const std::vector<std::size_t>& columns) {
  source.rows = table.rows;
  for (const std::size_t c : columns)
    source.data.insert(source.data.end(), table.column(c).begin(), table.column(c).end());
}

void add_model(ObjectiveSource& source, const Problem& problem, bool single_precision) {
  std::vector<std::size_t> columns = problem.model->columns_used();
  columns.push_back(problem.target);
  if (problem.weight) columns.push_back(*problem.weight);
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  add_columns(source, *problem.table, columns);
  source.literal_rows = source.rows <= literal_rows_limit && operations(problem) <= literal_work_limit;

  source.pieces.push_back({define_sizes(problem, single_precision, source.rows, columns.size()), ""});
  source.pieces.push_back({std::string(expression::opencl_functions()), ""});
  source.pieces.push_back({device::kernel_source("de/loss.cl"), ""});
  source.pieces.push_back({model_row(problem, columns), ""});
  source.pieces.push_back(
      {source.literal_rows ? literal_evaluate(problem) : device::kernel_source("de/row_sum.cl"), ""});
}

void add_term(ObjectiveSource& source, const Problem& problem, bool single_precision) {
  std::vector<std::size_t> columns(problem.table->columns());
  for (std::size_t c = 0; c < columns.size(); ++c) columns[c] = c;
  add_columns(source, *problem.table, columns);

  source.pieces.push_back({define_sizes(problem, single_precision, source.rows, columns.size()), ""});
  add_file(source, problem);
  source.pieces.push_back({device::kernel_source("de/term_row.cl"), ""});
  source.pieces.push_back({device::kernel_source("de/row_sum.cl"), ""});
}

void add_function(ObjectiveSource& source, const Problem& problem, bool single_precision) {
  source.pieces.push_back({define_sizes(problem, single_precision, 0, 0), ""});
  if (problem.kind == ProblemKind::benchmark) {
    source.pieces.push_back({device::kernel_source(benchmark(problem.name).kernel), ""});
  } else {
    add_file(source, problem);
  }
  source.pieces.push_back({device::kernel_source("de/whole_objective.cl"), ""});
}

/// How an entry comes from u; like neighbours become one loop. The text has {x} and {u} for the two indices.
const char* decode_rule(const Entry& entry) {
  if (entry.fixed) return "x[{x}] = x_limits[{x}];";
  if (entry.integer) {
    return "x[{x}] = clamp(floor(u[{u}] + (real)0.5), ceil(x_limits[{x}]), floor(x_limits[{x} + ATOLL_DIMENSION]));";
  }
  if (entry.log_scale) return "x[{x}] = clamp(exp(u[{u}]), x_limits[{x}], x_limits[{x} + ATOLL_DIMENSION]);";
  return "x[{x}] = u[{u}];";
}

}  // namespace

ObjectiveSource objective_source(const Problem& problem, bool single_precision) {
  ObjectiveSource source;
  if (problem.kind == ProblemKind::objective) {
    check_objective_text(problem);
    if (single_precision) refuse_double(problem);
  }
  if (problem.kind == ProblemKind::model) {
    add_model(source, problem, single_precision);
  } else if (problem.per_row) {
    add_term(source, problem, single_precision);
  } else {
    add_function(source, problem, single_precision);
  }
  return source;
}

std::string decode_source(const Problem& problem) {
  const auto& entries = problem.entries;
  std::string text = "void decode(const real *u, real *x, global const real *x_limits) {\n";
  for (std::size_t begin = 0; begin < entries.size();) {
    const std::string_view rule = decode_rule(entries[begin]);
    std::size_t end = begin + 1;
    while (end < entries.size() && decode_rule(entries[end]) == rule) ++end;
    const auto filled = [&](const std::string& x, const std::string& u) {
      return fmt::format(fmt::runtime(rule), fmt::arg("x", x), fmt::arg("u", u));
    };
    // Neighbours of one kind have neighbouring places in u, too.
    const auto shift = static_cast<long>(begin) - entries[begin].free_index;
    if (end == begin + 1) {
      text += fmt::format("  {}\n", filled(std::to_string(begin), std::to_string(entries[begin].free_index)));
    } else {
      text +=
          fmt::format("  for (int i = {}; i < {}; ++i) {}\n", begin, end, filled("i", fmt::format("i - {}", shift)));
    }
    begin = end;
  }
  return text + "}\n";
}

}  // namespace atl::de
