// [problem] and [constants]: what is minimised.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "config/de_names.hpp"
#include "config/de_sections.hpp"
#include "config/names.hpp"

namespace atl::config {

namespace {

const std::vector<std::string> benchmarks{"sphere",   "rosenbrock", "rastrigin", "ackley",
                                          "griewank", "schwefel",   "levy",      "zakharov"};

/// The one of model, objective and benchmark that is there.
ProblemKind read_kind(const Reader& reader) {
  struct Kind {
    const char* key;
    ProblemKind kind;
  };
  static constexpr Kind kinds[] = {{"problem.model", ProblemKind::model},
                                   {"problem.objective", ProblemKind::objective},
                                   {"problem.benchmark", ProblemKind::benchmark}};
  const Kind* found = nullptr;
  for (const Kind& kind : kinds) {
    if (reader.find(kind.key) == nullptr) continue;
    if (found != nullptr) {
      reader.refuse(kind.key, fmt::format("stands beside {} ({}); a problem has exactly one of model, objective, "
                                          "benchmark",
                                          found->key, reader.where(found->key).text()));
    }
    found = &kind;
  }
  if (found == nullptr) reader.refuse("problem", "needs one of model, objective, benchmark");
  return found->kind;
}

void refuse_unused(const Reader& reader, ProblemKind kind) {
  if (kind == ProblemKind::model) return;
  for (const char* key : {"problem.target", "problem.loss", "problem.weight"}) {
    if (reader.find(key) != nullptr) reader.refuse(key, "is used by a model only");
  }
  if (kind == ProblemKind::objective) return;
  for (const char* key : {"problem.data", "problem.columns"}) {
    if (reader.find(key) != nullptr) reader.refuse(key, "is used by a model or an objective, not by a benchmark");
  }
}

/// DELTA of "huber:DELTA".
double read_scale(const Reader& reader, std::string_view number, std::string_view loss) {
  double scale = 0;
  const char* end = number.data() + number.size();
  const auto [stop, fault] = std::from_chars(number.data(), end, scale);
  if (fault != std::errc() || stop != end || !std::isfinite(scale) || scale <= 0) {
    reader.refuse("problem.loss", fmt::format("\"{}\" needs a number above 0 behind its colon, such as huber:1.5 or "
                                              "cauchy:0.5",
                                              loss));
  }
  return scale;
}

void read_loss(Reader& reader, ProblemSettings& problem) {
  const Value* value = reader.find("problem.loss");
  if (value == nullptr) return reader.record("problem.loss", toml_text(name_of(problem.loss)));
  const std::string& loss = reader.check_text_of(*value, "problem.loss");
  const std::string name = loss.substr(0, loss.find(':'));
  bool known = false;
  for (const auto& [word, kind] : loss_names) {
    if (name != word) continue;
    problem.loss = kind;
    known = true;
  }
  const bool scaled = problem.loss == LossKind::huber || problem.loss == LossKind::cauchy;
  if (!known || (!scaled && name.size() != loss.size())) {
    reader.wrong_word(*value, "problem.loss", {"absolute", "squared", "huber:DELTA", "cauchy:SCALE"});
  }
  if (scaled)
    problem.loss_scale =
        read_scale(reader, std::string_view(loss).substr(std::min(name.size() + 1, loss.size())), loss);
  reader.record("problem.loss", toml_text(loss));
}

void read_text(Reader& reader, ProblemSettings& problem) {
  switch (problem.kind) {
    case ProblemKind::model:
      problem.text = *reader.text("problem.model");
      problem.where = reader.find("problem.model")->content;
      break;
    case ProblemKind::objective:
      problem.text = *reader.path("problem.objective");
      problem.where = reader.where("problem.objective");
      break;
    case ProblemKind::benchmark:
      problem.text = *reader.text("problem.benchmark");
      problem.where = reader.where("problem.benchmark");
      if (std::find(benchmarks.begin(), benchmarks.end(), problem.text) == benchmarks.end()) {
        reader.wrong_word(*reader.find("problem.benchmark"), "problem.benchmark", benchmarks);
      }
      break;
  }
}

void read_columns(Reader& reader, ProblemSettings& problem) {
  if (reader.find("problem.columns") == nullptr) return;
  if (problem.data.empty()) reader.refuse("problem.columns", "names the columns of problem.data, which is not given");
  problem.columns = reader.texts("problem.columns");
  std::set<std::string> seen;
  for (const std::string& column : problem.columns) {
    if (!seen.insert(column).second) reader.refuse("problem.columns", fmt::format("names \"{}\" twice", column));
  }
  if (problem.columns.empty()) reader.refuse("problem.columns", "must name at least one column");
}

}  // namespace

ProblemSettings read_problem(Reader& reader) {
  ProblemSettings problem;
  problem.kind = read_kind(reader);
  refuse_unused(reader, problem.kind);
  const bool model = problem.kind == ProblemKind::model;
  for (const char* key : {"problem.data", "problem.target"}) {
    if (model && reader.find(key) == nullptr) {
      reader.refuse("problem.model", fmt::format("needs {}: a model is fitted to a column of a table", key));
    }
  }
  read_text(reader, problem);
  problem.data = reader.path("problem.data").value_or("");
  problem.data_where = reader.where("problem.data");
  problem.target = reader.text("problem.target").value_or("");
  problem.target_where = reader.where("problem.target");
  if (model) read_loss(reader, problem);
  problem.weight = reader.text("problem.weight").value_or("");
  problem.weight_where = reader.where("problem.weight");
  if (model && problem.weight == problem.target) reader.refuse("problem.weight", "is the target column itself");
  read_columns(reader, problem);
  return problem;
}

std::vector<Constant> read_constants(Reader& reader, ProblemKind kind) {
  const Value* table = reader.table("constants");
  if (table == nullptr || table->items.empty()) return {};
  if (kind == ProblemKind::benchmark)
    reader.refuse("constants", "are used by a model or an objective, not by a benchmark");
  std::vector<Constant> constants;
  for (const Value& value : table->items) {
    check_name(reader, value, "constants");
    const std::string key = "constants." + value.key;
    constants.push_back({value.key, reader.check(value, key, any_finite), line_of(value)});
    reader.record(key, toml_text(constants.back().value), &value);
  }
  return constants;
}

}  // namespace atl::config
