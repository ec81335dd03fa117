#include "cli/commands.hpp"

int main(int argc, char** argv) {
  return atoll::cli::run(argc, argv);
}
