// INT, TERM, USR1 and USR2 ask the run to stop; a second one ends the process at once.
#pragma once

namespace atl::cluster {

/// Installs the handlers. Call after the OpenCL devices were enumerated: PoCL's LLVM replaces handlers when it starts.
void install_signal_handlers();

/// The first signal that came, or 0.
[[nodiscard]] int signal_received();

}  // namespace atl::cluster
