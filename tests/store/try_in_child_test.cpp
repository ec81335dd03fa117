#include "store/try_in_child.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "scratch.hpp"

namespace atl::store {
namespace {

using test::code_of;

TEST(TryInChild, WhatReturnsOrThrowsIsLeftToTheCaller) {
  EXPECT_EQ(code_of([] { try_in_child("a.h5", [] {}); }), ExitCode::done);
  EXPECT_EQ(code_of([] { try_in_child("a.h5", [] { fail(ExitCode::missing_input, "gone"); }); }), ExitCode::done);
}

TEST(TryInChild, ACrashIsAnErrorAboutTheFile) {
  const std::string message = test::message_of([] { try_in_child("a.h5", [] { ::raise(SIGKILL); }); });

  EXPECT_EQ(message, "a.h5: the file is damaged: HDF5 fails to read it");
}

TEST(TryInChild, NothingOfTheChildComesBack) {
  int calls = 0;

  try_in_child("a.h5", [&] { ++calls; });

  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace atl::store
