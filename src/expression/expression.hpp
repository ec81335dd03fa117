// Model expressions: text -> checked tree -> OpenCL C for the device and a value on the host.
// The language is decision text of src/expression/README.md: + - * / ^ **, comparisons, && || !, ?:, OpenCL's math
// functions, pi, names of parameters, columns and constants, p[i] for vector parameters.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace atl::expression {

/// What the names of an expression may mean. Positions index x, the row, and nothing else.
struct Symbols {
  struct Parameter {
    std::string name;
    std::size_t offset = 0;  // of its first entry in x
    std::size_t size = 0;    // 0: a scalar; n: name[0]..name[n-1]
  };
  struct Constant {
    std::string name;
    double value = 0;
  };
  std::vector<Parameter> parameters;
  std::vector<std::string> columns;
  std::vector<Constant> constants;
  std::string forbidden_column;  // the target: using it in the model is refused by name
};

struct Node;  // the tree, defined in expression/node.hpp

/// An immutable, checked expression.
class Expression {
 public:
  /// Parses and checks `text`. `where` is the place of its first character; a fault is an Error 78 at file:line:column.
  Expression(std::string_view text, const Symbols& symbols, const Location& where);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  /// Value on the host in double: x has every entry of the parameters, row every column of the table.
  [[nodiscard]] double evaluate(std::span<const double> x, std::span<const double> row) const;

  /// OpenCL C of the expression: `column(c)` gives the text that stands for column c, entries of x are x[i].
  /// Constants and numbers are literals of type real; no name of the user's appears.
  [[nodiscard]] std::string opencl(const std::function<std::string(std::size_t)>& column) const;

  /// Checks that every p[column] stays inside its vector for all rows; Error 78 names the row. Call once with the
  /// table.
  void check_indices(const std::function<double(std::size_t row, std::size_t column)>& cell, std::size_t rows) const;

  /// Counted work of one evaluation, in units of one addition (a division 4, a function 20).
  [[nodiscard]] double operations() const;

  [[nodiscard]] const std::vector<std::size_t>& columns_used() const;  // sorted
  [[nodiscard]] const std::vector<bool>& parameters_used() const;      // one an entry of Symbols::parameters

 private:
  std::unique_ptr<const Node> root_;
  std::vector<std::size_t> columns_used_;
  std::vector<bool> parameters_used_;
};

/// A number as an OpenCL C literal of type real that reads back to exactly the same double, e.g. "(real)0.1",
/// "INFINITY".
[[nodiscard]] std::string literal(double value);

}  // namespace atl::expression
