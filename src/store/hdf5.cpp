// What reading and writing share: the error stack and property lists.
#include "store/hdf5.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace atl::store {
namespace {

// HDF5 calls this for every entry of its error stack, innermost first; the first one knows the real reason.
herr_t keep_first(unsigned /*n*/, const H5E_error2_t* entry, void* reason) {
  auto& text = *static_cast<std::string*>(reason);
  if (text.empty() && entry->desc != nullptr) text = entry->desc;
  return 0;
}

}  // namespace

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

void silence_hdf5() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  return reason.empty() ? "no reason given by HDF5" : reason;
}

Handle properties_without_times(hid_t type) {
  Handle properties(H5Pcreate(type), H5Pclose);
  if (!properties || H5Pset_obj_track_times(properties.id(), false) < 0)
    fail(ExitCode::internal, "HDF5 property list: {}", hdf5_reason());
  return properties;
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  if (!type || H5Tset_size(type.id(), H5T_VARIABLE) < 0 || H5Tset_cset(type.id(), H5T_CSET_UTF8) < 0)
    fail(ExitCode::internal, "HDF5 string type: {}", hdf5_reason());
  return type;
}

std::string listed(std::vector<std::string> names) {
  constexpr std::size_t most = 20;
  if (names.size() > most) {
    names.resize(most);
    names.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::optional<DatasetPath> split_dataset_path(const std::string& path) {
  std::size_t end = 0;  // of the file's name: the last extension wins, a folder may be called "a.h5:b"
  for (const std::string extension : {".h5", ".hdf5"}) {
    if (path.ends_with(extension)) return DatasetPath{path, ""};
    const auto start = path.rfind(extension + ":");
    if (start != std::string::npos) end = std::max(end, start + extension.size());
  }
  if (end > 0) return DatasetPath{path.substr(0, end), path.substr(end + 1)};
  return std::nullopt;
}

}  // namespace atl::store
