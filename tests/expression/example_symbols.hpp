// One set of names that the tests of this folder share, with values to put behind them.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/expression.hpp"

namespace atl::expression {

// x: a = 2, b = -3, p = {10, 20, 30}, exp = 0.5, q = {7}; row: x1 = 5, "body mass" = 70, k = 1, y = 99.
inline Symbols example_symbols() {
  Symbols symbols;
  symbols.parameters = {{"a", 0, 0}, {"b", 1, 0}, {"p", 2, 3}, {"exp", 5, 0}, {"q", 6, 1}};
  symbols.columns = {"x1", "body mass", "k", "y"};
  symbols.constants = {{"g", 9.81}, {"two", 2}};
  symbols.forbidden_column = "y";
  return symbols;
}
inline Symbols symbols_of(std::vector<Symbols::Parameter> parameters, std::vector<std::string> columns = {}) {
  Symbols symbols;
  symbols.parameters = std::move(parameters);
  symbols.columns = std::move(columns);
  return symbols;
}

inline std::vector<double> example_x() {
  return {2, -3, 10, 20, 30, 0.5, 7};
}
inline std::vector<double> example_row() {
  return {5, 70, 1, 99};
}
inline Location example_where() {
  return {"problem.toml", 2, 10};
}

inline Expression parsed(std::string_view text) {
  return {text, example_symbols(), example_where()};
}

inline double value_of(std::string_view text) {
  const std::vector<double> x = example_x(), row = example_row();
  return parsed(text).evaluate(x, row);
}

inline std::string column_text(std::size_t c) {
  return "row[" + std::to_string(c) + "]";
}

inline std::string opencl_of(std::string_view text) {
  return parsed(text).opencl(column_text);
}

}  // namespace atl::expression
