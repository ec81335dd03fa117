// [parameters]: the box that is searched.
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "config/de_sections.hpp"
#include "config/names.hpp"
#include "config/suggest.hpp"

namespace atl::config {

namespace {

const std::vector<std::string> parameter_keys{"min", "max", "scale", "integer", "value", "size", "start"};
constexpr double largest_integer = 9007199254740992.0;  // 2^53: a double holds every integer up to here
constexpr double largest_integer_single = 16777216.0;   // 2^24, the same for single

/// One entry of [parameters] while it is read.
struct Entry {
  const Reader& reader;
  const Value& value;
  std::string key;  // "parameters.a1"

  [[noreturn]] void refuse(const std::string& reason) const { reader.refuse(line_of(value), key, reason); }

  [[nodiscard]] double finite(const Value& item, const std::string& name) const {
    return reader.check(item, key + "." + name, any_finite);
  }

  [[nodiscard]] bool flag(const std::string& name) const {
    const Value* item = value.find(name);
    if (item == nullptr) return false;
    if (item->kind != Value::Kind::boolean) {
      reader.refuse(line_of(*item), key + "." + name, fmt::format("must be true or false, not {}", describe(*item)));
    }
    return item->boolean;
  }
};

void check_keys(const Entry& entry) {
  const bool fixed = entry.value.find("value") != nullptr;
  for (const Value& item : entry.value.items) {
    if (std::find(parameter_keys.begin(), parameter_keys.end(), item.key) == parameter_keys.end()) {
      fail_at(ExitCode::bad_configuration, line_of(item), "unknown key {}.{}; a parameter has {}{}", entry.key,
              item.key, joined(parameter_keys), suggestion(item.key, parameter_keys));
    }
    if (fixed && item.key != "value" && item.key != "size") {
      entry.refuse(fmt::format("value fixes it, so {} has no meaning beside it", item.key));
    }
  }
}

void read_box(const Entry& entry, Parameter& parameter) {
  for (const char* name : {"min", "max"}) {
    const Value* item = entry.value.find(name);
    if (item == nullptr) {
      entry.refuse(fmt::format("has no {}; write [min, max], {{ min = ..., max = ... }} or {{ value = ... }}", name));
    }
    (name[1] == 'i' ? parameter.min : parameter.max) = entry.finite(*item, name);
  }
}

void read_scale(const Entry& entry, Parameter& parameter) {
  const Value* item = entry.value.find("scale");
  if (item == nullptr) return;
  const std::string& scale = entry.reader.check_text_of(*item, entry.key + ".scale");
  parameter.log_scale = scale == "log";
  if (scale != "log" && scale != "linear") {
    entry.reader.wrong_word(*item, entry.key + ".scale", {"linear", "log"});
  }
}

void read_start(const Entry& entry, Parameter& parameter) {
  const Value* item = entry.value.find("start");
  if (item == nullptr) return;
  if (item->kind == Value::Kind::array) {
    if (parameter.size == 0) entry.refuse("start is an array, but without size it is one number");
    if (item->items.size() != static_cast<std::size_t>(parameter.size)) {
      entry.refuse(fmt::format("start has {} values, size is {}", item->items.size(), parameter.size));
    }
    for (const Value& number : item->items) parameter.start.push_back(entry.finite(number, "start"));
  } else {
    parameter.start.push_back(entry.finite(*item, "start"));
  }
  for (const double start : parameter.start) {
    if (start < parameter.min || start > parameter.max) {
      entry.refuse(fmt::format("start ({}) is outside [{}, {}]", start, parameter.min, parameter.max));
    }
    if (parameter.integer && start != std::floor(start)) entry.refuse(fmt::format("start ({}) is no integer", start));
  }
}

void check_box(const Entry& entry, const Parameter& parameter) {
  const double min = parameter.min;
  const double max = parameter.max;
  if (min > max) entry.refuse(fmt::format("min ({}) is above max ({})", min, max));
  if (!std::isfinite(max - min)) entry.refuse(fmt::format("max - min is not finite in [{}, {}]", min, max));
  if (parameter.log_scale && parameter.integer) entry.refuse("scale = \"log\" and integer = true exclude each other");
  if (parameter.log_scale && min <= 0) entry.refuse(fmt::format("scale = \"log\" needs min above 0, not {}", min));
  if (!parameter.integer) return;
  if (std::ceil(min) > std::floor(max)) entry.refuse(fmt::format("no integer in [{}, {}]", min, max));
  if (std::max(std::fabs(min), std::fabs(max)) > largest_integer) {
    entry.refuse(fmt::format("integers go from -2^53 to 2^53, not [{}, {}]", min, max));
  }
}

void read_table(const Entry& entry, Parameter& parameter) {
  check_keys(entry);
  if (const Value* size = entry.value.find("size")) {
    parameter.size = static_cast<int>(entry.reader.check(*size, entry.key + ".size", Range{1, most_dimensions}));
  }
  if (const Value* fixed = entry.value.find("value")) {
    parameter.value = entry.finite(*fixed, "value");
    parameter.min = parameter.max = *parameter.value;
    return;
  }
  read_box(entry, parameter);
  read_scale(entry, parameter);
  parameter.integer = entry.flag("integer");
  check_box(entry, parameter);
  read_start(entry, parameter);
  if (parameter.min == parameter.max) parameter.value = parameter.min;
}

Parameter read_parameter(const Entry& entry) {
  Parameter parameter;
  parameter.name = entry.value.key;
  parameter.where = line_of(entry.value);
  if (entry.value.kind == Value::Kind::table) {
    read_table(entry, parameter);
  } else if (entry.value.kind == Value::Kind::array && entry.value.items.size() == 2) {
    parameter.min = entry.finite(entry.value.items[0], "min");
    parameter.max = entry.finite(entry.value.items[1], "max");
    check_box(entry, parameter);
    if (parameter.min == parameter.max) parameter.value = parameter.min;
  } else {
    entry.refuse(fmt::format("must be [min, max], {{ min = ..., max = ... }} or {{ value = ... }}, not {}",
                             describe(entry.value)));
  }
  return parameter;
}

std::string effective(const Parameter& parameter, bool written_as_value) {
  std::string text = fmt::format("min = {}, max = {}", toml_text(parameter.min), toml_text(parameter.max));
  if (written_as_value) text = "value = " + toml_text(*parameter.value);
  if (parameter.log_scale) text += ", scale = \"log\"";
  if (parameter.integer) text += ", integer = true";
  if (parameter.size > 0) text += fmt::format(", size = {}", parameter.size);
  if (parameter.start.size() == 1 && parameter.size != 1) text += ", start = " + toml_text(parameter.start[0]);
  if (parameter.start.size() > 1 || (parameter.start.size() == 1 && parameter.size == 1)) {
    std::vector<std::string> numbers;
    for (const double start : parameter.start) numbers.push_back(toml_text(start));
    text += ", start = [" + joined(numbers) + "]";
  }
  return "{ " + text + " }";
}

}  // namespace

std::vector<Parameter> read_parameters(Reader& reader) {
  const Value* table = reader.table("parameters");
  if (table == nullptr || table->items.empty()) reader.refuse("parameters", "needs at least one, such as a = [-1, 1]");
  const Value* constants = reader.table("constants");
  std::vector<Parameter> parameters;
  std::int64_t dimensions = 0;
  for (const Value& value : table->items) {
    check_name(reader, value, "parameters");
    const Entry entry{reader, value, "parameters." + value.key};
    if (const Value* same = constants == nullptr ? nullptr : constants->find(value.key)) {
      entry.refuse(fmt::format("is also the name of a constant ({})", line_of(*same).text()));
    }
    parameters.push_back(read_parameter(entry));
    dimensions += std::max(1, parameters.back().size);
    if (dimensions > most_dimensions) entry.refuse(fmt::format("there are at most {} entries of x", most_dimensions));
    const bool written_as_value = value.find("value") != nullptr;
    reader.record(entry.key, effective(parameters.back(), written_as_value), &value);
  }
  return parameters;
}

void check_single_precision(const Reader& reader, const std::vector<Parameter>& parameters) {
  for (const Parameter& parameter : parameters) {
    const double largest = std::max(std::fabs(parameter.min), std::fabs(parameter.max));
    const std::string key = "parameters." + parameter.name;
    if (largest > FLT_MAX || parameter.max - parameter.min > FLT_MAX) {
      reader.refuse(parameter.where, key,
                    fmt::format("run.precision = \"single\" holds no width or bound above {}", FLT_MAX));
    }
    if (parameter.log_scale && parameter.min < FLT_MIN) {
      reader.refuse(parameter.where, key,
                    fmt::format("run.precision = \"single\" needs min >= {} for scale = \"log\"", FLT_MIN));
    }
    if (parameter.integer && largest > largest_integer_single) {
      reader.refuse(parameter.where, key, "run.precision = \"single\" holds integers from -2^24 to 2^24");
    }
  }
}

}  // namespace atl::config
