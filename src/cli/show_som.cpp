#include "cli/show_som.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/counts.hpp"
#include "cli/show_parts.hpp"
#include "som/summary_text.hpp"
#include "store/som_read.hpp"

namespace atl::cli {
namespace {

constexpr std::size_t most_rows = 40;
constexpr std::size_t most_columns = 12;  // of the data, by name

bool finished(const store::ReadFile& file) {
  return file.text_attribute("/", "state") == "finished";
}

std::string state_line(const store::ReadFile& file) {
  const auto maps = static_cast<std::int64_t>(file.shape("/runs/state").at(0));
  const auto done = static_cast<std::int64_t>(store::count_finished(file));
  if (finished(file)) return fmt::format("{}: finished, {}\n", file.path(), counted(maps, "map"));
  return fmt::format("{}: unfinished, {} of {}; `atoll som ... --resume` {}\n", file.path(), grouped(done),
                     counted(maps, "map"), done < maps ? "trains the rest" : "completes the file");
}

std::string data_line(const store::ReadFile& file) {
  std::vector<std::string> names = file.strings("/data/name");
  const std::size_t columns = names.size();
  if (columns > most_columns) {
    names.resize(most_columns);
    names.emplace_back("...");
  }
  return fmt::format("  {} of {}: {}\n", counted(file.integer_attribute("/", "points"), "point"),
                     counted(columns, "column"), fmt::join(names, ", "));
}

nlohmann::ordered_json settings_as_json(const store::SomColumns& columns, std::size_t row) {
  return {{"topology", columns.topology[row]}, {"neurons", columns.neurons[row]}, {"rows", columns.rows[row]},
          {"columns", columns.columns[row]},   {"sigma", columns.sigma[row]},     {"eta", columns.eta[row]},
          {"epochs", columns.epochs[row]}};
}

nlohmann::ordered_json summary_as_json(const store::SomSummary& summary) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t row = 0; row < summary.replicates.size(); ++row) {
    nlohmann::ordered_json entry = settings_as_json(summary.settings, row);
    entry["replicates"] = summary.replicates[row];
    for (std::size_t m = 0; m < store::som_measures.size(); ++m)
      entry[store::som_measures[m]] = {{"mean", summary.mean[row][m]},
                                       {"min", summary.min[row][m]},
                                       {"std", summary.std[row][m]},
                                       {"nan", static_cast<std::int64_t>(summary.nan[row][m])}};
    list.push_back(std::move(entry));
  }
  return list;
}

nlohmann::ordered_json suggestions_as_json(const store::SomSuggestions& suggestions) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t row = 0; row < suggestions.reason.size(); ++row) {
    nlohmann::ordered_json entry = settings_as_json(suggestions.groups, row);
    entry["elbow"] = suggestions.elbow[row];
    entry["topographic"] = suggestions.topographic[row];
    entry["variance"] = suggestions.variance[row];
    entry["davies_bouldin"] = suggestions.davies_bouldin[row];
    entry["agreeing"] = suggestions.agreeing[row];
    entry["reason"] = suggestions.reason[row];
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string som_as_text(const store::ReadFile& file) {
  std::string text = state_line(file) + data_line(file);
  if (finished(file)) {
    const store::SomSuggestions suggestions = store::read_som_suggestions(file);
    text += "\n" + som::summary_table(store::read_som_summary(file), suggestions, most_rows) + "\n" +
            som::suggestion_text(suggestions);
  }
  return text + "\n" + provenance_as_text(file);
}

std::string som_as_json(const store::ReadFile& file) {
  nlohmann::ordered_json json;
  json["file"] = file.path();
  json["attributes"] = attributes_as_json(file);
  json["maps"] = file.shape("/runs/state").at(0);
  json["finished_maps"] = store::count_finished(file);
  json["data"] = {{"name", file.strings("/data/name")},
                  {"offset", file.doubles("/data/offset")},
                  {"scale", file.doubles("/data/scale")}};
  if (finished(file)) {
    json["summary"] = summary_as_json(store::read_som_summary(file));
    json["suggestions"] = suggestions_as_json(store::read_som_suggestions(file));
  }
  constexpr int indent = 2;
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace atl::cli
