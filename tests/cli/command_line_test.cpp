#include "cli/command_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/error.hpp"

namespace atl::cli {
namespace {

/// Parses `words`, which are what stands behind "atoll".
struct Parsed {
  CLI::App app;
  CommandLine line;
  ParseReply reply;

  explicit Parsed(std::vector<std::string> words) {
    describe(app, line);
    std::reverse(words.begin(), words.end());  // CLI11's order
    try {
      app.parse(words);
    } catch (const CLI::ParseError& error) {
      reply = reply_to(app, error);
    }
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CommandLine, ReadsTheOptionsOfDeInAnyOrder) {
  const Parsed parsed({"de", "--seed", "7", "problem.toml", "-o", "best.h5", "--set", "stop.evaluations=500",
                       "--device", "gpu", "--max-time", "30m", "--force", "--shape", "B"});

  ASSERT_EQ(parsed.reply.text, "");
  EXPECT_EQ(parsed.line.de.file, "problem.toml");
  EXPECT_EQ(parsed.line.de.output, "best.h5");
  EXPECT_EQ(parsed.line.de.device, "gpu");
  EXPECT_EQ(parsed.line.de.shape, "B");
  EXPECT_TRUE(parsed.line.de.force);
  EXPECT_EQ(max_seconds_of(parsed.line.de), 1800);
}

TEST(CommandLine, SetTakesOneValueSoThatTheFileMayFollow) {
  const Parsed parsed({"de", "--set", "a=[1, 2]", "problem.toml", "--set", "b=x=y"});

  ASSERT_EQ(parsed.reply.text, "");
  EXPECT_EQ(parsed.line.de.file, "problem.toml");
  EXPECT_EQ(parsed.line.de.sets, (std::vector<std::string>{"a=[1, 2]", "b=x=y"}));
}

TEST(CommandLine, FlagsComeBehindEverySetSoThatTheyWin) {
  const Parsed parsed(
      {"de", "--seed", "7", "p.toml", "--precision", "single", "--set", "run.seed=3", "--set", "b=x=y"});

  const auto overrides = overrides_of(parsed.line.de);

  ASSERT_EQ(overrides.size(), 4U);
  EXPECT_EQ(overrides[0].key, "run.seed");
  EXPECT_EQ(overrides[0].value, "3");
  EXPECT_EQ(overrides[0].origin, "--set run.seed");
  EXPECT_EQ(overrides[1].value, "x=y");
  EXPECT_EQ(overrides[2].key, "run.seed");
  EXPECT_EQ(overrides[2].value, "7");
  EXPECT_EQ(overrides[2].origin, "--seed");
  EXPECT_EQ(overrides[3].key, "run.precision");
}

TEST(CommandLine, WrongValuesOfFlagsAreUsageErrors) {
  const std::vector<std::vector<std::string>> wrong = {{"--seed", "abc"},       {"--seed", "-1"}, {"--seed", "1.5"},
                                                       {"--set", "novalue"},    {"--set", "=5"},  {"--max-time", "30"},
                                                       {"--quiet", "--verbose"}};
  for (const auto& words : wrong) {
    std::vector<std::string> line = {"de", "p.toml"};
    line.insert(line.end(), words.begin(), words.end());
    const Parsed parsed(line);
    try {
      (void)overrides_of(parsed.line.de);
      (void)max_seconds_of(parsed.line.de);
      EXPECT_EQ(parsed.reply.code, 64) << words[0] << ' ' << words[1];
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
      EXPECT_TRUE(contains(error.what(), words[0])) << error.what();
    }
  }
}

TEST(CommandLine, AWrongOptionIsOneLineAndAHint) {
  const Parsed parsed({"de", "p.toml", "--sede=3"});

  EXPECT_EQ(parsed.reply.code, 64);
  EXPECT_EQ(
      parsed.reply.text,
      "atoll de: The following argument was not expected: --sede=3; did you mean --seed?\nTry `atoll de --help`.\n");
}

TEST(CommandLine, AWrongCommandIsOneLineAndAHint) {
  const Parsed parsed({"devcies"});

  EXPECT_EQ(parsed.reply.code, 64);
  EXPECT_EQ(parsed.reply.text,
            "atoll: The following argument was not expected: devcies; did you mean devices?\nTry `atoll --help`.\n");
}

TEST(CommandLine, AMissingFileAndAWrongPrecisionAreUsageErrors) {
  EXPECT_EQ(Parsed({"de"}).reply.code, 64);
  EXPECT_EQ(Parsed({"show"}).reply.code, 64);
  EXPECT_EQ(Parsed({"de", "p.toml", "--precision", "half"}).reply.code, 64);
  EXPECT_EQ(Parsed({"de", "p.toml", "--shape", "C"}).reply.code, 64);
  EXPECT_EQ(Parsed({"de", "p.toml", "q.toml"}).reply.code, 64);
}

TEST(CommandLine, HelpOfEveryCommandHasItsUsageAndAnExample) {
  for (const std::string command : {"de", "som", "devices", "show"}) {
    const Parsed parsed({command, "--help"});

    EXPECT_EQ(parsed.reply.code, 0);
    EXPECT_TRUE(parsed.reply.text.starts_with("Usage: atoll " + command)) << parsed.reply.text;
    EXPECT_TRUE(contains(parsed.reply.text, "Example:\n")) << parsed.reply.text;
  }
}

TEST(CommandLine, HelpFitsATerminalOf120Columns) {
  for (const std::string command : {"de", "som", "devices", "show"}) {
    std::istringstream lines(Parsed({command, "--help"}).reply.text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120U) << line;
  }
}

TEST(CommandLine, TheCommandLineIsKeptSoThatAShellReadsItBack) {
  std::vector<std::string> words = {"atoll", "de", "p.toml", "--set", "a=[1, 2]", "it's", ""};
  std::vector<char*> pointers;
  pointers.reserve(words.size());
  for (std::string& word : words) pointers.push_back(word.data());

  EXPECT_EQ(command_line(static_cast<int>(pointers.size()), pointers.data()),
            "atoll de p.toml --set 'a=[1, 2]' 'it'\\''s' ''");
}

}  // namespace
}  // namespace atl::cli
