// Tokens -> checked tree: grammar and precedence, meanings of names, arguments of functions, indices of vectors.
#pragma once
#include <string_view>

#include "expression/expression.hpp"
#include "expression/node.hpp"

namespace atl::expression {

/// Brackets, signs, powers and branches may nest this deep: the parser recurs, and its stack must hold for any input.
constexpr int max_nesting = 100;

/// Numbers, names and operations of one expression; OpenCL compilers do not survive much longer chains.
constexpr std::size_t max_nodes = 20000;

/// What parsing finds out beside the tree.
struct Parsed {
  Tree tree;
  std::vector<bool> columns_used;     // one a column
  std::vector<bool> parameters_used;  // one an entry of Symbols::parameters
};

[[nodiscard]] Parsed parse(std::string_view text, const Symbols& symbols, const Location& where);

}  // namespace atl::expression
