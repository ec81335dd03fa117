// Memory of lists that grow for as long as a search runs.
#pragma once
#include <cstddef>
#include <vector>

namespace atl::de {

/// Takes the memory of the first `now` entries at once, so that a long run does not grow with every row, and addresses
/// for `later` of them, so that the list is not copied as it grows. The list is empty afterwards.
template <typename T>
void take_memory(std::vector<T>& list, std::size_t now, std::size_t later) {
  list.reserve(later);
  list.resize(now);
  list.clear();
}

}  // namespace atl::de
