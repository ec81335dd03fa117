#include "som/batch_writer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace atl::som {
namespace {

store::SomBatch batch_of(std::int32_t rank, std::int64_t first, std::size_t maps, std::size_t weight_bytes = 0) {
  store::SomBatch batch;
  batch.rank = rank;
  for (std::size_t i = 0; i < maps; ++i) batch.index.push_back(first + static_cast<std::int64_t>(i));
  batch.seconds.resize(maps);
  batch.measures.resize(maps);
  batch.weights.resize(weight_bytes);
  return batch;
}

TEST(BatchWriter, StoresBatchesInTheirOrderAndCountsTheMapsOfEachRank) {
  std::vector<std::int64_t> stored;
  BatchWriter writer(
      [&](const store::SomBatch& batch) { stored.insert(stored.end(), batch.index.begin(), batch.index.end()); }, 3);

  for (std::int64_t i = 0; i < 100; ++i) {
    if (i % 2 == 0)
      writer.add(batch_of(0, 3 * i, 3));
    else
      writer.add(store::pack(batch_of(2, 3 * i, 3)));
  }
  const std::vector<std::int64_t> maps = writer.finish();

  EXPECT_EQ(maps, (std::vector<std::int64_t>{150, 0, 150}));
  ASSERT_EQ(stored.size(), 300U);
  for (std::size_t i = 0; i < stored.size(); ++i) EXPECT_EQ(stored[i], static_cast<std::int64_t>(i));
  EXPECT_FALSE(writer.failure().has_value());
}

TEST(BatchWriter, ADiskThatRefusedOnceIsNotAskedAgain) {
  std::atomic<int> asked = 0;
  BatchWriter writer(
      [&](const store::SomBatch&) {
        if (++asked == 2) fail(ExitCode::cannot_write, "the disk is full");
      },
      1);

  for (int i = 0; i < 10; ++i) writer.add(batch_of(0, i, 1));
  const std::vector<std::int64_t> maps = writer.finish();

  EXPECT_EQ(asked, 2);
  EXPECT_EQ(maps.front(), 1);
  ASSERT_TRUE(writer.failure().has_value());
  EXPECT_EQ(writer.failure()->code(), ExitCode::cannot_write);
}

TEST(BatchWriter, BytesThatAreNoBatchAreAFailure) {
  BatchWriter writer([](const store::SomBatch&) {}, 1);

  writer.add(BatchWriter::Packed(5));
  std::ignore = writer.finish();

  ASSERT_TRUE(writer.failure().has_value());
  EXPECT_EQ(writer.failure()->code(), ExitCode::internal);
}

TEST(BatchWriter, AddReturnsWhileABatchIsStoredAndWaitsOnlyWhereMemoryWouldGrowFurther) {
  constexpr std::size_t large = std::size_t{150} << 20;  // two of them are more than may wait
  std::promise<void> disk;
  std::shared_future<void> ready = disk.get_future().share();
  std::atomic<int> stored = 0;
  BatchWriter writer(
      [&](const store::SomBatch&) {
        ready.wait();
        ++stored;
      },
      1);

  writer.add(batch_of(0, 0, 1, large));  // does not wait for the disk
  std::atomic<bool> second_is_in = false;
  std::thread adder([&] {
    writer.add(batch_of(0, 1, 1, large));
    second_is_in = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const bool was_in = second_is_in;
  disk.set_value();
  adder.join();
  std::ignore = writer.finish();

  EXPECT_FALSE(was_in);
  EXPECT_EQ(stored, 2);
}

}  // namespace
}  // namespace atl::som
