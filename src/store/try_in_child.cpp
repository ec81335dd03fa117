#include "store/try_in_child.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>

#include "base/error.hpp"

namespace atl::store {
namespace {

/// No core file, no words on stderr, and an end: time of the processor, so that a busy machine changes nothing.
void limit_child() {
  constexpr rlim_t seconds = 5;
  const rlimit core{0, 0}, processor{seconds, seconds};
  ::setrlimit(RLIMIT_CORE, &core);
  ::setrlimit(RLIMIT_CPU, &processor);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

}  // namespace

void try_in_child(const std::string& path, const std::function<void()>& read) {
  const pid_t child = ::fork();
  if (child < 0) return;  // no process left: the caller reads unguarded
  if (child == 0) {
    limit_child();
    try {
      read();
    } catch (const std::exception&) {
    }
    ::_exit(0);  // nothing of the parent's is flushed or finalised twice
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return;
  if (status != 0) fail(ExitCode::bad_data, "{}: the file is damaged: HDF5 fails to read it", path);
}

}  // namespace atl::store
