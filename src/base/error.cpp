#include "base/error.hpp"

namespace atl {

std::string Location::text() const {
  if (line == 0) return source;
  if (column == 0) return fmt::format("{}:{}", source, line);
  return fmt::format("{}:{}:{}", source, line, column);
}

}  // namespace atl
