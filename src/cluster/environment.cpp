#include <mpi.h>

#include <cstdlib>

#include "base/error.hpp"
#include "cluster/communicator.hpp"
#include "cluster/launcher.hpp"

namespace atl::cluster {

Environment::Environment(int* argc, char*** argv) {
  // hwloc's OpenCL plugin would start every OpenCL driver inside MPI_Init: 60 MB, and signal handlers of PoCL's LLVM.
  setenv("HWLOC_COMPONENTS", "-opencl", 0);
  const Variable variable = [](const char* name) { return std::getenv(name); };
  for (const auto& [name, value] : quick_start(variable)) setenv(name.c_str(), value.c_str(), 0);
  int provided = 0;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string wrong = wrong_launcher(size, variable);
  if (!wrong.empty()) {
    MPI_Finalize();
    throw Error(ExitCode::usage, wrong);
  }
  if (provided < MPI_THREAD_FUNNELED) {
    MPI_Finalize();
    fail(ExitCode::internal, "{} does not allow threads beside MPI (MPI_THREAD_FUNNELED)", mpi_library_version());
  }
}

Environment::~Environment() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Finalize();
}

std::string mpi_library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string all(text, static_cast<std::size_t>(length));
  return all.substr(0, all.find_first_of("\r\n"));
}

}  // namespace atl::cluster
