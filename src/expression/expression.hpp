// Model expressions: text -> checked tree -> OpenCL C for the device and a value on the host.
// The language is the text of src/expression/README.md: + - * / ^ **, comparisons, && || !, ?:, OpenCL's math
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

struct Tree;  // defined in expression/node.hpp

/// An immutable, checked expression.
class Expression {
 public:
  /// Parses and checks `text`. `where` is the place of its first character; a fault is an Error 78 at file:line:column.
  Expression(std::string_view text, const Symbols& symbols, const Location& where);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  /// Value on the host in double: x has every entry of the parameters, row every column of the table. Equal to the
  /// device's to the last bit as far as + - * / and literal powers go; functions may round differently.
  [[nodiscard]] double evaluate(std::span<const double> x, std::span<const double> row) const;

  /// OpenCL C of the expression, an operand of type real (in brackets where it needs them). `column(c)` gives the text
  /// that stands for column c, itself an operand of type real, such as literal(v) or "row[3]"; entries of x are x[i].
  /// Constants and numbers are literals of type real; no name of the user's appears. The text needs
  /// opencl_functions() once before it in the same program.
  [[nodiscard]] std::string opencl(const std::function<std::string(std::size_t)>& column) const;

  /// Checks that every p[column] stays inside its vector for all rows; Error 78 names the row. Call once with the
  /// table.
  void check_indices(const std::function<double(std::size_t row, std::size_t column)>& cell, std::size_t rows) const;

  /// Counted work of one evaluation, in units of one addition (a division 4, a function like exp 20).
  [[nodiscard]] double operations() const;

  [[nodiscard]] const std::vector<std::size_t>& columns_used() const;  // sorted
  [[nodiscard]] const std::vector<bool>& parameters_used() const;      // one an entry of Symbols::parameters

 private:
  std::unique_ptr<const Tree> tree_;
  std::vector<std::size_t> columns_used_;
  std::vector<bool> parameters_used_;
};

/// OpenCL C that the text of opencl() calls (model_power2, model_clamp, ...). Put it once, after the typedef of real
/// and before the first emitted expression. It switches FP_CONTRACT off.
[[nodiscard]] std::string_view opencl_functions();

/// A number as an OpenCL C literal of type real that reads back to exactly the same double, e.g. "(real)0.1",
/// "(real)INFINITY".
[[nodiscard]] std::string literal(double value);

}  // namespace atl::expression
