// The parts of a checkpoint's file: its header, and the HDF5 image behind it. Used by store/checkpoint only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/checkpoint.hpp"

namespace atl::store {

constexpr std::size_t header_bytes = 512;  // the smallest user block that HDF5 looks behind

/// Bytes 0-7 magic, 8-11 version, 16-23 hash of the identity, 24-31 length of the image, 32-39 its checksum, 504-511
/// checksum of all before; the rest is 0. Little-endian, as all machines are that OpenCL runs on.
struct CheckpointHeader {
  std::uint32_t version = 1;
  std::uint64_t identity = 0, length = 0, checksum = 0;
};

[[nodiscard]] std::uint64_t identity_hash(const std::string& identity);

/// The header of an image as bytes.
[[nodiscard]] std::vector<std::byte> header_of(std::span<const std::byte> image, std::uint64_t identity);

/// Error 65 when `file`, header and image, is not what was written.
[[nodiscard]] CheckpointHeader check_header(const std::string& path, std::span<const std::byte> file);

[[nodiscard]] std::vector<std::byte> checkpoint_image(const DeCheckpoint& checkpoint);
/// Error 65 when a part is missing or contradicts the others.
[[nodiscard]] DeCheckpoint read_checkpoint_image(const std::string& path);

}  // namespace atl::store
