// Tables of text: csv, tsv and blank-separated. A table that is read is whole.
#include "data/text_table.hpp"

#include <cstdint>
#include <cstdlib>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace atl;
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  for (const data::Missing missing : {data::Missing::error, data::Missing::ignore}) {
    fuzz::read_or_refuse(
        [&] {
          const data::Table table = data::read_text_table(content, "fuzz.csv", {.missing = missing}, {});
          if (table.rows == 0 || table.values.size() != table.rows * table.columns()) std::abort();
        },
        [](const std::string& message) { return fuzz::tells_place(message, "fuzz.csv", ":"); });
  }
  return 0;
}
