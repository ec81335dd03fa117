#include "cli/output.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "store/hdf5.hpp"

namespace atl::cli {
namespace {

namespace fs = std::filesystem;

class Output : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) / ("atoll_output_" + std::to_string(getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string text_file(const std::string& name) {
    std::ofstream(folder / name) << "text";
    return (folder / name).string();
  }
  std::string result(const std::string& state) {
    store::MemoryFile file;
    file.attribute("/", "state", state);
    std::string path = (folder / (state + ".h5")).string();
    store::write_atomically(path, file.bytes());
    return path;
  }
  /// The code and message of the refusal.
  static std::pair<ExitCode, std::string> refusal(const std::string& path, const std::vector<std::string>& inputs = {},
                                                  bool force = false) {
    try {
      check_output(path, inputs, force);
    } catch (const Error& error) {
      return {error.code(), error.what()};
    }
    return {ExitCode::done, ""};
  }

  fs::path folder;
};

TEST_F(Output, IsTheInputsNameInTheCurrentFolderUnlessGiven) {
  EXPECT_EQ(output_path("", "examples/wing.v2.toml"), "wing.v2.h5");
  EXPECT_EQ(output_path("out/best.h5", "wing.toml"), "out/best.h5");
}

TEST_F(Output, OfALinkIsTheFileThatItLeadsTo) {
  const std::string link = (folder / "link.h5").string();
  fs::create_symlink("real.h5", link);

  EXPECT_EQ(output_path(link, "p.toml"), (folder / "real.h5").string());
  text_file("real.h5");
  EXPECT_EQ(output_path(link, "p.toml"), (folder / "real.h5").string());
}

TEST_F(Output, ANewFileInAFolderIsAccepted) {
  EXPECT_EQ(refusal((folder / "new.h5").string()).first, ExitCode::done);
}

TEST_F(Output, AResultDoesNotHaveTheNameOfACheckpoint) {
  for (const char* name : {"a.checkpoint.h5", "a.checkpoint.previous.h5"}) {
    const auto [code, text] = refusal((folder / name).string(), {}, true);

    EXPECT_EQ(code, ExitCode::usage);
    EXPECT_NE(text.find("is the name of a checkpoint"), text.npos) << text;
  }
}

TEST_F(Output, AnInputIsNeverOverwrittenUnderWhateverName) {
  const std::string data = text_file("data.h5");
  fs::create_symlink(data, folder / "link.h5");

  EXPECT_EQ(refusal(data, {"p.toml", data}, true).first, ExitCode::usage);
  EXPECT_EQ(refusal(data, {data + ":/points"}, true).first, ExitCode::usage);
  EXPECT_EQ(refusal((folder / "link.h5").string(), {data}, true).first, ExitCode::usage);
}

TEST_F(Output, AFinishedResultIsReplacedWithForceOnly) {
  const std::string path = result("finished");

  const auto [code, message] = refusal(path);

  EXPECT_EQ(code, ExitCode::cannot_write);
  EXPECT_EQ(message, path + " is a finished result; --force replaces it, -o names another output");
  EXPECT_EQ(refusal(path, {}, true).first, ExitCode::done);
}

TEST_F(Output, AnyOtherFileIsReplacedWithForceOnly) {
  EXPECT_EQ(refusal(text_file("notes.h5")).first, ExitCode::cannot_write);
  EXPECT_NE(refusal(result("stopped")).second.find("stopped early"), std::string::npos);
}

// The length of the first text in a file: libhdf5 1.10 copies so many bytes, wherever they end.
TEST_F(Output, AResultThatHdf5DoesNotSurviveIsRefused) {
  const std::string path = result("finished");
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  file.seekp(static_cast<std::streamoff>(bytes.find("GCOL") + 24 + 4));
  file.put(0x7f);
  file.close();

  EXPECT_EQ(refusal(path).second,
            path + " exists already and is not a result of atoll; --force replaces it, -o names another output");
}

TEST_F(Output, AMissingFolderOrAFolderInPlaceOfTheFileIsRefused) {
  EXPECT_EQ(refusal((folder / "no" / "new.h5").string()).first, ExitCode::cannot_write);
  EXPECT_EQ(refusal(folder.string(), {}, true).first, ExitCode::cannot_write);
}

}  // namespace
}  // namespace atl::cli
