#include "store/som_layout.hpp"

#include <cstring>
#include <string_view>
#include <type_traits>

#include "base/error.hpp"

namespace atl::store {
namespace {

template <typename T>
void append(std::vector<std::byte>& bytes, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::uint64_t count = values.size();
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof count + count * sizeof(T));
  std::memcpy(bytes.data() + at, &count, sizeof count);
  if (count > 0) std::memcpy(bytes.data() + at + sizeof count, values.data(), count * sizeof(T));
}

template <typename T>
std::vector<T> take(const std::vector<std::byte>& bytes, std::size_t& at) {
  std::uint64_t count = 0;
  if (bytes.size() - at < sizeof count) fail(ExitCode::internal, "a batch of maps ends too early");
  std::memcpy(&count, bytes.data() + at, sizeof count);
  at += sizeof count;
  if (count > (bytes.size() - at) / sizeof(T)) fail(ExitCode::internal, "a batch of maps ends too early");
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), bytes.data() + at, count * sizeof(T));
  at += count * sizeof(T);
  return values;
}

}  // namespace

std::size_t som_measure(const char* name) {
  for (std::size_t i = 0; i < som_measures.size(); ++i)
    if (std::string_view(som_measures[i]) == name) return i;
  fail(ExitCode::internal, "there is no measure {}", name);
}

std::uint64_t SomLayout::map_bytes(std::size_t map) const {
  constexpr std::uint64_t row = std::uint64_t{19} * 8;  // of /runs
  const auto neurons = static_cast<std::uint64_t>(maps.neurons[map]);
  std::uint64_t bytes = row + 8;
  if (weights) bytes += neurons * names.size() * weight_bytes();
  if (assignments) bytes += static_cast<std::uint64_t>(points) * 4;
  if (hits) bytes += neurons * 4;
  return bytes;
}

std::size_t packed_bytes(const SomBatch& batch) {
  constexpr std::size_t arrays = 7;  // each after its length
  return arrays * sizeof(std::uint64_t) + batch.index.size() * sizeof(std::int64_t) +
         batch.seconds.size() * sizeof(double) + batch.measures.size() * sizeof(SomMeasures) + batch.weights.size() +
         (batch.assignments.size() + batch.hits.size() + 1) * sizeof(std::int32_t);
}

std::vector<std::byte> pack(const SomBatch& batch) {
  std::vector<std::byte> bytes;
  bytes.reserve(packed_bytes(batch));
  append(bytes, batch.index);
  append(bytes, batch.seconds);
  append(bytes, batch.measures);
  append(bytes, batch.weights);
  append(bytes, batch.assignments);
  append(bytes, batch.hits);
  append(bytes, std::vector<std::int32_t>{batch.rank});
  return bytes;
}

SomBatch unpack_som_batch(const std::vector<std::byte>& bytes) {
  SomBatch batch;
  std::size_t at = 0;
  batch.index = take<std::int64_t>(bytes, at);
  batch.seconds = take<double>(bytes, at);
  batch.measures = take<SomMeasures>(bytes, at);
  batch.weights = take<std::byte>(bytes, at);
  batch.assignments = take<std::int32_t>(bytes, at);
  batch.hits = take<std::int32_t>(bytes, at);
  const std::vector<std::int32_t> rank = take<std::int32_t>(bytes, at);
  if (rank.size() != 1 || at != bytes.size()) fail(ExitCode::internal, "a batch of maps has the wrong length");
  batch.rank = rank.front();
  return batch;
}

}  // namespace atl::store
