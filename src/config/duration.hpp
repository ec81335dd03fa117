// Durations as people and Slurm write them.
#pragma once
#include <optional>
#include <string_view>

#include "base/error.hpp"

namespace atl::config {

inline constexpr const char* duration_forms = "200ms, 90s, 30m, 11h30m, 2d, 2-00:00:00 (days), HH:MM:SS or MM:SS";

/// Seconds of "200ms", "90s", "30m", "11h30m", "2d12h", and of Slurm's "2-00:00:00", "2-12", "2-12:30", "HH:MM:SS",
/// "MM:SS". A number without a unit is none: Slurm would read minutes, most people seconds.
[[nodiscard]] std::optional<double> parse_duration(std::string_view text);

/// The same; a text that is no duration is an Error that names the accepted forms.
[[nodiscard]] double parse_duration(std::string_view text, const Location& where,
                                    ExitCode code = ExitCode::bad_configuration);

}  // namespace atl::config
