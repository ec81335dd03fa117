#include "store/som_create.hpp"

#include <hdf5.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/version.hpp"
#include "store/hdf5.hpp"
#include "store/try_in_child.hpp"

namespace atl::store {
namespace {

constexpr std::int64_t format_version = 1;

Handle type_of(SomType type) {
  const auto copy = [](hid_t id) { return Handle(H5Tcopy(id), H5Tclose); };
  switch (type) {
    case SomType::text24:
    case SomType::text600: {
      Handle text = copy(H5T_C_S1);
      H5Tset_size(text.id(), bytes_of(type));
      H5Tset_strpad(text.id(), H5T_STR_NULLPAD);
      H5Tset_cset(text.id(), H5T_CSET_UTF8);
      return text;
    }
    case SomType::real64:
      return copy(H5T_IEEE_F64LE);
    case SomType::real32:
      return copy(H5T_IEEE_F32LE);
    case SomType::int64:
      return copy(H5T_STD_I64LE);
    case SomType::uint64:
      return copy(H5T_STD_U64LE);
    case SomType::int32:
      return copy(H5T_STD_I32LE);
    case SomType::uint8:
      break;
  }
  return copy(H5T_STD_U8LE);
}

[[noreturn]] void fail_writing(const std::string& path, const std::string& inside) {
  fail(ExitCode::cannot_write, "cannot write {}: {}: {}", path, inside, hdf5_reason());
}

/// HDF5's usual driver resolves links, and the path of a file in memory is one that leads nowhere.
Handle through_stdio() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_stdio(access.id());
  return access;
}

SomExtent create_dataset(hid_t file, const std::string& path, const SomDataset& dataset) {
  const std::vector<hsize_t> shape(dataset.shape.begin(), dataset.shape.end());
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.id(), 1);
  const Handle creation = properties_without_times(H5P_DATASET_CREATE);
  H5Pset_layout(creation.id(), H5D_CONTIGUOUS);
  H5Pset_alloc_time(creation.id(), H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER);
  const Handle type = type_of(dataset.type);
  const Handle created(
      H5Dcreate2(file, dataset.path.c_str(), type.id(), space.id(), links.id(), creation.id(), H5P_DEFAULT), H5Dclose);
  if (!created) fail_writing(path, dataset.path);
  return {H5Dget_offset(created.id()), dataset.bytes()};
}

/// Before the other datasets, so that HDF5's own bytes come first in the file and survive the loss of its end.
void create_names(hid_t file, const std::string& path, const std::vector<std::string>& names) {
  const hsize_t count = names.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.id(), 1);
  const Handle type = text_type();
  const Handle properties = properties_without_times(H5P_DATASET_CREATE);
  const Handle created(H5Dcreate2(file, "/data/name", type.id(), space.id(), links.id(), properties.id(), H5P_DEFAULT),
                       H5Dclose);
  std::vector<const char*> pointers(names.size());
  std::transform(names.begin(), names.end(), pointers.begin(), [](const std::string& name) { return name.c_str(); });
  if (!created || H5Dwrite(created.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0)
    fail_writing(path, "/data/name");
}

/// Creates the attribute of the root, or writes it again.
void put_attribute(hid_t file, const std::string& path, const char* name, hid_t type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const bool there = H5Aexists(file, name) > 0;
  const Handle attribute(
      there ? H5Aopen(file, name, H5P_DEFAULT) : H5Acreate2(file, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  if (!attribute || H5Awrite(attribute.id(), type, value) < 0) fail_writing(path, std::string("@") + name);
}

void put_attribute(hid_t file, const std::string& path, const char* name, const std::string& text) {
  const char* const pointer = text.c_str();
  put_attribute(file, path, name, text_type().id(), static_cast<const void*>(&pointer));
}

void put_attribute(hid_t file, const std::string& path, const char* name, std::int64_t value) {
  put_attribute(file, path, name, H5T_NATIVE_INT64, &value);
}

void put_attribute(hid_t file, const std::string& path, const char* name, double value) {
  put_attribute(file, path, name, H5T_NATIVE_DOUBLE, &value);
}

void put_provenance(hid_t file, const std::string& path, const Provenance& provenance) {
  put_attribute(file, path, "command_line", provenance.command_line);
  put_attribute(file, path, "mpi", provenance.mpi);
  put_attribute(file, path, "hdf5", provenance.hdf5);
  put_attribute(file, path, "ranks", provenance.ranks);
  put_attribute(file, path, "started", provenance.started);
  put_attribute(file, path, "finished", provenance.finished);
  put_attribute(file, path, "seconds", provenance.seconds);
  if (provenance.slurm_job_id.empty()) return;
  put_attribute(file, path, "slurm_job_id", provenance.slurm_job_id);
  put_attribute(file, path, "slurm_restarts", provenance.slurm_restarts);
}

void close_file(Handle& file, const std::string& path) {
  if (H5Fflush(file.id(), H5F_SCOPE_GLOBAL) < 0) fail_writing(path, "flush");
  file = Handle();
}

void add_measures(std::vector<SomDataset>& all, const std::string& prefix, const std::string& suffix,
                  std::uint64_t rows) {
  for (const char* const measure : som_measures)
    all.push_back({fmt::format("{}{}{}", prefix, measure, suffix), SomType::real64, {rows}});
}

void add_columns(std::vector<SomDataset>& all, const std::string& group, std::uint64_t rows) {
  all.push_back({group + "topology", SomType::text24, {rows}});
  for (const char* const name : {"neurons", "rows", "columns", "epochs"})
    all.push_back({group + name, SomType::int64, {rows}});
  for (const char* const name : {"sigma", "eta"}) all.push_back({group + name, SomType::real64, {rows}});
}

}  // namespace

std::uint64_t bytes_of(SomType type) {
  switch (type) {
    case SomType::text24:
      return 24;
    case SomType::text600:
      return 600;
    case SomType::real64:
    case SomType::int64:
    case SomType::uint64:
      return 8;
    case SomType::real32:
    case SomType::int32:
      return 4;
    case SomType::uint8:
      break;
  }
  return 1;
}

std::uint64_t SomDataset::bytes() const {
  return std::accumulate(shape.begin(), shape.end(), bytes_of(type), std::multiplies<>());
}

std::vector<SomDataset> som_datasets(const SomLayout& layout) {
  const std::uint64_t maps = layout.size();
  const std::uint64_t columns = layout.names.size();
  const auto neurons = static_cast<std::uint64_t>(
      std::accumulate(layout.maps.neurons.begin(), layout.maps.neurons.end(), std::int64_t{0}));
  std::vector<SomDataset> all;
  all.push_back({"/data/offset", SomType::real64, {columns}});
  all.push_back({"/data/scale", SomType::real64, {columns}});
  add_columns(all, "/summary/suggestion/", layout.groups);
  for (const char* const name : {"elbow", "topographic", "variance", "davies_bouldin", "agreeing"})
    all.push_back({std::string("/summary/suggestion/") + name, SomType::int64, {layout.groups}});
  all.push_back({"/summary/suggestion/reason", SomType::text600, {layout.groups}});
  add_columns(all, "/summary/", layout.settings);
  all.push_back({"/summary/replicates", SomType::int64, {layout.settings}});
  for (const char* const suffix : {"_mean", "_min", "_std", "_nan"})
    add_measures(all, "/summary/", suffix, layout.settings);
  add_columns(all, "/runs/", maps);
  all.push_back({"/runs/replicate", SomType::int64, {maps}});
  all.push_back({"/runs/seed", SomType::uint64, {maps}});
  all.push_back({"/runs/seconds", SomType::real64, {maps}});
  all.push_back({"/runs/rank", SomType::int32, {maps}});
  add_measures(all, "/runs/", "", maps);
  all.push_back({"/runs/checksum", SomType::uint64, {maps}});
  all.push_back({"/runs/state", SomType::uint8, {maps}});
  all.push_back({"/weights/offset", SomType::int64, {maps + 1}});
  if (layout.hits) all.push_back({"/hits/values", SomType::int32, {neurons}});
  if (layout.weights)
    all.push_back({"/weights/values", layout.double_weights ? SomType::real64 : SomType::real32, {neurons, columns}});
  if (layout.assignments)
    all.push_back({"/assignments", SomType::int32, {maps, static_cast<std::uint64_t>(layout.points)}});
  return all;
}

std::map<std::string, SomExtent> lay_out_som_file(const std::string& path, const SomLayout& layout) {
  silence_hdf5();
  const Handle creation = properties_without_times(H5P_FILE_CREATE);
  H5Pset_userblock(creation.id(), seal_bytes);
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), through_stdio().id()), H5Fclose);
  if (!file) fail_writing(path, "create");
  put_attribute(file.id(), path, "format", std::string("atoll-som"));
  put_attribute(file.id(), path, "format_version", format_version);
  // What a reader sees until finish(): a partial file is a stopped one as soon as its process is gone.
  put_attribute(file.id(), path, "state", std::string("stopped"));
  put_attribute(file.id(), path, "message", std::string("unfinished: /runs/state is 1 for every map that is whole"));
  put_attribute(file.id(), path, "atoll_version", std::string(version()));
  put_attribute(file.id(), path, "git_hash", std::string(git_hash()));
  put_attribute(file.id(), path, "config", layout.provenance.config);
  put_attribute(file.id(), path, "identity", layout.identity);
  put_attribute(file.id(), path, "seed", H5T_NATIVE_UINT64, &layout.provenance.seed);
  put_attribute(file.id(), path, "maps", static_cast<std::int64_t>(layout.size()));
  put_attribute(file.id(), path, "points", layout.points);
  put_provenance(file.id(), path, layout.provenance);
  create_names(file.id(), path, layout.names);
  std::map<std::string, SomExtent> extents;
  for (const SomDataset& dataset : som_datasets(layout))
    extents[dataset.path] = create_dataset(file.id(), path, dataset);
  close_file(file, path);
  return extents;
}

std::map<std::string, SomExtent> som_extents(const std::string& path, const SomLayout& layout) {
  const ReadFile file(path);
  std::map<std::string, SomExtent> extents;
  for (const SomDataset& dataset : som_datasets(layout)) {
    const Handle opened(H5Dopen2(file.id(), dataset.path.c_str(), H5P_DEFAULT), H5Dclose);
    const std::vector<hsize_t> shape(dataset.shape.begin(), dataset.shape.end());
    if (!opened || file.shape(dataset.path) != shape)
      fail(ExitCode::bad_data, "{}: {} is missing or has another shape; the file is damaged, --force begins afresh",
           path, dataset.path);
    const haddr_t offset = H5Dget_offset(opened.id());
    if (offset == HADDR_UNDEF || H5Dget_storage_size(opened.id()) != dataset.bytes())
      fail(ExitCode::bad_data, "{}: {} has no room in the file; it is damaged, --force begins afresh", path,
           dataset.path);
    extents[dataset.path] = {offset, dataset.bytes()};
  }
  return extents;
}

std::string som_identity(const std::string& path) {
  const auto read = [&] { return ReadFile(path).text_attribute("/", "identity"); };
  try_in_child(path, [&] { (void)read(); });
  return read();
}

void set_finished(const std::string& path, const Provenance& provenance, const std::string& message) {
  silence_hdf5();
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, through_stdio().id()), H5Fclose);
  if (!file) fail_writing(path, "open");
  put_provenance(file.id(), path, provenance);
  put_attribute(file.id(), path, "message", message);
  put_attribute(file.id(), path, "state", std::string("finished"));
  close_file(file, path);
}

}  // namespace atl::store
