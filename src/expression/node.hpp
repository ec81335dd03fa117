// The checked tree of an expression, stored as its postorder: operands stand before their operation. Evaluating and
// emitting are then loops with a stack of values, so that no input, however deep, can exhaust the program's stack.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "expression/function_table.hpp"
#include "expression/position.hpp"

namespace atl::expression {

enum class Operation : std::uint8_t {
  number,     // value
  parameter,  // x[index]
  column,     // row[index]
  lookup,     // x[offset + row[column]] of lookups[index]
  negate,
  logical_not,
  add,
  subtract,
  multiply,
  divide,
  product_plus,   // a b + c; these four come from fuse() and are rounded once
  product_minus,  // a b - c
  plus_product,   // a + b c
  minus_product,  // a - b c
  power,          // by function
  literal_power,  // one operand, multiplied out; exponent in -8..8
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  select,  // condition, value if true, value otherwise
  call     // function
};

struct Node {
  Operation operation = Operation::number;
  std::uint8_t operands = 0;  // taken from the stack; set when the node enters a tree
  int exponent = 0;
  double value = 0;
  std::size_t index = 0;
  const Function* function = nullptr;
};

/// p[column]: an entry of a vector parameter that the row chooses.
struct Lookup {
  std::string parameter, column_name;
  std::size_t offset = 0, size = 0;  // of the vector in x
  std::size_t column = 0;
  Position position;
};

struct Tree {
  std::vector<Node> nodes;
  std::vector<Lookup> lookups;
  std::size_t stack = 0;  // values that evaluation holds at once
  double work = 0;        // in additions
  Location where;         // of the text
};

/// Operands that a node takes from the stack.
[[nodiscard]] std::size_t count_operands(const Node& node);

/// Sets what the nodes of a finished tree add up to: its stack and its work.
void measure(Tree& tree);

/// x to the power `exponent` (0..8) by multiplication, in the order of model_power2 to model_power8 on the device.
[[nodiscard]] double multiplied_out(double x, int exponent);

[[nodiscard]] double evaluate(const Tree& tree, const double* x, const double* row);

[[nodiscard]] std::string opencl(const Tree& tree, const std::function<std::string(std::size_t)>& column);

}  // namespace atl::expression
