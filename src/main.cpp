#include "cli/commands.hpp"

int main(int argc, char** argv) {
  return atl::cli::run(argc, argv);
}
