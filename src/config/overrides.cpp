// --set KEY=VALUE: one value of the tree replaced or added.
#include <algorithm>

#include "config/document.hpp"
#include "config/text_check.hpp"

namespace atl::config {

namespace {

/// The parts of a dotted key.
std::vector<std::string> parts_of(const Override& change) {
  std::vector<std::string> parts{""};
  for (const char c : change.key) {
    const bool bare =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (c == '.') {
      parts.emplace_back();
    } else if (bare) {
      parts.back() += c;
    } else {
      fail(ExitCode::bad_configuration, "{}: a key is made of letters, digits, _ and -, with dots between its parts",
           change.origin);
    }
  }
  const bool empty_part = std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); });
  if (empty_part || parts.size() > 16) {
    fail(ExitCode::bad_configuration, "{}: a key looks like table.key, for example run.seed", change.origin);
  }
  return parts;
}

void place(Value& value, const Location& where) {
  value.where = where;
  value.content = where;
  for (Value& item : value.items) place(item, where);
}

Value value_of(const Override& change) {
  std::string comment = "#" + change.value;  // where any character may stand that may stand anywhere
  std::replace(comment.begin(), comment.end(), '\n', ' ');
  check_text(comment, change.origin);
  Value value;
  value.kind = Value::Kind::string;
  value.text = change.value;
  if (change.value.find('\n') == std::string::npos) {
    try {
      Document parsed = parse_document("value = " + change.value, change.origin);
      value = std::move(parsed.root.items.at(0));
    } catch (const Error&) {
      // Not TOML: the plain string that most people mean, as in --set migration.topology=ring.
    }
  }
  place(value, {change.origin, 0, 0});
  return value;
}

Value& child(Value& table, const std::string& name) {
  for (Value& item : table.items) {
    if (item.key == name) return item;
  }
  Value& added = table.items.emplace_back();
  added.key = name;
  return added;
}

void apply_one(Document& document, const Override& change) {
  const std::vector<std::string> parts = parts_of(change);
  Value* table = &document.root;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const bool known = table->find(parts[i]) != nullptr;
    table = &child(*table, parts[i]);
    if (!known) table->where = {change.origin, 0, 0};
    if (table->kind != Value::Kind::table) {
      fail(ExitCode::bad_configuration, "{}: {} ({}) is {}, not a table; set it whole", change.origin, parts[i],
           table->where.text(), describe(*table));
    }
  }
  Value& old = child(*table, parts.back());
  old = value_of(change);
  old.key = parts.back();
}

}  // namespace

void apply(Document& document, const std::vector<Override>& overrides) {
  for (const Override& change : overrides) apply_one(document, change);
}

}  // namespace atl::config
