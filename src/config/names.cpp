#include "config/names.hpp"

namespace atl::config {

void check_name(const Reader& reader, const Value& value, const std::string& table) {
  const std::string& name = value.key;
  bool legal = !name.empty() && (name[0] < '0' || name[0] > '9');
  for (const char c : name) {
    legal = legal && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
  }
  const std::string key = table + "." + toml_text(name);
  if (!legal) reader.refuse(line_of(value), key, "a name has letters, digits and _, and no digit first");
  if (name == "pi") reader.refuse(line_of(value), key, "pi is 3.14159... in every expression; choose another name");
}

}  // namespace atl::config
