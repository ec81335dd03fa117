#include "config/effective.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace atl::config {

namespace {

std::string_view table_of(std::string_view key) {
  return key.substr(0, key.find('.'));
}

}  // namespace

std::string toml_document(const std::vector<EffectiveValue>& values) {
  std::vector<std::pair<std::string_view, std::string>> tables;
  for (const EffectiveValue& entry : values) {
    const std::string_view table = table_of(entry.key);
    // Keys of one table stand together, so the last table is nearly always the right one.
    auto place = std::find_if(tables.rbegin(), tables.rend(), [&](const auto& known) { return known.first == table; });
    if (place == tables.rend()) {
      tables.emplace_back(table, "");
      place = tables.rbegin();
    }
    place->second += fmt::format("{} = {}\n", entry.key.substr(table.size() + 1), entry.value);
  }
  std::string document;
  for (const auto& [table, lines] : tables) {
    document += fmt::format("{}[{}]\n{}", document.empty() ? "" : "\n", table, lines);
  }
  return document;
}

void resolve(std::vector<EffectiveValue>& values, std::string_view key, std::string_view toml) {
  const auto same_key = std::find_if(values.begin(), values.end(), [&](const auto& entry) { return entry.key == key; });
  if (same_key != values.end()) {
    same_key->value = toml;
    return;
  }
  const auto last_of_table = std::find_if(values.rbegin(), values.rend(),
                                          [&](const auto& entry) { return table_of(entry.key) == table_of(key); });
  const auto place = last_of_table == values.rend() ? values.end() : last_of_table.base();
  values.insert(place, EffectiveValue{std::string(key), std::string(toml), "default"});
}

}  // namespace atl::config
