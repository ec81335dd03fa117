#include "expression/fuse.hpp"

#include <utility>

namespace atl::expression {
namespace {

using Nodes = std::vector<Node>;

// A sum in postorder: its left side stands in [left, right), its right side behind it.
struct Sides {
  std::size_t left, right;
};

bool is_leaf(const Nodes& nodes, std::size_t first, std::size_t end) {
  return end - first == 1 && nodes[first].operands == 0;
}

void push(Nodes& nodes, Operation operation) {
  Node node;
  node.operation = operation;
  node.operands = static_cast<std::uint8_t>(count_operands(node));
  nodes.push_back(node);
}

void push_sum(Nodes& nodes, const Node& node, const Sides& sides) {
  const bool adds = node.operation == Operation::add;
  if (nodes[sides.right - 1].operation == Operation::multiply && is_leaf(nodes, sides.right, nodes.size())) {
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(sides.right - 1));
    push(nodes, adds ? Operation::product_plus : Operation::product_minus);
  } else if (nodes.back().operation == Operation::multiply && is_leaf(nodes, sides.left, sides.right)) {
    nodes.pop_back();
    push(nodes, adds ? Operation::plus_product : Operation::minus_product);
  } else {
    nodes.push_back(node);
  }
}

}  // namespace

void fuse(Tree& tree) {
  Nodes nodes;
  nodes.reserve(tree.nodes.size());
  std::vector<std::size_t> starts;  // of the values that a later node will take
  for (const Node& node : tree.nodes) {
    const std::size_t first = node.operands == 0 ? nodes.size() : starts[starts.size() - node.operands];
    if (node.operation == Operation::add || node.operation == Operation::subtract)
      push_sum(nodes, node, {first, starts.back()});
    else
      nodes.push_back(node);
    starts.resize(starts.size() - node.operands);
    starts.push_back(first);
  }
  tree.nodes = std::move(nodes);
  measure(tree);
}

}  // namespace atl::expression
