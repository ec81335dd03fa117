#include "expression/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "expression/function_table.hpp"

namespace atl::expression {
namespace {

struct Hint {
  std::string_view name, help;
};
constexpr std::array hints = {
    Hint{"and", "write &&"},
    Hint{"or", "write ||"},
    Hint{"not", "write !"},
    Hint{"if", "write a ? b : c"},
    Hint{"true", "write 1"},
    Hint{"false", "write 0"},
    Hint{"ln", "the natural logarithm is log(a)"},
    Hint{"e", "write exp(1)"},
};

bool plain(std::string_view name) {
  const auto letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto word = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), word);
}

// As the user would write it.
std::string column_text(const std::string& name) {
  return plain(name) ? name : "`" + name + "`";
}

std::vector<std::string> known_names(const Symbols& symbols) {
  std::vector<std::string> names;
  for (const auto& parameter : symbols.parameters) names.push_back(parameter.name);
  for (const auto& column : symbols.columns) {
    if (column != symbols.forbidden_column) names.push_back(column_text(column));
  }
  for (const auto& constant : symbols.constants) names.push_back(constant.name);
  names.emplace_back("pi");
  return names;
}

// Edits (insert, delete, replace, swap of neighbours) between two short words.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + shortened(names[i]);
  return names.size() > most ? fmt::format("{}, ... ({} in all)", text, names.size()) : text;
}

std::string_view hint(std::string_view name) {
  for (const Hint& entry : hints) {
    if (entry.name == name) return entry.help;
  }
  return {};
}

[[noreturn]] void refuse_unknown(const Token& token, const Symbols& symbols, const Location& where) {
  const std::string name = shortened(token.text);
  const std::string_view help = hint(token.text);
  if (token.kind == TokenKind::quoted_name) {
    const std::string close = nearest(token.text, symbols.columns);
    if (!close.empty()) fault_at(where, token.position, "no column `{}`; did you mean `{}`?", name, close);
    fault_at(where, token.position, "no column `{}`; the columns are {}", name,
             symbols.columns.empty() ? "none" : listed(symbols.columns));
  }
  if (!help.empty()) fault_at(where, token.position, "unknown name '{}'; {}", name, help);
  if (find_function(token.text) != nullptr) {
    fault_at(where, token.position, "'{0}' is a function: its argument stands in brackets, as in {0}(a)", name);
  }
  const std::vector<std::string> names = known_names(symbols);
  const std::string close = nearest(token.text, names);
  if (!close.empty()) fault_at(where, token.position, "unknown name '{}'; did you mean {}?", name, close);
  fault_at(where, token.position, "unknown name '{}'; known names: {}", name, listed(names));
}

std::string_view word(Meaning meaning) {
  switch (meaning) {
    case Meaning::parameter:
      return "a parameter";
    case Meaning::column:
      return "a column";
    case Meaning::constant:
      return "a constant";
    default:
      return "the number 3.14159...";
  }
}

std::vector<Resolved> meanings(const Token& token, const Symbols& symbols) {
  std::vector<Resolved> found;
  const bool quoted = token.kind == TokenKind::quoted_name;
  const auto collect = [&](const auto& list, Meaning meaning, auto name_of) {
    const auto match =
        std::find_if(list.begin(), list.end(), [&](const auto& item) { return name_of(item) == token.text; });
    if (match != list.end()) found.push_back({meaning, static_cast<std::size_t>(match - list.begin())});
  };
  const auto member = [](const auto& item) -> const std::string& { return item.name; };
  if (!quoted) {
    if (token.text == "pi") found.push_back({Meaning::pi, 0});
    collect(symbols.parameters, Meaning::parameter, member);
    collect(symbols.constants, Meaning::constant, member);
  }
  collect(symbols.columns, Meaning::column, [](const std::string& name) -> const std::string& { return name; });
  return found;
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 64;  // nobody mistypes a longer name by two letters, and edits() is quadratic
  if (name.size() > longest) return {};
  const std::string wanted = lower(name);
  std::size_t fewest = name.size() < 2 ? 1 : name.size() < 5 ? 2 : 3;  // exclusive
  std::string best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edits(wanted, lower(candidate));
    if (distance < fewest) {
      fewest = distance;
      best = candidate;
    }
  }
  return best;
}

Resolved resolve(const Token& token, const Symbols& symbols, const Location& where) {
  const std::vector<Resolved> found = meanings(token, symbols);
  if (found.empty()) refuse_unknown(token, symbols, where);
  const std::string name = shortened(token.text);
  if (found.size() > 1) {
    const bool column = found.back().meaning == Meaning::column;
    fault_at(where, token.position, "'{}' is both {} and {}; rename one{}", name, word(found[0].meaning),
             word(found[1].meaning), column ? fmt::format(", or write `{}` for the column", name) : "");
  }
  if (found[0].meaning == Meaning::column && token.text == symbols.forbidden_column) {
    fault_at(where, token.position, "'{}' is the target: the model gives it and cannot use it", name);
  }
  return found[0];
}

void refuse_function(const Token& token, const Symbols& symbols, const Location& where) {
  const std::string name = shortened(token.text);
  const std::vector<Resolved> found = meanings(token, symbols);
  if (!found.empty()) {
    fault_at(where, token.position, "'{}' is {}, not a function; a product needs a *, as in {}*(...)", name,
             word(found[0].meaning), name);
  }
  const std::string_view help = hint(token.text);
  if (!help.empty()) fault_at(where, token.position, "unknown function '{}'; {}", name, help);
  std::vector<std::string> functions;
  for (const Function& function : function_table()) functions.emplace_back(function.name);
  const std::string close = nearest(token.text, functions);
  if (!close.empty()) fault_at(where, token.position, "unknown function '{}'; did you mean {}?", name, close);
  fault_at(where, token.position, "unknown function '{}'; the functions are those of OpenCL C, such as exp, log, sin",
           name);
}

}  // namespace atl::expression
