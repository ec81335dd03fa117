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

/// The functions that the log calls undefined when linking.
[[nodiscard]] std::vector<std::string> undefined_functions(std::string_view log);

/// The compiler's message about the user's file `origin`, whose text is `text`: each error there with the line of text
/// and a caret below it, at most `most` of them. Nothing when no error, and no note beside an error, names the file.
[[nodiscard]] std::optional<std::string> explain_user_error(std::string_view log, const std::string& origin,
                                                            std::string_view text, int most = 5);

}  // namespace atl::device
