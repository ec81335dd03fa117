#include "expression/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <system_error>

namespace atl::expression {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_word(char c) {
  return is_letter(c) || is_digit(c);
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Longest first, so that "<=" is not read as "<".
constexpr std::array<std::string_view, 22> symbols = {"**", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/",
                                                      "^",  "<",  ">",  "!",  "?",  ":",  "(",  ")", "[", "]", ","};

class Lexer {
 public:
  Lexer(std::string_view text, const Location& where) : text_(text), where_(where) {}

  std::vector<Token> run() {
    check_characters();
    std::vector<Token> tokens;
    do {
      while (at_ < text_.size() && is_blank(text_[at_])) advance(1);
      tokens.push_back(next());
    } while (tokens.back().kind != TokenKind::end);
    return tokens;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void advance(std::size_t bytes) {
    for (const std::size_t end = at_ + bytes; at_ < end; ++at_) {
      if ((static_cast<unsigned char>(text_[at_]) & 0xC0U) == 0x80U) continue;  // inside a character
      ++position_.character;
      ++position_.column;
      if (text_[at_] == '\n') {
        ++position_.line;
        position_.column = 1;
      }
    }
  }

  // Before anything else, so that no message ever echoes a raw control byte to a terminal.
  void check_characters() {
    while (at_ < text_.size()) {
      const std::size_t length = utf8_length(text_.substr(at_));
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (length == 0) fault_at(where_, position_, "byte 0x{:02X} is not valid UTF-8", byte);
      const bool upper_control = byte == 0xC2 && static_cast<unsigned char>(text_[at_ + 1]) < 0xA0;
      if ((byte < 0x20 && !is_blank(text_[at_])) || byte == 0x7F || upper_control) {
        fault_at(where_, position_, "control character U+{:04X} is not allowed in an expression",
                 upper_control ? static_cast<unsigned char>(text_[at_ + 1]) : byte);
      }
      advance(length);
    }
    at_ = 0;
    position_ = {};
  }

  Token take(TokenKind kind, std::size_t bytes) {
    Token token{kind, text_.substr(at_, bytes), 0, position_};
    advance(bytes);
    return token;
  }

  Token next() {
    if (at_ == text_.size()) return take(TokenKind::end, 0);
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '`') return quoted_name();
    if (is_letter(c)) {
      std::size_t length = 1;
      while (is_word(peek(length))) ++length;
      return take(TokenKind::name, length);
    }
    for (const std::string_view symbol : symbols) {
      if (text_.substr(at_).starts_with(symbol)) return take(TokenKind::symbol, symbol.size());
    }
    refuse_character();
  }

  Token number() {
    std::size_t length = 0;
    while (is_digit(peek(length))) ++length;
    if (peek(length) == '.') ++length;
    while (is_digit(peek(length))) ++length;
    if (peek(length) == 'e' || peek(length) == 'E') {
      const std::size_t sign = peek(length + 1) == '+' || peek(length + 1) == '-' ? 1 : 0;
      if (is_digit(peek(length + 1 + sign))) {
        length += 1 + sign;
        while (is_digit(peek(length))) ++length;
      }
    }
    if (is_word(peek(length)) || peek(length) == '.') refuse_number(length);
    Token token = take(TokenKind::number, length);
    const auto [end, status] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), token.value);
    if (status != std::errc{}) {
      fault_at(where_, token.position, "number {} is outside the range of a double", shortened(token.text));
    }
    return token;
  }

  [[noreturn]] void refuse_number(std::size_t digits) const {
    std::size_t length = digits;
    while (is_word(peek(length)) || peek(length) == '.') ++length;
    const std::string word = shortened(text_.substr(at_, length));
    if (is_letter(peek(digits)) && digits < word.size()) {
      fault_at(where_, position_, "'{}' is not a number; a product needs a *, as in {}*{}", word,
               word.substr(0, digits), word.substr(digits));
    }
    fault_at(where_, position_, "'{}' is not a number", word);
  }

  Token quoted_name() {
    const std::size_t end = text_.find('`', at_ + 1);
    if (end == std::string_view::npos) fault_at(where_, position_, "this ` has no closing `");
    Token token = take(TokenKind::quoted_name, end + 1 - at_);
    token.text = token.text.substr(1, token.text.size() - 2);
    if (token.text.empty()) fault_at(where_, token.position, "`` names no column");
    return token;
  }

  [[noreturn]] void refuse_character() const {
    const char c = peek();
    if (c == '=') fault_at(where_, position_, "'=' is not an operator here; equality is written ==");
    if (c == '&' || c == '|') fault_at(where_, position_, "'{0}' is not an operator here; write {0}{0}", c);
    if (c == '%') fault_at(where_, position_, "'%' is not an operator here; a remainder is fmod(a, b)");
    const std::string_view character = text_.substr(at_, utf8_length(text_.substr(at_)));
    fault_at(where_, position_, "unexpected character '{}'; a column whose name has it is written in backticks",
             character);
  }

  std::string_view text_;
  const Location& where_;
  std::size_t at_ = 0;
  Position position_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, const Location& where) {
  return Lexer(text, where).run();
}

}  // namespace atl::expression
