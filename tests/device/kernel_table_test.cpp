#include "device/kernel_table.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"

namespace atl::device {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// A folder that is removed at the end.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "atoll-kernels-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
};

// Embeds one kernel file with this text; what the script wrote, or nothing when it refused.
std::string embed(const std::string& text) {
  const Folder folder;
  fs::create_directories(folder.path / "kernels/de");
  std::ofstream(folder.path / "kernels/de/awkward.cl", std::ios::binary) << text;
  const fs::path output = folder.path / "table.cpp";
  const std::string command = "cmake -DROOT='" + (folder.path / "kernels").string() + "' -DOUTPUT='" + output.string() +
                              "' -P '" + PROJECT_ROOT + "src/device/embed_kernels.cmake' 2>/dev/null";
  return std::system(command.c_str()) == 0 ? content(output) : "";
}

TEST(KernelTable, HoldsEveryFileByteForByte) {
  std::size_t count = 0;
  if (fs::exists(PROJECT_ROOT "kernels"))
    for (const auto& entry : fs::recursive_directory_iterator(PROJECT_ROOT "kernels"))
      count += entry.path().extension() == ".cl";

  EXPECT_EQ(kernel_table().size(), count);
  for (const KernelFile& file : kernel_table())
    EXPECT_EQ(file.text, content(fs::path(PROJECT_ROOT "kernels") / file.name)) << file.name;
}

TEST(KernelTable, ASourceBeginsWithALineThatNamesItsFile) {
  for (const KernelFile& file : kernel_table())
    EXPECT_TRUE(kernel_source(file.name).starts_with("#line 1 \"" + std::string(file.name) + "\"\n"));
}

TEST(KernelTable, AnUnknownFileIsAnInternalError) {
  try {
    (void)kernel_source("de/absent.cl");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::internal);
  }
}

TEST(EmbedKernels, TextThatCMakeCouldMistakeForAListComesThrough) {
  const std::string text =
      "int a[3]; b[i;\n#define M(x) \\\n  x; \\\\ \"q\\n\"\n// ${ROOT} @ROOT@ $ENV{HOME} [=[ ]=] ]] ;; \xC3\xA4 # "
      "(\n\n\n";

  EXPECT_NE(embed(text).find("KernelFile{\"de/awkward.cl\", R\"~~(" + text + ")~~\"}"), std::string::npos);
}

TEST(EmbedKernels, AnEmptyFileIsAnEmptyText) {
  EXPECT_NE(embed("").find("R\"~~()~~\""), std::string::npos);
}

TEST(EmbedKernels, WhatDoesNotFitALiteralIsRefused) {
  EXPECT_NE(embed(std::string(65000, ' ')), "");
  EXPECT_EQ(embed(std::string(66000, ' ')), "");
  EXPECT_EQ(embed("int x; // )~~\" ends it\n"), "");
}

}  // namespace
}  // namespace atl::device
