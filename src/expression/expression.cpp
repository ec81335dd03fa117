#include "expression/expression.hpp"

#include <algorithm>
#include <cmath>

#include "expression/fuse.hpp"
#include "expression/node.hpp"
#include "expression/parser.hpp"

namespace atl::expression {
namespace {

// clang refuses 256 nested brackets; the rest is left to the code around the expression.
constexpr int max_brackets = 200;

int bracket_depth(const std::string& text) {
  int depth = 0, deepest = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') deepest = std::max(deepest, ++depth);
    if (c == ')' || c == ']') --depth;
  }
  return deepest;
}

}  // namespace

Expression::Expression(std::string_view text, const Symbols& symbols, const Location& where) {
  Parsed parsed = parse(text, symbols, where);
  for (std::size_t c = 0; c < parsed.columns_used.size(); ++c) {
    if (parsed.columns_used[c]) columns_used_.push_back(c);
  }
  parameters_used_ = std::move(parsed.parameters_used);
  fuse(parsed.tree);
  tree_ = std::make_unique<const Tree>(std::move(parsed.tree));
  if (bracket_depth(opencl([](std::size_t) { return std::string("0"); })) > max_brackets) {
    fault_at(where, {}, "the expression is nested too deep for OpenCL compilers: more than {} brackets", max_brackets);
  }
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::evaluate(std::span<const double> x, std::span<const double> row) const {
  return expression::evaluate(*tree_, x.data(), row.data());
}

std::string Expression::opencl(const std::function<std::string(std::size_t)>& column) const {
  return expression::opencl(*tree_, column);
}

void Expression::check_indices(const std::function<double(std::size_t row, std::size_t column)>& cell,
                               std::size_t rows) const {
  for (const Lookup& lookup : tree_->lookups) {
    for (std::size_t row = 0; row < rows; ++row) {
      const double index = cell(row, lookup.column);
      if (index >= 0 && index < static_cast<double>(lookup.size) && index == std::floor(index)) continue;
      fault_at(tree_->where, lookup.position, "{}[{}]: {} is {} in data row {}, not one of the whole numbers 0 to {}",
               lookup.parameter, lookup.column_name, lookup.column_name, index, row + 1, lookup.size - 1);
    }
  }
}

double Expression::operations() const {
  return tree_->work;
}
const std::vector<std::size_t>& Expression::columns_used() const {
  return columns_used_;
}
const std::vector<bool>& Expression::parameters_used() const {
  return parameters_used_;
}

}  // namespace atl::expression
