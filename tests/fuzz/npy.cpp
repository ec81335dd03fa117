// NumPy's .npy files. A table that is read is whole.
#include "data/npy.hpp"

#include <cstdint>
#include <cstdlib>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace atl;
  const std::span<const std::byte> content(reinterpret_cast<const std::byte*>(data), size);
  for (const data::Missing missing : {data::Missing::error, data::Missing::ignore}) {
    fuzz::read_or_refuse(
        [&] {
          const data::Table table = data::read_npy(content, "fuzz.npy", {.missing = missing}, {});
          if (table.rows == 0 || table.values.size() != table.rows * table.columns()) std::abort();
        },
        [](const std::string& message) { return fuzz::tells_place(message, "fuzz.npy", ": byte "); });
  }
  return 0;
}
