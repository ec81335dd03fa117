// Problem settings for tests, as config would hand them over, and files in a folder of the test's own.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "config/de_settings.hpp"

namespace atl::de::sample {

inline config::Parameter box(const std::string& name, double min, double max, int line = 10) {
  config::Parameter parameter;
  parameter.name = name;
  parameter.where = {"problem.toml", line, 1};
  parameter.min = min;
  parameter.max = max;
  parameter.value = min == max ? std::optional(min) : std::nullopt;
  return parameter;
}

/// Writes `text` to a file of this process's own and gives its path.
inline std::string file(const std::string& name, const std::string& text) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("atoll_de_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto path = folder / name;
  std::ofstream(path) << text;
  return path.string();
}

inline config::DeSettings model(const std::string& text, const std::string& data,
                                std::vector<config::Parameter> parameters) {
  config::DeSettings settings;
  settings.file = "problem.toml";
  settings.problem.kind = config::ProblemKind::model;
  settings.problem.text = text;
  settings.problem.where = {"problem.toml", 2, 10};
  settings.problem.data = data;
  settings.problem.data_where = {"problem.toml", 3, 1};
  settings.problem.target = "y";
  settings.problem.target_where = {"problem.toml", 4, 1};
  settings.problem.weight_where = {"problem.toml", 5, 1};
  settings.problem.parameters = std::move(parameters);
  return settings;
}

inline config::DeSettings objective(const std::string& source, std::vector<config::Parameter> parameters,
                                    const std::string& data = "") {
  config::DeSettings settings;
  settings.problem.kind = config::ProblemKind::objective;
  settings.problem.text = source;
  settings.problem.where = {"problem.toml", 2, 1};
  settings.problem.data = data;
  settings.problem.parameters = std::move(parameters);
  return settings;
}

inline config::DeSettings benchmark(const std::string& name, int dimension, double min, double max) {
  config::DeSettings settings;
  settings.problem.kind = config::ProblemKind::benchmark;
  settings.problem.text = name;
  settings.problem.where = {"problem.toml", 2, 1};
  settings.problem.parameters = {box("p", min, max)};
  settings.problem.parameters[0].size = dimension;
  return settings;
}

/// The 27-row product model: minimum of the absolute loss 98.04025930807.
inline config::DeSettings product() {
  std::vector<config::Parameter> parameters;
  for (const char* name : {"a1", "a0", "b2", "b1", "b0", "c2", "c1", "c0"}) parameters.push_back(box(name, -20, 20));
  return model("(a1*x1 + a0) * ((b2*x2 + b1)*x2 + b0) * ((c2*x3 + c1)*x3 + c0)", TEST_DATA "product.csv", parameters);
}

/// Runs `action`, which must throw an Error; gives its code and message.
template <typename Action>
std::pair<ExitCode, std::string> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  ADD_FAILURE() << "nothing was refused";
  return {ExitCode::done, ""};
}

}  // namespace atl::de::sample
