// HDF5 through handles that close themselves. Errors carry the path inside the file; object times are never tracked,
// so that equal runs give equal bytes.
#pragma once
#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace atl::store {

/// Owns one identifier and the function that closes it.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  [[nodiscard]] hid_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

using Shape = std::vector<hsize_t>;  // empty: a scalar

[[nodiscard]] std::string hdf5_version();  // of the library in use, "1.10.8"

/// Stops HDF5 from printing its error stack. The switch belongs to a thread: call it wherever raw H5 calls begin.
void silence_hdf5();

/// Why the last HDF5 call of this thread failed: the innermost message of its error stack.
[[nodiscard]] std::string hdf5_reason();

/// Creation properties without object times; `type` is H5P_DATASET_CREATE, H5P_GROUP_CREATE or H5P_FILE_CREATE.
[[nodiscard]] Handle properties_without_times(hid_t type);

/// A variable-length UTF-8 string type.
[[nodiscard]] Handle text_type();

/// A file that is built in memory; nothing touches a disk before bytes() are written somewhere.
/// Parent groups are made as needed. Sizes that contradict a shape are our own fault (70).
class MemoryFile {
 public:
  MemoryFile();
  void group(const std::string& path);
  void write(const std::string& path, std::span<const double> values, const Shape& shape);
  void write(const std::string& path, std::span<const float> values, const Shape& shape);
  void write(const std::string& path, std::span<const std::int64_t> values, const Shape& shape);
  void write(const std::string& path, std::span<const std::uint64_t> values, const Shape& shape);
  void write(const std::string& path, std::span<const std::int32_t> values, const Shape& shape);
  void write(const std::string& path, std::span<const std::uint8_t> values, const Shape& shape);
  void write(const std::string& path, const std::vector<std::string>& values);
  /// Attributes of `path` ("/" is the file); strings are variable-length UTF-8.
  void attribute(const std::string& path, const std::string& name, const std::string& value);
  void attribute(const std::string& path, const std::string& name, const std::vector<std::string>& values);
  void attribute(const std::string& path, const std::string& name, double value);
  void attribute(const std::string& path, const std::string& name, std::int64_t value);
  void attribute(const std::string& path, const std::string& name, std::uint64_t value);
  [[nodiscard]] hid_t id() const { return file_.id(); }

  [[nodiscard]] std::vector<std::byte> bytes();  // flushes; the whole file as it would stand on disk

 private:
  Handle file_;
};

/// A file opened for reading, without a lock. Errors: 66 when it is not there, 65 when it is not HDF5, when a path is
/// missing (with the datasets that are there), or when a dataset claims more than the file can hold.
class ReadFile {
 public:
  explicit ReadFile(const std::string& path);
  [[nodiscard]] bool has(const std::string& path) const;  // a dataset or group that can be opened
  [[nodiscard]] Shape shape(const std::string& path) const;
  [[nodiscard]] std::vector<double> doubles(const std::string& path) const;         // of integers, floats or booleans
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& path) const;  // of integers or booleans
  [[nodiscard]] std::vector<std::string> strings(const std::string& path) const;
  [[nodiscard]] bool has_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] std::string text_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] std::vector<std::string> texts_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] double number_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] std::int64_t integer_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] std::uint64_t unsigned_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] std::vector<std::string> datasets() const;  // paths, breadth first, of the first few hundred objects
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] hid_t id() const { return file_.id(); }

 private:
  std::string path_;
  Handle file_;
};

/// Names for a message: "/a, /b", cut off with "..." after the first 20.
[[nodiscard]] std::string listed(std::vector<std::string> names);

/// "file.h5:/path" taken apart; `dataset` is empty for a plain "file.h5". None when the name is not .h5 or .hdf5.
struct DatasetPath {
  std::string file, dataset;
};
[[nodiscard]] std::optional<DatasetPath> split_dataset_path(const std::string& path);

/// The file that `path` leads to through symbolic links, whether it is there yet or not; `path` itself where it is
/// none. Throws 74 for links that lead in a circle.
[[nodiscard]] std::string behind_links(const std::string& path);

/// Temp file beside `path`, write, fsync, rename, fsync of the folder. Throws 74 with the system's reason and removes
/// the temp file. A symbolic link stays one, and leads to the new file; anything but a regular file is never replaced.
void write_atomically(const std::string& path, std::span<const std::byte> bytes);

}  // namespace atl::store
