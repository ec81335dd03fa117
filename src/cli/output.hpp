// Where a result goes, and whether it may go there: asked before any work is done.
#pragma once
#include <string>
#include <vector>

namespace atl::cli {

/// `given` (-o), or the input's name with .h5 in the current folder. Of a symbolic link the file that it leads to: that
/// one is written, with lock, checkpoints and partial file beside it, and the link stays. Error 74: links in a circle.
[[nodiscard]] std::string output_path(const std::string& given, const std::string& input);

/// Refuses an output that is one of the inputs (64), whose folder is missing or cannot be written, or that exists
/// already (74): a finished result is replaced with `force` only, and so is any other file. Inputs may carry
/// ":/dataset".
void check_output(const std::string& path, const std::vector<std::string>& inputs, bool force);

/// Error 74: says what stands at `path`, and how to go on.
[[noreturn]] void refuse_to_replace(const std::string& path);

}  // namespace atl::cli
