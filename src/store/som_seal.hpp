// The first bytes of a sweep's file, which HDF5 skips as a user block: the checksum of all bytes that are HDF5's own.
// They never change while maps are trained and are verified before HDF5 sees one of them, because HDF5 does not notice
// flipped bits, and some make it crash. Used by som_file.cpp and som_image.cpp only.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "store/som_create.hpp"

namespace atl::store {

struct FileRange {
  std::uint64_t first = 0, last = 0;  // bytes of the file, `last` behind them
};

/// HDF5's own bytes of a file of this length: what lies between the datasets, behind the user block.
[[nodiscard]] std::vector<FileRange> own_ranges(const std::map<std::string, SomExtent>& datasets, std::uint64_t length);

/// Seals all bytes of the open file but those of the datasets. Errors 74.
void write_seal(int descriptor, const std::string& path, const std::map<std::string, SomExtent>& datasets);

/// From here on HDF5 may change its bytes: the file is about to be finished. Errors 74.
void break_seal(int descriptor, const std::string& path);

/// Error 65 when the file is none of ours or HDF5's bytes are not those that were sealed. A file that lost its end gets
/// zeros there: they meet no map's checksum.
void check_seal(const std::string& path);

}  // namespace atl::store
