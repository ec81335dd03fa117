#include "som/summary_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "som/plan.hpp"

namespace atl::som {
namespace {

std::string cell(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.5g}", value);
}

bool varies(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [&](double v) { return v != values.front(); });
}

std::string shape_text(const store::SomColumns& settings, std::size_t row) {
  if (settings.topology[row] == "line" || settings.topology[row] == "ring") return grouped(settings.neurons[row]);
  return fmt::format("{}x{}", settings.rows[row], settings.columns[row]);
}

}  // namespace

std::string summary_table(const store::SomSummary& summary, std::size_t most_rows) {
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
  const std::size_t shown = std::min(count, most_rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t row = shown < 2 ? i : i * (count - 1) / (shown - 1);
    text += fmt::format("{:<18} {:>10}", settings.topology[row], shape_text(settings, row));
    if (sigma) text += fmt::format(" {:>8}", cell(settings.sigma[row]));
    if (eta) text += fmt::format(" {:>8}", cell(settings.eta[row]));
    if (epochs) text += fmt::format(" {:>8}", settings.epochs[row]);
    text += fmt::format(" {:>12} {:>10} {:>12} {:>10} {:>10}\n", cell(summary.mean[row][quantization]),
                        cell(summary.std[row][quantization]), cell(summary.mean[row][topographic]),
                        cell(summary.mean[row][variance]), cell(summary.mean[row][davies_bouldin]));
  }
  if (shown < count) text += fmt::format("({} of {} settings; all are in /summary)\n", shown, count);
  return text;
}

std::string suggestion_text(const store::SomSuggestions& suggestions) {
  const store::SomColumns& groups = suggestions.groups;
  std::string text;
  for (std::size_t g = 0; g < groups.neurons.size(); ++g)
    text += fmt::format("suggested: {} neurons ({}, sigma {:.6g}, eta {:.6g}, {} epochs): {}\n", shape_text(groups, g),
                        groups.topology[g], groups.sigma[g], groups.eta[g], groups.epochs[g], suggestions.reason[g]);
  return text;
}

}  // namespace atl::som
