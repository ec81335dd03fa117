// Reads the logs of OpenCL compilers: whose fault is it, where, and what does it say.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::device {

struct Diagnostic {
  enum class Kind { error, warning, note };
  Kind kind = Kind::error;
  std::string file;
  int line = 0, column = 0;  // from 1
  std::string message;
};

/// The diagnostics of a log in its order, in clang's form ("wing.cl:3:12: error: text", NVIDIA and others) or PoCL's
/// ("error: wing.cl:3:12: text").
[[nodiscard]] std::vector<Diagnostic> read_diagnostics(std::string_view log);

/// Gives diagnostics that count the lines of the whole `source`, as compilers do that do not heed #line (Oclgrind), the
/// file and line that the #lines of `source` say. Those that already name a file of a #line, or one on disk, stay.
void place_by_line_directives(std::vector<Diagnostic>& diagnostics, std::string_view source);

/// The functions that the log calls undefined when linking.
[[nodiscard]] std::vector<std::string> undefined_functions(std::string_view log);

/// What makes an error the user's: it stands in the user's file, or, weaker, it stands elsewhere and a note names the
/// user's file as the cause.
enum class Evidence { error, note };

/// The compiler's message about the user's file `origin`, whose text is `text`: each error with the line of text and a
/// caret below it, at most `most` of them. Nothing without an error or without the evidence.
[[nodiscard]] std::optional<std::string> explain_user_error(const std::vector<Diagnostic>& diagnostics,
                                                            const std::string& origin, std::string_view text,
                                                            Evidence evidence = Evidence::error, int most = 5);

/// "wing.cl:3:12: error: text".
[[nodiscard]] std::string one_line(const Diagnostic& diagnostic);

}  // namespace atl::device
