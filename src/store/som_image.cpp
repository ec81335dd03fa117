#include "store/som_image.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace atl::store {
namespace {

[[noreturn]] void fail_writing(const std::string& name) {
  fail(ExitCode::cannot_write, "cannot write {}: {}", name, std::strerror(errno));
}

/// One call that moves up to `count` bytes, again after a signal; what stops short of one byte is an error.
template <typename Call>
std::uint64_t moved(Call call, const std::string& name) {
  ssize_t count = -1;
  do count = call();
  while (count < 0 && errno == EINTR);
  if (count == 0) errno = EIO;  // a file that ends before its length
  if (count <= 0) fail_writing(name);
  return static_cast<std::uint64_t>(count);
}

void copy(int from, int to, const FileRange& range, const std::string& name) {
  std::array<std::byte, 1 << 16> buffer;
  for (std::uint64_t at = range.first; at < range.last;) {
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), range.last - at));
    const auto place = static_cast<off_t>(at);
    const std::uint64_t have = moved([&] { return ::pread(from, buffer.data(), most, place); }, name);
    for (std::uint64_t done = 0; done < have;)
      done += moved([&] { return ::pwrite(to, buffer.data() + done, have - done, place + static_cast<off_t>(done)); },
                    name);
    at += have;
  }
}

}  // namespace

SomImage::SomImage(std::string name) : name_(std::move(name)), memory_(::memfd_create("atoll-sweep", MFD_CLOEXEC)) {
  if (memory_ < 0) fail_writing(name_);
  path_ = fmt::format("/proc/self/fd/{}", memory_);
}

SomImage::~SomImage() {
  if (memory_ >= 0) ::close(memory_);
}

std::uint64_t SomImage::size() const {
  struct stat status {};
  if (::fstat(memory_, &status) != 0) fail_writing(name_);
  return static_cast<std::uint64_t>(status.st_size);
}

void SomImage::load(int descriptor, const std::vector<FileRange>& ranges, std::uint64_t length) {
  if (::ftruncate(memory_, static_cast<off_t>(length)) != 0) fail_writing(name_);
  for (const FileRange& range : ranges) copy(descriptor, memory_, range, name_);
}

void SomImage::store(int descriptor, const std::vector<FileRange>& ranges) const {
  for (const FileRange& range : ranges) copy(memory_, descriptor, range, name_);
}

}  // namespace atl::store
