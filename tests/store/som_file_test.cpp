#include "store/som_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "store/hdf5.hpp"
#include "store/scratch.hpp"
#include "store/som_read.hpp"

namespace atl::store {
namespace {

using Scratch = test::ScratchFolder;

/// Three settings (2, 3 and 4 neurons) of two replicates, 5 points of 2 columns.
SomLayout small_layout() {
  SomLayout layout;
  layout.provenance.config = "[run]\nseed = 1\n";
  layout.identity = "run.seed = 1\nsweep.neurons = \"2..4\"\n";
  layout.names = {"a", "b"};
  layout.offset = {0, 0};
  layout.scale = {1, 1};
  layout.points = 5;
  layout.settings = 3;
  layout.groups = 1;
  for (std::int64_t s = 0; s < 6; ++s) {
    layout.maps.neurons.push_back(2 + s / 2);
    layout.maps.rows.push_back(1);
    layout.maps.columns.push_back(2 + s / 2);
    layout.maps.epochs.push_back(10);
    layout.maps.topology.emplace_back("ring");
    layout.maps.sigma.push_back(5);
    layout.maps.eta.push_back(1);
    layout.replicate.push_back(s % 2);
    layout.stream.push_back(100 + static_cast<std::uint64_t>(s));
  }
  return layout;
}

float weight_of(std::int64_t map, std::size_t entry) {
  return static_cast<float>(map) + static_cast<float>(entry) / 100;
}

/// Maps whose every number says which map it belongs to.
SomBatch batch_of(const SomLayout& layout, const std::vector<std::int64_t>& maps) {
  SomBatch batch;
  batch.rank = 3;
  for (const std::int64_t map : maps) {
    const auto neurons = static_cast<std::size_t>(layout.maps.neurons[static_cast<std::size_t>(map)]);
    batch.index.push_back(map);
    batch.seconds.push_back(0.5);
    SomMeasures measures{};
    for (std::size_t m = 0; m < measures.size(); ++m)
      measures[m] = static_cast<double>(map) + static_cast<double>(m) / 10;
    batch.measures.push_back(measures);
    for (std::size_t i = 0; i < neurons * layout.names.size() && layout.weights; ++i) {
      const float value = weight_of(map, i);
      const std::size_t at = batch.weights.size();
      batch.weights.resize(at + sizeof value);
      std::memcpy(batch.weights.data() + at, &value, sizeof value);
    }
    for (std::int64_t p = 0; p < layout.points && layout.assignments; ++p)
      batch.assignments.push_back(static_cast<std::int32_t>(10 * map + p));
    for (std::size_t i = 0; i < neurons && layout.hits; ++i)
      batch.hits.push_back(static_cast<std::int32_t>(100 * map) + static_cast<std::int32_t>(i));
  }
  return batch;
}

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
  const Scratch scratch;
  const SomLayout layout = small_layout();
  const std::string partial = (scratch / "a.h5.partial");

  SomFile file = SomFile::create(partial, layout);
  file.write(batch_of(layout, {5, 2, 3}));
  file.write(batch_of(layout, {0}));
  file.write(batch_of(layout, {4, 1}));
  file.finish((scratch / "a.h5"), layout.provenance, "done");

  EXPECT_FALSE(std::filesystem::exists(partial));
  expect_whole((scratch / "a.h5"), layout);
  const ReadFile result((scratch / "a.h5"));
  EXPECT_EQ(result.text_attribute("/", "format"), "atoll-som");
  EXPECT_EQ(result.text_attribute("/", "state"), "finished");
  EXPECT_EQ(result.strings("/runs/topology"), std::vector<std::string>(6, "ring"));
  EXPECT_EQ(result.integers("/runs/rank"), std::vector<std::int64_t>(6, 3));
  EXPECT_EQ(result.strings("/data/name"), (std::vector<std::string>{"a", "b"}));
}

TEST(SomFile, EqualSweepsGiveEqualBytes) {
  const Scratch scratch;
  const SomLayout layout = small_layout();
  std::vector<std::string> bytes;
  for (const std::vector<std::int64_t>& order : {std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}, {5, 3, 4, 0, 2, 1}}) {
    SomFile file = SomFile::create((scratch / "a.h5.partial"), layout);
    for (const std::int64_t map : order) file.write(batch_of(layout, {map}));
    file.finish((scratch / "a.h5"), layout.provenance, "done");
    std::ifstream stream((scratch / "a.h5"), std::ios::binary);
    bytes.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }

  EXPECT_EQ(bytes[0].size(), bytes[1].size());
  EXPECT_TRUE(bytes[0] == bytes[1]);
}

TEST(SomFile, AnUnfinishedFileIsReadableAndKnowsWhatItHas) {
  const Scratch scratch;
  const SomLayout layout = small_layout();
  const std::string path = (scratch / "a.h5.partial");

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
  const Scratch scratch;
  const SomLayout layout = small_layout();
  const std::string path = (scratch / "a.h5.partial");
  SomFile::create(path, layout).write(batch_of(layout, {0, 1, 2, 3, 4, 5}));
  damage_weights(path, layout, 3);

  SomFile file = SomFile::reopen(path, layout);

  EXPECT_EQ(file.state(), (std::vector<std::uint8_t>{1, 1, 1, 0, 1, 1}));
  EXPECT_EQ(file.damaged(), 1U);
  file.write(batch_of(layout, {3}));
  file.finish((scratch / "a.h5"), layout.provenance, "done");
  expect_whole((scratch / "a.h5"), layout);
}

TEST(SomFile, ACutOffFileKeepsTheMapsBeforeTheCut) {
  const Scratch scratch;
  const SomLayout layout = small_layout();
  const std::string path = (scratch / "a.h5.partial");
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
  const Scratch scratch;
  SomLayout layout = small_layout();
  const std::string path = (scratch / "a.h5.partial");
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
  const Scratch scratch;
  SomLayout layout = small_layout();
  layout.weights = layout.assignments = layout.hits = false;
  SomFile file = SomFile::create((scratch / "a.h5.partial"), layout);
  file.write(batch_of(layout, {0, 1, 2, 3, 4, 5}));

  file.finish((scratch / "a.h5"), layout.provenance, "done");

  const ReadFile read((scratch / "a.h5"));
  EXPECT_FALSE(read.has("/weights/values"));
  EXPECT_FALSE(read.has("/assignments"));
  EXPECT_FALSE(read.has("/hits"));
  EXPECT_EQ(read.doubles("/runs/quantization_error"), (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST(SomFile, TheSizeIsKnownBeforehand) {
  const Scratch scratch;
  SomLayout layout = small_layout();
  layout.points = 100'000;

  { const SomFile file = SomFile::create((scratch / "a.h5.partial"), layout); }

  const auto promised = static_cast<double>(som_file_bytes(layout));
  const auto real = static_cast<double>(std::filesystem::file_size((scratch / "a.h5.partial")));
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
  const Scratch scratch;
  const SomLayout layout = small_layout();
  SomSummary summary;
  summary.settings = {{2, 3, 4}, {1, 1, 1}, {2, 3, 4}, {10, 10, 10}, {"ring", "ring", "ring"}, {5, 5, 5}, {1, 1, 1}};
  summary.replicates = {2, 2, 2};
  for (int i = 0; i < 3; ++i) {
    SomMeasures row{};
    row.fill(i);
    summary.mean.push_back(row);
    summary.min.push_back(row);
    summary.std.push_back(row);
    summary.nan.push_back(row);
  }
  const SomSuggestions suggestions{{{3}, {1}, {3}, {10}, {"ring"}, {5}, {1}}, {3}, {2}, {4}, {3}, {3}, {"because"}};
  SomFile file = SomFile::create((scratch / "a.h5.partial"), layout);

  file.write(summary, suggestions);
  file.finish((scratch / "a.h5"), layout.provenance, "done");

  const ReadFile read((scratch / "a.h5"));
  const SomSummary back = read_som_summary(read);
  EXPECT_EQ(back.mean, summary.mean);
  EXPECT_EQ(back.settings.neurons, summary.settings.neurons);
  EXPECT_EQ(back.settings.topology, summary.settings.topology);
  EXPECT_EQ(read_som_suggestions(read).reason, (std::vector<std::string>{"because"}));
  EXPECT_EQ(read_som_suggestions(read).variance, (std::vector<std::int64_t>{4}));
}

}  // namespace
}  // namespace atl::store
