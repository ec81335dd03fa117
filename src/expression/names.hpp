// What a name in an expression stands for, and the help that a user gets when it stands for nothing.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "expression/expression.hpp"
#include "expression/lexer.hpp"

namespace atl::expression {

enum class Meaning { parameter, column, constant, pi };

struct Resolved {
  Meaning meaning = Meaning::pi;
  std::size_t index = 0;  // into the list of Symbols
};

/// The one meaning of a name token; none, several, or the forbidden column is a fault at the token.
[[nodiscard]] Resolved resolve(const Token& name, const Symbols& symbols, const Location& where);

/// Refuses `name(`, where name is no function.
[[noreturn]] void refuse_function(const Token& name, const Symbols& symbols, const Location& where);

/// The candidate nearest to `name` (letter case aside, at most two edits), or "" when none is close.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace atl::expression
