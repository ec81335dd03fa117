// A file appears whole or not at all, and a failure leaves nothing behind.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/error.hpp"
#include "scratch.hpp"
#include "store/hdf5.hpp"

namespace atl::store {
namespace {

using test::code_of;
using test::message_of;
using test::ScratchFolder;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// Lets no file of this process grow beyond `bytes`: what a full disk looks like to write().
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(WriteAtomically, ReplacesTheWholeFileAndLeavesNothingElse) {
  const ScratchFolder folder;
  folder.write("a", "a longer text than what follows");

  write_atomically(folder / "a", bytes_of("short"));

  EXPECT_EQ(folder.read("a"), "short");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteAtomically, AFailedWriteKeepsTheOldFileAndRemovesTheNewOne) {
  const ScratchFolder folder;
  folder.write("a", "old");
  const std::string large(100'000, 'x');
  std::string message;
  {
    const FileSizeLimit limit(4096);
    message = message_of([&] { write_atomically(folder / "a", bytes_of(large)); });
  }

  EXPECT_EQ(message, "cannot write " + (folder / "a") + ": File too large");
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteAtomically, AMissingFolderIsSaidWithTheSystemsReason) {
  const ScratchFolder folder;

  const auto write = [&] { write_atomically(folder / "nothing/a", bytes_of("x")); };

  EXPECT_EQ(code_of(write), ExitCode::cannot_write);
  EXPECT_EQ(message_of(write), "cannot write " + (folder / "nothing/a") + ": No such file or directory");
}

TEST(WriteAtomically, FoldersAndPipesAreNeverReplaced) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "folder");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);

  EXPECT_EQ(code_of([&] { write_atomically(folder / "folder", bytes_of("x")); }), ExitCode::cannot_write);
  EXPECT_EQ(code_of([&] { write_atomically(folder / "pipe", bytes_of("x")); }), ExitCode::cannot_write);
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
  EXPECT_EQ(folder.entries(), 2U);
}

TEST(WriteAtomically, ASymbolicLinkStaysOne) {
  const ScratchFolder folder;
  folder.write("real", "old");
  std::filesystem::create_symlink("real", folder / "link");

  write_atomically(folder / "link", bytes_of("new"));

  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(folder.read("real"), "new");
}

TEST(WriteAtomically, ALinkToNothingYetLeadsToTheNewFile) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "there");
  std::filesystem::create_symlink("there/again", folder / "link");
  std::filesystem::create_symlink("real", folder / "there/again");

  write_atomically(folder / "link", bytes_of("new"));

  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "there/again"));
  EXPECT_EQ(folder.read("there/real"), "new");
}

TEST(WriteAtomically, LinksInACircleAreRefused) {
  const ScratchFolder folder;
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");

  EXPECT_EQ(code_of([&] { write_atomically(folder / "a", bytes_of("x")); }), ExitCode::cannot_write);
  EXPECT_EQ(folder.entries(), 2U);
}

}  // namespace
}  // namespace atl::store
