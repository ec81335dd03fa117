#include "device/compile_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <utility>

namespace atl::device {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    if (lines.back().ends_with('\r')) lines.back().remove_suffix(1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

constexpr std::array<std::pair<std::string_view, Diagnostic::Kind>, 4> kinds{
    std::pair{"fatal error: ", Diagnostic::Kind::error}, std::pair{"error: ", Diagnostic::Kind::error},
    std::pair{"warning: ", Diagnostic::Kind::warning}, std::pair{"note: ", Diagnostic::Kind::note}};

// Takes ":12" off the end of `text`; 0 when there is none.
int take_number(std::string_view& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return 0;
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, value);
  if (error != std::errc{} || stop != end) return 0;
  text = text.substr(0, colon);
  return value;
}

// "wing.cl:3:12" with a message, or nothing when that is no place.
std::optional<Diagnostic> make(Diagnostic::Kind kind, std::string_view place, std::string_view message) {
  const int last = take_number(place);
  const int before = take_number(place);
  if (last == 0 || place.empty()) return std::nullopt;
  Diagnostic diagnostic{kind, std::string(place), before, last, std::string(message)};
  if (before == 0) diagnostic.line = std::exchange(diagnostic.column, 0);
  return diagnostic;
}

std::optional<Diagnostic> read_line(std::string_view line) {
  for (const auto& [word, kind] : kinds) {
    if (line.starts_with(word)) {  // PoCL: the place stands between the word and the message
      const std::string_view rest = line.substr(word.size());
      for (auto end = rest.find(": "); end != std::string_view::npos; end = rest.find(": ", end + 1))
        if (auto found = make(kind, rest.substr(0, end), rest.substr(end + 2))) return found;
      return std::nullopt;
    }
    const auto at = line.find(": " + std::string(word));
    if (at == std::string_view::npos) continue;
    if (auto found = make(kind, line.substr(0, at), line.substr(at + 2 + word.size()))) return found;
  }
  return std::nullopt;
}

// The line of text with a caret under its column; a tab stays a tab so that both lines agree.
std::string snippet(std::string_view text, int line, int column) {
  const auto lines = lines_of(text);
  if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return "";
  const std::string_view shown = lines[line - 1];
  if (shown.find_first_not_of(" \t") == std::string_view::npos) return "";
  std::string result = fmt::format("\n  {}", shown);
  if (column < 1) return result;
  result += "\n  ";
  for (int i = 0; i + 1 < column; ++i)
    result += static_cast<std::size_t>(i) < shown.size() && shown[i] == '\t' ? '\t' : ' ';
  return result + '^';
}

struct LineDirective {
  int at;    // the line of the source where it stands, from 1
  int line;  // what it calls the next line
  std::string file;
};

std::vector<LineDirective> line_directives(std::string_view source) {
  constexpr std::string_view word = "#line ";
  std::vector<LineDirective> found;
  int at = 0;
  for (const std::string_view text : lines_of(source)) {
    ++at;
    const auto quote = text.find('"');
    if (!text.starts_with(word) || quote == std::string_view::npos) continue;
    LineDirective directive{at, 1, {}};
    std::from_chars(text.data() + word.size(), text.data() + text.size(), directive.line);
    for (auto i = quote + 1; i < text.size() && text[i] != '"'; ++i) {
      if (text[i] == '\\' && i + 1 < text.size()) ++i;
      directive.file += text[i];
    }
    found.push_back(directive);
  }
  return found;
}

}  // namespace

std::string one_line(const Diagnostic& diagnostic) {
  using enum Diagnostic::Kind;
  std::string place = fmt::format("{}:{}", diagnostic.file, diagnostic.line);
  if (diagnostic.column > 0) place += fmt::format(":{}", diagnostic.column);
  const char* kind = diagnostic.kind == note ? "note" : diagnostic.kind == warning ? "warning" : "error";
  return fmt::format("{}: {}: {}", place, kind, diagnostic.message);
}

void place_by_line_directives(std::vector<Diagnostic>& diagnostics, std::string_view source) {
  const std::vector<LineDirective> directives = line_directives(source);
  for (Diagnostic& d : diagnostics) {
    const bool named = std::ranges::find(directives, d.file, &LineDirective::file) != directives.end();
    if (named || std::filesystem::exists(d.file)) continue;
    const auto after = std::ranges::find_if(directives, [&](const LineDirective& each) { return each.at >= d.line; });
    if (after == directives.begin()) continue;
    const LineDirective& last = *std::prev(after);
    d.file = last.file;
    d.line = last.line + d.line - last.at - 1;
  }
}

std::vector<Diagnostic> read_diagnostics(std::string_view log) {
  std::vector<Diagnostic> found;
  for (const std::string_view line : lines_of(log))
    if (auto diagnostic = read_line(line)) found.push_back(std::move(*diagnostic));
  return found;
}

std::vector<std::string> undefined_functions(std::string_view log) {
  // PoCL, then NVIDIA's ptxas.
  constexpr std::string_view before[] = {"Cannot find symbol ", "Unresolved extern function '"};
  std::vector<std::string> names;
  for (const std::string_view line : lines_of(log)) {
    for (const std::string_view words : before) {
      const auto at = line.find(words);
      if (at == std::string_view::npos) continue;
      const std::string_view rest = line.substr(at + words.size());
      names.emplace_back(rest.substr(0, rest.find_first_of(" '")));
    }
  }
  return names;
}

std::optional<std::string> explain_user_error(const std::vector<Diagnostic>& diagnostics, const std::string& origin,
                                              std::string_view text, Evidence evidence, int most) {
  using enum Diagnostic::Kind;
  const auto told = [&](const Diagnostic& d) {
    if (evidence == Evidence::error) return d.kind == error && d.file == origin;
    return d.kind == error || (d.kind == note && d.file == origin);
  };
  const auto has = [&](Diagnostic::Kind kind) {
    return std::ranges::any_of(diagnostics, [&](const Diagnostic& d) { return d.kind == kind && told(d); });
  };
  if (!has(error) || (evidence == Evidence::note && !has(note))) return std::nullopt;
  std::string result;
  int count = 0;
  for (const Diagnostic& d : diagnostics) {
    if (!told(d) || ++count > most) continue;
    result += (result.empty() ? "" : "\n") + one_line(d);
    if (d.file == origin) result += snippet(text, d.line, d.column);
  }
  if (count > most) result += fmt::format("\nand {} more", count - most);
  return result;
}

}  // namespace atl::device
