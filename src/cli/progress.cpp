#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace atl::cli {
namespace {

constexpr double minute = 60;
constexpr double hour = 60 * minute;
constexpr double day = 24 * hour;

double interval_of_lines(double seconds) {
  if (seconds < minute) return 10;
  return seconds < 10 * minute ? minute : 10 * minute;
}

}  // namespace

std::string human_seconds(double seconds) {
  if (!(seconds < 1e9)) return "years";
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", 1000 * std::max(seconds, 0.0));
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  const auto whole = std::llround(seconds);
  if (whole < 120) return fmt::format("{} s", whole);
  if (seconds < hour) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (seconds < 2 * day) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} d {} h", whole / 86400, whole % 86400 / 3600);
}

std::string human_count(double count) {
  constexpr const char* prefixes[] = {" k", " M", " G", " T", " P"};
  if (!(count >= 999.5))
    return count == std::floor(count) ? fmt::format("{:.0f}", count) : fmt::format("{:.3g}", count);
  std::size_t prefix = 0;
  double value = count / 1000;
  for (; value >= 999.5 && prefix + 1 < std::size(prefixes); ++prefix) value /= 1000;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}{}", value, decimals, prefixes[prefix]);
}

std::string progress_line(const ProgressState& state) {
  std::string line = human_seconds(state.seconds);
  const double done_here = state.share_done - state.share_at_start;
  if (state.share_done > 0) line += fmt::format(", {:.0f} % done", std::floor(100 * state.share_done));
  if (done_here > 0 && state.share_done < 1) {
    line += fmt::format(", {} left", human_seconds(state.seconds / done_here * (1 - state.share_done)));
  }
  if (state.seconds > 0 && state.count > 0) {
    line += fmt::format(", {} {}/s", human_count(static_cast<double>(state.count) / state.seconds), state.unit);
  }
  if (!state.best.empty()) line += ", best " + state.best;
  return line;
}

void Progress::show(const ProgressState& state) {
  if (style_ == Style::none) return;
  if (style_ == Style::lines) {
    if (next_ == 0) next_ = interval_of_lines(0);
    if (state.seconds < next_) return;
    write_(progress_line(state) + "\n");
    const double interval = interval_of_lines(state.seconds);
    next_ = (std::floor(state.seconds / interval) + 1) * interval;
    return;
  }
  if (state.seconds < next_) return;
  next_ = state.seconds + 0.1;
  const std::string line = progress_line(state).substr(0, static_cast<std::size_t>(std::max(columns_ - 1, 1)));
  const std::size_t blanks = drawn_ > line.size() ? drawn_ - line.size() : 0;
  write_("\r" + line + std::string(blanks, ' '));
  drawn_ = line.size();
}

void Progress::clear() {
  if (drawn_ > 0) write_("\r" + std::string(drawn_, ' ') + "\r");
  drawn_ = 0;
}

Progress::Style stderr_style(bool quiet) {
  if (quiet) return Progress::Style::none;
  return isatty(STDERR_FILENO) != 0 ? Progress::Style::terminal : Progress::Style::lines;
}

int stderr_columns() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void write_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace atl::cli
