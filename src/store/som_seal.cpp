#include "store/som_seal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "store/som_checksum.hpp"

namespace atl::store {
namespace {

constexpr std::array<char, 8> magic = {'A', 'T', 'O', 'L', 'L', 'S', 'W', 'P'};

/// The user block as it is in the file. Little-endian, as all machines are that OpenCL runs on.
struct Seal {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t count;                // ranges that are sealed; 0: the seal is broken
  std::uint64_t length;               // of the whole file
  std::uint64_t sum;                  // checksum of the ranges' bytes
  std::array<FileRange, 253> ranges;  // about 20 are used
  std::uint64_t unused;               // 0
  std::uint64_t own_sum;              // of all before
};
static_assert(sizeof(Seal) == seal_bytes);
constexpr std::size_t own_sum_at = sizeof(Seal) - sizeof(Seal::own_sum);

/// False where the file ends before the range does.
bool add_to_sum(int descriptor, const FileRange& range, std::uint64_t& sum) {
  std::vector<std::byte> bytes(range.last - range.first);
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got =
        ::pread(descriptor, bytes.data() + have, bytes.size() - have, static_cast<off_t>(range.first + have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    have += static_cast<std::size_t>(got);
  }
  sum = checksum(bytes.data(), bytes.size(), sum);
  return true;
}

void put_seal(int descriptor, const std::string& path, Seal& seal) {
  seal.magic = magic;
  seal.version = 1;
  seal.own_sum = checksum(&seal, own_sum_at, 0);
  if (::pwrite(descriptor, &seal, sizeof seal, 0) != static_cast<ssize_t>(sizeof seal))
    fail(ExitCode::cannot_write, "cannot write {}: {}", path, std::strerror(errno));
}

struct Descriptor {
  int id;
  ~Descriptor() {
    if (id >= 0) ::close(id);
  }
};

/// No range is believed beyond the file, whoever wrote the seal.
bool holds(int descriptor, const Seal& seal, std::uint64_t size) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < seal.count; ++i) {
    const FileRange& range = seal.ranges[i];
    if (range.first > range.last || range.last > size || !add_to_sum(descriptor, range, sum)) return false;
  }
  return seal.count == 0 || sum == seal.sum;
}

}  // namespace

std::vector<FileRange> own_ranges(const std::map<std::string, SomExtent>& datasets, std::uint64_t length) {
  std::vector<SomExtent> sorted;
  sorted.reserve(datasets.size());
  for (const auto& [name, extent] : datasets) sorted.push_back(extent);
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  std::vector<FileRange> between;
  std::uint64_t at = seal_bytes;
  for (const SomExtent& extent : sorted) {
    if (extent.offset > at) between.push_back({at, extent.offset});
    at = std::max(at, extent.offset + extent.bytes);
  }
  if (length > at) between.push_back({at, length});
  return between;
}

void write_seal(int descriptor, const std::string& path, const std::map<std::string, SomExtent>& datasets) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    fail(ExitCode::cannot_write, "cannot write {}: {}", path, std::strerror(errno));
  Seal seal{};
  seal.length = static_cast<std::uint64_t>(status.st_size);
  const std::vector<FileRange> own = own_ranges(datasets, seal.length);
  if (own.size() > seal.ranges.size())
    fail(ExitCode::internal, "{}: HDF5 scattered its bytes over {} places", path, own.size());
  std::copy(own.begin(), own.end(), seal.ranges.begin());
  seal.count = static_cast<std::uint32_t>(own.size());
  for (const FileRange& range : own)
    if (!add_to_sum(descriptor, range, seal.sum))
      fail(ExitCode::cannot_write, "cannot write {}: it cannot be read back", path);
  put_seal(descriptor, path, seal);
}

void break_seal(int descriptor, const std::string& path) {
  Seal seal{};
  put_seal(descriptor, path, seal);
}

void check_seal(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDWR | O_CLOEXEC)};
  struct stat status {};
  if (file.id < 0 || ::fstat(file.id, &status) != 0)
    fail(ExitCode::missing_input, "cannot read {}: {}", path, std::strerror(errno));
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const auto refuse = [&](const char* what) { fail(ExitCode::bad_data, "{}: {}; --force begins afresh", path, what); };
  Seal seal{};
  const ssize_t got = ::pread(file.id, &seal, sizeof seal, 0);
  if (got == 0) refuse("the file is empty");
  if (got != static_cast<ssize_t>(sizeof seal) || seal.magic != magic)
    refuse("byte 0: not an unfinished sweep of atoll");
  if (seal.own_sum != checksum(&seal, own_sum_at, 0) || seal.count > seal.ranges.size())
    refuse("bytes 0 to 4095, the seal of the file, are damaged");
  if (seal.version != 1) refuse("the file belongs to a later version of atoll");
  if (!holds(file.id, seal, size)) refuse("damaged outside its maps: the checksum of HDF5's own bytes does not match");
  if (size < seal.length && ::ftruncate(file.id, static_cast<off_t>(seal.length)) != 0)
    fail(ExitCode::cannot_write, "cannot write {}: {}", path, std::strerror(errno));
}

}  // namespace atl::store
