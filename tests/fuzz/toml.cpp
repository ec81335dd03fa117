// Problem files and sweep files: the same text is read as both, so that one corpus serves the TOML library and all
// checks behind it.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "config/de_settings.hpp"
#include "config/som_settings.hpp"
#include "fuzz/fuzz.hpp"

namespace {

/// A file in memory, for readers that want a path.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("fuzz", 0)) {}
  void write(const std::uint8_t* data, std::size_t size) const {
    if (::ftruncate(descriptor_, 0) != 0 || ::pwrite(descriptor_, data, size, 0) != static_cast<ssize_t>(size))
      std::abort();
  }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace atl;
  static const MemoryFile file;
  static const std::string path = file.path();
  file.write(data, size);
  const auto tells = [](const std::string& message) {
    if (fuzz::tells_place(message, path, ":")) return true;
    const bool absent = message.find(" missing") != std::string::npos || message.find(" needs ") != std::string::npos;
    return message.starts_with(path + ": ") && absent;  // what is absent has no line
  };
  fuzz::read_or_refuse([] { (void)config::load_de(path, {}).toml(); }, tells);
  fuzz::read_or_refuse([] { (void)config::load_som(path, {}).toml(); }, tells);
  return 0;
}
