// Values of all ranks on rank 0.
#pragma once
#include <cstring>
#include <vector>

#include "cluster/communicator.hpp"

namespace atl::cluster {

/// All ranks' values in rank order, on rank 0; empty elsewhere (but one rank keeps its own). T is trivially copyable.
/// Collective.
template <typename T>
[[nodiscard]] std::vector<T> gather_values(const std::vector<T>& mine, const Communicator& communicator) {
  if (communicator.size() == 1) return mine;
  std::vector<std::byte> bytes(mine.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), mine.data(), bytes.size());
  std::vector<T> all;
  for (const auto& part : communicator.gather(bytes)) {
    const std::size_t before = all.size();
    all.resize(before + part.size() / sizeof(T));
    if (!part.empty()) std::memcpy(all.data() + before, part.data(), part.size());
  }
  return all;
}

}  // namespace atl::cluster
