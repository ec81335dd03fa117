// `atoll show`: a result read back.
#include "cli/show.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "damage.hpp"
#include "scratch.hpp"
#include "store/sample_result.hpp"
#include "store/som_sample.hpp"

namespace atl::cli {
namespace {

using test::code_of;
using test::message_of;
using test::sample_result;
using test::ScratchFolder;

std::string shown_result(const store::DeResult& result, bool json = false) {
  const ScratchFolder folder;
  store::write_de_result(result, folder / "a.h5");
  return shown(folder / "a.h5", json);
}

void expect_in(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << "no `" << part << "` in\n" << text;
}

TEST(Show, SaysOutcomeParametersIslandsHistoryDevicesAndOrigin) {
  const std::string text = shown_result(sample_result());

  expect_in("differential evolution, finished, success\n  budget of 40 evaluations an island used\n", text);
  expect_in("fun = 0.5\n  80 evaluations in 10 generations; polish took 12 more, from 0.75\n", text);
  expect_in("3 of them gave NaN, 0 inf", text);
  expect_in("fit: R squared 0.99, root mean square error 0.14", text);
  expect_in("  a              1  -20   20\n", text);
  expect_in("  b             20  -20   20  at its bound\n", text);
  expect_in("  c            3.5  3.5  3.5  fixed\n", text);
  expect_in("2 islands of 3 to 4 members\n  best 0.75 on island 0, median 0.8, worst 0.8 on island 1\n", text);
  expect_in("  10                   80    0.300  0.75     2    1\n", text);
  expect_in("7 migrants accepted", text);
  expect_in("  pthread-cpu     0  node1           80         0.250\n", text);
  expect_in("seed      18446744073709551615\n", text);
  expect_in("2.25 s on 2 ranks", text);
}

TEST(Show, JsonHasEveryNumberExactly) {
  store::DeResult result = sample_result();
  result.x[0] = 0.1;
  result.provenance.slurm_job_id = "77";

  const auto json = nlohmann::json::parse(shown_result(result, true));

  EXPECT_EQ(json["attributes"]["format"], "atoll-de");
  EXPECT_EQ(json["attributes"]["seed"], std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(json["attributes"]["slurm_job_id"], "77");
  EXPECT_EQ(json["attributes"]["config"], result.provenance.config);
  EXPECT_EQ(json["x"][0], 0.1);
  EXPECT_EQ(json["fun"], 0.5);
  EXPECT_EQ(json["parameters"][1]["name"], "b");
  EXPECT_EQ(json["parameters"][1]["at_bound"], true);
  EXPECT_EQ(json["islands"]["fun"], (std::vector<double>{0.75, 0.8}));
  EXPECT_EQ(json["history"]["generation"], 10);
  EXPECT_EQ(json["history"]["best"], 0.75);
  EXPECT_EQ(json["migrations"]["accepted"], 7);
  EXPECT_EQ(json["fit"]["rmse"], 0.14);
  EXPECT_EQ(json["devices"][0]["host"], "node1");
}

TEST(Show, EnergiesThatAreNoNumbersAreShown) {
  store::DeResult result = sample_result();
  result.success = false;
  result.fun = result.island_fun[0] = std::nan("");
  result.island_fun[1] = HUGE_VAL;

  const std::string text = shown_result(result);
  const auto json = nlohmann::json::parse(shown_result(result, true));

  expect_in("no success", text);
  expect_in("fun = nan", text);
  expect_in("best inf on island 1, median nan, worst nan on island 0", text);
  EXPECT_TRUE(json["fun"].is_null());
}

TEST(Show, ManyParametersAndHistoryRowsAreCutShort) {
  store::DeResult result = sample_result();
  const std::size_t d = 1000, t = 10'000;
  result.dimension = d;
  result.names.clear();
  for (std::size_t i = 0; i < d; ++i) result.names.push_back(fmt::format("p[{}]", i));
  result.x.assign(d, 1);
  result.min.assign(d, 0);
  result.max.assign(d, 2);
  result.scale.assign(d, "log");
  result.integer = result.fixed = result.at_bound = std::vector<std::uint8_t>(d, 0);
  result.population.assign(result.islands * result.members * d, 1);
  result.island_x.assign(2 * d, 1);
  result.migration_x.clear();
  result.history_generation = result.history_evaluations = std::vector<std::int64_t>(t, 5);
  result.history_seconds = result.history_best = result.history_mean = result.history_std = std::vector<double>(t, 1);
  result.history_island_best.assign(2 * t, 1);

  const std::string text = shown_result(result);

  expect_in("... 800 more; --json has all", text);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 250);
}

TEST(Show, OtherFilesAreRefused) {
  const ScratchFolder folder;
  store::MemoryFile plain, foreign, newer;
  foreign.attribute("/", "format", std::string("other"));
  foreign.attribute("/", "format_version", std::int64_t{1});
  newer.attribute("/", "format", std::string("atoll-de"));
  newer.attribute("/", "format_version", std::int64_t{99});
  store::write_atomically(folder / "plain.h5", plain.bytes());
  store::write_atomically(folder / "foreign.h5", foreign.bytes());
  store::write_atomically(folder / "newer.h5", newer.bytes());
  folder.write("text.h5", "text");
  const auto showing = [&](const std::string& name) { return [&, name] { (void)shown(folder / name, false); }; };

  EXPECT_EQ(code_of(showing("nothing.h5")), ExitCode::missing_input);
  for (const char* name : {"plain.h5", "foreign.h5", "newer.h5", "text.h5"})
    EXPECT_EQ(code_of(showing(name)), ExitCode::bad_data) << name;
  expect_in("not an atoll file", message_of(showing("plain.h5")));
  expect_in("format \"other\"", message_of(showing("foreign.h5")));
  expect_in("version 99; this atoll reads up to 1", message_of(showing("newer.h5")));
}

TEST(Show, PartsThatContradictEachOtherAreRefused) {
  const ScratchFolder folder;
  store::MemoryFile file;
  const std::vector<double> two{1, 2};
  file.attribute("/", "format", std::string("atoll-de"));
  file.attribute("/", "format_version", std::int64_t{1});
  file.write("/x", two, {2});
  file.write("/fun", two, {2});
  store::write_atomically(folder / "a.h5", file.bytes());

  const std::string message = message_of([&] { (void)shown(folder / "a.h5", true); });

  EXPECT_EQ(message, (folder / "a.h5") + ":/fun: 2 values where 1 belong");
}

std::string finished_sweep(const ScratchFolder& folder) {
  const store::SomLayout layout = test::small_layout();
  store::SomFile file = store::SomFile::create(folder / "s.h5.partial", layout);
  file.write(test::batch_of(layout, {0, 1, 2, 3, 4, 5}));
  const auto [summary, suggestions] = test::small_summary();
  file.write(summary, suggestions);
  file.finish(folder / "s.h5", layout.provenance, "all 6 maps are trained");
  return folder.read("s.h5");
}

TEST(Show, ASweepThatLacksOnlyItsSummaryIsNotToldToTrainTheRest) {
  const ScratchFolder folder;
  const store::SomLayout layout = test::small_layout();
  store::SomFile file = store::SomFile::create(folder / "s.h5.partial", layout);

  file.write(test::batch_of(layout, {0, 1, 2}));
  const std::string half = shown(folder / "s.h5.partial", false);
  file.write(test::batch_of(layout, {3, 4, 5}));
  const std::string all = shown(folder / "s.h5.partial", false);

  EXPECT_NE(half.find("unfinished, 3 of 6 maps; `atoll som ... --resume` trains the rest"), std::string::npos) << half;
  EXPECT_NE(all.find("unfinished, 6 of 6 maps; `atoll som ... --resume` completes the file"), std::string::npos) << all;
}

std::string finished_search(const ScratchFolder& folder) {
  store::write_de_result(sample_result(), folder / "d.h5");
  return folder.read("d.h5");
}

/// Some of these files crash libhdf5 1.10.
void expect_shown_or_refused(const ScratchFolder& folder, const std::string& good, std::uint64_t seed) {
  test::Mutator mutator(seed);
  int refused = 0;
  constexpr int files = 300;
  for (int i = 0; i < files; ++i) {
    SCOPED_TRACE(i);
    const std::string file = folder.write("damaged.h5", mutator.binary(good));
    const test::Verdict verdict = test::verdict_of([&] { (void)shown(file, i % 2 == 0); });

    refused += verdict.code != 0;
    EXPECT_TRUE(verdict.code == 0 || verdict.code == 65) << verdict.code;
    EXPECT_TRUE(verdict.code == 0 || verdict.message.starts_with(file)) << verdict.message;
  }
  EXPECT_GT(refused, files / 10);
  EXPECT_LT(refused, files);
}

TEST(Show, ADamagedResultIsShownOrRefused) {
  const ScratchFolder folder;

  expect_shown_or_refused(folder, finished_search(folder), 1);
}

TEST(Show, ADamagedSweepIsShownOrRefused) {
  const ScratchFolder folder;

  expect_shown_or_refused(folder, finished_sweep(folder), 2);
}

}  // namespace
}  // namespace atl::cli
