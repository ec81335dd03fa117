// HDF5's own bytes of a sweep's file, in memory while HDF5 changes them; the datasets between them are holes. HDF5
// never writes to the disk itself: when that is full it leaves a torn file and crashes at the exit of the process.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "store/som_seal.hpp"

namespace atl::store {

class SomImage {
 public:
  /// Empty; `name` is the file it stands for, for messages. Errors 74, here and below.
  explicit SomImage(std::string name);
  SomImage(const SomImage&) = delete;
  SomImage& operator=(const SomImage&) = delete;
  ~SomImage();

  [[nodiscard]] const std::string& path() const { return path_; }  // where this process finds it
  [[nodiscard]] std::uint64_t size() const;

  /// Takes these bytes of a file, and its length.
  void load(int descriptor, const std::vector<FileRange>& ranges, std::uint64_t length);
  /// Writes these bytes to a file, at their place.
  void store(int descriptor, const std::vector<FileRange>& ranges) const;

 private:
  std::string name_, path_;
  int memory_ = -1;
};

}  // namespace atl::store
