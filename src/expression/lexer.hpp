// Text -> tokens. Every byte is checked here: what the parser sees is valid UTF-8 without control characters.
#pragma once
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "expression/position.hpp"

namespace atl::expression {

enum class TokenKind {
  number,
  name,         // [A-Za-z_][A-Za-z0-9_]*
  quoted_name,  // a column in backticks; `text` is what stands between them
  symbol,       // an operator or a bracket
  end
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // a view into the expression
  double value = 0;       // of a number
  Position position;

  [[nodiscard]] bool is(std::string_view symbol) const { return kind == TokenKind::symbol && text == symbol; }
};

/// The tokens of `text`, the last one of kind end.
[[nodiscard]] std::vector<Token> tokenize(std::string_view text, const Location& where);

}  // namespace atl::expression
