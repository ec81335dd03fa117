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
  if (has_function(code, problem.per_row ? "term" : "objective")) return;
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
