// A file built in memory with HDF5's core driver: a full disk then shows as a plain write error, while HDF5's own
// drivers report it at close and crash at exit.
#include <atomic>
#include <type_traits>

#include "base/error.hpp"
#include "store/hdf5.hpp"

namespace atl::store {
namespace {

template <typename T>
struct Types {
  hid_t memory, file;  // the file's type is fixed to little endian, so that equal results are equal bytes everywhere
};

template <typename T>
Types<T> types() {
  if constexpr (std::is_same_v<T, double>) return {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE};
  if constexpr (std::is_same_v<T, float>) return {H5T_NATIVE_FLOAT, H5T_IEEE_F32LE};
  if constexpr (std::is_same_v<T, std::int64_t>) return {H5T_NATIVE_INT64, H5T_STD_I64LE};
  if constexpr (std::is_same_v<T, std::uint64_t>) return {H5T_NATIVE_UINT64, H5T_STD_U64LE};
  if constexpr (std::is_same_v<T, std::int32_t>) return {H5T_NATIVE_INT32, H5T_STD_I32LE};
  if constexpr (std::is_same_v<T, std::uint8_t>) return {H5T_NATIVE_UINT8, H5T_STD_U8LE};
}

[[noreturn]] void fail_writing(const std::string& path) {
  fail(ExitCode::cannot_write, "HDF5 {}: {}", path, hdf5_reason());
}

Handle space_of(const Shape& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose};
}

// A missing parent is an error to H5Lexists, and so not above 0.
void make_group(hid_t file, const std::string& path) {
  if (path.empty() || path == "/" || H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0) return;
  make_group(file, path.substr(0, path.rfind('/')));
  const Handle properties = properties_without_times(H5P_GROUP_CREATE);
  const Handle group(H5Gcreate2(file, path.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Gclose);
  if (!group) fail_writing(path);
}

void write_dataset(hid_t file, const std::string& path, hid_t memory_type, hid_t file_type, const void* values,
                   std::size_t count, const Shape& shape) {
  silence_hdf5();
  hsize_t expected = 1;
  for (const hsize_t extent : shape) expected *= extent;
  if (expected != count) fail(ExitCode::internal, "HDF5 {}: {} values for a shape of {}", path, count, expected);
  make_group(file, path.substr(0, path.rfind('/')));
  const Handle space = space_of(shape);
  const Handle properties = properties_without_times(H5P_DATASET_CREATE);
  const Handle dataset(H5Dcreate2(file, path.c_str(), file_type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                       H5Dclose);
  if (!dataset) fail_writing(path);
  if (count > 0 && H5Dwrite(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) fail_writing(path);
}

template <typename T>
void write_numbers(hid_t file, const std::string& path, std::span<const T> values, const Shape& shape) {
  const Types<T> type = types<T>();
  write_dataset(file, path, type.memory, type.file, values.data(), values.size(), shape);
}

void write_attribute(hid_t file, const std::string& path, const std::string& name, hid_t memory_type, hid_t file_type,
                     const void* values, const Shape& shape) {
  silence_hdf5();
  const Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object) fail_writing(path);
  const Handle space = space_of(shape);
  const Handle attribute(H5Acreate2(object.id(), name.c_str(), file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  if (!attribute || H5Awrite(attribute.id(), memory_type, values) < 0) fail_writing(path + "@" + name);
}

template <typename T>
void write_number_attribute(hid_t file, const std::string& path, const std::string& name, T value) {
  const Types<T> type = types<T>();
  write_attribute(file, path, name, type.memory, type.file, &value, {});
}

std::vector<const char*> pointers(const std::vector<std::string>& values) {
  std::vector<const char*> result;
  result.reserve(values.size());
  for (const std::string& value : values) result.push_back(value.c_str());
  return result;
}

}  // namespace

MemoryFile::MemoryFile() {
  silence_hdf5();
  // Two files of the core driver that are open at once need different names, or HDF5 takes them for one.
  static std::atomic<unsigned> count{0};
  constexpr std::size_t increment = 1 << 20;  // bytes by which the image grows
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (!access || H5Pset_fapl_core(access.id(), increment, false) < 0) fail_writing("image");
  const Handle creation = properties_without_times(H5P_FILE_CREATE);
  const std::string name = fmt::format("atoll-image-{}", count++);
  file_ = Handle(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose);
  if (!file_) fail_writing("image");
}

void MemoryFile::group(const std::string& path) {
  silence_hdf5();
  make_group(file_.id(), path);
}

void MemoryFile::write(const std::string& path, std::span<const double> values, const Shape& shape) {
  write_numbers(file_.id(), path, values, shape);
}

void MemoryFile::write(const std::string& path, std::span<const float> values, const Shape& shape) {
  write_numbers(file_.id(), path, values, shape);
}

void MemoryFile::write(const std::string& path, std::span<const std::int64_t> values, const Shape& shape) {
  write_numbers(file_.id(), path, values, shape);
}

void MemoryFile::write(const std::string& path, std::span<const std::uint64_t> values, const Shape& shape) {
  write_numbers(file_.id(), path, values, shape);
}

void MemoryFile::write(const std::string& path, std::span<const std::int32_t> values, const Shape& shape) {
  write_numbers(file_.id(), path, values, shape);
}

void MemoryFile::write(const std::string& path, std::span<const std::uint8_t> values, const Shape& shape) {
  write_numbers(file_.id(), path, values, shape);
}

void MemoryFile::write(const std::string& path, const std::vector<std::string>& values) {
  const Handle type = text_type();
  write_dataset(file_.id(), path, type.id(), type.id(), pointers(values).data(), values.size(), {values.size()});
}

void MemoryFile::attribute(const std::string& path, const std::string& name, const std::string& value) {
  const Handle type = text_type();
  const char* text = value.c_str();
  write_attribute(file_.id(), path, name, type.id(), type.id(), &text, {});
}

void MemoryFile::attribute(const std::string& path, const std::string& name, const std::vector<std::string>& values) {
  const Handle type = text_type();
  write_attribute(file_.id(), path, name, type.id(), type.id(), pointers(values).data(), {values.size()});
}

void MemoryFile::attribute(const std::string& path, const std::string& name, double value) {
  write_number_attribute(file_.id(), path, name, value);
}

void MemoryFile::attribute(const std::string& path, const std::string& name, std::int64_t value) {
  write_number_attribute(file_.id(), path, name, value);
}

void MemoryFile::attribute(const std::string& path, const std::string& name, std::uint64_t value) {
  write_number_attribute(file_.id(), path, name, value);
}

std::vector<std::byte> MemoryFile::bytes() {
  silence_hdf5();
  if (H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) fail_writing("image");
  const ssize_t length = H5Fget_file_image(file_.id(), nullptr, 0);
  if (length < 0) fail_writing("image");
  std::vector<std::byte> image(static_cast<std::size_t>(length));
  if (H5Fget_file_image(file_.id(), image.data(), image.size()) < 0) fail_writing("image");
  return image;
}

}  // namespace atl::store
