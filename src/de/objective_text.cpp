#include "de/objective_text.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "device/kernel_table.hpp"

namespace atl::de {
namespace {

const char* signature(const Problem& problem) {
  return problem.per_row ? "real term(const real *x, const real *row)" : "real objective(const real *x)";
}

/// The text with comments and string literals blanked; line breaks stay, so places stay.
std::string without_comments(const std::string& text) {
  std::string code = text;
  std::size_t i = 0;
  const auto blank_until = [&](std::string_view end, bool escapes) {
    while (i < text.size() && text.compare(i, end.size(), end) != 0) {
      const std::size_t step = escapes && text[i] == '\\' && i + 1 < text.size() ? 2 : 1;
      for (std::size_t k = 0; k < step; ++k, ++i) {
        if (text[i] != '\n') code[i] = ' ';
      }
    }
  };
  while (i < text.size()) {
    if (text.compare(i, 2, "//") == 0) {
      blank_until("\n", true);
    } else if (text.compare(i, 2, "/*") == 0) {
      code[i] = code[i + 1] = ' ';
      i += 2;
      blank_until("*/", false);
      for (int k = 0; k < 2 && i < text.size(); ++k) code[i++] = ' ';
    } else if (text[i] == '"' || text[i] == '\'') {
      const std::string quote(1, text[i++]);
      blank_until(quote, true);
      ++i;
    } else {
      ++i;
    }
  }
  return code;
}

bool word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Calls found(begin, end) for every name in the code until it returns true; says whether it did.
template <typename Found>
bool any_word(const std::string& code, Found found) {
  for (std::size_t begin = 0; begin < code.size();) {
    std::size_t end = begin;
    while (end < code.size() && word_character(code[end])) ++end;
    if (end > begin && std::isdigit(static_cast<unsigned char>(code[begin])) == 0 && found(begin, end)) return true;
    begin = std::max(end, begin + 1);
  }
  return false;
}

bool has_function(const std::string& code, const std::string& name) {
  return any_word(code, [&](std::size_t begin, std::size_t end) {
    const std::size_t next = code.find_first_not_of(" \t\r\n", end);
    return code.compare(begin, end - begin, name) == 0 && next != std::string::npos && code[next] == '(';
  });
}

/// The end of the brackets that open at `begin`, behind the closing one; npos when they do not close.
std::size_t end_of_brackets(const std::string& code, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < code.size(); ++i) {
    if (code[i] == '(') ++depth;
    if (code[i] == ')' && --depth == 0) return i + 1;
  }
  return std::string::npos;
}

/// Whether our kernels can call a function with this parameter list: `count` pointers to private memory.
bool takes_pointers(const std::string& list, int count) {
  static const std::set<std::string> elsewhere = {"global",  "__global",  "local",    "__local",
                                                  "generic", "__generic", "constant", "__constant"};
  const auto is_elsewhere = [&](std::size_t begin, std::size_t end) {
    return elsewhere.contains(list.substr(begin, end - begin));
  };
  const auto pointers = std::count(list.begin(), list.end(), '*') + std::count(list.begin(), list.end(), '[');
  return pointers == count && std::count(list.begin(), list.end(), ',') == count - 1 && !any_word(list, is_elsewhere);
}

/// Where the only definitions of `name` stand that our kernels cannot call; npos when there is a better one, or none to
/// be seen (a macro may make it).
std::size_t wrong_definition(const std::string& code, const std::string& name, int pointers) {
  std::size_t wrong = std::string::npos;
  const bool right = any_word(code, [&](std::size_t begin, std::size_t end) {
    const std::size_t open = code.find_first_not_of(" \t\r\n", end);
    if (code.compare(begin, end - begin, name) != 0 || open == std::string::npos || code[open] != '(') return false;
    const std::size_t close = end_of_brackets(code, open);
    const std::size_t body = close == std::string::npos ? close : code.find_first_not_of(" \t\r\n", close);
    if (body == std::string::npos || code[body] != '{') return false;
    std::size_t type_end = begin;
    while (type_end > 0 && !word_character(code[type_end - 1])) --type_end;
    const bool is_void = type_end >= 4 && code.compare(type_end - 4, 4, "void") == 0;
    if (!is_void && takes_pointers(code.substr(open, close - open), pointers)) return true;
    wrong = begin;
    return false;
  });
  return right ? std::string::npos : wrong;
}

Location place(const Problem& problem, const std::string& code, std::size_t at) {
  const std::string before = code.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {problem.name, static_cast<int>(line), static_cast<int>(at - start) + 1};
}

/// The functions that our kernels define: a line that begins with a word and has a name before its first parenthesis.
std::set<std::string, std::less<>> functions_of_ours() {
  std::set<std::string, std::less<>> names;
  for (const device::KernelFile& file : device::kernel_table()) {
    if (!file.name.starts_with("common/") && !file.name.starts_with("de/")) continue;
    for (std::size_t begin = 0; begin < file.text.size();) {
      const std::size_t end = std::min(file.text.find('\n', begin), file.text.size());
      const std::string_view line = file.text.substr(begin, end - begin);
      const std::size_t open = line.find('(');
      if (!line.empty() && word_character(line[0]) && open != std::string_view::npos) {
        std::size_t first = open;
        while (first > 0 && word_character(line[first - 1])) --first;
        names.emplace(line.substr(first, open - first));
      }
      begin = end + 1;
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> names_of_ours(const Problem& problem) {
  const auto ours = functions_of_ours();
  const std::string code = without_comments(problem.objective_text);
  std::set<std::string> found;
  any_word(code, [&](std::size_t begin, std::size_t end) {
    const std::string_view word = std::string_view(code).substr(begin, end - begin);
    if (ours.contains(word)) found.emplace(word);
    return false;
  });
  return {found.begin(), found.end()};
}

void check_objective_text(const Problem& problem) {
  const std::string& text = problem.objective_text;
  if (text.find('\0') != std::string::npos) {
    fail(ExitCode::bad_data, "{} is not OpenCL C: it has a zero byte at offset {}", problem.name, text.find('\0'));
  }
  const std::string code = without_comments(text);
  const std::string name = problem.per_row ? "term" : "objective";
  const std::size_t wrong = wrong_definition(code, name, problem.per_row ? 2 : 1);
  if (wrong != std::string::npos) {
    fail_at(ExitCode::bad_data, place(problem, code, wrong), "`{}` must be `{}`", name, signature(problem));
  }
  if (has_function(code, name)) return;
  const bool other = has_function(code, problem.per_row ? "objective" : "term");
  const char* hint = "";
  if (other && problem.per_row) hint = "; `objective` is the form without problem.data";
  if (other && !problem.per_row) hint = "; `term` is the form with problem.data";
  fail(ExitCode::bad_data, "no function `{}` in {}{}", signature(problem), problem.name, hint);
}

void refuse_double(const Problem& problem) {
  const std::string code = without_comments(problem.objective_text);
  any_word(code, [&](std::size_t begin, std::size_t end) {
    const std::string word = code.substr(begin, end - begin);
    const std::string rest = word.starts_with("double") ? word.substr(6) : "no";
    static const std::set<std::string> widths = {"", "2", "3", "4", "8", "16"};
    if (widths.contains(rest)) {
      fail_at(ExitCode::bad_data, place(problem, code, begin),
              "`{}` in a run with precision = \"single\"; write `real{}`, which follows the precision", word, rest);
    }
    return false;
  });
}

}  // namespace atl::de
