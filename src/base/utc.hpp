// The time of day as files and messages write it.
#pragma once
#include <string>

namespace atl {

[[nodiscard]] std::string utc_now();  // "2026-11-30T12:34:56Z"

}  // namespace atl
