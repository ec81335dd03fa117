// A checkpoint comes back bit for bit, or is refused; one whole generation is always there.
#include "store/checkpoint.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>

#include "damage.hpp"
#include "scratch.hpp"
#include "store/hdf5.hpp"

namespace atl::store {
namespace {

using test::code_of;
using test::message_of;
using test::ScratchFolder;

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// Two islands of three members in two coordinates; a NaN with a payload among the energies.
DeCheckpoint sample(std::int64_t generation = 50) {
  const auto odd_nan = std::bit_cast<double>(0x7ff8000000abcdefULL);
  const double infinity = std::numeric_limits<double>::infinity();
  DeCheckpoint c;
  c.identity = "run.seed = 1\nalgorithm.name = \"jso\"\n";
  c.config = "[run]\nseed = 1\n";
  c.saved = "2024-05-01T10:00:00Z";
  c.islands = 2;
  c.free = 2;
  c.members = 3;
  c.archive = 4;
  c.memory = 5;
  c.schedule = 1000;
  c.generation = generation;
  c.evaluations = 153;
  c.seconds = 12.5;
  c.populations = bytes_of(std::vector<double>{1, 2, 3, 4, 5, 6, -0.0, 8, 9, 10, 11, 1e-310});
  c.energies = bytes_of(std::vector<double>{odd_nan, infinity, 3, 4, -5, 6});
  c.archives = bytes_of(std::vector<double>(16, 0.25));
  c.memories = bytes_of(std::vector<double>(20, 0.5));
  c.counters = {3, 4, 1, 7, 8, -1, 3, 0, 4, 0, 0, 99};
  c.history_generation = {0, 50};
  c.history_evaluations = {6, 306};
  c.history_seconds = {0.5, 12};
  c.history_best = {9, 3};
  c.history_mean = {10, 4};
  c.history_std = {1, 0.5};
  c.history_island_best = {9, 9.5, 3, 4};
  c.history_stride = 2;
  c.history_seen = 3;
  c.history_last_is_extra = true;
  c.migration_generation = {50};
  c.migration_source = {0};
  c.migration_destination = {1};
  c.migration_energy = {3};
  c.migration_points = {1, 2};
  c.migrations_accepted = 1;
  c.best_seen = true;
  c.best = 3;
  c.improved = 40;
  return c;
}

void expect_equal(const DeCheckpoint& a, const DeCheckpoint& b) {
  EXPECT_EQ(a.identity, b.identity);
  EXPECT_EQ(a.config, b.config);
  EXPECT_EQ(a.single, b.single);
  EXPECT_EQ(a.populations, b.populations);
  EXPECT_EQ(a.energies, b.energies);
  EXPECT_EQ(a.archives, b.archives);
  EXPECT_EQ(a.memories, b.memories);
  EXPECT_EQ(a.counters, b.counters);
  EXPECT_EQ(a.history_generation, b.history_generation);
  EXPECT_EQ(a.history_island_best, b.history_island_best);
  EXPECT_EQ(a.history_last_is_extra, b.history_last_is_extra);
  EXPECT_EQ(a.migration_points, b.migration_points);
  EXPECT_EQ(checkpoint_bytes(a), checkpoint_bytes(b)) << "what is not compared above";
}

TEST(Checkpoint, ComesBackBitForBit) {
  const ScratchFolder folder;
  const CheckpointPaths paths = checkpoint_paths(folder / "a.h5");

  write_checkpoint(paths, checkpoint_bytes(sample()));

  expect_equal(read_checkpoint(paths.newest), sample());
}

TEST(Checkpoint, SinglePrecisionComesBackBitForBit) {
  const ScratchFolder folder;
  const CheckpointPaths paths = checkpoint_paths(folder / "a.h5");
  DeCheckpoint single = sample();
  single.single = true;
  single.populations = bytes_of(std::vector<float>(12, 0.1F));
  single.energies = bytes_of(std::vector<float>(6, std::bit_cast<float>(0x7fc12345U)));
  single.archives.clear();
  single.memories = bytes_of(std::vector<float>(20, 0.3F));

  write_checkpoint(paths, checkpoint_bytes(single));

  expect_equal(read_checkpoint(paths.newest), single);
}

TEST(Checkpoint, NamesStandBesideTheResult) {
  EXPECT_EQ(checkpoint_paths("out/wing.h5").newest, "out/wing.checkpoint.h5");
  EXPECT_EQ(checkpoint_paths("out/wing.h5").previous, "out/wing.checkpoint.previous.h5");
  EXPECT_EQ(checkpoint_paths("wing.dat").newest, "wing.dat.checkpoint.h5");
}

TEST(Checkpoint, TheOneBeforeStaysAndNothingElse) {
  const ScratchFolder folder;
  const CheckpointPaths paths = checkpoint_paths(folder / "a.h5");

  for (const std::int64_t generation : {10, 20, 30}) write_checkpoint(paths, checkpoint_bytes(sample(generation)));

  EXPECT_EQ(read_checkpoint(paths.newest).generation, 30);
  EXPECT_EQ(read_checkpoint(paths.previous).generation, 20);
  EXPECT_EQ(folder.entries(), 2U);
}

TEST(Checkpoint, AWriteThatFailsKeepsBothGenerations) {
  const ScratchFolder folder;
  const CheckpointPaths paths = checkpoint_paths(folder / "a.h5");
  for (const std::int64_t generation : {10, 20}) write_checkpoint(paths, checkpoint_bytes(sample(generation)));
  std::filesystem::create_directory(paths.newest + ".new");  // nothing can be written there

  EXPECT_EQ(code_of([&] { write_checkpoint(paths, checkpoint_bytes(sample(30))); }), ExitCode::cannot_write);

  EXPECT_EQ(read_checkpoint(paths.newest).generation, 20);
  EXPECT_EQ(read_checkpoint(paths.previous).generation, 10);
}

TEST(Checkpoint, ADamagedOneIsReplacedByTheOneBeforeAndThatIsSaid) {
  const ScratchFolder folder;
  const CheckpointPaths paths = checkpoint_paths(folder / "a.h5");
  for (const std::int64_t generation : {10, 20}) write_checkpoint(paths, checkpoint_bytes(sample(generation)));
  std::filesystem::resize_file(paths.newest, 2000);

  const auto found = find_checkpoint(paths);

  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->checkpoint.generation, 10);
  EXPECT_EQ(found->path, paths.previous);
  EXPECT_NE(found->warning.find("a.checkpoint.h5 is cut off: 2000 bytes where"), std::string::npos) << found->warning;
}

TEST(Checkpoint, AKillBetweenTheRenamesLosesNothing) {
  const ScratchFolder folder;
  const CheckpointPaths paths = checkpoint_paths(folder / "a.h5");
  write_checkpoint(paths, checkpoint_bytes(sample(10)));
  std::filesystem::rename(paths.newest, paths.previous);

  const auto found = find_checkpoint(paths);

  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->checkpoint.generation, 10);
  EXPECT_EQ(found->warning, "");
}

TEST(Checkpoint, WithoutAnyThereIsNothingAndWithDamagedOnesAnErrorWithEachReason) {
  const ScratchFolder folder;
  const CheckpointPaths paths = checkpoint_paths(folder / "a.h5");
  const bool before = find_checkpoint(paths).has_value();
  folder.write("a.checkpoint.h5", "");
  folder.write("a.checkpoint.previous.h5", std::string(5000, 'x'));

  const std::string message = message_of([&] { (void)find_checkpoint(paths); });

  EXPECT_FALSE(before);
  EXPECT_NE(message.find("a.checkpoint.h5 is empty"), std::string::npos) << message;
  EXPECT_NE(message.find("a.checkpoint.previous.h5 is not a checkpoint of atoll"), std::string::npos) << message;
}

TEST(Checkpoint, OtherHdf5FilesAndMissingOnesAreRefused) {
  const ScratchFolder folder;
  MemoryFile other;
  other.attribute("/", "format", std::string("atoll-de"));
  const auto bytes = other.bytes();
  write_atomically(folder / "other.h5", bytes);

  EXPECT_EQ(code_of([&] { (void)read_checkpoint(folder / "other.h5"); }), ExitCode::bad_data);
  EXPECT_EQ(code_of([&] { (void)read_checkpoint(folder / "nothing.h5"); }), ExitCode::missing_input);
}

TEST(Checkpoint, LeftoversOfAKilledRunGoAndOthersFilesStay) {
  const ScratchFolder folder;
  for (const char* name : {"a.h5.tmp-12", "a.checkpoint.h5.new", "a.checkpoint.h5.new.tmp-12"}) folder.write(name, "x");
  for (const char* name : {"a.h5", "b.h5.tmp-12", "a.checkpoint.h5"}) folder.write(name, "x");

  remove_leftovers(folder / "a.h5");

  EXPECT_EQ(folder.entries(), 3U);
  EXPECT_TRUE(std::filesystem::exists(folder / "b.h5.tmp-12"));
}

TEST(Checkpoint, AThousandDamagesAreRefusedOrRecoveredFromTheOtherGeneration) {
  const ScratchFolder folder;
  const CheckpointPaths paths = checkpoint_paths(folder / "a.h5");
  for (const std::int64_t generation : {10, 20}) write_checkpoint(paths, checkpoint_bytes(sample(generation)));
  const std::string newest = folder.read("a.checkpoint.h5"), previous = folder.read("a.checkpoint.previous.h5");
  MemoryFile other;
  other.attribute("/", "format", std::string("atoll-de-checkpoint"));
  const std::vector<std::byte> other_bytes = other.bytes();
  const std::string others(reinterpret_cast<const char*>(other_bytes.data()), other_bytes.size());
  test::Mutator mutator(20240501);
  const auto damaged = [&](const std::string& bytes) {
    return mutator.below(20) == 0 ? others : mutator.binary(bytes);
  };

  for (int n = 0; n < 1000; ++n) {
    SCOPED_TRACE(n);
    const std::string bad = damaged(newest);
    const bool both = mutator.below(4) == 0;
    folder.write("a.checkpoint.h5", bad);
    folder.write("a.checkpoint.previous.h5", both ? damaged(previous) : previous);
    const bool changed = bad != newest;

    std::optional<FoundCheckpoint> found;
    const test::Verdict verdict = test::verdict_of([&] { found = find_checkpoint(paths); });

    if (!found) {
      ASSERT_TRUE(changed && both);
      ASSERT_EQ(verdict.code, 65);
      ASSERT_NE(verdict.message.find(paths.newest), std::string::npos) << verdict.message;
      continue;
    }
    const std::int64_t generation = found->checkpoint.generation;
    ASSERT_EQ(generation, changed ? 10 : 20);
    ASSERT_EQ(found->warning.empty(), !changed);
    ASSERT_EQ(checkpoint_bytes(found->checkpoint), checkpoint_bytes(sample(generation)));
  }
}

/// A good header in front of a damaged image: what a faulty program could write. Then the content is checked.
TEST(Checkpoint, ContentThatContradictsItselfIsRefused) {
  const ScratchFolder folder;
  const CheckpointPaths paths = checkpoint_paths(folder / "a.h5");
  const auto refused = [&](void (*damage)(DeCheckpoint&)) {
    DeCheckpoint bad = sample();
    damage(bad);
    write_checkpoint(paths, checkpoint_bytes(bad));
    return code_of([&] { (void)read_checkpoint(paths.newest); });
  };

  EXPECT_EQ(refused([](DeCheckpoint& c) { c.counters[0] = 4; }), ExitCode::bad_data) << "members of an island";
  EXPECT_EQ(refused([](DeCheckpoint& c) { c.counters[1] = 5; }), ExitCode::bad_data) << "more archived than room";
  EXPECT_EQ(refused([](DeCheckpoint& c) { c.counters[8] = 5; }), ExitCode::bad_data) << "place in the memories";
  EXPECT_EQ(refused([](DeCheckpoint& c) { c.generation = -1; }), ExitCode::bad_data);
  EXPECT_EQ(refused([](DeCheckpoint& c) { c.history_stride = 0; }), ExitCode::bad_data);
}

TEST(Checkpoint, TheSizeIsKnownBefore) {
  const std::size_t actual = checkpoint_bytes(sample()).size();

  const std::uint64_t said = checkpoint_size(2, 2, 3, 4, 5, false);

  EXPECT_NEAR(static_cast<double>(said), static_cast<double>(actual), 20000);
}

}  // namespace
}  // namespace atl::store
