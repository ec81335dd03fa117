// How a run is doing, on stderr: redrawn in place on a terminal, elsewhere plain lines that grow rare.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace atl::cli {

struct ProgressState {
  double seconds = 0;         // of the work so far
  std::int64_t count = 0;     // evaluations or maps so far
  std::string_view unit;      // "evaluations", "maps"
  std::string best;           // as it should read; empty: left out
  double share_done = 0;      // 0..1; 0: unknown
  double share_at_start = 0;  // done by earlier legs
};

/// "12 s, 45 % done, 14 s left, 6.70 M evaluations/s, best 98.0402593".
[[nodiscard]] std::string progress_line(const ProgressState& state);

/// "850 ms", "12 s", "3 min 20 s", "2 h 05 min", "3 d 4 h".
[[nodiscard]] std::string human_seconds(double seconds);

/// "950", "6.70 M", "49.1 G": three digits and a prefix.
[[nodiscard]] std::string human_count(double count);

class Progress {
 public:
  enum class Style {
    terminal,  // one line, redrawn at most ten times a second
    lines,     // every 10 s in the first minute, every minute in the first ten, then every ten minutes
    none
  };
  using Write = std::function<void(const std::string& text)>;

  Progress(Style style, Write write, int columns = 80) : style_(style), write_(std::move(write)), columns_(columns) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const ProgressState& state);
  /// Takes the redrawn line away, so that a message can stand there.
  void clear();

 private:
  Style style_;
  Write write_;
  int columns_;
  double next_ = 0;  // seconds at which the next line is due
  std::size_t drawn_ = 0;
};

/// What suits stderr of this process.
[[nodiscard]] Progress::Style stderr_style(bool quiet);
[[nodiscard]] int stderr_columns();
void write_stderr(const std::string& text);

}  // namespace atl::cli
