#include "som/summary_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/counts.hpp"

namespace atl::som {
namespace {

std::string cell(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.5g}", value);
}

bool varies(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [&](double v) { return v != values.front(); });
}

bool is_line(const store::SomColumns& settings, std::size_t row) {
  return settings.topology[row] == "line" || settings.topology[row] == "ring";
}

std::string shape_text(const store::SomColumns& settings, std::size_t row) {
  if (is_line(settings, row)) return grouped(settings.neurons[row]);
  return fmt::format("{}x{}", settings.rows[row], settings.columns[row]);
}

bool is_suggested(const store::SomColumns& settings, std::size_t row, const store::SomColumns& groups) {
  for (std::size_t g = 0; g < groups.neurons.size(); ++g)
    if (settings.topology[row] == groups.topology[g] && settings.rows[row] == groups.rows[g] &&
        settings.columns[row] == groups.columns[g] && settings.sigma[row] == groups.sigma[g] &&
        settings.eta[row] == groups.eta[g] && settings.epochs[row] == groups.epochs[g])
      return true;
  return false;
}

/// Evenly spaced ones, and all that are suggested.
std::vector<std::size_t> shown_rows(const std::vector<bool>& suggested, std::size_t most_rows) {
  const std::size_t count = suggested.size();
  const std::size_t even = std::min(count, most_rows);
  std::set<std::size_t> rows;
  for (std::size_t i = 0; i < even; ++i) rows.insert(even < 2 ? i : i * (count - 1) / (even - 1));
  for (std::size_t row = 0; row < count; ++row)
    if (suggested[row]) rows.insert(row);
  return {rows.begin(), rows.end()};
}

}  // namespace

std::string summary_table(const store::SomSummary& summary, const store::SomSuggestions& suggestions,
                          std::size_t most_rows) {
  const store::SomColumns& settings = summary.settings;
  const std::size_t count = settings.neurons.size();
  static const std::size_t quantization = store::som_measure("quantization_error");
  static const std::size_t topographic = store::som_measure("topographic_error");
  static const std::size_t variance = store::som_measure("explained_variance");
  static const std::size_t davies_bouldin = store::som_measure("davies_bouldin");
  const bool sigma = varies(settings.sigma);
  const bool eta = varies(settings.eta);
  const std::vector<double> epoch_numbers(settings.epochs.begin(), settings.epochs.end());
  const bool epochs = varies(epoch_numbers);
  std::string text = fmt::format("{:<18} {:>10}", "topology", "neurons");
  if (sigma) text += fmt::format(" {:>8}", "sigma");
  if (eta) text += fmt::format(" {:>8}", "eta");
  if (epochs) text += fmt::format(" {:>8}", "epochs");
  text += fmt::format(" {:>12} {:>10} {:>12} {:>10} {:>10}\n", "quantization", "std", "topographic", "variance",
                      "davies-b.");
  std::vector<bool> suggested;
  for (std::size_t row = 0; row < count; ++row) suggested.push_back(is_suggested(settings, row, suggestions.groups));
  const std::vector<std::size_t> rows = shown_rows(suggested, most_rows);
  for (const std::size_t row : rows) {
    text += fmt::format("{:<18} {:>10}", settings.topology[row], shape_text(settings, row));
    if (sigma) text += fmt::format(" {:>8}", cell(settings.sigma[row]));
    if (eta) text += fmt::format(" {:>8}", cell(settings.eta[row]));
    if (epochs) text += fmt::format(" {:>8}", settings.epochs[row]);
    text += fmt::format(" {:>12} {:>10} {:>12} {:>10} {:>10}{}\n", cell(summary.mean[row][quantization]),
                        cell(summary.std[row][quantization]), cell(summary.mean[row][topographic]),
                        cell(summary.mean[row][variance]), cell(summary.mean[row][davies_bouldin]),
                        suggested[row] ? "  suggested" : "");
  }
  if (rows.size() < count) text += fmt::format("({} of {} settings; all are in /summary)\n", rows.size(), count);
  return text;
}

std::string suggestion_text(const store::SomSuggestions& suggestions) {
  const store::SomColumns& groups = suggestions.groups;
  std::string text;
  for (std::size_t g = 0; g < groups.neurons.size(); ++g)
    text += fmt::format("suggested: {}{} ({}, sigma {:.6g}, eta {:.6g}, {}): {}\n",
                        is_line(groups, g) ? "" : shape_text(groups, g) + " = ", counted(groups.neurons[g], "neuron"),
                        groups.topology[g], groups.sigma[g], groups.eta[g], counted(groups.epochs[g], "epoch"),
                        suggestions.reason[g]);
  return text;
}

}  // namespace atl::som
