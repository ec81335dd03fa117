#include "cli/de_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/counts.hpp"
#include "cli/progress.hpp"
#include "de/host_objective.hpp"

namespace atl::cli {
namespace {

constexpr std::size_t short_list = 24;

std::size_t widest(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, text.size());
  return width;
}

std::string rows_text(const de::Problem& problem, const StartPoint& start, const de::Evaluation& evaluation) {
  std::string text;
  if (problem.kind != config::ProblemKind::model) {
    text = fmt::format("\n{:>7}  {:>22}\n", "row", "term");
    for (std::size_t row = 0; row < evaluation.parts.size(); ++row) {
      text += fmt::format("{:>7}  {:>22}\n", row + 1, evaluation.parts[row]);
    }
    return text;
  }
  const std::vector<double> predicted = de::predict(problem, start.x);
  const auto target = problem.table->column(problem.target);
  text = fmt::format("\n{:>7}  {:>22}  {:>22}  {:>22}\n", "row", problem.table->names[problem.target], "model",
                     "part of the objective");
  for (std::size_t row = 0; row < evaluation.parts.size(); ++row) {
    text += fmt::format("{:>7}  {:>22}  {:>22}  {:>22}\n", row + 1, target[row], predicted[row], evaluation.parts[row]);
  }
  return text;
}

std::string devices_text(const std::vector<store::DeviceRow>& devices) {
  std::map<std::string, int> count;
  for (const store::DeviceRow& row : devices) ++count[row.name];
  std::string text;
  for (const auto& [name, ranks] : count) {
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", ranks > 1 ? fmt::format("{} x ", ranks) : "", name);
  }
  return text;
}

}  // namespace

StartPoint start_point(const de::Problem& problem) {
  StartPoint start;
  for (const de::Entry& entry : problem.entries) {
    const bool given = entry.fixed || entry.start.has_value();
    double value = entry.fixed ? entry.value : entry.start.value_or(0);
    if (!given) {
      value =
          entry.log_scale ? std::exp(std::log(entry.min) / 2 + std::log(entry.max) / 2) : entry.min / 2 + entry.max / 2;
    }
    if (entry.integer && !entry.fixed) {
      value = std::clamp(std::floor(value + 0.5), std::ceil(entry.min), std::floor(entry.max));
    }
    start.x.push_back(value);
    start.from_box.push_back(!given);
  }
  return start;
}

std::string evaluation_text(const de::Problem& problem, const StartPoint& start, const EvaluationReport& report) {
  std::vector<std::string> names;
  for (const de::Entry& entry : problem.entries) names.push_back(entry.name);
  const std::size_t width = widest(names);
  std::string text = "one evaluation at\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const char* note = problem.entries[i].fixed ? "  (fixed)"
                       : start.from_box[i]      ? "  (no start: the middle of its box)"
                                                : "";
    text += fmt::format("  {:<{}} = {}{}\n", names[i], width, start.x[i], note);
  }
  if (report.device && !report.device->parts.empty()) text += rows_text(problem, start, *report.device);
  text += "\n";
  if (report.device) text += fmt::format("f = {}  on {}\n", report.device->fun, report.device_name);
  if (report.host) text += fmt::format("f = {}  by the host in double precision\n", *report.host);
  if (!report.no_device.empty()) text += fmt::format("no device here: {}\n", report.no_device);
  return text;
}

std::string summary_text(const store::DeResult& result, const std::string& output, bool verbose) {
  std::string text = fmt::format("fun = {}\n", result.fun);
  const std::size_t shown = verbose ? result.names.size() : std::min(result.names.size(), short_list);
  const std::size_t width = widest({result.names.begin(), result.names.begin() + static_cast<long>(shown)});
  for (std::size_t i = 0; i < shown; ++i) {
    const char* note = result.fixed[i] != 0 ? "  (fixed)" : result.at_bound[i] != 0 ? "  (at its bound)" : "";
    text += fmt::format("  {:<{}} = {}{}\n", result.names[i], width, result.x[i], note);
  }
  if (shown < result.names.size()) {
    text += fmt::format("  and {} more: atoll show {} or --verbose\n", result.names.size() - shown, output);
  }
  if (result.polish_nfev > 0) {
    const std::string gain = result.fun < result.fun_before_polish
                                 ? fmt::format("{} -> {}", result.fun_before_polish, result.fun)
                                 : std::string("nothing better");
    text += fmt::format("polish: {} in {}\n", gain, counted(result.polish_nfev, "evaluation"));
  }
  if (result.nan_evaluations > 0 || result.inf_evaluations > 0) {
    text += fmt::format("{} gave NaN, {} gave inf\n", counted(result.nan_evaluations, "evaluation"),
                        grouped(result.inf_evaluations));
  }
  const double seconds = result.history_seconds.empty() ? 0 : result.history_seconds.back();
  const bool failed = result.state == "finished" && !result.success;  // then the message is an error, on stderr
  if (!failed) text += result.message + "\n";
  text += fmt::format("{} {} on {} in {}", human_count(static_cast<double>(result.nfev)),
                      plural(result.nfev, "evaluation"), counted(result.islands, "island"), human_seconds(seconds));
  if (seconds > 0) text += fmt::format(" ({}/s)", human_count(static_cast<double>(result.nfev) / seconds));
  const std::string devices = devices_text(result.devices);
  if (!devices.empty()) text += fmt::format(" on {}", devices);
  return text + fmt::format("\n-> {}\n", output);
}

}  // namespace atl::cli
