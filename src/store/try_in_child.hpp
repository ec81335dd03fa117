// A first look at a file that a library may not survive.
#pragma once
#include <functional>
#include <string>

namespace atl::store {

/// Calls read() in a child process; Error 65 about `path` when the child crashes or computes for 5 s. What read()
/// throws there is ignored: the caller's own call throws it again.
///
/// libhdf5 1.10 does not check where texts of variable length stand in a file: of 1,000 files with flipped bits about
/// five crash it or let it loop for ever.
void try_in_child(const std::string& path, const std::function<void()>& read);

}  // namespace atl::store
