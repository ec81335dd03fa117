#include "som/scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace atl::som {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

data::Table table_of(std::vector<std::vector<double>> columns) {
  data::Table table;
  table.source = "points.csv";
  table.rows = columns.front().size();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    table.names.push_back(std::string(1, static_cast<char>('a' + c)));
    table.values.insert(table.values.end(), columns[c].begin(), columns[c].end());
  }
  return table;
}

config::SomData with(config::Scaling scaling, std::vector<std::string> use = {}) {
  config::SomData data;
  data.scale = scaling;
  data.use = std::move(use);
  return data;
}

std::string refusal(const data::Table& table, const config::SomData& data, const config::SomTraining& training = {}) {
  try {
    (void)scale(table, data, training);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Scaling, NoneLeavesTheDataAsTheyAre) {
  const ScaledData data = scale(table_of({{0, 0.5, 1}, {2, 3, 4}}), with(config::Scaling::none), {});

  EXPECT_EQ(data.values, (std::vector<double>{0, 2, 0.5, 3, 1, 4}));
  EXPECT_FALSE(data.scaled);
}

TEST(Scaling, ZscoreGivesMeanZeroAndDeviationOne) {
  const ScaledData data = scale(table_of({{1, 2, 3, 4}}), with(config::Scaling::zscore), {});

  double sum = 0;
  double squares = 0;
  for (const double v : data.values) {
    sum += v;
    squares += v * v;
  }
  EXPECT_NEAR(sum, 0, 1e-15);
  EXPECT_NEAR(squares / 4, 1, 1e-15);
  EXPECT_TRUE(data.scaled);
}

TEST(Scaling, MinmaxGivesZeroToOne) {
  const ScaledData data = scale(table_of({{10, 15, 20}}), with(config::Scaling::minmax), {});

  EXPECT_EQ(data.values, (std::vector<double>{0, 0.5, 1}));
}

TEST(Scaling, ComesBackToTheDatasOwnUnits) {
  const std::vector<double> column = {3.25, -17.5, 1e6};
  for (const config::Scaling scaling : {config::Scaling::none, config::Scaling::zscore, config::Scaling::minmax}) {
    const ScaledData data = scale(table_of({column}), with(scaling), {});

    for (std::size_t i = 0; i < column.size(); ++i)
      EXPECT_NEAR(data.unscaled(data.values[i], 0), column[i], 1e-9 * std::abs(column[i]));
  }
}

TEST(Scaling, AConstantColumnBecomesZero) {
  for (const config::Scaling scaling : {config::Scaling::zscore, config::Scaling::minmax}) {
    const ScaledData data = scale(table_of({{0.1, 0.1, 0.1}}), with(scaling), {});

    EXPECT_EQ(data.values, (std::vector<double>{0, 0, 0}));
  }
}

TEST(Scaling, ColumnsFarFromZeroAreCentred) {
  const ScaledData data = scale(table_of({{1e9, 1e9 + 1, 1e9 + 2}, {0, 1, 2}}), with(config::Scaling::none), {});

  EXPECT_EQ(data.values, (std::vector<double>{-1, 0, 0, 1, 1, 2}));
  EXPECT_EQ(data.offset, (std::vector<double>{1e9 + 1, 0}));
  EXPECT_TRUE(data.scaled);
  EXPECT_EQ(data.notes.size(), 1U);
}

TEST(Scaling, CosineIsNeverCentred) {
  config::SomTraining training;
  training.distance = config::MapDistance::cosine;

  const ScaledData data = scale(table_of({{1e9, 1e9 + 1}}), with(config::Scaling::none), training);

  EXPECT_EQ(data.offset.front(), 0);
}

TEST(Scaling, MissingCellsStayMissingAndCountForNothing) {
  const ScaledData data = scale(table_of({{1, missing, 3}}), with(config::Scaling::minmax), {});

  EXPECT_EQ(data.values[0], 0);
  EXPECT_TRUE(std::isnan(data.values[1]));
  EXPECT_EQ(data.values[2], 1);
  EXPECT_TRUE(data.missing);
}

TEST(Scaling, KeepsTheColumnsInTheOrderOfUse) {
  const data::Table table = table_of({{1, 2}, {3, 4}, {5, 6}});

  const ScaledData data = scale(table, with(config::Scaling::none, {"c", "0"}), {});

  EXPECT_EQ(data.names, (std::vector<std::string>{"c", "a"}));
  EXPECT_EQ(data.values, (std::vector<double>{5, 1, 6, 2}));
}

TEST(Scaling, RefusesColumnsThatAreNotThere) {
  const data::Table table = table_of({{1, 2}, {3, 4}});

  EXPECT_NE(
      refusal(table, with(config::Scaling::none, {"x"})).find("there is no column 'x' in points.csv; it has a, b"),
      std::string::npos);
  EXPECT_NE(refusal(table, with(config::Scaling::none, {"2"})).find("there is no column 2"), std::string::npos);
  EXPECT_NE(refusal(table, with(config::Scaling::none, {"a", "0"})).find("column '0' is named twice"),
            std::string::npos);
}

TEST(Scaling, RefusesMissingCellsWhereTheyHaveNoMeaning) {
  config::SomTraining cosine;
  cosine.distance = config::MapDistance::cosine;
  config::SomTraining pca;
  pca.initial = config::MapInitial::pca;

  EXPECT_NE(refusal(table_of({{1, missing}}), with(config::Scaling::none), cosine).find("cosine"), std::string::npos);
  EXPECT_NE(refusal(table_of({{1, missing}}), with(config::Scaling::none), pca).find("pca"), std::string::npos);
  EXPECT_EQ(refusal(table_of({{missing, missing}, {1, 2}}), with(config::Scaling::none)),
            "points.csv: column 'a' has no value at all");
}

}  // namespace
}  // namespace atl::som
