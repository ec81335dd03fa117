// HDF5 through handles that close themselves. Errors carry the path inside the file; object times are never tracked,
// so that equal runs give equal bytes.
#pragma once
#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace atoll::store {

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

using Shape = std::vector<hsize_t>;

/// A file that is built in memory; nothing touches a disk before bytes() are written somewhere.
class MemoryFile {
 public:
  MemoryFile();
  void group(const std::string& path);
  void write(const std::string& path, std::span<const double> values, const Shape& shape);
  void write(const std::string& path, std::span<const std::int64_t> values, const Shape& shape);
  void write(const std::string& path, std::span<const std::int32_t> values, const Shape& shape);
  void write(const std::string& path, std::span<const std::uint8_t> values, const Shape& shape);
  void write(const std::string& path, const std::vector<std::string>& values);
  /// Attributes of `path` ("/" is the file); strings are variable-length UTF-8.
  void attribute(const std::string& path, const std::string& name, const std::string& value);
  void attribute(const std::string& path, const std::string& name, double value);
  void attribute(const std::string& path, const std::string& name, std::int64_t value);
  [[nodiscard]] std::vector<std::byte> bytes();  // flushes; the whole file as it would stand on disk

 private:
  Handle file_;
};

/// A file opened for reading. Errors: 66 when it is not there, 65 when it is not HDF5 or a path is missing.
class ReadFile {
 public:
  explicit ReadFile(const std::string& path);
  [[nodiscard]] bool has(const std::string& path) const;
  [[nodiscard]] Shape shape(const std::string& path) const;
  [[nodiscard]] std::vector<double> doubles(const std::string& path) const;
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> strings(const std::string& path) const;
  [[nodiscard]] bool has_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] std::string text_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] double number_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] hid_t id() const { return file_.id(); }

 private:
  std::string path_;
  Handle file_;
};

/// Temp file beside `path`, write, fsync, rename, fsync of the folder. Throws 74 with the system's reason and removes
/// the temp file.
void write_atomically(const std::string& path, std::span<const std::byte> bytes);

}  // namespace atoll::store
