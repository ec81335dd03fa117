// [stop] and [run]: when a run ends, and how it counts.
#include <charconv>
#include <limits>

#include "config/de_names.hpp"
#include "config/de_sections.hpp"
#include "config/duration.hpp"

namespace atl::config {

namespace {

/// "90s", 90 or 01:30:00 (which TOML reads as a time of day).
std::optional<double> read_seconds(Reader& reader, const char* key) {
  const Value* value = reader.find(key);
  if (value == nullptr) return std::nullopt;
  std::optional<double> seconds = number(*value);
  if (value->kind == Value::Kind::string || value->kind == Value::Kind::time) seconds = parse_duration(value->text);
  if (!seconds || !(*seconds > 0 && *seconds <= std::numeric_limits<double>::max())) {
    reader.refuse(key,
                  fmt::format("must be seconds above 0 or a duration ({}), not {}", duration_forms, describe(*value)));
  }
  reader.record(key, toml_text(*seconds));
  return seconds;
}

/// "200 generations" or 200.
std::optional<std::int64_t> read_stagnation(Reader& reader, const char* key) {
  const Value* value = reader.find(key);
  if (value == nullptr || value->kind != Value::Kind::string) return reader.integer(key, {1, most_generations});
  std::string_view text = value->text;
  for (const std::string_view ending : {" generations", " generation"}) {
    if (text.ends_with(ending)) text.remove_suffix(ending.size());
  }
  std::int64_t generations = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), generations);
  const bool whole = fault == std::errc() && end == text.data() + text.size() && text.size() < value->text.size();
  if (!whole || generations < 1 || generations > most_generations) {
    reader.refuse(key, fmt::format("must be a number of generations from 1 to {}, such as \"200 generations\", not {}",
                                   most_generations, describe(*value)));
  }
  reader.record(key, toml_text(generations));
  return generations;
}

void read_tolerance(Reader& reader, StopSettings& stop) {
  const Value* table = reader.find("stop.tolerance");
  if (table == nullptr) return;
  if (table->kind != Value::Kind::table) {
    reader.refuse("stop.tolerance",
                  fmt::format("must be {{ relative = ..., absolute = ... }}, not {}", describe(*table)));
  }
  const auto part = [&](const char* name) {
    constexpr Interval allowed{0, std::numeric_limits<double>::max()};
    const Value* value = table->find(name);
    return value == nullptr ? 0.0 : reader.check(*value, std::string("stop.tolerance.") + name, allowed);
  };
  stop.tolerance_relative = part("relative");
  stop.tolerance_absolute = part("absolute");
  reader.record("stop.tolerance", fmt::format("{{ relative = {}, absolute = {} }}", toml_text(stop.tolerance_relative),
                                              toml_text(stop.tolerance_absolute)));
}

}  // namespace

StopSettings read_stop(Reader& reader) {
  StopSettings stop;
  stop.evaluations = reader.integer("stop.evaluations", {1, most_evaluations});
  stop.generations = reader.integer("stop.generations", {0, most_generations});
  stop.value_to_reach = reader.real("stop.value_to_reach", any_finite);
  stop.seconds = read_seconds(reader, "stop.time");
  stop.stagnation = read_stagnation(reader, "stop.stagnation");
  read_tolerance(reader, stop);
  return stop;
}

RunSettings read_run(Reader& reader) {
  RunSettings run;
  run.seed = reader.seed("run.seed", run.seed);
  run.precision = reader.choice("run.precision", run.precision, precision_names);
  run.polish = reader.boolean("run.polish", run.polish);
  return run;
}

}  // namespace atl::config
