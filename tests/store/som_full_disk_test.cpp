// A disk that is full when a sweep's file is finished. The room for it is reserved at the start, so the tests give it
// back first: as on a file system that cannot reserve.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scratch.hpp"
#include "store/hdf5.hpp"
#include "store/som_sample.hpp"

namespace atl::store {
namespace {

class FullDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(disk_);
    if (::mount("atoll-test", disk_.c_str(), "tmpfs", 0, "size=1m") != 0)
      GTEST_SKIP() << "cannot mount a tmpfs here (needs root)";
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) ::umount2(disk_.c_str(), MNT_DETACH);
  }

  SomFile trained() {
    SomFile file = SomFile::create(partial_, layout_);
    file.write(test::batch_of(layout_, {0, 1, 2, 3, 4, 5}));
    const auto [summary, suggestions] = test::small_summary();
    file.write(summary, suggestions);
    return file;
  }

  void give_back_reserved_room() const {
    ASSERT_EQ(::truncate(partial_.c_str(), static_cast<off_t>(std::filesystem::file_size(partial_))), 0);
  }

  void fill() const {
    std::ofstream filler(disk_ + "/filler", std::ios::binary);
    while (filler.write(std::string(4096, 'x').data(), 4096).flush()) {
    }
  }

  void finish(SomFile& file) const { file.finish(disk_ + "/a.h5", layout_.provenance, "done"); }

  const SomLayout layout_ = test::small_layout();
  const test::ScratchFolder folder_;
  const std::string disk_ = folder_ / "disk", partial_ = disk_ + "/a.h5.partial";
  bool mounted_ = false;
};

TEST_F(FullDisk, WhatWasReservedIsEnoughToFinish) {
  SomFile file = trained();
  fill();

  finish(file);

  EXPECT_EQ(ReadFile(disk_ + "/a.h5").text_attribute("/", "state"), "finished");
}

TEST_F(FullDisk, AFileThatCannotBeFinishedStaysWhatItWas) {
  {
    SomFile file = trained();
    give_back_reserved_room();
    fill();

    EXPECT_EQ(test::message_of([&] { finish(file); }), "cannot write " + partial_ + ": No space left on device");
    EXPECT_EQ(test::code_of([&] { finish(file); }), ExitCode::cannot_write);
  }
  EXPECT_EQ(ReadFile(partial_).text_attribute("/", "state"), "stopped");
  std::filesystem::remove(disk_ + "/filler");

  SomFile again = SomFile::reopen(partial_, layout_);
  EXPECT_EQ(again.state(), std::vector<std::uint8_t>(6, 1));
  finish(again);

  EXPECT_EQ(ReadFile(disk_ + "/a.h5").text_attribute("/", "state"), "finished");
}

}  // namespace
}  // namespace atl::store
