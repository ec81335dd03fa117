#include "config/reader.hpp"

#include <gtest/gtest.h>

#include "scratch.hpp"

namespace atl::config {
namespace {

using test::error_of;

enum class Fruit { apple, pear };
constexpr std::array fruits{Named<Fruit>{"apple", Fruit::apple}, Named<Fruit>{"pear", Fruit::pear}};

Reader reader_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  Document document = parse_document(text, "f.toml");
  apply(document, overrides);
  Reader reader(std::move(document));
  reader.expect("", {"basket", "names"});
  reader.expect("basket", {"fruit", "count", "weight", "ripe", "label", "file", "labels"});
  reader.expect_any("names");
  return reader;
}

TEST(Reader, RecordsValuesDefaultsAndOriginsInTheOrderAsked) {
  Reader reader = reader_of("[basket]\ncount = 1e3\nweight = 2\n", {{"basket.fruit", "pear", "--set basket.fruit"}});

  EXPECT_EQ(reader.choice("basket.fruit", Fruit::apple, fruits), Fruit::pear);
  EXPECT_EQ(reader.integer("basket.count", {1, 5000}, 7), 1000);
  EXPECT_EQ(reader.real("basket.weight", {0, 5}), 2.0);
  EXPECT_EQ(reader.text("basket.label"), std::nullopt);
  EXPECT_TRUE(reader.boolean("basket.ripe", true));

  std::string listing;
  for (const auto& [key, value, origin] : reader.effective()) listing += fmt::format("{}|{}|{}\n", key, value, origin);
  EXPECT_EQ(listing,
            "basket.fruit|\"pear\"|--set basket.fruit\nbasket.count|1000|f.toml:2\nbasket.weight|2.0|f.toml:3\n"
            "basket.ripe|true|default\n");
}

TEST(Reader, UnknownKeysNameTheAllowedOnesAndTheNearest) {
  const std::pair<const char*, const char*> faults[] = {
      {"[basket]\ncuont = 1",
       "78 f.toml:2: unknown key basket.cuont; [basket] has fruit, count, weight, ripe, label, "
       "file, labels; did you mean count?"},
      {"[baskte]\n", "78 f.toml:1: unknown key baskte; a file has basket, names; did you mean basket?"},
      {"ripe = true\n", "78 f.toml:1: unknown key ripe; a file has basket, names; did you mean basket.ripe?"},
      {"[names]\nanything = 1\n", "no error"}};

  for (const auto& [text, expected] : faults) {
    EXPECT_EQ(error_of([&, t = text] { reader_of(t).refuse_unknown(); }), expected);
  }
}

TEST(Reader, AForbiddenKeyGivesItsReason) {
  Reader reader = reader_of("[basket]\ncount = 1\n");

  reader.forbid("basket.count", "is counted at the till");

  EXPECT_EQ(error_of([&] { reader.refuse_unknown(); }), "78 f.toml:2: basket.count: is counted at the till");
}

TEST(Reader, WrongKindsAndRangesNameKeyValueAndRule) {
  Reader reader = reader_of("[basket]\ncount = 0\nweight = nan\nripe = 1\nlabel = 5\nfruit = 'aple'\nlabels = 'x'\n");

  EXPECT_EQ(error_of([&] {
              reader.integer("basket.count", {1, 9});
            }),
            "78 f.toml:2: basket.count: must be an integer from 1 to 9, not 0");
  EXPECT_EQ(error_of([&] {
              reader.real("basket.weight", {0, 1});
            }),
            "78 f.toml:3: basket.weight: must be a number from 0 to 1, not nan");
  EXPECT_EQ(error_of([&] {
              reader.real("basket.weight", {0, 2, true});
            }),
            "78 f.toml:3: basket.weight: must be a number above 0 up to 2, not nan");
  EXPECT_EQ(error_of([&] { reader.real("basket.weight", any_finite); }),
            "78 f.toml:3: basket.weight: must be a finite number, not nan");
  EXPECT_EQ(error_of([&] {
              reader.real("basket.weight", {0, any_finite.high});
            }),
            "78 f.toml:3: basket.weight: must be a finite number from 0, not nan");
  EXPECT_EQ(error_of([&] { reader.boolean("basket.ripe", false); }),
            "78 f.toml:4: basket.ripe: must be true or false, not 1");
  EXPECT_EQ(error_of([&] { reader.text("basket.label"); }), "78 f.toml:5: basket.label: must be a string, not 5");
  EXPECT_EQ(error_of([&] { reader.choice("basket.fruit", Fruit::apple, fruits); }),
            "78 f.toml:6: basket.fruit: \"aple\" is not one of apple, pear; did you mean apple?");
  EXPECT_EQ(error_of([&] { reader.texts("basket.labels"); }),
            "78 f.toml:7: basket.labels: must be an array of strings, not the string \"x\"");
}

TEST(Reader, WordsOfALaterVersionSaySo) {
  Reader reader = reader_of("[basket]\nfruit = 'plum:4'\n");

  EXPECT_EQ(error_of([&] { reader.choice("basket.fruit", Fruit::apple, fruits, {"plum:"}); }),
            "78 f.toml:2: basket.fruit: \"plum:4\" is not available in this version; available: apple, pear");
}

TEST(Reader, AnOverrideIsBlamedByItsNameOnce) {
  Reader reader = reader_of("", {{"basket.count", "many", "--set basket.count"}, {"basket.weight", "x", "--heavy"}});

  EXPECT_EQ(error_of([&] {
              reader.integer("basket.count", {1, 9});
            }),
            "78 --set basket.count: must be an integer from 1 to 9, not the string \"many\"");
  EXPECT_EQ(error_of([&] {
              reader.real("basket.weight", {0, 1});
            }),
            "78 --heavy: basket.weight: must be a number from 0 to 1, not the string \"x\"");
}

TEST(Reader, AsksOnlyForWhatWasDeclared) {
  const Reader reader = reader_of("");

  EXPECT_EQ(error_of([&] { (void)reader.find("basket.colour"); }).substr(0, 3), "70 ");
}

TEST(Reader, WhereFallsBackToTheTableAndTheFile) {
  const Reader reader = reader_of("\n[basket]\ncount = 1\n");

  EXPECT_EQ(reader.where("basket.count").text(), "f.toml:3");
  EXPECT_EQ(reader.where("basket.fruit").text(), "f.toml:2");
  EXPECT_EQ(reader.where("names.x").text(), "f.toml");
}

}  // namespace
}  // namespace atl::config
