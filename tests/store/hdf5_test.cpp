// What is written is read back, damage and absence are said in words, and equal content is equal bytes.
#include "store/hdf5.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "scratch.hpp"

namespace atl::store {
namespace {

using test::code_of;
using test::message_of;
using test::ScratchFolder;

void fill(MemoryFile& file) {
  const std::vector<double> values{1.5, -0.0, std::numeric_limits<double>::quiet_NaN(), 4, 5, 6};
  const std::vector<std::int64_t> integers{-1, 1LL << 60};
  file.write("/a/b/values", values, {2, 3});
  file.write("/a/integers", integers, {2});
  file.write("/names", {"größe", "", "x"});
  file.attribute("/", "config", std::string(100'000, 'c'));
  file.attribute("/", "seed", std::numeric_limits<std::uint64_t>::max());
  file.attribute("/a", "half", 0.5);
  file.attribute("/names", "list", std::vector<std::string>{"one", "two"});
}

TEST(Hdf5, WhatIsWrittenIsReadBack) {
  const ScratchFolder folder;
  MemoryFile file;
  fill(file);

  write_atomically(folder / "a.h5", file.bytes());
  const ReadFile read(folder / "a.h5");

  const auto values = read.doubles("/a/b/values");
  EXPECT_EQ(read.shape("/a/b/values"), (Shape{2, 3}));
  EXPECT_EQ(values[0], 1.5);
  EXPECT_TRUE(std::signbit(values[1]));
  EXPECT_TRUE(std::isnan(values[2]));
  EXPECT_EQ(read.integers("/a/integers"), (std::vector<std::int64_t>{-1, 1LL << 60}));
  EXPECT_EQ(read.strings("/names"), (std::vector<std::string>{"größe", "", "x"}));
  EXPECT_EQ(read.text_attribute("/", "config").size(), 100'000U);
  EXPECT_EQ(read.unsigned_attribute("/", "seed"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(read.number_attribute("/a", "half"), 0.5);
  EXPECT_EQ(read.texts_attribute("/names", "list"), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(read.datasets(), (std::vector<std::string>{"/names", "/a/integers", "/a/b/values"}));
}

TEST(Hdf5, EqualContentIsEqualBytesInAnyNumberOfFilesAtOnce) {
  MemoryFile first, second;
  fill(first);
  fill(second);

  EXPECT_EQ(first.bytes(), second.bytes());
}

TEST(Hdf5, EmptyDatasetsAndScalarsKeepTheirShape) {
  const ScratchFolder folder;
  MemoryFile file;
  const double energy = 2.5;
  file.write("/none", std::span<const double>(), {0, 7});
  file.write("/no_names", std::vector<std::string>{});
  file.write("/fun", std::span(&energy, 1), {});
  write_atomically(folder / "a.h5", file.bytes());

  const ReadFile read(folder / "a.h5");

  EXPECT_EQ(read.shape("/none"), (Shape{0, 7}));
  EXPECT_TRUE(read.doubles("/none").empty());
  EXPECT_TRUE(read.strings("/no_names").empty());
  EXPECT_EQ(read.shape("/fun"), Shape{});
  EXPECT_EQ(read.doubles("/fun"), std::vector<double>{2.5});
}

TEST(Hdf5, AShapeThatContradictsTheValuesIsOurFault) {
  MemoryFile file;
  const std::vector<double> values(5);

  EXPECT_EQ(code_of([&] { file.write("/a", values, {2, 3}); }), ExitCode::internal);
}

TEST(Hdf5, AMissingPathIsRefusedWithWhatIsThere) {
  const ScratchFolder folder;
  MemoryFile file;
  fill(file);
  write_atomically(folder / "a.h5", file.bytes());
  const ReadFile read(folder / "a.h5");

  const std::string message = message_of([&] { (void)read.doubles("/a/b/nothing/deeper"); });

  EXPECT_EQ(message, (folder / "a.h5") +
                         ":/a/b/nothing/deeper: no such dataset; the file holds /names, /a/integers, /a/b/values");
  EXPECT_EQ(code_of([&] { (void)read.doubles("/nothing"); }), ExitCode::bad_data);
  EXPECT_NE(message_of([&] { (void)read.doubles("/a/b"); }).find("is a group"), std::string::npos);
  EXPECT_NE(message_of([&] { (void)read.doubles("/names"); }).find("does not hold real numbers"), std::string::npos);
  EXPECT_NE(message_of([&] { (void)read.integers("/a/b/values"); }).find("does not hold integers"), std::string::npos);
  EXPECT_FALSE(read.has("/a/b/nothing/deeper"));
  EXPECT_FALSE(read.has(""));
  EXPECT_TRUE(read.has("/"));
  EXPECT_TRUE(read.has("/a/b"));
}

TEST(Hdf5, AFileThatIsNotThereOrNotHdf5IsSaidSo) {
  const ScratchFolder folder;
  folder.write("text.h5", "a,b\n1,2\n");
  folder.write("empty.h5", "");

  EXPECT_EQ(code_of([&] { ReadFile(folder / "nothing.h5"); }), ExitCode::missing_input);
  EXPECT_NE(message_of([&] { ReadFile(folder / "nothing.h5"); }).find("No such file"), std::string::npos);
  EXPECT_EQ(code_of([&] { ReadFile(folder / ""); }), ExitCode::missing_input);
  EXPECT_EQ(code_of([&] { ReadFile(folder / "text.h5"); }), ExitCode::bad_data);
  EXPECT_EQ(code_of([&] { ReadFile(folder / "empty.h5"); }), ExitCode::bad_data);
}

TEST(Hdf5, ATruncatedFileIsRefused) {
  const ScratchFolder folder;
  MemoryFile file;
  fill(file);
  auto image = file.bytes();
  image.resize(image.size() / 2);
  write_atomically(folder / "a.h5", image);

  EXPECT_EQ(code_of([&] { ReadFile(folder / "a.h5"); }), ExitCode::bad_data);
}

TEST(Hdf5, ADatasetThatClaimsMoreThanTheFileHoldsIsRefusedBeforeAllocation) {
  const ScratchFolder folder;
  MemoryFile file;
  const Shape extents{1ULL << 40, 1ULL << 19};
  const Shape chunk{16, 16};
  const Handle space(H5Screate_simple(2, extents.data(), nullptr), H5Sclose);
  const Handle creation = properties_without_times(H5P_DATASET_CREATE);
  ASSERT_GE(H5Pset_chunk(creation.id(), 2, chunk.data()), 0);
  {
    const Handle dataset(H5Dcreate2(file.id(), "/huge", H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, creation.id(), 0),
                         H5Dclose);
    ASSERT_TRUE(dataset);
  }
  write_atomically(folder / "a.h5", file.bytes());
  const ReadFile read(folder / "a.h5");

  const std::string message = message_of([&] { (void)read.doubles("/huge"); });

  EXPECT_NE(message.find("claims 576460752303423488 values of 8 bytes"), std::string::npos) << message;
}

TEST(Hdf5, GroupsNestedWithoutEndAreListedInBoundedWork) {
  const ScratchFolder folder;
  MemoryFile file;
  std::string path;
  for (int depth = 0; depth < 600; ++depth) path += "/g";
  file.group(path);
  file.write("/shallow", std::span<const double>(), {0});
  ASSERT_GE(H5Lcreate_hard(file.id(), "/", file.id(), "/g/cycle", H5P_DEFAULT, H5P_DEFAULT), 0);
  write_atomically(folder / "a.h5", file.bytes());

  const ReadFile read(folder / "a.h5");

  EXPECT_TRUE(read.has(path));
  EXPECT_LE(read.datasets().size(), 500U);
  EXPECT_EQ(read.datasets().front(), "/shallow");
}

TEST(DatasetPath, IsTakenApartAtTheLastExtension) {
  EXPECT_EQ(split_dataset_path("a.h5")->dataset, "");
  EXPECT_EQ(split_dataset_path("a.h5:/x/y")->file, "a.h5");
  EXPECT_EQ(split_dataset_path("a.h5:/x/y")->dataset, "/x/y");
  EXPECT_EQ(split_dataset_path("dir.h5:b/c.hdf5:/x")->file, "dir.h5:b/c.hdf5");
  EXPECT_EQ(split_dataset_path("a.csv"), std::nullopt);
}

}  // namespace
}  // namespace atl::store
