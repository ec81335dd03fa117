// Damaged partial files of sweeps: refused with a message, or gone on with as if the damaged maps had never been
// trained, so that the finished file has the bytes of an undisturbed sweep.
#include <gtest/gtest.h>

#include <algorithm>

#include "damage.hpp"
#include "scratch.hpp"
#include "store/checkpoint.hpp"
#include "store/hdf5.hpp"
#include "store/som_sample.hpp"

namespace atl::store {
namespace {

using test::batch_of;
using test::ScratchFolder;

/// The maps have about as many bytes as HDF5 has of its own.
SomLayout layout_of_many_points() {
  SomLayout layout = test::small_layout();
  layout.points = 2000;
  return layout;
}

const SomLayout layout = layout_of_many_points();

/// Trains what `file` lacks and finishes it: the bytes of the result, without who trained a map and how long it took.
std::string finished(const ScratchFolder& folder, SomFile& file) {
  std::vector<std::int64_t> missing;
  for (std::size_t map = 0; map < layout.size(); ++map)
    if (file.state()[map] == 0) missing.push_back(static_cast<std::int64_t>(map));
  file.write(batch_of(layout, missing));
  const auto [summary, suggestions] = test::small_summary();
  file.write(summary, suggestions);
  file.finish(folder / "a.h5", layout.provenance, "done");
  std::string bytes = folder.read("a.h5");
  const auto extents = som_extents(folder / "a.h5", layout);
  for (const char* const dataset : {"/runs/seconds", "/runs/rank"}) {
    const SomExtent& extent = extents.at(dataset);
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(extent.offset), extent.bytes, '\0');
  }
  return bytes;
}

class DamagedSweep : public ::testing::Test {
 protected:
  DamagedSweep() {
    SomFile::create(folder_ / "a.h5.partial", layout).write(batch_of(layout, {0, 1, 3, 4}));
    partial_ = folder_.read("a.h5.partial");
    SomFile whole = SomFile::create(folder_ / "b.h5.partial", layout);
    undisturbed_ = finished(folder_, whole);
  }

  [[nodiscard]] SomFile reopened(const std::string& bytes) const {
    return SomFile::reopen(folder_.write("a.h5.partial", bytes), layout);
  }

  ScratchFolder folder_;
  std::string partial_, undisturbed_;
};

TEST_F(DamagedSweep, AThousandDamagesAreRefusedOrGiveTheUndisturbedResult) {
  test::Mutator mutator(20240615);
  int refused = 0, retrained = 0;
  constexpr int rounds = 1000;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const std::string bad = mutator.binary(partial_);
    try {
      SomFile file = reopened(bad);
      retrained += file.damaged() > 0;
      ASSERT_TRUE(finished(folder_, file) == undisturbed_);
    } catch (const Error& error) {
      ++refused;
      ASSERT_EQ(error.code(), ExitCode::bad_data) << error.what();
      ASSERT_TRUE(std::string(error.what()).starts_with(folder_ / "a.h5.partial: ")) << error.what();
    }
  }
  EXPECT_GT(refused, rounds / 10);
  EXPECT_GT(retrained, rounds / 50);
  EXPECT_LT(refused + retrained, rounds);
}

TEST_F(DamagedSweep, AFlippedBitAnywhereInTheBytesOfHdf5IsNoticed) {
  const auto extents = som_extents(folder_.write("a.h5.partial", partial_), layout);
  std::vector<bool> of_maps(partial_.size());
  for (const auto& [name, extent] : extents)
    for (std::uint64_t i = 0; i < extent.bytes; ++i) of_maps[extent.offset + i] = true;
  for (std::size_t at = 0; at < partial_.size(); at += 31) {
    if (of_maps[at]) continue;
    std::string bad = partial_;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    ASSERT_EQ(test::code_of([&] { (void)reopened(bad); }), ExitCode::bad_data) << "byte " << at;
  }
}

TEST_F(DamagedSweep, ALostEndCostsTheMapsThatStoodThere) {
  const auto extents = som_extents(folder_.write("a.h5.partial", partial_), layout);
  const std::uint64_t third_map = extents.at("/assignments").offset + std::uint64_t{3} * 2000 * sizeof(std::int32_t);

  SomFile file = reopened(partial_.substr(0, third_map));

  EXPECT_EQ(file.state(), (std::vector<std::uint8_t>{1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(file.damaged(), 2U);
  EXPECT_TRUE(finished(folder_, file) == undisturbed_);
}

TEST_F(DamagedSweep, FilesOfOtherProgramsAreRefused) {
  MemoryFile other;
  other.attribute("/", "format", std::string("atoll-som"));
  const auto bytes = other.bytes();
  const std::string hdf5(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const std::string& content : {hdf5, std::string(8192, '\0') + hdf5, std::string("a,b\n1,2\n"), std::string()}) {
    const std::string message = test::message_of([&] { (void)reopened(content); });
    EXPECT_NE(message.find(content.empty() ? "is empty" : "not an unfinished sweep of atoll"), std::string::npos)
        << message;
  }
}

/// A kill between the last map and the new name: HDF5 has begun to change its bytes.
TEST_F(DamagedSweep, AFileThatWasAboutToBeFinishedGoesOn) {
  SomFile file = reopened(partial_);
  (void)finished(folder_, file);

  SomFile again = SomFile::reopen(folder_ / "a.h5", layout);

  EXPECT_EQ(again.state(), std::vector<std::uint8_t>(6, 1));
  (void)finished(folder_, again);
  EXPECT_EQ(ReadFile(folder_ / "a.h5").text_attribute("/", "state"), "finished");
}

}  // namespace
}  // namespace atl::store
