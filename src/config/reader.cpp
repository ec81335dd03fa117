#include "config/reader.hpp"

#include <algorithm>

#include "config/suggest.hpp"

namespace atl::config {

namespace {

std::string parent_of(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return std::string(key.substr(0, dot == std::string_view::npos ? 0 : dot));
}

std::string_view last_of(std::string_view key) {
  return key.substr(key.rfind('.') + 1);  // npos + 1 is 0
}

std::string below(const std::string& table, const std::string& name) {
  return table.empty() ? name : table + "." + name;
}

bool one_of(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

Location line_of(const Value& value) {
  return {value.where.source, value.where.line, 0};
}

void Reader::expect(const std::string& table, std::vector<std::string> keys) {
  tables_[table] = std::move(keys);
}

void Reader::expect_any(const std::string& table) {
  tables_[table] = {};
}

void Reader::forbid(const std::string& key, const std::string& reason) {
  forbidden_[key] = reason;
}

void Reader::refuse_unknown() const {
  refuse_unknown_in(document_.root, "");
}

void Reader::refuse_unknown_in(const Value& table, const std::string& name) const {
  const auto declared = tables_.find(name);
  if (declared == tables_.end() || declared->second.empty()) return;
  for (const Value& item : table.items) {
    const std::string key = below(name, item.key);
    if (const auto forbidden = forbidden_.find(key); forbidden != forbidden_.end()) {
      refuse(line_of(item), key, forbidden->second);
    }
    if (one_of(declared->second, item.key)) {
      if (item.kind == Value::Kind::table) refuse_unknown_in(item, key);
      continue;
    }
    std::string hint = suggestion(item.key, declared->second);
    for (const auto& [other, keys] : tables_) {
      if (hint.empty() && one_of(keys, item.key)) hint = fmt::format("; did you mean {}?", below(other, item.key));
    }
    fail_at(ExitCode::bad_configuration, line_of(item), "unknown key {}; {} {}{}", key,
            name.empty() ? "a file has" : fmt::format("[{}] has", name), joined(declared->second), hint);
  }
}

bool Reader::declared(std::string_view key) const {
  const auto table = tables_.find(parent_of(key));
  return table != tables_.end() && (table->second.empty() || one_of(table->second, last_of(key)));
}

const Value* Reader::find(std::string_view key) const {
  if (!declared(key)) fail(ExitCode::internal, "the configuration reader was asked for an undeclared key {}", key);
  const Value* value = &document_.root;
  while (value != nullptr && !key.empty()) {
    const std::size_t dot = std::min(key.find('.'), key.size());
    if (value->kind != Value::Kind::table) return nullptr;  // reported where that table is asked for
    value = value->find(key.substr(0, dot));
    key.remove_prefix(std::min(dot + 1, key.size()));
  }
  return value;
}

const Value* Reader::table(std::string_view key) const {
  const Value* value = find(key);
  if (value != nullptr && value->kind != Value::Kind::table) {
    refuse(key, fmt::format("must be a table, not {}", describe(*value)));
  }
  return value;
}

std::vector<const Value*> Reader::list(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return {};
  if (value->kind != Value::Kind::array) return {value};
  std::vector<const Value*> items;
  for (const Value& item : value->items) items.push_back(&item);
  return items;
}

Location Reader::where(std::string_view key) const {
  const Value* value = &document_.root;
  Location place{document_.source, 0, 0};
  while (value != nullptr && !key.empty()) {
    const std::size_t dot = std::min(key.find('.'), key.size());
    value = value->find(key.substr(0, dot));
    if (value != nullptr) place = line_of(*value);
    key.remove_prefix(std::min(dot + 1, key.size()));
  }
  return place;
}

void Reader::refuse(const Location& where, std::string_view key, const std::string& reason) const {
  // "--set stop.time" already names the key.
  if (where.line == 0 && where.source.ends_with(key)) fail_at(ExitCode::bad_configuration, where, "{}", reason);
  fail_at(ExitCode::bad_configuration, where, "{}: {}", key, reason);
}

void Reader::record(std::string_view key, std::string toml) {
  record(key, std::move(toml), find(key));
}

void Reader::record(std::string_view key, std::string toml, const Value* origin) {
  const std::string from = origin == nullptr ? "default" : line_of(*origin).text();
  effective_.push_back({std::string(key), std::move(toml), from});
}

}  // namespace atl::config
