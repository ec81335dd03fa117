// What `atoll de` says on stdout: the summary of a search and the evaluation at the start values.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "de/problem.hpp"
#include "de/run.hpp"
#include "store/de_result.hpp"

namespace atl::cli {

/// Where --evaluate looks: the start values; where none is given the middle of the box (of ln x on a log scale).
struct StartPoint {
  std::vector<double> x;       // D
  std::vector<bool> from_box;  // no start was given: the middle
};
[[nodiscard]] StartPoint start_point(const de::Problem& problem);

struct EvaluationReport {
  std::optional<double> host;            // models and benchmarks
  std::optional<de::Evaluation> device;  // where there is one
  std::string device_name;
  std::string no_device;  // why there is none
};
[[nodiscard]] std::string evaluation_text(const de::Problem& problem, const StartPoint& start,
                                          const EvaluationReport& report);

/// The best point (its first 24 entries unless `verbose`), how the run ended, where it stands.
[[nodiscard]] std::string summary_text(const store::DeResult& result, const std::string& output, bool verbose);

}  // namespace atl::cli
