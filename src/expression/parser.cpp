#include "expression/parser.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "expression/lexer.hpp"
#include "expression/names.hpp"

namespace atl::expression {
namespace {

struct BinaryOperator {
  std::string_view symbol;
  int precedence;
  Operation operation;
};
constexpr int equality = 3, relational = 4;
constexpr std::array binary_operators = {
    BinaryOperator{"||", 1, Operation::logical_or},
    BinaryOperator{"&&", 2, Operation::logical_and},
    BinaryOperator{"==", equality, Operation::equal},
    BinaryOperator{"!=", equality, Operation::not_equal},
    BinaryOperator{"<", relational, Operation::less},
    BinaryOperator{"<=", relational, Operation::less_equal},
    BinaryOperator{">", relational, Operation::greater},
    BinaryOperator{">=", relational, Operation::greater_equal},
    BinaryOperator{"+", 5, Operation::add},
    BinaryOperator{"-", 5, Operation::subtract},
    BinaryOperator{"*", 6, Operation::multiply},
    BinaryOperator{"/", 6, Operation::divide},
};

// Recursive descent; every way around the recursion passes unary() or the middle of a ? b : c, which count the depth.
class Parser {
 public:
  Parser(std::string_view text, const Symbols& symbols, const Location& where)
      : symbols_(symbols), where_(where), tokens_(tokenize(text, where)) {
    parsed_.columns_used.resize(symbols.columns.size());
    parsed_.parameters_used.resize(symbols.parameters.size());
    parsed_.tree.where = where;
  }

  Parsed run() {
    if (token().kind == TokenKind::end) fault_at(where_, token().position, "the expression is empty");
    conditional();
    if (token().kind != TokenKind::end) refuse_rest();
    measure(parsed_.tree);
    return std::move(parsed_);
  }

 private:
  [[nodiscard]] const Token& token() const { return tokens_[at_]; }

  bool accept(std::string_view symbol) {
    if (!token().is(symbol)) return false;
    ++at_;
    return true;
  }

  void push(const Node& node) {
    Tree& tree = parsed_.tree;
    if (tree.nodes.size() == max_nodes) {
      fault_at(where_, token().position, "the expression is too long: more than {} numbers, names and operations",
               max_nodes);
    }
    tree.nodes.push_back(node);
    tree.nodes.back().operands = static_cast<std::uint8_t>(count_operands(node));
  }

  void enter() {
    if (++nesting_ > max_nesting) {
      fault_at(where_, token().position, "the expression is nested more than {} deep", max_nesting);
    }
  }

  // a ? b : c ? d : e ... is a loop, so that a table of many branches does not count as nesting.
  void conditional() {
    binary(1);
    std::size_t branches = 0;
    for (Position question = token().position; accept("?"); question = token().position) {
      enter();
      conditional();
      --nesting_;
      if (!accept(":")) {
        if (token().kind != TokenKind::end) refuse_here("expected ':'");
        fault_at(where_, question, "this '?' has no ':'; a condition is written a ? b : c");
      }
      binary(1);
      ++branches;
    }
    for (; branches > 0; --branches) push({.operation = Operation::select});
  }

  [[nodiscard]] const BinaryOperator* binary_operator() const {
    const auto* found = std::find_if(binary_operators.begin(), binary_operators.end(),
                                     [&](const BinaryOperator& entry) { return token().is(entry.symbol); });
    return found == binary_operators.end() ? nullptr : found;
  }

  void binary(int lowest) {
    unary();
    int previous = 0;
    for (const auto* entry = binary_operator(); entry != nullptr && entry->precedence >= lowest;
         entry = binary_operator()) {
      const bool comparison = entry->precedence == relational || entry->precedence == equality;
      if (comparison && entry->precedence == previous) {
        fault_at(where_, token().position,
                 "a second comparison in a row would compare a 0 or 1; write a < b && b < c, or use brackets");
      }
      previous = entry->precedence;
      ++at_;
      binary(entry->precedence + 1);
      push({.operation = entry->operation});
    }
  }

  void unary() {
    enter();
    if (accept("-")) {
      unary();
      push({.operation = Operation::negate});
    } else if (accept("!")) {
      unary();
      push({.operation = Operation::logical_not});
    } else if (accept("+")) {
      unary();
    } else {
      power();
    }
    --nesting_;
  }

  void power() {
    primary();
    if (!accept("^") && !accept("**")) return;
    const std::size_t start = parsed_.tree.nodes.size();
    unary();
    const std::optional<int> exponent = small_integer(start);
    if (!exponent) return push({.operation = Operation::power});
    parsed_.tree.nodes.resize(start);
    push({.operation = Operation::literal_power, .exponent = *exponent});
  }

  // The exponent that starts at node `start`, if it is a literal whole number from -8 to 8.
  [[nodiscard]] std::optional<int> small_integer(std::size_t start) const {
    const auto& nodes = parsed_.tree.nodes;
    const std::size_t size = nodes.size() - start;
    if (nodes[start].operation != Operation::number) return std::nullopt;
    const bool negative = size == 2 && nodes[start + 1].operation == Operation::negate;
    if (size != 1 && !negative) return std::nullopt;
    const double value = negative ? -nodes[start].value : nodes[start].value;
    if (!(std::fabs(value) <= 8) || value != std::floor(value)) return std::nullopt;
    return static_cast<int>(value);
  }

  void primary() {
    const Token& first = token();
    switch (first.kind) {
      case TokenKind::number:
        ++at_;
        return push({.operation = Operation::number, .value = first.value});
      case TokenKind::name:
      case TokenKind::quoted_name:
        ++at_;
        if (first.kind == TokenKind::name && token().is("(")) return call(first);
        return name(first);
      default:
        break;
    }
    if (!accept("(")) refuse_here("expected a number, a name or '('");
    conditional();
    close(first, "(", ")");
  }

  void close(const Token& open, std::string_view opening, std::string_view closing) {
    if (accept(closing)) return;
    if (token().kind == TokenKind::end) fault_at(where_, open.position, "this '{}' has no '{}'", opening, closing);
    refuse_rest();
  }

  void call(const Token& first) {
    const Function* function = find_function(first.text);
    if (function == nullptr) refuse_function(first, symbols_, where_);
    const Token& open = token();
    ++at_;
    std::size_t arguments = 0;
    if (!token().is(")")) {
      do {
        conditional();
        ++arguments;
      } while (accept(","));
    }
    close(open, "(", ")");
    if (arguments != function->arguments()) {
      fault_at(where_, first.position, "{} takes {} argument{}, not {}", function->name, function->arguments(),
               function->arguments() == 1 ? "" : "s", arguments);
    }
    push({.operation = Operation::call, .function = function});
  }

  void name(const Token& first) {
    const Resolved resolved = resolve(first, symbols_, where_);
    const bool vector = resolved.meaning == Meaning::parameter && symbols_.parameters[resolved.index].size > 0;
    if (token().is("[") != vector) refuse_index(first, vector, resolved);
    switch (resolved.meaning) {
      case Meaning::pi:
        return push({.operation = Operation::number, .value = std::numbers::pi});
      case Meaning::constant:
        return push({.operation = Operation::number, .value = symbols_.constants[resolved.index].value});
      case Meaning::column:
        parsed_.columns_used[resolved.index] = true;
        return push({.operation = Operation::column, .index = resolved.index});
      case Meaning::parameter:
        parsed_.parameters_used[resolved.index] = true;
        if (vector) return element(first, symbols_.parameters[resolved.index]);
        return push({.operation = Operation::parameter, .index = symbols_.parameters[resolved.index].offset});
    }
  }

  [[noreturn]] void refuse_index(const Token& first, bool vector, const Resolved& resolved) const {
    const std::string text = shortened(first.text);
    if (vector) {
      fault_at(where_, first.position, "'{0}' is a vector; its entries are {0}[0] to {0}[{1}]", text,
               symbols_.parameters[resolved.index].size - 1);
    }
    const char* what = resolved.meaning == Meaning::parameter ? "a parameter without a size" : "not a vector parameter";
    fault_at(where_, token().position, "'{}' is {} and takes no index", text, what);
  }

  // p[3], p[constant] or p[column]; the name is read already.
  void element(const Token& first, const Symbols::Parameter& parameter) {
    const Token& open = token();
    ++at_;
    const Token& index = token();
    const bool negative = accept("-");
    const Token& inner = token();
    const bool word = inner.kind == TokenKind::name || inner.kind == TokenKind::quoted_name;
    if (inner.kind == TokenKind::end) close(open, "[", "]");
    if ((!word && inner.kind != TokenKind::number) || !tokens_[at_ + 1].is("]")) refuse_long_index(index);
    at_ += 2;
    const Resolved resolved = word ? resolve(inner, symbols_, where_) : Resolved{};
    if (word && resolved.meaning == Meaning::column && !negative) {
      parsed_.columns_used[resolved.index] = true;
      push({.operation = Operation::lookup, .index = parsed_.tree.lookups.size()});
      parsed_.tree.lookups.push_back({parameter.name, symbols_.columns[resolved.index], parameter.offset,
                                      parameter.size, resolved.index, first.position});
      return;
    }
    if (word && (resolved.meaning != Meaning::constant)) refuse_long_index(index);
    const double magnitude = word ? symbols_.constants[resolved.index].value : inner.value;
    const double value = negative ? -magnitude : magnitude;
    if (!(value >= 0 && value < static_cast<double>(parameter.size)) || value != std::floor(value)) {
      fault_at(where_, index.position, "index {} of '{}' is not one of the whole numbers 0 to {}", value,
               parameter.name, parameter.size - 1);
    }
    push({.operation = Operation::parameter, .index = parameter.offset + static_cast<std::size_t>(value)});
  }

  [[noreturn]] void refuse_long_index(const Token& index) const {
    fault_at(where_, index.position, "an index is one whole number, constant or column, as in p[0] or p[column]");
  }

  [[noreturn]] void refuse_here(std::string_view expected) const {
    if (token().kind == TokenKind::end) fault_at(where_, token().position, "{}, but the expression ends", expected);
    fault_at(where_, token().position, "{}, not '{}'", expected, shortened(token().text));
  }

  // After a complete operand, where only an operator or a closing bracket may stand.
  [[noreturn]] void refuse_rest() const {
    const std::string text = shortened(token().text);
    if (token().is(")") || token().is("]")) fault_at(where_, token().position, "this '{}' closes nothing", text);
    if (token().is(",")) {
      fault_at(where_, token().position, "a ',' parts the arguments of a function; a decimal point is '.'");
    }
    if (token().is(":")) fault_at(where_, token().position, "this ':' has no '?'");
    const bool operand = token().kind != TokenKind::symbol || token().is("(") || token().is("[");
    if (operand) fault_at(where_, token().position, "an operator is missing before '{}'; a product needs a *", text);
    fault_at(where_, token().position, "expected an operator, not '{}'", text);
  }

  const Symbols& symbols_;
  const Location& where_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  Parsed parsed_;
};

}  // namespace

Parsed parse(std::string_view text, const Symbols& symbols, const Location& where) {
  return Parser(text, symbols, where).run();
}

}  // namespace atl::expression
