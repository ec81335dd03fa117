#include <array>
#include <cmath>
#include <limits>

#include "expression/node.hpp"

namespace atl::expression {
namespace {

double truth(bool condition) {
  return condition ? 1.0 : 0.0;
}

double looked_up(const Lookup& lookup, const double* x, const double* row) {
  const double index = row[lookup.column];
  const bool inside = index >= 0.0 && index < static_cast<double>(lookup.size) && index == std::floor(index);
  return inside ? x[lookup.offset + static_cast<std::size_t>(index)] : std::numeric_limits<double>::quiet_NaN();
}

double called(const Function& function, const double* a) {
  if (function.one != nullptr) return function.one(a[0]);
  if (function.two != nullptr) return function.two(a[0], a[1]);
  return function.three(a[0], a[1], a[2]);
}

// a: the operands of the node, in order.
double value(const Node& node, const Tree& tree, const double* a, const double* x, const double* row) {
  switch (node.operation) {
    case Operation::number:
      return node.value;
    case Operation::parameter:
      return x[node.index];
    case Operation::column:
      return row[node.index];
    case Operation::lookup:
      return looked_up(tree.lookups[node.index], x, row);
    case Operation::negate:
      return -a[0];
    case Operation::logical_not:
      return truth(a[0] == 0.0);
    case Operation::add:
      return a[0] + a[1];
    case Operation::subtract:
      return a[0] - a[1];
    case Operation::multiply:
      return a[0] * a[1];
    case Operation::divide:
      return a[0] / a[1];
    case Operation::product_plus:
      return std::fma(a[0], a[1], a[2]);
    case Operation::product_minus:
      return std::fma(a[0], a[1], -a[2]);
    case Operation::plus_product:
      return std::fma(a[1], a[2], a[0]);
    case Operation::minus_product:
      return std::fma(-a[1], a[2], a[0]);
    case Operation::power:
      return std::pow(a[0], a[1]);
    case Operation::literal_power:
      return node.exponent < 0 ? 1.0 / multiplied_out(a[0], -node.exponent) : multiplied_out(a[0], node.exponent);
    case Operation::less:
      return truth(a[0] < a[1]);
    case Operation::less_equal:
      return truth(a[0] <= a[1]);
    case Operation::greater:
      return truth(a[0] > a[1]);
    case Operation::greater_equal:
      return truth(a[0] >= a[1]);
    case Operation::equal:
      return truth(a[0] == a[1]);
    case Operation::not_equal:
      return truth(a[0] != a[1]);
    case Operation::logical_and:
      return truth(a[0] != 0.0 && a[1] != 0.0);
    case Operation::logical_or:
      return truth(a[0] != 0.0 || a[1] != 0.0);
    case Operation::select:
      return a[0] != 0.0 ? a[1] : a[2];
    case Operation::call:
      return called(*node.function, a);
  }
  return 0.0;
}

double run(const Tree& tree, const double* x, const double* row, double* stack) {
  std::size_t top = 0;
  for (const Node& node : tree.nodes) {
    top -= node.operands;
    stack[top] = value(node, tree, stack + top, x, row);
    ++top;
  }
  return stack[0];
}

}  // namespace

double evaluate(const Tree& tree, const double* x, const double* row) {
  std::array<double, 64> small;
  if (tree.stack <= small.size()) return run(tree, x, row, small.data());
  std::vector<double> large(tree.stack);
  return run(tree, x, row, large.data());
}

}  // namespace atl::expression
