// The HDF5 side of a sweep's file: its datasets and attributes. Used by som_file.cpp and som_seal.cpp only.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "store/som_layout.hpp"

namespace atl::store {

constexpr std::uint64_t seal_bytes = 4096;  // in front of the HDF5 file; see som_seal.hpp

enum class SomType { text24, text600, real64, real32, int64, uint64, int32, uint8 };

struct SomDataset {
  std::string path;
  SomType type;
  std::vector<std::uint64_t> shape;
  [[nodiscard]] std::uint64_t bytes() const;
};

[[nodiscard]] std::uint64_t bytes_of(SomType type);  // of one element

/// Every dataset of the file, in the order of their place in it: small tables first.
[[nodiscard]] std::vector<SomDataset> som_datasets(const SomLayout& layout);

struct SomExtent {
  std::uint64_t offset = 0, bytes = 0;
};

/// Lays out a file in memory (see som_image.hpp): datasets contiguous, allocated, not filled; attributes with the
/// values of the start. Returns where the bytes of every dataset stand. Errors 74.
std::map<std::string, SomExtent> lay_out_som_file(const std::string& path, const SomLayout& layout);

/// The same of a file on the disk. Error 65 when the file lacks one or has it in another shape.
[[nodiscard]] std::map<std::string, SomExtent> som_extents(const std::string& path, const SomLayout& layout);

/// The `identity` that the file was laid out with. Error 65 when it cannot be read.
[[nodiscard]] std::string som_identity(const std::string& path);

/// Marks a file in memory finished. Errors 74.
void set_finished(const std::string& path, const Provenance& provenance, const std::string& message);

}  // namespace atl::store
