// The lines of a text table that hold cells, and the cells of a line.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace atl::data {

struct Line {
  std::string_view text;     // without its end
  int number = 0;            // in the file, from 1
  bool after_blank = false;  // blank lines stood between this one and the one before
};

/// The lines of `content` without comments (# first) and blank ones. Ends are LF, CRLF or CR; a UTF-8 byte-order mark
/// is skipped. Error 65 with the line for UTF-16 and for control bytes; `source` names the file.
[[nodiscard]] std::vector<Line> table_lines(std::string_view content, const std::string& source);

enum class Separator : char { tab = '\t', semicolon = ';', comma = ',', blanks = ' ', none = 0 };

/// Takes cells off a line from left to right. Quoted cells ("a, b", "" for a quote inside) may hold the separator.
class CellReader {
 public:
  CellReader(std::string_view line, Separator separator);

  /// The next cell into `cell`; false at the end of the line. A cell with doubled quotes is put together in a buffer
  /// of the reader and lasts until the next call.
  bool next(std::string_view& cell);

  [[nodiscard]] bool quoted() const { return quoted_; }        // the last cell was quoted
  [[nodiscard]] bool malformed() const { return malformed_; }  // a quote without end, or text behind one

 private:
  void read_quoted(std::string_view& cell);
  void skip_separator();

  std::string_view rest_;
  Separator separator_;
  bool more_ = true, quoted_ = false, malformed_ = false;
  std::string buffer_;
};

[[nodiscard]] std::size_t count_cells(std::string_view line, Separator separator);

/// "','", "blanks" ... for messages.
[[nodiscard]] const char* name_of(Separator separator);

}  // namespace atl::data
