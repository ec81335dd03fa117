// Which atoll this is.
#pragma once

namespace atl {

[[nodiscard]] const char* version();   // "0.1.0"
[[nodiscard]] const char* git_hash();  // abbreviated, "-dirty" behind a changed tree, "unknown" outside git

}  // namespace atl
