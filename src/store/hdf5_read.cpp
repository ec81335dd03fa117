// Reading HDF5 files that may be damaged, foreign or hostile: nothing is allocated before its size was compared with
// that of the file.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>

#include "base/error.hpp"
#include "store/hdf5.hpp"

namespace atl::store {
namespace {

constexpr hsize_t always_allowed = hsize_t{64} << 20;  // bytes that a dataset may claim whatever the file's size
constexpr hsize_t best_compression = 1100;             // deflate reaches 1032 to 1
constexpr std::size_t most_objects = 500;              // looked at when listing; bounds cycles of links too

[[noreturn]] void fail_inside(const std::string& file, const std::string& path, const std::string& reason) {
  fail(ExitCode::bad_data, "{}:{}: {}", file, path, reason);
}

hsize_t file_size(hid_t file) {
  hsize_t size = 0;
  return H5Fget_filesize(file, &size) < 0 ? 0 : size;
}

bool exists(hid_t file, const std::string& path) {
  if (path.empty()) return false;
  // A missing parent is an error to H5Lexists, and so not above 0.
  if (path != "/" && H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) return false;
  return H5Oexists_by_name(file, path.c_str(), H5P_DEFAULT) > 0;
}

struct Dataset {
  Handle dataset, type, space;
  hsize_t count = 0;
};

Dataset open_dataset(const ReadFile& file, const std::string& path) {
  silence_hdf5();
  if (!exists(file.id(), path)) {
    const auto there = file.datasets();
    fail_inside(
        file.path(), path,
        there.empty() ? "no such dataset; the file holds none" : "no such dataset; the file holds " + listed(there));
  }
  Dataset result;
  result.dataset = Handle(H5Dopen2(file.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!result.dataset) {
    const Handle object(H5Oopen(file.id(), path.c_str(), H5P_DEFAULT), H5Oclose);
    const bool group = object && H5Iget_type(object.id()) == H5I_GROUP;
    fail_inside(file.path(), path, group ? "is a group, not a dataset" : hdf5_reason());
  }
  result.type = Handle(H5Dget_type(result.dataset.id()), H5Tclose);
  result.space = Handle(H5Dget_space(result.dataset.id()), H5Sclose);
  const hssize_t count = result.space ? H5Sget_simple_extent_npoints(result.space.id()) : -1;
  if (!result.type || count < 0) fail_inside(file.path(), path, hdf5_reason());
  result.count = static_cast<hsize_t>(count);
  return result;
}

// A dataset may claim any shape without a byte behind it; reading it would then only fill memory.
void check_size(const ReadFile& file, const std::string& path, const Dataset& data, hsize_t bytes_in_memory) {
  const Handle creation(H5Dget_create_plist(data.dataset.id()), H5Pclose);
  const bool compressed = creation && H5Pget_nfilters(creation.id()) > 0;
  const hsize_t size = file_size(file.id());
  const hsize_t allowed = std::max(always_allowed, compressed ? size * best_compression : size);
  const hsize_t each = std::max<hsize_t>(H5Tget_size(data.type.id()), 1);
  if (data.count > allowed / each) {
    fail_inside(file.path(), path,
                fmt::format("claims {} values of {} bytes, but the file has only {} bytes", data.count, each, size));
  }
  if (data.count > std::vector<char>().max_size() / std::max<hsize_t>(bytes_in_memory, 1))
    fail_inside(file.path(), path, fmt::format("{} values are too many for this machine", data.count));
}

bool is_integer(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_ENUM) return kind == H5T_INTEGER;  // h5py stores booleans as an enumeration
  const Handle base(H5Tget_super(type), H5Tclose);
  return base && H5Tget_class(base.id()) == H5T_INTEGER;
}

template <typename T>
std::vector<T> read_numbers(const ReadFile& file, const std::string& path, hid_t memory_type, const char* wanted,
                            bool floats_too) {
  const Dataset data = open_dataset(file, path);
  const bool fits = is_integer(data.type.id()) || (floats_too && H5Tget_class(data.type.id()) == H5T_FLOAT);
  if (!fits) fail_inside(file.path(), path, fmt::format("does not hold {}", wanted));
  check_size(file, path, data, sizeof(T));
  std::vector<T> values(data.count);
  if (data.count > 0 && H5Dread(data.dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail_inside(file.path(), path, hdf5_reason());
  return values;
}

// Reads `count` strings of a dataset or an attribute through `read(memory_type, buffer)`.
template <typename Read>
std::vector<std::string> read_texts(const std::string& file, const std::string& path, hid_t type, hid_t space,
                                    hsize_t count, const Read& read) {
  if (H5Tget_class(type) != H5T_STRING) fail_inside(file, path, "does not hold text");
  std::vector<std::string> values(count);
  if (count == 0) return values;
  if (H5Tis_variable_str(type) > 0) {
    const Handle memory(H5Tcopy(type), H5Tclose);
    std::vector<char*> texts(count, nullptr);
    if (read(memory.id(), texts.data()) < 0) fail_inside(file, path, hdf5_reason());
    for (hsize_t i = 0; i < count; ++i) values[i] = texts[i] == nullptr ? "" : texts[i];
    H5Dvlen_reclaim(memory.id(), space, H5P_DEFAULT, texts.data());
    return values;
  }
  const std::size_t size = H5Tget_size(type);
  std::string buffer(size * count, '\0');
  if (read(type, buffer.data()) < 0) fail_inside(file, path, hdf5_reason());
  for (hsize_t i = 0; i < count; ++i) {
    std::string text = buffer.substr(i * size, size);
    text.resize(std::min(text.find('\0'), size));
    if (H5Tget_strpad(type) == H5T_STR_SPACEPAD) text.erase(text.find_last_not_of(' ') + 1);
    values[i] = text;
  }
  return values;
}

struct Attribute {
  Handle attribute, type, space;
  hsize_t count = 0;
};

Attribute open_attribute(const ReadFile& file, const std::string& path, const std::string& name) {
  silence_hdf5();
  Attribute result;
  result.attribute = Handle(H5Aopen_by_name(file.id(), path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!result.attribute) fail_inside(file.path(), path, fmt::format("no attribute {}", name));
  result.type = Handle(H5Aget_type(result.attribute.id()), H5Tclose);
  result.space = Handle(H5Aget_space(result.attribute.id()), H5Sclose);
  const hssize_t count = result.space ? H5Sget_simple_extent_npoints(result.space.id()) : -1;
  if (!result.type || count < 0) fail_inside(file.path(), path + "@" + name, hdf5_reason());
  result.count = static_cast<hsize_t>(count);
  const hsize_t each = std::max<hsize_t>(H5Tget_size(result.type.id()), 1);
  if (result.count > std::max(always_allowed, file_size(file.id())) / each)
    fail_inside(file.path(), path + "@" + name, fmt::format("claims {} values", result.count));
  return result;
}

template <typename T>
T read_number_attribute(const ReadFile& file, const std::string& path, const std::string& name, hid_t memory_type,
                        bool floats_too) {
  const Attribute data = open_attribute(file, path, name);
  const bool fits = is_integer(data.type.id()) || (floats_too && H5Tget_class(data.type.id()) == H5T_FLOAT);
  T value{};
  if (data.count != 1 || !fits) fail_inside(file.path(), path + "@" + name, "is not one number");
  if (H5Aread(data.attribute.id(), memory_type, &value) < 0) fail_inside(file.path(), path + "@" + name, hdf5_reason());
  return value;
}

}  // namespace

ReadFile::ReadFile(const std::string& path) : path_(path) {
  silence_hdf5();
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    fail(ExitCode::missing_input, "cannot read {}: {}", path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail(ExitCode::missing_input, "cannot read {}: not a regular file", path);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 10, 7)
  // Our files are replaced whole or, while a sweep writes, change raw data only: reading needs no lock, and locks fail
  // on many network file systems.
  H5Pset_file_locking(access.id(), false, true);
#endif
  file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (file_) return;
  const std::string reason = hdf5_reason();
  if (::access(path.c_str(), R_OK) != 0)
    fail(ExitCode::missing_input, "cannot read {}: {}", path, std::strerror(errno));
  fail(ExitCode::bad_data, "{} is not a readable HDF5 file: {}", path, reason);
}

bool ReadFile::has(const std::string& path) const {
  silence_hdf5();
  return exists(file_.id(), path);
}

Shape ReadFile::shape(const std::string& path) const {
  const Dataset data = open_dataset(*this, path);
  Shape extents(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(data.space.id()), 0)));
  if (!extents.empty()) H5Sget_simple_extent_dims(data.space.id(), extents.data(), nullptr);
  return extents;
}

std::vector<double> ReadFile::doubles(const std::string& path) const {
  return read_numbers<double>(*this, path, H5T_NATIVE_DOUBLE, "real numbers", true);
}

std::vector<std::int64_t> ReadFile::integers(const std::string& path) const {
  return read_numbers<std::int64_t>(*this, path, H5T_NATIVE_INT64, "integers", false);
}

std::vector<std::string> ReadFile::strings(const std::string& path) const {
  const Dataset data = open_dataset(*this, path);
  check_size(*this, path, data, sizeof(std::string));
  return read_texts(path_, path, data.type.id(), data.space.id(), data.count, [&](hid_t type, void* buffer) {
    return H5Dread(data.dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
  });
}

bool ReadFile::has_attribute(const std::string& path, const std::string& name) const {
  silence_hdf5();
  return H5Aexists_by_name(file_.id(), path.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::string ReadFile::text_attribute(const std::string& path, const std::string& name) const {
  const auto values = texts_attribute(path, name);
  if (values.size() != 1) fail_inside(path_, path + "@" + name, "is not one text");
  return values.front();
}

std::vector<std::string> ReadFile::texts_attribute(const std::string& path, const std::string& name) const {
  const Attribute data = open_attribute(*this, path, name);
  return read_texts(path_, path + "@" + name, data.type.id(), data.space.id(), data.count,
                    [&](hid_t type, void* buffer) { return H5Aread(data.attribute.id(), type, buffer); });
}

double ReadFile::number_attribute(const std::string& path, const std::string& name) const {
  return read_number_attribute<double>(*this, path, name, H5T_NATIVE_DOUBLE, true);
}

std::int64_t ReadFile::integer_attribute(const std::string& path, const std::string& name) const {
  return read_number_attribute<std::int64_t>(*this, path, name, H5T_NATIVE_INT64, false);
}

std::uint64_t ReadFile::unsigned_attribute(const std::string& path, const std::string& name) const {
  return read_number_attribute<std::uint64_t>(*this, path, name, H5T_NATIVE_UINT64, false);
}

std::vector<std::string> ReadFile::datasets() const {
  silence_hdf5();
  std::vector<std::string> found;
  std::deque<std::string> groups{"/"};  // no recursion: a hostile file may nest its groups without end
  for (std::size_t seen = 0; !groups.empty(); groups.pop_front()) {
    const std::string parent = groups.front();
    H5G_info_t info{};
    if (H5Gget_info_by_name(file_.id(), parent.c_str(), &info, H5P_DEFAULT) < 0) continue;
    for (hsize_t i = 0; i < info.nlinks; ++i) {
      if (++seen > most_objects) return found;
      constexpr std::size_t longest_name = 1024;
      std::string name(longest_name, '\0');
      const ssize_t length = H5Lget_name_by_idx(file_.id(), parent.c_str(), H5_INDEX_NAME, H5_ITER_INC, i, name.data(),
                                                name.size(), H5P_DEFAULT);
      if (length <= 0 || static_cast<std::size_t>(length) >= longest_name) continue;
      name.resize(static_cast<std::size_t>(length));
      const std::string path = (parent == "/" ? "" : parent) + "/" + name;
      const Handle object(H5Oopen(file_.id(), path.c_str(), H5P_DEFAULT), H5Oclose);
      if (!object) continue;
      if (H5Iget_type(object.id()) == H5I_DATASET) found.push_back(path);
      if (H5Iget_type(object.id()) == H5I_GROUP) groups.push_back(path);
    }
  }
  return found;
}

}  // namespace atl::store
