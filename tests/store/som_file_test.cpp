#include "store/som_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "scratch.hpp"
#include "store/hdf5.hpp"
#include "store/som_read.hpp"
#include "store/som_sample.hpp"

namespace atl::store {
namespace {

using test::batch_of;
using test::ScratchFolder;
using test::small_layout;
using test::small_summary;
using test::weight_of;

void expect_whole(const std::string& path, const SomLayout& layout) {
  const ReadFile file(path);
  const std::vector<std::int64_t> offset = file.integers("/weights/offset");
  const std::vector<double> weights = file.doubles("/weights/values");
  const std::vector<std::int64_t> assignments = file.integers("/assignments");
  const std::vector<std::int64_t> hits = file.integers("/hits/values");
  const std::vector<double> error = file.doubles("/runs/quantization_error");
  const std::vector<double> silhouette = file.doubles("/runs/simplified_silhouette");
  ASSERT_EQ(offset.size(), layout.size() + 1);
  for (std::size_t s = 0; s < layout.size(); ++s) {
    EXPECT_EQ(error[s], static_cast<double>(s));
    EXPECT_EQ(silhouette[s], static_cast<double>(s) + 1.0);
    for (std::int64_t i = 0; i < offset[s + 1] - offset[s]; ++i) {
      EXPECT_EQ(hits[static_cast<std::size_t>(offset[s] + i)], static_cast<std::int64_t>(100 * s) + i);
      for (std::int64_t c = 0; c < 2; ++c)
        EXPECT_EQ(static_cast<float>(weights[static_cast<std::size_t>(2 * (offset[s] + i) + c)]),
                  weight_of(static_cast<std::int64_t>(s), static_cast<std::size_t>(2 * i + c)));
    }
    for (std::size_t p = 0; p < 5; ++p) EXPECT_EQ(assignments[5 * s + p], static_cast<std::int64_t>(10 * s + p));
  }
}

/// Flips a bit of every byte of one map's weights on the disk.
void damage_weights(const std::string& path, const SomLayout& layout, std::size_t map) {
  const auto extents = som_extents(path, layout);
  std::uint64_t before = 0;
  for (std::size_t s = 0; s < map; ++s) before += static_cast<std::uint64_t>(layout.maps.neurons[s]);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const auto at = static_cast<std::streamoff>(extents.at("/weights/values").offset + before * 2 * sizeof(float));
  file.seekg(at);
  const int byte = file.get();
  file.seekp(at);
  file.put(static_cast<char>(byte ^ 1));
}

TEST(SomFile, BatchesInAnyOrderFillTheSlotsOfTheSweep) {
  const ScratchFolder folder;
  const SomLayout layout = small_layout();
  const std::string partial = folder / "a.h5.partial";

  SomFile file = SomFile::create(partial, layout);
  file.write(batch_of(layout, {5, 2, 3}));
  file.write(batch_of(layout, {0}));
  file.write(batch_of(layout, {4, 1}));
  file.finish(folder / "a.h5", layout.provenance, "done");

  EXPECT_FALSE(std::filesystem::exists(partial));
  expect_whole(folder / "a.h5", layout);
  const ReadFile result(folder / "a.h5");
  EXPECT_EQ(result.text_attribute("/", "format"), "atoll-som");
  EXPECT_EQ(result.text_attribute("/", "state"), "finished");
  EXPECT_EQ(result.strings("/runs/topology"), std::vector<std::string>(6, "ring"));
  EXPECT_EQ(result.integers("/runs/rank"), std::vector<std::int64_t>(6, 3));
  EXPECT_EQ(result.strings("/data/name"), (std::vector<std::string>{"a", "b"}));
}

TEST(SomFile, EqualSweepsGiveEqualBytes) {
  const ScratchFolder folder;
  const SomLayout layout = small_layout();
  std::vector<std::string> bytes;
  for (const std::vector<std::int64_t>& order : {std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}, {5, 3, 4, 0, 2, 1}}) {
    SomFile file = SomFile::create(folder / "a.h5.partial", layout);
    for (const std::int64_t map : order) file.write(batch_of(layout, {map}));
    file.finish(folder / "a.h5", layout.provenance, "done");
    std::ifstream stream(folder / "a.h5", std::ios::binary);
    bytes.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }

  EXPECT_EQ(bytes[0].size(), bytes[1].size());
  EXPECT_TRUE(bytes[0] == bytes[1]);
}

TEST(SomFile, AnUnfinishedFileIsReadableAndKnowsWhatItHas) {
  const ScratchFolder folder;
  const SomLayout layout = small_layout();
  const std::string path = folder / "a.h5.partial";

  {
    SomFile file = SomFile::create(path, layout);
    file.write(batch_of(layout, {4, 1}));
  }  // as if the process had died here

  const ReadFile read(path);
  EXPECT_EQ(read.text_attribute("/", "state"), "stopped");
  EXPECT_EQ(count_finished(read), 2U);
  const SomFile again = SomFile::reopen(path, layout);
  EXPECT_EQ(again.state(), (std::vector<std::uint8_t>{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(again.damaged(), 0U);
  EXPECT_EQ(again.measures()[4][0], 4.0);
}

TEST(SomFile, ADamagedMapIsFoundAndTrainedAgain) {
  const ScratchFolder folder;
  const SomLayout layout = small_layout();
  const std::string path = folder / "a.h5.partial";
  SomFile::create(path, layout).write(batch_of(layout, {0, 1, 2, 3, 4, 5}));
  damage_weights(path, layout, 3);

  SomFile file = SomFile::reopen(path, layout);

  EXPECT_EQ(file.state(), (std::vector<std::uint8_t>{1, 1, 1, 0, 1, 1}));
  EXPECT_EQ(file.damaged(), 1U);
  file.write(batch_of(layout, {3}));
  file.finish(folder / "a.h5", layout.provenance, "done");
  expect_whole(folder / "a.h5", layout);
}

TEST(SomFile, ACutOffFileKeepsTheMapsBeforeTheCut) {
  const ScratchFolder folder;
  const SomLayout layout = small_layout();
  const std::string path = folder / "a.h5.partial";
  SomFile::create(path, layout).write(batch_of(layout, {0, 1, 2, 3, 4, 5}));
  const auto assignments = som_extents(path, layout).at("/assignments");  // the last dataset of the file
  std::filesystem::resize_file(path, assignments.offset + std::uint64_t{3} * 5 * 4);

  // HDF5 refuses a file that is shorter than it says: that is an error, never a wrong result.
  try {
    const SomFile file = SomFile::reopen(path, layout);
    EXPECT_EQ(file.state(), (std::vector<std::uint8_t>{1, 1, 1, 0, 0, 0}));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
  }
}

TEST(SomFile, AnotherSweepIsRefusedSayingWhatChanged) {
  const ScratchFolder folder;
  SomLayout layout = small_layout();
  const std::string path = folder / "a.h5.partial";
  { const SomFile file = SomFile::create(path, layout); }
  layout.identity = "run.seed = 2\nsweep.neurons = \"2..4\"\nsom.decay = \"linear\"\n";

  try {
    (void)SomFile::reopen(path, layout);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_configuration);
    EXPECT_NE(std::string(error.what()).find("run.seed: was 1, is 2; som.decay: was absent, is \"linear\""),
              std::string::npos)
        << error.what();
  }
}

TEST(SomFile, WhatIsNotStoredHasNoDataset) {
  const ScratchFolder folder;
  SomLayout layout = small_layout();
  layout.weights = layout.assignments = layout.hits = false;
  SomFile file = SomFile::create(folder / "a.h5.partial", layout);
  file.write(batch_of(layout, {0, 1, 2, 3, 4, 5}));

  file.finish(folder / "a.h5", layout.provenance, "done");

  const ReadFile read(folder / "a.h5");
  EXPECT_FALSE(read.has("/weights/values"));
  EXPECT_FALSE(read.has("/assignments"));
  EXPECT_FALSE(read.has("/hits"));
  EXPECT_EQ(read.doubles("/runs/quantization_error"), (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST(SomFile, TheSizeIsKnownBeforehand) {
  const ScratchFolder folder;
  SomLayout layout = small_layout();
  layout.points = 100'000;

  { const SomFile file = SomFile::create(folder / "a.h5.partial", layout); }

  const auto promised = static_cast<double>(som_file_bytes(layout));
  const auto real = static_cast<double>(std::filesystem::file_size(folder / "a.h5.partial"));
  EXPECT_NEAR(real / promised, 1.0, 0.05);
}

TEST(SomFile, AFolderThatIsNotThereIsAnOutputError) {
  try {
    (void)SomFile::create("/nowhere/a.h5.partial", small_layout());
    FAIL() << "created";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::cannot_write);
  }
}

TEST(SomBatch, TravelsAsBytes) {
  const SomLayout layout = small_layout();
  const SomBatch batch = batch_of(layout, {5, 2});

  const SomBatch back = unpack_som_batch(pack(batch));

  EXPECT_EQ(back.index, batch.index);
  EXPECT_EQ(back.measures, batch.measures);
  EXPECT_EQ(back.weights, batch.weights);
  EXPECT_EQ(back.assignments, batch.assignments);
  EXPECT_EQ(back.hits, batch.hits);
  EXPECT_EQ(back.rank, batch.rank);
}

TEST(SomBatch, TornBytesAreRefused) {
  std::vector<std::byte> bytes = pack(batch_of(small_layout(), {5, 2}));
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, bytes.size() / 2, bytes.size() - 1}) {
    const std::vector<std::byte> torn(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));

    EXPECT_THROW((void)unpack_som_batch(torn), Error) << length;
  }
}

TEST(SomSummaryTables, ReadBackAsWritten) {
  const ScratchFolder folder;
  const SomLayout layout = small_layout();
  const auto [summary, suggestions] = small_summary();
  SomFile file = SomFile::create(folder / "a.h5.partial", layout);

  file.write(summary, suggestions);
  file.finish(folder / "a.h5", layout.provenance, "done");

  const ReadFile read(folder / "a.h5");
  const SomSummary back = read_som_summary(read);
  EXPECT_EQ(back.mean, summary.mean);
  EXPECT_EQ(back.settings.neurons, summary.settings.neurons);
  EXPECT_EQ(back.settings.topology, summary.settings.topology);
  EXPECT_EQ(read_som_suggestions(read).reason, (std::vector<std::string>{"because"}));
  EXPECT_EQ(read_som_suggestions(read).variance, (std::vector<std::int64_t>{4}));
}

}  // namespace
}  // namespace atl::store
