#include "device/compile_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
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

std::string show(const Diagnostic& d, const std::string& origin, std::string_view text) {
  const char* kind = d.kind == Diagnostic::Kind::note ? "note" : "error";
  std::string place = fmt::format("{}:{}", d.file, d.line);
  if (d.column > 0) place += fmt::format(":{}", d.column);
  return fmt::format("{}: {}: {}{}", place, kind, d.message,
                     d.file == origin ? snippet(text, d.line, d.column) : std::string());
}

}  // namespace

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

std::optional<std::string> explain_user_error(std::string_view log, const std::string& origin, std::string_view text,
                                              int most) {
  using enum Diagnostic::Kind;
  const auto all = read_diagnostics(log);
  const auto named = [&](Diagnostic::Kind kind) {
    return std::ranges::any_of(all, [&](const Diagnostic& d) { return d.kind == kind && d.file == origin; });
  };
  const bool any_error = std::ranges::any_of(all, [](const Diagnostic& d) { return d.kind == error; });
  const bool by_note = !named(error);  // the error stands in our text, a note says that the user's is the cause
  if (!any_error || (by_note && !named(note))) return std::nullopt;
  std::string result;
  int count = 0;
  for (const Diagnostic& d : all) {
    const bool told =
        by_note ? d.kind == error || (d.kind == note && d.file == origin) : d.kind == error && d.file == origin;
    if (!told) continue;
    if (++count <= most) result += (result.empty() ? "" : "\n") + show(d, origin, text);
  }
  if (count > most) result += fmt::format("\nand {} more", count - most);
  return result;
}

}  // namespace atl::device
