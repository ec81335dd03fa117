// Turns pieces of source text into a program. Everything that one vendor's compiler needs and the others do not is
// here.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <thread>

#include "device/compile_log.hpp"
#include "device/opencl.hpp"
#include "device/quiet_stderr.hpp"

namespace atl::device {
namespace {

std::string quoted(const std::string& name) {
  std::string result = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

// PoCL contracts a*b+c to fma unless told otherwise; the others would round differently then.
constexpr const char* first_line = "#pragma OPENCL FP_CONTRACT OFF\n";

// Every piece starts under a name of its own, so that no error of ours is counted in the user's file. Two line ends
// close a piece whose last line ends in a backslash.
std::string concatenate(const std::vector<SourcePiece>& pieces, std::size_t count) {
  std::string text = first_line;
  for (std::size_t i = 0; i < count; ++i) {
    const SourcePiece& piece = pieces[i];
    if (!piece.origin.empty())
      text += fmt::format("#line 1 {}\n", quoted(piece.origin));
    else if (!piece.text.starts_with("#line"))
      text += fmt::format("#line 1 \"atoll piece {}\"\n", i);
    text += piece.text + "\n\n";
  }
  return text;
}

// Only options that are known to the OpenCL 1.2 standard: an unknown one is error -43 on every vendor.
std::string options(const DeviceInfo& info, bool single_precision, const std::string& extra) {
  std::string text = "-cl-std=CL1.2";
  if (single_precision) {
    text += " -cl-single-precision-constant";
    if (info.correctly_rounded_single) text += " -cl-fp32-correctly-rounded-divide-sqrt";
  }
  return extra.empty() ? text : text + " " + extra;
}

struct Attempt {
  cl::Program program;
  cl_int code = CL_SUCCESS;
  std::string log;
  std::vector<Diagnostic> diagnostics;  // of the log, in the pieces' own files
};

Attempt try_once(const Device& device, const std::string& source, const std::string& flags) {
  Attempt attempt;
  attempt.program = cl::Program(device.context, source);
  try {
    // PoCL's clang writes "1 error generated." to stderr beside the log that it returns.
    const QuietStderr quiet(" generated.");
    attempt.program.build(device.device, flags.c_str());
  } catch (const cl::Error& error) {
    attempt.code = error.err();
    attempt.log = attempt.program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device.device);
    std::erase(attempt.log, '\0');
    attempt.diagnostics = read_diagnostics(attempt.log);
    place_by_line_directives(attempt.diagnostics, source);
  }
  return attempt;
}

// Ranks that build the same program at the same moment trip over each other in PoCL's kernel cache: one of them gets
// CL_BUILD_PROGRAM_FAILURE without a log. The cache is complete a moment later.
Attempt attempt_build(const Device& device, const std::string& source, const std::string& flags) {
  Attempt attempt = try_once(device, source, flags);
  const bool silent = attempt.log.find_first_not_of(" \t\r\n") == std::string::npos;
  if (attempt.code != CL_BUILD_PROGRAM_FAILURE || !silent) return attempt;
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  return try_once(device, source, flags);
}

void refuse_if_named(const std::vector<SourcePiece>& pieces, const Attempt& attempt, Evidence evidence) {
  for (const SourcePiece& piece : pieces) {
    if (piece.origin.empty()) continue;
    const auto message = explain_user_error(attempt.diagnostics, piece.origin, piece.text, evidence);
    if (message) throw Error(ExitCode::bad_data, *message);
  }
}

// Where `word` stands in `text` as a whole identifier; npos when it does not.
std::size_t find_word(const std::string& text, const std::string& word) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !part(text[at - 1])) && (end == text.size() || !part(text[end]))) return at;
  }
  return std::string::npos;
}

// A function that the user declared and called without defining it shows at link time only, without a place.
void refuse_if_undefined(const std::vector<SourcePiece>& pieces, const std::string& log) {
  for (const std::string& name : undefined_functions(log)) {
    for (const SourcePiece& piece : pieces) {
      const auto at = piece.origin.empty() ? std::string::npos : find_word(piece.text, name);
      if (at == std::string::npos) continue;
      const auto line = 1 + std::count(piece.text.begin(), piece.text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      fail_at(ExitCode::bad_data, {piece.origin, static_cast<int>(line)}, "error: no function {} is defined", name);
    }
  }
}

// The errors in the pieces' own files and lines, else the log as it is.
std::string errors_of(const Attempt& attempt) {
  std::string text;
  for (const Diagnostic& diagnostic : attempt.diagnostics)
    if (diagnostic.kind == Diagnostic::Kind::error) text += '\n' + one_line(diagnostic);
  if (!text.empty()) return text;
  return '\n' + (attempt.log.empty() ? "(the compiler left no log)" : attempt.log);
}

}  // namespace

cl::Program build(const Device& device, const std::vector<SourcePiece>& pieces, bool single_precision,
                  const std::string& extra) {
  const std::string flags = options(device.info, single_precision, extra);
  Attempt attempt = attempt_build(device, concatenate(pieces, pieces.size()), flags);
  if (attempt.code == CL_SUCCESS) return attempt.program;

  refuse_if_named(pieces, attempt, Evidence::error);
  refuse_if_undefined(pieces, attempt.log);
  // A brace that the user left open shows as an error in what follows. The text up to the user's alone tells.
  const auto is_users = [](const SourcePiece& piece) { return !piece.origin.empty(); };
  const auto last = std::ranges::find_if(pieces.rbegin(), pieces.rend(), is_users);
  if (last != pieces.rend()) {
    const auto count = static_cast<std::size_t>(pieces.rend() - last);
    refuse_if_named(pieces, attempt_build(device, concatenate(pieces, count), flags), Evidence::error);
    refuse_if_named(pieces, attempt, Evidence::note);
  }
  fail(ExitCode::internal, "{}: the kernels do not compile, {} with options \"{}\":{}", device.info.name,
       error_name(attempt.code), flags, errors_of(attempt));
}

}  // namespace atl::device
