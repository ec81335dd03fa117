#include "store/checkpoint_header.hpp"

#include <cstring>

#include "base/error.hpp"
#include "store/som_checksum.hpp"

namespace atl::store {
namespace {

constexpr char magic[8] = {'A', 'T', 'O', 'L', 'L', 'C', 'K', 'P'};
constexpr std::uint32_t newest_version = 1;
constexpr std::size_t version_at = 8, identity_at = 16, length_at = 24, checksum_at = 32, header_checksum_at = 504;

template <typename T>
void put(std::vector<std::byte>& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <typename T>
T get(std::span<const std::byte> bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

std::uint64_t identity_hash(const std::string& identity) {
  return checksum(identity.data(), identity.size(), 0);
}

std::vector<std::byte> header_of(std::span<const std::byte> image, std::uint64_t identity) {
  std::vector<std::byte> header(header_bytes);
  std::memcpy(header.data(), magic, sizeof magic);
  put(header, version_at, newest_version);
  put(header, identity_at, identity);
  put(header, length_at, std::uint64_t{image.size()});
  put(header, checksum_at, checksum(image.data(), image.size(), 0));
  put(header, header_checksum_at, checksum(header.data(), header_checksum_at, 0));
  return header;
}

CheckpointHeader check_header(const std::string& path, std::span<const std::byte> file) {
  if (file.empty()) fail(ExitCode::bad_data, "{} is empty", path);
  if (file.size() < header_bytes || std::memcmp(file.data(), magic, sizeof magic) != 0)
    fail(ExitCode::bad_data, "{} is not a checkpoint of atoll", path);
  if (get<std::uint64_t>(file, header_checksum_at) != checksum(file.data(), header_checksum_at, 0))
    fail(ExitCode::bad_data, "{} is damaged in its header", path);
  CheckpointHeader header;
  header.version = get<std::uint32_t>(file, version_at);
  if (header.version > newest_version)
    fail(ExitCode::bad_data, "{} is a checkpoint of version {}; this atoll reads up to {}", path, header.version,
         newest_version);
  header.identity = get<std::uint64_t>(file, identity_at);
  header.length = get<std::uint64_t>(file, length_at);
  header.checksum = get<std::uint64_t>(file, checksum_at);
  const std::span<const std::byte> image = file.subspan(header_bytes);
  if (image.size() != header.length)
    fail(ExitCode::bad_data, "{} is cut off: {} bytes where {} belong", path, file.size(),
         header_bytes + header.length);
  if (checksum(image.data(), image.size(), 0) != header.checksum)
    fail(ExitCode::bad_data, "{} is damaged: its checksum does not match", path);
  return header;
}

}  // namespace atl::store
