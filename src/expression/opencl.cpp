// The tree as OpenCL C. The text has the brackets that C's own precedence asks for and no others: the compiler sees our
// tree, and a sum of many terms stays below the 256 nested brackets that clang allows.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "expression/expression.hpp"
#include "expression/node.hpp"

namespace atl::expression {
namespace {

// C's precedences, weakest first.
enum Precedence { choice, either, both, equality, relational, sum, product, sign, primary };

struct Text {
  std::string text;
  Precedence precedence = primary;
  bool condition = false;  // an int of C, true or false, rather than a real
  bool leaf = false;       // costs nothing to repeat
};

std::string bracketed(Text part, Precedence lowest) {
  return part.precedence < lowest ? "(" + std::move(part.text) + ")" : std::move(part.text);
}

Text as_value(Text part) {
  if (!part.condition) return part;
  return {bracketed(std::move(part), either) + " ? (real)1.0 : (real)0.0", choice};
}

Text as_condition(Text part) {
  if (part.condition) return part;
  return {bracketed(std::move(part), relational) + " != (real)0.0", equality, true};
}

// left op right, both sides of at least precedence `level`, the right one above it: C groups from the left.
Text joined(Text left, std::string_view symbol, Text right, Precedence level, bool condition = false) {
  std::string text = bracketed(std::move(left), level);
  std::string tail = bracketed(std::move(right), static_cast<Precedence>(level + 1));
  const bool sign_after_sign = tail[0] == '-' && level == sum;  // a--b would be a decrement
  text += symbol;
  text += sign_after_sign ? "(" + tail + ")" : tail;
  return {std::move(text), level, condition};
}

Text binary(const Node& node, Text a, Text b) {
  switch (node.operation) {
    case Operation::logical_and:
      return joined(as_condition(std::move(a)), " && ", as_condition(std::move(b)), both, true);
    case Operation::logical_or: {
      // Brackets around && inside || are not needed, but compilers warn without them.
      Text left = as_condition(std::move(a));
      Text right = as_condition(std::move(b));
      if (left.precedence == both) left = {"(" + left.text + ")", primary, true};
      if (right.precedence == both) right = {"(" + right.text + ")", primary, true};
      return joined(std::move(left), " || ", std::move(right), either, true);
    }
    default:
      break;
  }
  a = as_value(std::move(a));
  b = as_value(std::move(b));
  switch (node.operation) {
    case Operation::add:
      return joined(std::move(a), "+", std::move(b), sum);
    case Operation::subtract:
      return joined(std::move(a), "-", std::move(b), sum);
    case Operation::multiply:
      return joined(std::move(a), "*", std::move(b), product);
    case Operation::divide:
      return joined(std::move(a), "/", std::move(b), product);
    case Operation::less:
      return joined(std::move(a), " < ", std::move(b), relational, true);
    case Operation::less_equal:
      return joined(std::move(a), " <= ", std::move(b), relational, true);
    case Operation::greater:
      return joined(std::move(a), " > ", std::move(b), relational, true);
    case Operation::greater_equal:
      return joined(std::move(a), " >= ", std::move(b), relational, true);
    case Operation::equal:
      return joined(std::move(a), " == ", std::move(b), equality, true);
    case Operation::not_equal:
      return joined(std::move(a), " != ", std::move(b), equality, true);
    default:  // power
      return {"pow(" + std::move(a.text) + "," + std::move(b.text) + ")"};
  }
}

Text multiplied(Text operand, int exponent) {
  if (exponent == 0) return {literal(1), primary, false, true};
  if (exponent == 1) return operand;
  if (!operand.leaf || exponent > 3) return {fmt::format("model_power{}({})", exponent, operand.text)};
  std::string text = operand.text + "*" + operand.text;
  if (exponent == 3) text += "*" + operand.text;
  return {std::move(text), product};
}

Text literal_power(const Node& node, Text operand) {
  Text power = multiplied(as_value(std::move(operand)), std::abs(node.exponent));
  if (node.exponent >= 0) return power;
  return joined({literal(1), primary}, "/", std::move(power), product);
}

Text selected(Text condition, Text yes, Text no) {
  std::string text = bracketed(as_condition(std::move(condition)), either);
  text += " ? " + as_value(std::move(yes)).text;
  text += " : " + as_value(std::move(no)).text;
  return {std::move(text), choice};
}

Text called(const Function& function, Text* arguments) {
  std::string text(function.opencl);
  for (std::size_t i = 0; i < function.arguments(); ++i) {
    text += i == 0 ? "(" : ",";
    text += as_value(std::move(arguments[i])).text;
  }
  return {text + ")"};
}

// A bracket also where C needs none: --a is a decrement.
Text negated(Text operand) {
  return {"-" + bracketed(std::move(operand), primary), sign};
}

// a b + c
Text fused(Text a, Text b, Text c) {
  return {"fma(" + as_value(std::move(a)).text + "," + as_value(std::move(b)).text + "," + as_value(std::move(c)).text +
          ")"};
}

Text lookup(const Lookup& entry, const std::function<std::string(std::size_t)>& column) {
  const std::string start = entry.offset == 0 ? "" : fmt::format("{}+", entry.offset);
  return {fmt::format("x[{}(int){}]", start, column(entry.column)), primary, false, true};
}

Text emitted(const Node& node, const Tree& tree, Text* a, const std::function<std::string(std::size_t)>& column) {
  switch (node.operation) {
    case Operation::number:
      return {literal(node.value), primary, false, true};
    case Operation::parameter:
      return {fmt::format("x[{}]", node.index), primary, false, true};
    case Operation::column:
      return {column(node.index), primary, false, true};
    case Operation::lookup:
      return lookup(tree.lookups[node.index], column);
    case Operation::negate:
      return negated(as_value(std::move(a[0])));
    case Operation::product_plus:
      return fused(std::move(a[0]), std::move(a[1]), std::move(a[2]));
    case Operation::product_minus:
      return fused(std::move(a[0]), std::move(a[1]), negated(std::move(a[2])));
    case Operation::plus_product:
      return fused(std::move(a[1]), std::move(a[2]), std::move(a[0]));
    case Operation::minus_product:
      return fused(negated(as_value(std::move(a[1]))), std::move(a[2]), std::move(a[0]));
    case Operation::logical_not:
      return {"!" + bracketed(as_condition(std::move(a[0])), primary), sign, true};
    case Operation::literal_power:
      return literal_power(node, std::move(a[0]));
    case Operation::select:
      return selected(std::move(a[0]), std::move(a[1]), std::move(a[2]));
    case Operation::call:
      return called(*node.function, a);
    default:
      return binary(node, std::move(a[0]), std::move(a[1]));
  }
}

}  // namespace

std::string opencl(const Tree& tree, const std::function<std::string(std::size_t)>& column) {
  std::vector<Text> stack;
  for (const Node& node : tree.nodes) {
    const std::size_t count = node.operands;
    Text text = emitted(node, tree, stack.data() + (stack.size() - count), column);
    stack.resize(stack.size() - count);
    stack.push_back(std::move(text));
  }
  return bracketed(as_value(std::move(stack[0])), primary);
}

std::string literal(double value) {
  if (std::isnan(value)) return "(real)NAN";
  if (std::isinf(value)) return value > 0 ? "(real)INFINITY" : "(real)-INFINITY";
  std::string digits = fmt::format("{}", value);  // the shortest text that reads back to the same double
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return "(real)" + digits;
}

}  // namespace atl::expression
