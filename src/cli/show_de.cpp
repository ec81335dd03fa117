#include "cli/show_de.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/counts.hpp"
#include "base/error.hpp"
#include "cli/show_parts.hpp"

namespace atl::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

struct Parameters {
  std::vector<std::string> name, scale;
  std::vector<double> x, min, max;
  std::vector<std::int64_t> integer, fixed, at_bound;
};

template <typename T>
void check_length(const store::ReadFile& file, const char* path, const std::vector<T>& values, std::size_t expected) {
  if (values.size() != expected)
    fail(ExitCode::bad_data, "{}:{}: {} values where {} belong", file.path(), path, values.size(), expected);
}

std::vector<double> doubles(const store::ReadFile& file, const char* path, std::size_t expected) {
  auto values = file.doubles(path);
  check_length(file, path, values, expected);
  return values;
}

std::vector<std::int64_t> integers(const store::ReadFile& file, const char* path, std::size_t expected) {
  auto values = file.integers(path);
  check_length(file, path, values, expected);
  return values;
}

std::vector<std::string> strings(const store::ReadFile& file, const char* path, std::size_t expected) {
  auto values = file.strings(path);
  check_length(file, path, values, expected);
  return values;
}

Parameters read_parameters(const store::ReadFile& file) {
  Parameters result;
  result.x = file.doubles("/x");
  const std::size_t d = result.x.size();
  result.name = strings(file, "/parameters/name", d);
  result.scale = strings(file, "/parameters/scale", d);
  result.min = doubles(file, "/parameters/min", d);
  result.max = doubles(file, "/parameters/max", d);
  result.integer = integers(file, "/parameters/integer", d);
  result.fixed = integers(file, "/parameters/fixed", d);
  result.at_bound = integers(file, "/parameters/at_bound", d);
  return result;
}

double read_fun(const store::ReadFile& file) {
  return doubles(file, "/fun", 1).front();
}

std::string outcome(const store::ReadFile& file) {
  const auto count = [&](const char* name) { return file.integer_attribute("/", name); };
  std::string text =
      fmt::format("{}: differential evolution, {}, {}{}\n", file.path(), file.text_attribute("/", "state"),
                  count("success") != 0 ? "success" : "no success", count("converged") != 0 ? ", converged" : "");
  text += fmt::format("  {}\n\n", file.text_attribute("/", "message"));
  text += fmt::format("fun = {}\n", read_fun(file));
  text += fmt::format("  {} in {}", counted(count("nfev"), "evaluation"), counted(count("nit"), "generation"));
  if (count("polish_nfev") > 0)
    text += fmt::format("; polish took {} more, from {}", grouped(count("polish_nfev")),
                        file.number_attribute("/", "fun_before_polish"));
  text += "\n";
  if (count("nan_evaluations") + count("inf_evaluations") > 0)
    text += fmt::format("  {} of them gave NaN, {} inf\n", grouped(count("nan_evaluations")),
                        grouped(count("inf_evaluations")));
  if (file.has("/fit") && file.has_attribute("/fit", "r_squared") && file.has_attribute("/fit", "rmse"))
    text += fmt::format("  fit: R squared {:.6g}, root mean square error {:.6g}\n",
                        file.number_attribute("/fit", "r_squared"), file.number_attribute("/fit", "rmse"));
  return text;
}

std::string parameter_note(const Parameters& p, std::size_t i) {
  if (p.fixed[i] != 0) return "fixed";
  std::vector<std::string> notes;
  if (p.at_bound[i] != 0) notes.emplace_back("at its bound");
  if (p.integer[i] != 0) notes.emplace_back("integer");
  if (p.scale[i] != "linear") notes.push_back(p.scale[i]);
  return fmt::format("{}", fmt::join(notes, ", "));
}

std::string parameter_table(const Parameters& p) {
  constexpr std::size_t most = 200;
  const std::size_t shown = std::min(p.x.size(), most);
  Rows rows{{"parameter", "value", "min", "max", ""}};
  for (std::size_t i = 0; i < shown; ++i) {
    rows.push_back({p.name[i], fmt::format("{}", p.x[i]), fmt::format("{}", p.min[i]), fmt::format("{}", p.max[i]),
                    parameter_note(p, i)});
  }
  std::string text = aligned(rows);
  if (shown < p.x.size()) text += fmt::format("  ... {} more; --json has all\n", p.x.size() - shown);
  return text;
}

// Finite energies first in order, so that [0] is the best.
std::vector<std::size_t> by_energy(const std::vector<double>& fun) {
  std::vector<std::size_t> order(fun.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::isnan(fun[b]) ? !std::isnan(fun[a]) : fun[a] < fun[b];
  });
  return order;
}

std::string island_summary(const store::ReadFile& file) {
  const auto fun = file.doubles("/islands/fun");
  const auto sizes = integers(file, "/islands/population_size", fun.size());
  const auto reached = integers(file, "/islands/value_to_reach_nfev", fun.size());
  if (fun.empty()) return "no islands\n";
  const auto order = by_energy(fun);
  const std::size_t count = order.size();
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  std::string text = fmt::format("{} of {} members\n", counted(count, "island"),
                                 *least == *most ? grouped(*least) : fmt::format("{} to {}", *least, *most));
  text += fmt::format("  best {} on island {}, median {:.10g}, worst {:.10g} on island {}\n", fun[order.front()],
                      order.front(), fun[order[count / 2]], fun[order.back()], order.back());
  const auto hits = count - static_cast<std::size_t>(std::count(reached.begin(), reached.end(), -1));
  if (hits > 0) text += fmt::format("  the value to reach was met on {} of {}\n", hits, count);
  return text;
}

std::string history_table(const store::ReadFile& file) {
  constexpr std::size_t most = 8;
  const auto generation = file.integers("/history/generation");
  const std::size_t t = generation.size();
  const auto evaluations = integers(file, "/history/evaluations", t);
  const auto seconds = doubles(file, "/history/seconds", t), best = doubles(file, "/history/best", t);
  const auto mean = doubles(file, "/history/mean", t), std = doubles(file, "/history/std", t);
  Rows rows{{"generation", "evaluations", "seconds", "best", "mean", "std"}};
  for (const std::size_t i : evenly(t, most)) {
    rows.push_back({grouped(generation[i]), grouped(evaluations[i]), fmt::format("{:.3f}", seconds[i]),
                    fmt::format("{:.10g}", best[i]), fmt::format("{:.6g}", mean[i]), fmt::format("{:.3g}", std[i])});
  }
  std::string text = aligned(rows);
  const auto accepted = file.has("/migrations") ? file.integer_attribute("/migrations", "accepted") : 0;
  return text + (accepted > 0 ? fmt::format("  {} accepted\n", counted(accepted, "migrant")) : "");
}

std::string device_table(const store::ReadFile& file) {
  constexpr std::size_t most = 64;
  const auto rank = file.integers("/devices/rank");
  const std::size_t n = rank.size();
  const auto host = strings(file, "/devices/host", n), name = strings(file, "/devices/name", n);
  const auto evaluations = integers(file, "/devices/evaluations", n);
  const auto busy = doubles(file, "/devices/busy_seconds", n);
  Rows rows{{"device", "rank", "host", "evaluations", "busy seconds"}};
  for (std::size_t i = 0; i < std::min(n, most); ++i)
    rows.push_back(
        {name[i], std::to_string(rank[i]), host[i], grouped(evaluations[i]), fmt::format("{:.3f}", busy[i])});
  return aligned(rows) + (n > most ? fmt::format("  ... {} more; --json has all\n", n - most) : "");
}

nlohmann::ordered_json parameters_as_json(const Parameters& p) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    list.push_back({{"name", p.name[i]},
                    {"value", p.x[i]},
                    {"min", p.min[i]},
                    {"max", p.max[i]},
                    {"scale", p.scale[i]},
                    {"integer", p.integer[i] != 0},
                    {"fixed", p.fixed[i] != 0},
                    {"at_bound", p.at_bound[i] != 0}});
  }
  return list;
}

nlohmann::ordered_json last_of_history(const store::ReadFile& file) {
  nlohmann::ordered_json last;
  for (const std::string name : {"generation", "evaluations"}) {
    if (const auto values = file.integers("/history/" + name); !values.empty()) last[name] = values.back();
  }
  for (const std::string name : {"seconds", "best", "mean", "std"}) {
    if (const auto values = file.doubles("/history/" + name); !values.empty()) last[name] = values.back();
  }
  return last;
}

nlohmann::ordered_json devices_as_json_list(const store::ReadFile& file) {
  const auto rank = file.integers("/devices/rank");
  const std::size_t n = rank.size();
  const auto host = strings(file, "/devices/host", n), name = strings(file, "/devices/name", n);
  const auto id = strings(file, "/devices/id", n), driver = strings(file, "/devices/driver", n);
  const auto evaluations = integers(file, "/devices/evaluations", n);
  const auto busy = doubles(file, "/devices/busy_seconds", n);
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < n; ++i) {
    list.push_back({{"rank", rank[i]},
                    {"host", host[i]},
                    {"name", name[i]},
                    {"id", id[i]},
                    {"driver", driver[i]},
                    {"evaluations", evaluations[i]},
                    {"busy_seconds", busy[i]}});
  }
  return list;
}

}  // namespace

std::string de_as_text(const store::ReadFile& file) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", outcome(file), parameter_table(read_parameters(file)),
                     island_summary(file), history_table(file), device_table(file), provenance_as_text(file));
}

std::string de_as_json(const store::ReadFile& file) {
  nlohmann::ordered_json json;
  json["file"] = file.path();
  json["fun"] = read_fun(file);
  json["x"] = file.doubles("/x");
  json["attributes"] = attributes_as_json(file);
  json["parameters"] = parameters_as_json(read_parameters(file));
  json["islands"] = {{"population_size", file.integers("/islands/population_size")},
                     {"fun", file.doubles("/islands/fun")},
                     {"nfev", file.integers("/islands/nfev")},
                     {"value_to_reach_nfev", file.integers("/islands/value_to_reach_nfev")}};
  json["history"] = last_of_history(file);
  for (const std::string name : {"accepted", "listed"}) {
    if (file.has("/migrations")) json["migrations"][name] = file.integer_attribute("/migrations", name);
  }
  for (const std::string name : {"r_squared", "rmse"}) {
    if (file.has("/fit") && file.has_attribute("/fit", name)) json["fit"][name] = file.number_attribute("/fit", name);
  }
  json["devices"] = devices_as_json_list(file);
  constexpr int indent = 2;
  // Text of a foreign file may be no UTF-8; a replacement mark is better than no summary.
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace atl::cli
