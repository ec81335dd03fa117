#include "expression/node.hpp"

#include <algorithm>
#include <cstdlib>

namespace atl::expression {

std::size_t count_operands(const Node& node) {
  switch (node.operation) {
    case Operation::number:
    case Operation::parameter:
    case Operation::column:
    case Operation::lookup:
      return 0;
    case Operation::negate:
    case Operation::logical_not:
    case Operation::literal_power:
      return 1;
    case Operation::product_plus:
    case Operation::product_minus:
    case Operation::plus_product:
    case Operation::minus_product:
    case Operation::select:
      return 3;
    case Operation::call:
      return node.function->arguments();
    default:
      return 2;
  }
}

static double work(const Node& node) {
  constexpr double division = 4;
  constexpr double function = 20;
  constexpr double multiplications[] = {0, 0, 1, 2, 2, 3, 3, 4, 3};  // by exponent
  switch (node.operation) {
    case Operation::number:
    case Operation::parameter:
    case Operation::column:
      return 0;
    case Operation::divide:
      return division;
    case Operation::power:
      return function;
    case Operation::literal_power:
      return multiplications[std::abs(node.exponent)] + (node.exponent < 0 ? division : 0);
    case Operation::call:
      return node.function->work;
    default:
      return 1;
  }
}

void measure(Tree& tree) {
  std::size_t held = 0;
  tree.stack = 0;
  tree.work = 0;
  for (const Node& node : tree.nodes) {
    held = held + 1 - node.operands;
    tree.stack = std::max(tree.stack, held);
    tree.work += work(node);
  }
}

double multiplied_out(double x, int exponent) {
  const double square = x * x;
  const double cube = square * x;
  switch (exponent) {
    case 0:
      return 1;
    case 1:
      return x;
    case 2:
      return square;
    case 3:
      return cube;
    case 4:
      return square * square;
    case 5:
      return square * square * x;
    case 6:
      return cube * cube;
    case 7:
      return cube * cube * x;
    default:
      return (square * square) * (square * square);
  }
}

}  // namespace atl::expression
