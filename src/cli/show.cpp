#include "cli/show.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <string_view>

#include "base/error.hpp"
#include "cli/show_checkpoint.hpp"
#include "cli/show_de.hpp"
#include "cli/show_som.hpp"
#include "store/hdf5.hpp"
#include "store/try_in_child.hpp"

namespace atl::cli {
namespace {

/// One line a file format; `format` is the root attribute of that name.
struct Format {
  std::string_view format;
  std::int64_t newest_version;
  std::string (*text)(const store::ReadFile&);
  std::string (*json)(const store::ReadFile&);
};

constexpr std::array formats{Format{"atoll-de", 1, de_as_text, de_as_json},
                             Format{"atoll-de-checkpoint", 1, checkpoint_as_text, checkpoint_as_json},
                             Format{"atoll-som", 1, som_as_text, som_as_json}};

const Format& format_of(const store::ReadFile& file) {
  if (!file.has_attribute("/", "format") || !file.has_attribute("/", "format_version"))
    fail(ExitCode::bad_data, "{}: not an atoll file (no attributes format and format_version)", file.path());
  const std::string name = file.text_attribute("/", "format");
  const std::int64_t version = file.integer_attribute("/", "format_version");
  for (const Format& format : formats) {
    if (format.format != name) continue;
    if (version > format.newest_version)
      fail(ExitCode::bad_data, "{}: {} version {}; this atoll reads up to {}", file.path(), name, version,
           format.newest_version);
    return format;
  }
  fail(ExitCode::bad_data, "{}: not an atoll file that this version can show (format \"{}\")", file.path(), name);
}

std::string read_and_shown(const std::string& path, bool json) {
  const store::ReadFile file(path);
  const Format& format = format_of(file);
  return json ? format.json(file) : format.text(file);
}

}  // namespace

std::string shown(const std::string& path, bool json) {
  store::try_in_child(path, [&] { (void)read_and_shown(path, json); });
  return read_and_shown(path, json);
}

void show(const std::string& path, bool json) {
  fmt::print("{}", shown(path, json));
}

}  // namespace atl::cli
