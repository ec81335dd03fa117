// The progress of a sweep on stderr: redrawn in place on a terminal, plain lines that back off elsewhere.
#pragma once
#include <string>

#include "som/run.hpp"

namespace atl::cli {

class SomProgress {
 public:
  explicit SomProgress(bool terminal) : terminal_(terminal) {}
  void show(const som::Progress& progress);  // as often as the caller likes
  void end();                                // leaves a redrawn line behind
  void line(const std::string& text);        // a message between redrawn ones

 private:
  bool terminal_;
  bool drawn_ = false;
  double next_ = 0;  // seconds of training at which the next line is due
};

[[nodiscard]] std::string progress_text(const som::Progress& progress);

/// "3.2 s", "4 min 10 s", "2 h 5 min", "3 d 4 h".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace atl::cli
