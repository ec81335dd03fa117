#include "data/npy_header.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/error.hpp"

namespace atl::data {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

// A reader of exactly the dictionaries that NumPy writes: keys descr, fortran_order and shape, in any order.
class DictionaryReader {
 public:
  DictionaryReader(std::string_view text, std::size_t offset, const std::string& source)
      : text_(text), offset_(offset), source_(source) {}

  [[noreturn]] void fail_here(const std::string& reason) const {
    fail(ExitCode::bad_data, "{}: byte {}: {}", source_, offset_ + at_, reason);
  }

  bool accept(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail_here(fmt::format("expected '{}' in the npy header", c));
  }

  bool ended() {
    skip_blanks();
    return at_ == text_.size();
  }

  std::string quoted() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') fail_here("expected a quoted name in the npy header");
    const auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail_here("a quote without end in the npy header");
    std::string result(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return result;
  }

  std::string type() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '[') fail_here("structured npy arrays are not read; save one plain array");
    return quoted();
  }

  bool boolean() {
    skip_blanks();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return value;
    }
    fail_here("expected True or False in the npy header");
  }

  std::vector<std::uint64_t> shape() {
    constexpr std::size_t most_dimensions = 32;  // NumPy's own limit
    std::vector<std::uint64_t> extents;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      std::uint64_t extent = 0;
      const auto [end, fault] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), extent);
      if (fault != std::errc()) fail_here("expected an extent in the shape of the npy header");
      at_ = static_cast<std::size_t>(end - text_.data());
      (void)accept('L');  // Python 2 wrote long integers so
      extents.push_back(extent);
      if (extents.size() > most_dimensions) fail_here("too many dimensions in the npy header");
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return extents;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  std::string_view text_;
  std::size_t offset_, at_ = 0;
  const std::string& source_;
};

const char* refused_kind(char kind) {
  switch (kind) {
    case 'O':
      return "objects";
    case 'V':
      return "structured or raw data";
    case 'S':
    case 'a':
    case 'U':
      return "text";
    case 'c':
      return "complex numbers";
    case 'M':
    case 'm':
      return "dates or times";
    default:
      return "an unknown type";
  }
}

// f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8 and b1.
bool is_read(char kind, std::size_t size) {
  const bool power_of_two = size == 1 || size == 2 || size == 4 || size == 8;
  return kind == 'b' ? size == 1 : power_of_two && !(kind == 'f' && size == 1);
}

void read_type(const std::string& type, const DictionaryReader& at, NpyHeader& header) {
  const bool has_order = !type.empty() && std::string_view("<>=|").find(type.front()) != std::string_view::npos;
  std::string_view rest = std::string_view(type).substr(has_order ? 1 : 0);
  if (rest == "?") rest = "b1";
  header.big_endian = type.starts_with('>');
  header.kind = rest.empty() ? ' ' : rest.front();
  header.size = rest.size() == 2 && rest[1] >= '1' && rest[1] <= '9' ? static_cast<std::size_t>(rest[1] - '0') : 0;
  if (std::string_view("fiub").find(header.kind) == std::string_view::npos)
    at.fail_here(fmt::format("an npy array of {} ('{}') is not read; save numbers", refused_kind(header.kind), type));
  if (!is_read(header.kind, header.size)) at.fail_here(fmt::format("npy type '{}' is not read; save as float64", type));
}

void read_dictionary(std::string_view text, std::size_t offset, const std::string& source, NpyHeader& header) {
  DictionaryReader reader(text, offset, source);
  bool type = false, order = false, shape = false;
  reader.expect('{');
  while (!reader.accept('}')) {
    const std::string key = reader.quoted();
    reader.expect(':');
    bool& seen = key == "descr" ? type : key == "fortran_order" ? order : shape;
    if (key != "descr" && key != "fortran_order" && key != "shape")
      reader.fail_here(fmt::format("unknown key '{}' in the npy header", key));
    if (seen) reader.fail_here(fmt::format("'{}' stands twice in the npy header", key));
    seen = true;
    if (key == "descr") read_type(reader.type(), reader, header);
    if (key == "fortran_order") header.fortran_order = reader.boolean();
    if (key == "shape") header.shape = reader.shape();
    if (!reader.accept(',')) {
      reader.expect('}');
      break;
    }
  }
  if (!type || !order || !shape) reader.fail_here("the npy header lacks descr, fortran_order or shape");
  if (!reader.ended()) reader.fail_here("text behind the dictionary of the npy header");
}

}  // namespace

NpyHeader read_npy_header(std::span<const std::byte> file, const std::string& source) {
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(file[i]); };
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  constexpr std::size_t version_offset = 6, length_offset = 8;
  if (!text.starts_with(magic)) fail(ExitCode::bad_data, "{}: byte 0: not an npy file", source);
  const std::size_t version = file.size() > version_offset ? byte(version_offset) : 0;
  if (version < 1 || version > 3)
    fail(ExitCode::bad_data, "{}: byte {}: npy version {} is not read; 1, 2 and 3 are", source, version_offset,
         version);
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t start = length_offset + length_bytes;
  if (file.size() < start) fail(ExitCode::bad_data, "{}: byte {}: the npy header is cut off", source, file.size());
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= byte(length_offset + i) << (8 * i);
  if (file.size() - start < length)
    fail(ExitCode::bad_data, "{}: byte {}: an npy header of {} bytes, but only {} follow", source, length_offset,
         length, file.size() - start);
  NpyHeader header;
  header.data_offset = start + length;
  read_dictionary(text.substr(start, length), start, source, header);
  return header;
}

}  // namespace atl::data
