#include "store/som_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "store/som_image.hpp"
#include "store/som_seal.hpp"

namespace atl::store {
namespace {

static_assert(std::endian::native == std::endian::little, "raw bytes are written as the file's little-endian types");

[[noreturn]] void fail_system(const std::string& path) {
  fail(ExitCode::cannot_write, "cannot write {}: {}", path, std::strerror(errno));
}

[[noreturn]] void fail_system(const std::string& path, const char* what) {
  fail(ExitCode::cannot_write, "cannot write {}: {}: {}", path, what, std::strerror(errno));
}

void check_space(const std::string& path, const SomLayout& layout) {
  struct statvfs disk {};
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (statvfs(folder.empty() ? "." : folder.c_str(), &disk) != 0) return;  // the open that follows says why
  const std::uint64_t available = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
  const std::uint64_t needed = som_file_bytes(layout);
  if (needed > available)
    fail(ExitCode::cannot_write, "cannot write {}: the sweep's result needs {:.3g} GB, its disk has {:.3g} GB left",
         path, static_cast<double>(needed) / 1e9, static_cast<double>(available) / 1e9);
}

std::map<std::string, std::string> lines_of(const std::string& identity) {
  std::map<std::string, std::string> lines;
  std::size_t begin = 0;
  while (begin < identity.size()) {
    const std::size_t end = std::min(identity.find('\n', begin), identity.size());
    const std::string line = identity.substr(begin, end - begin);
    const std::size_t equals = line.find(" = ");
    if (equals != std::string::npos) lines[line.substr(0, equals)] = line.substr(equals + 3);
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::vector<std::string> identity_changes(const std::string& before, const std::string& now) {
  const auto old_lines = lines_of(before);
  const auto new_lines = lines_of(now);
  std::vector<std::string> changes;
  const auto shown = [](const std::map<std::string, std::string>& lines, const std::string& key) {
    const auto found = lines.find(key);
    return found == lines.end() ? std::string("absent") : found->second;
  };
  for (const auto& [key, value] : old_lines)
    if (shown(new_lines, key) != value)
      changes.push_back(fmt::format("{}: was {}, is {}", key, value, shown(new_lines, key)));
  for (const auto& [key, value] : new_lines)
    if (!old_lines.contains(key)) changes.push_back(fmt::format("{}: was absent, is {}", key, value));
  return changes;
}

std::uint64_t som_file_bytes(const SomLayout& layout) {
  constexpr std::uint64_t metadata = seal_bytes + (64 << 10);
  std::uint64_t bytes =
      metadata + layout.identity.size() + layout.provenance.config.size() + layout.provenance.command_line.size();
  for (const SomDataset& dataset : som_datasets(layout)) bytes += dataset.bytes();
  return bytes;
}

SomFile::SomFile(std::string path, const SomLayout& layout)
    : path_(std::move(path)),
      layout_(&layout),
      first_neuron_(layout.size() + 1),
      state_(layout.size()),
      checksum_(layout.size()),
      seconds_(layout.size()),
      rank_(layout.size(), -1),
      measures_(layout.size()) {
  for (std::size_t map = 0; map < layout.size(); ++map)
    first_neuron_[map + 1] = first_neuron_[map] + static_cast<std::uint64_t>(layout.maps.neurons[map]);
}

SomFile::SomFile(SomFile&& other) noexcept
    : path_(std::move(other.path_)),
      layout_(other.layout_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      extents_(std::move(other.extents_)),
      first_neuron_(std::move(other.first_neuron_)),
      state_(std::move(other.state_)),
      checksum_(std::move(other.checksum_)),
      seconds_(std::move(other.seconds_)),
      rank_(std::move(other.rank_)),
      measures_(std::move(other.measures_)),
      damaged_(other.damaged_) {}

SomFile::~SomFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

SomFile SomFile::create(const std::string& path, const SomLayout& layout) {
  // A partial file that is replaced must not lend its blocks to the new one's unwritten rows.
  const std::string staging = path + ".new";
  std::error_code ignored;
  for (const std::string& old : {path, staging}) std::filesystem::remove(old, ignored);
  check_space(path, layout);
  const SomImage image(path);
  SomFile file(staging, layout);
  file.extents_ = lay_out_som_file(image.path(), layout);
  file.open(O_CREAT | O_EXCL);
  if (::ftruncate(file.descriptor_, static_cast<off_t>(image.size())) != 0) fail_system(path);
  file.reserve();
  image.store(file.descriptor_, own_ranges(file.extents_, image.size()));
  write_seal(file.descriptor_, path, file.extents_);
  file.flush();  // from here on the metadata are on the disk for good
  // A kill before this leaves no file of that name, never half of one.
  if (::rename(staging.c_str(), path.c_str()) != 0) fail_system(path, "rename");
  file.path_ = path;
  file.put_settings();  // known from the plan, so a power failure may lose them
  return file;
}

SomFile SomFile::reopen(const std::string& path, const SomLayout& layout) {
  check_seal(path);
  const std::vector<std::string> changes = identity_changes(som_identity(path), layout.identity);
  if (!changes.empty())
    fail(ExitCode::bad_configuration, "{} belongs to another sweep: {}; --force begins afresh", path,
         fmt::join(changes, "; "));
  SomFile file(path, layout);
  file.extents_ = som_extents(path, layout);
  file.open(0);
  file.reserve();  // a copy of a file is often sparse, and a file that lost its end has a hole there
  file.read_runs();
  file.put_settings();
  return file;
}

void SomFile::open(int flags) {
  constexpr mode_t by_umask = 0666;
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC | flags, by_umask);
  if (descriptor_ < 0) fail_system(path_, "open");
}

/// The disk keeps room for the whole result, what finish() adds to it behind the present end included. File systems
/// that cannot reserve say so; then a full disk shows at the write.
void SomFile::reserve() {
  const std::uint64_t bytes = std::max(length(), som_file_bytes(*layout_));
  if (::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) != 0 &&
      (errno == ENOSPC || errno == EDQUOT))
    fail_system(path_);
}

std::uint64_t SomFile::length() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail_system(path_);
  return static_cast<std::uint64_t>(status.st_size);
}

void SomFile::put(const std::string& dataset, std::uint64_t at, const void* bytes, std::size_t count) {
  const SomExtent& extent = extents_.at(dataset);
  if (at + count > extent.bytes)
    fail(ExitCode::internal, "{}: a write of {} bytes at {} leaves it", dataset, count, at);
  const auto* from = static_cast<const std::byte*>(bytes);
  while (count > 0) {
    const ssize_t written = ::pwrite(descriptor_, from, count, static_cast<off_t>(extent.offset + at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail_system(path_, dataset.c_str());
    from += written;
    at += static_cast<std::uint64_t>(written);
    count -= static_cast<std::size_t>(written);
  }
}

void SomFile::get(const std::string& dataset, std::uint64_t at, void* bytes, std::size_t count) const {
  const SomExtent& extent = extents_.at(dataset);
  auto* to = static_cast<std::byte*>(bytes);
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(extent.offset + at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(ExitCode::bad_data, "cannot read {}: {}: {}", path_, dataset, std::strerror(errno));
    if (got == 0) {  // the file was cut off: what is missing reads as zeros and meets no checksum
      std::memset(to, 0, count);
      return;
    }
    to += got;
    at += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

void SomFile::put_texts(const std::string& dataset, SomType type, const std::vector<std::string>& texts) {
  constexpr std::size_t rows_at_once = 8192;  // stays in the cache of a core
  const std::size_t width = bytes_of(type);
  std::vector<char> flat;
  for (std::size_t first = 0; first < texts.size(); first += rows_at_once) {
    const std::size_t rows = std::min(rows_at_once, texts.size() - first);
    flat.assign(rows * width, '\0');
    for (std::size_t i = 0; i < rows; ++i) {
      const std::string& text = texts[first + i];
      std::copy_n(text.begin(), std::min(width, text.size()), flat.begin() + static_cast<std::ptrdiff_t>(i * width));
    }
    put(dataset, first * width, flat.data(), flat.size());
  }
}

void SomFile::put_columns(const std::string& group, const SomColumns& columns) {
  const auto column = [&](const char* name, const auto& values) {
    put(group + name, 0, values.data(), values.size() * sizeof(values[0]));
  };
  put_texts(group + "topology", SomType::text24, columns.topology);
  column("neurons", columns.neurons);
  column("rows", columns.rows);
  column("columns", columns.columns);
  column("epochs", columns.epochs);
  column("sigma", columns.sigma);
  column("eta", columns.eta);
}

void SomFile::put_settings() {
  put("/data/offset", 0, layout_->offset.data(), layout_->offset.size() * sizeof(double));
  put("/data/scale", 0, layout_->scale.data(), layout_->scale.size() * sizeof(double));
  put_columns("/runs/", layout_->maps);
  put("/runs/replicate", 0, layout_->replicate.data(), layout_->size() * sizeof(std::int64_t));
  put("/runs/seed", 0, layout_->stream.data(), layout_->size() * sizeof(std::uint64_t));
  put("/runs/rank", 0, rank_.data(), rank_.size() * sizeof(std::int32_t));
  put("/weights/offset", 0, first_neuron_.data(), first_neuron_.size() * sizeof(std::uint64_t));
  start_flush();
}

/// Lets the disk begin with what was written, while more is trained; the flush at the end then finds little to do.
void SomFile::start_flush() {
#ifdef SYNC_FILE_RANGE_WRITE
  std::ignore = ::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);  // a hint: errors show at the flush
#endif
}

void SomFile::flush() {
  if (::fsync(descriptor_) != 0) fail_system(path_, "flush");
}

void SomFile::finish(const std::string& path, const Provenance& provenance, const std::string& message) {
  const std::uint64_t before = length();
  SomImage image(path_);
  image.load(descriptor_, own_ranges(extents_, before), before);
  set_finished(image.path(), provenance, message);
  // What is new first, behind the old end: where the disk has no room for it, the file is still what it was.
  image.store(descriptor_, {{before, image.size()}});
  break_seal(descriptor_, path_);
  flush();
  image.store(descriptor_, own_ranges(extents_, std::min(before, image.size())));
  if (::ftruncate(descriptor_, static_cast<off_t>(image.size())) != 0) fail_system(path_);  // gives back unused room
  flush();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_system(path_, "close");
  if (::rename(path_.c_str(), path.c_str()) != 0) fail_system(path, "rename");
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int directory = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);  // without it a power failure may undo the rename, never tear the file
  ::close(directory);
}

}  // namespace atl::store
