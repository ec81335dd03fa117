#include "data/text_lines.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "data/cell.hpp"

namespace atl::data {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

void refuse_control_bytes(std::string_view line, int number, const std::string& source) {
  constexpr unsigned char first_printable = 0x20;
  for (const char c : line) {
    if (static_cast<unsigned char>(c) >= first_printable || c == '\t' || c == '\v' || c == '\f') continue;
    fail_at(ExitCode::bad_data, {source, number}, "a byte {:#04x}: this is not a text table", int{c});
  }
}

void refuse_utf16(std::string_view content, const std::string& source) {
  if (content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff"))
    fail_at(ExitCode::bad_data, {source, 1}, "UTF-16 text; save it as UTF-8");
}

}  // namespace

std::vector<Line> table_lines(std::string_view content, const std::string& source) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  refuse_utf16(content, source);
  if (content.starts_with(byte_order_mark)) content.remove_prefix(byte_order_mark.size());
  std::vector<Line> lines;
  bool after_blank = false;
  for (int number = 1; !content.empty(); ++number) {
    const std::size_t end = std::min(content.find_first_of("\r\n"), content.size());
    const std::string_view line = content.substr(0, end);
    const bool both = content.substr(end).starts_with("\r\n");
    content.remove_prefix(std::min(end + (both ? 2 : 1), content.size()));
    refuse_control_bytes(line, number, source);
    const std::string_view inside = trim(line);
    if (inside.empty()) after_blank = true;
    if (inside.empty() || inside.front() == '#') continue;
    lines.push_back({line, number, std::exchange(after_blank, false) && !lines.empty()});
  }
  return lines;
}

CellReader::CellReader(std::string_view line, Separator separator) : rest_(line), separator_(separator) {
  if (separator == Separator::blanks) rest_ = trim(rest_);
}

bool CellReader::next(std::string_view& cell) {
  if (!more_) return false;
  std::string_view start = rest_;
  while (!start.empty() && is_blank(start.front()) && start.front() != static_cast<char>(separator_))
    start.remove_prefix(1);
  quoted_ = start.starts_with('"');
  if (quoted_) {
    rest_ = start;
    read_quoted(cell);
  } else {
    const std::size_t end = separator_ == Separator::none     ? rest_.size()
                            : separator_ == Separator::blanks ? rest_.find_first_of(" \t")
                                                              : rest_.find(static_cast<char>(separator_));
    cell = trim(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end, rest_.size()));
  }
  skip_separator();
  return true;
}

void CellReader::read_quoted(std::string_view& cell) {
  std::size_t end = rest_.find('"', 1);
  const bool doubled = end != std::string_view::npos && rest_.substr(end + 1).starts_with('"');
  buffer_.clear();
  std::size_t start = 1;
  while (end != std::string_view::npos && rest_.substr(end + 1).starts_with('"')) {
    buffer_.append(rest_.substr(start, end + 1 - start));
    start = end + 2;
    end = rest_.find('"', start);
  }
  if (end == std::string_view::npos) {
    malformed_ = true;
    cell = std::exchange(rest_, {});
    return;
  }
  cell = rest_.substr(start, end - start);
  if (doubled) cell = buffer_.append(cell);
  rest_.remove_prefix(end + 1);
}

// What stands between this cell and the next; `more_` is false when the line ends here.
void CellReader::skip_separator() {
  std::string_view rest = rest_;
  if (separator_ == Separator::blanks) {
    rest = trim(rest);
    malformed_ = malformed_ || (quoted_ && !rest.empty() && !is_blank(rest_.front()));
    more_ = !rest.empty();
    rest_ = rest;
    return;
  }
  while (!rest.empty() && is_blank(rest.front()) && rest.front() != static_cast<char>(separator_))
    rest.remove_prefix(1);
  more_ = !rest.empty() && separator_ != Separator::none && rest.front() == static_cast<char>(separator_);
  malformed_ = malformed_ || (!rest.empty() && !more_);
  rest_ = more_ ? rest.substr(1) : std::string_view();
}

std::size_t count_cells(std::string_view line, Separator separator) {
  CellReader cells(line, separator);
  std::string_view cell;
  std::size_t count = 0;
  while (cells.next(cell)) ++count;
  return count;
}

const char* name_of(Separator separator) {
  switch (separator) {
    case Separator::tab:
      return "tab";
    case Separator::semicolon:
      return "';'";
    case Separator::comma:
      return "','";
    case Separator::blanks:
      return "blanks";
    case Separator::none:
      break;
  }
  return "none";
}

}  // namespace atl::data
