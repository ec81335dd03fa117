// The main of a test that runs on several ranks: rank 0 prints as usual, the others their failures only, and one rank's
// failure is the failure of all.
#pragma once
#include <gtest/gtest.h>

#include <cstdio>

#include "cluster/communicator.hpp"

namespace atl::cluster {

inline int run_mpi_tests(int argc, char** argv) {
  struct Failures : testing::EmptyTestEventListener {
    void OnTestPartResult(const testing::TestPartResult& result) override {
      if (result.failed())
        std::fprintf(stderr, "%s:%d: %s\n", result.file_name(), result.line_number(), result.message());
    }
  };
  const Environment environment(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  const Communicator communicator;
  if (!communicator.root()) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Failures);
  }
  const std::int64_t failed = RUN_ALL_TESTS();
  return static_cast<int>(communicator.max(failed));
}

}  // namespace atl::cluster
