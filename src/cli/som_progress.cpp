#include "cli/som_progress.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>

#include "som/plan.hpp"

namespace atl::cli {
namespace {

constexpr double redraw_seconds = 0.2;

/// Plain lines come after 10 s, then every 10 s for a minute, every minute for ten, every ten minutes after that.
double next_line_after(double seconds) {
  if (seconds < 60) return seconds + 10;
  return seconds + (seconds < 600 ? 60 : 600);
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} d {} h", whole / 86400, whole % 86400 / 3600);
}

std::string progress_text(const som::Progress& progress) {
  std::string text =
      fmt::format("{}  {} of {} maps  {:.0f} % of the work", duration_text(progress.seconds),
                  som::grouped(progress.finished), som::grouped(progress.total), 100 * progress.share_done);
  if (progress.maps > 0 && progress.seconds > 0)
    text += fmt::format("  {:.3g} maps/s", static_cast<double>(progress.maps) / progress.seconds);
  if (progress.share_done > 0 && progress.share_done < 1)
    text += fmt::format("  {} left", duration_text(progress.seconds * (1 / progress.share_done - 1)));
  return text;
}

void SomProgress::show(const som::Progress& progress) {
  if (next_ == 0) next_ = terminal_ ? redraw_seconds : 10;
  if (progress.seconds < next_) return;
  const std::string text = progress_text(progress);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
    drawn_ = true;
    next_ = progress.seconds + redraw_seconds;
  } else {
    fmt::print(stderr, "{}\n", text);
    next_ = next_line_after(progress.seconds);
  }
}

void SomProgress::end() {
  if (drawn_) fmt::print(stderr, "\n");
  drawn_ = false;
}

void SomProgress::line(const std::string& text) {
  end();
  fmt::print(stderr, "{}\n", text);
}

}  // namespace atl::cli
