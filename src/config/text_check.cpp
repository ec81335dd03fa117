#include "config/text_check.hpp"

#include <cstdint>

#include "base/error.hpp"

namespace atl::config {

namespace {

constexpr int most_key_parts = 16;

/// Length in bytes of the UTF-8 character at the start of `text`; 0: it is none (RFC 3629: no overlong forms, no
/// surrogates, at most U+10FFFF).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool allowed = (first != 0xE0 || byte(1) >= 0xA0) && (first != 0xED || byte(1) <= 0x9F);
    return allowed && continues(1) && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool allowed = (first != 0xF0 || byte(1) >= 0x90) && (first != 0xF4 || byte(1) <= 0x8F);
    return allowed && continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

/// Follows the text as far as needed to know whether a character stands in a string, in a comment, or outside.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& source) : text_(text), here_{source, 1, 1} {}

  void run() {
    while (at_ < text_.size()) {
      const std::size_t length = checked_length();
      if (length > 1) {
        advance(length);
      } else if (state_ == State::outside) {
        outside();
      } else {
        inside();
      }
    }
  }

 private:
  enum class State { outside, comment, basic, literal, basic_lines, literal_lines };

  [[nodiscard]] bool starts_with(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }

  void advance(std::size_t bytes) {
    at_ += bytes;
    ++here_.column;
  }

  std::size_t checked_length() {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    const std::size_t length = utf8_length(text_.substr(at_));
    if (length == 0) {
      fail_at(ExitCode::bad_configuration, here_, "byte 0x{:02X} is not valid UTF-8", byte);
    }
    const bool line_end = byte == '\n' || starts_with("\r\n");
    if ((byte < 0x20 && byte != '\t' && !line_end) || byte == 0x7F) {
      fail_at(ExitCode::bad_configuration, here_, "control byte 0x{:02X} is not allowed", byte);
    }
    const bool plane_15 = byte == 0xF3 && static_cast<unsigned char>(text_[at_ + 1]) >= 0xB0;  // U+F0000..U+FFFFF
    if (plane_15) fail_at(ExitCode::bad_configuration, here_, "private characters U+F0000 to U+FFFFF are not allowed");
    if (length > 1 && state_ == State::outside) {
      fail_at(ExitCode::bad_configuration, here_, "'{}' is not allowed outside quotes and comments",
              text_.substr(at_, length));
    }
    return length;
  }

  void new_line() {
    ++at_;
    ++here_.line;
    here_.column = 1;
    // A string of one line that is still open is a fault the library reports.
    if (state_ != State::basic_lines && state_ != State::literal_lines) state_ = State::outside;
    dots_ = 0;
  }

  void outside() {
    const char c = text_[at_];
    if (c == '\n') return new_line();
    if (starts_with("\"\"\"")) return open(State::basic_lines, 3);
    if (starts_with("'''")) return open(State::literal_lines, 3);
    if (c == '"') return open(State::basic, 1);
    if (c == '\'') return open(State::literal, 1);
    if (c == '#') return open(State::comment, 1);
    if (c == '.' && ++dots_ >= most_key_parts) {
      fail_at(ExitCode::bad_configuration, here_, "a key has at most {} parts", most_key_parts);
    }
    if (std::string_view("=,[]{}").find(c) != std::string_view::npos) dots_ = 0;
    advance(1);
  }

  void open(State state, std::size_t bytes) {
    state_ = state;
    move(bytes);
  }

  void move(std::size_t characters) {
    for (std::size_t i = 0; i < characters; ++i) advance(1);
  }

  void inside() {
    const char c = text_[at_];
    if (c == '\n') return new_line();
    const bool escapes = state_ == State::basic || state_ == State::basic_lines;
    if (escapes && (starts_with("\\U000F") || starts_with("\\U000f"))) {
      fail_at(ExitCode::bad_configuration, here_, "private characters U+F0000 to U+FFFFF are not allowed");
    }
    if (escapes && c == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '\\' || text_[at_ + 1] == '"')) {
      return move(2);
    }
    if (state_ == State::basic && c == '"') return close(1);
    if (state_ == State::literal && c == '\'') return close(1);
    if (state_ == State::basic_lines && starts_with("\"\"\"")) return close_lines('"');
    if (state_ == State::literal_lines && starts_with("'''")) return close_lines('\'');
    advance(1);
  }

  void close(std::size_t bytes) {
    state_ = State::outside;
    move(bytes);
  }

  // Up to two quotes may stand directly before the closing three.
  void close_lines(char quote) {
    std::size_t quotes = 3;
    while (quotes < 5 && at_ + quotes < text_.size() && text_[at_ + quotes] == quote) ++quotes;
    close(quotes);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Location here_;
  State state_ = State::outside;
  int dots_ = 0;
};

}  // namespace

void check_text(std::string_view text, const std::string& source) {
  Scanner(text, source).run();
}

}  // namespace atl::config
