#include "store/som_read.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace atl::store {
namespace {

/// The tables of one group, each of the same length.
class Table {
 public:
  Table(const ReadFile& file, std::string group) : file_(file), group_(std::move(group)) {
    rows_ = file.strings(group_ + "topology").size();
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& name) const {
    return checked(name, file_.integers(group_ + name));
  }
  [[nodiscard]] std::vector<double> doubles(const std::string& name) const {
    return checked(name, file_.doubles(group_ + name));
  }
  [[nodiscard]] std::vector<std::string> strings(const std::string& name) const {
    return checked(name, file_.strings(group_ + name));
  }
  [[nodiscard]] SomColumns columns() const {
    return {integers("neurons"), integers("rows"), integers("columns"), integers("epochs"),
            strings("topology"), doubles("sigma"), doubles("eta")};
  }

 private:
  template <typename T>
  std::vector<T> checked(const std::string& name, std::vector<T> values) const {
    if (values.size() != rows_)
      fail(ExitCode::bad_data, "{}: {}{} has {} rows, {}topology has {}", file_.path(), group_, name, values.size(),
           group_, rows_);
    return values;
  }

  const ReadFile& file_;
  std::string group_;
  std::size_t rows_ = 0;
};

}  // namespace

SomSummary read_som_summary(const ReadFile& file) {
  const Table table(file, "/summary/");
  SomSummary summary;
  summary.settings = table.columns();
  summary.replicates = table.integers("replicates");
  const auto measures = [&](const char* suffix) {
    std::vector<SomMeasures> rows(table.rows());
    for (std::size_t m = 0; m < som_measures.size(); ++m) {
      const std::vector<double> column = table.doubles(std::string(som_measures[m]) + suffix);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i][m] = column[i];
    }
    return rows;
  };
  summary.mean = measures("_mean");
  summary.min = measures("_min");
  summary.std = measures("_std");
  summary.nan = measures("_nan");
  return summary;
}

SomSuggestions read_som_suggestions(const ReadFile& file) {
  const Table table(file, "/summary/suggestion/");
  SomSuggestions suggestions;
  suggestions.groups = table.columns();
  suggestions.elbow = table.integers("elbow");
  suggestions.topographic = table.integers("topographic");
  suggestions.variance = table.integers("variance");
  suggestions.davies_bouldin = table.integers("davies_bouldin");
  suggestions.agreeing = table.integers("agreeing");
  suggestions.reason = table.strings("reason");
  return suggestions;
}

std::size_t count_finished(const ReadFile& file) {
  const std::vector<std::int64_t> state = file.integers("/runs/state");
  return static_cast<std::size_t>(std::count(state.begin(), state.end(), 1));
}

}  // namespace atl::store
