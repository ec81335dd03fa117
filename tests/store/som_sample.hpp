// A small sweep whose every number says which map it belongs to.
#pragma once
#include <cstring>
#include <utility>
#include <vector>

#include "store/som_file.hpp"

namespace atl::test {

using store::SomBatch;
using store::SomLayout;
using store::SomMeasures;
using store::SomSuggestions;
using store::SomSummary;

/// Three settings (2, 3 and 4 neurons) of two replicates, 5 points of 2 columns.
inline SomLayout small_layout() {
  SomLayout layout;
  layout.provenance.config = "[run]\nseed = 1\n";
  layout.identity = "run.seed = 1\nsweep.neurons = \"2..4\"\n";
  layout.names = {"a", "b"};
  layout.offset = {0, 0};
  layout.scale = {1, 1};
  layout.points = 5;
  layout.settings = 3;
  layout.groups = 1;
  for (std::int64_t s = 0; s < 6; ++s) {
    layout.maps.neurons.push_back(2 + s / 2);
    layout.maps.rows.push_back(1);
    layout.maps.columns.push_back(2 + s / 2);
    layout.maps.epochs.push_back(10);
    layout.maps.topology.emplace_back("ring");
    layout.maps.sigma.push_back(5);
    layout.maps.eta.push_back(1);
    layout.replicate.push_back(s % 2);
    layout.stream.push_back(100 + static_cast<std::uint64_t>(s));
  }
  return layout;
}

inline float weight_of(std::int64_t map, std::size_t entry) {
  return static_cast<float>(map) + static_cast<float>(entry) / 100;
}

/// Maps whose every number says which map it belongs to.
inline SomBatch batch_of(const SomLayout& layout, const std::vector<std::int64_t>& maps) {
  SomBatch batch;
  batch.rank = 3;
  for (const std::int64_t map : maps) {
    const auto neurons = static_cast<std::size_t>(layout.maps.neurons[static_cast<std::size_t>(map)]);
    batch.index.push_back(map);
    batch.seconds.push_back(0.5);
    SomMeasures measures{};
    for (std::size_t m = 0; m < measures.size(); ++m)
      measures[m] = static_cast<double>(map) + static_cast<double>(m) / 10;
    batch.measures.push_back(measures);
    for (std::size_t i = 0; i < neurons * layout.names.size() && layout.weights; ++i) {
      const float value = weight_of(map, i);
      const std::size_t at = batch.weights.size();
      batch.weights.resize(at + sizeof value);
      std::memcpy(batch.weights.data() + at, &value, sizeof value);
    }
    for (std::int64_t p = 0; p < layout.points && layout.assignments; ++p)
      batch.assignments.push_back(static_cast<std::int32_t>(10 * map + p));
    for (std::size_t i = 0; i < neurons && layout.hits; ++i)
      batch.hits.push_back(static_cast<std::int32_t>(100 * map) + static_cast<std::int32_t>(i));
  }
  return batch;
}

/// Tables of the three settings, with plain numbers.
inline std::pair<SomSummary, SomSuggestions> small_summary() {
  SomSummary summary;
  summary.settings = {{2, 3, 4}, {1, 1, 1}, {2, 3, 4}, {10, 10, 10}, {"ring", "ring", "ring"}, {5, 5, 5}, {1, 1, 1}};
  summary.replicates = {2, 2, 2};
  for (int i = 0; i < 3; ++i) {
    SomMeasures row{};
    row.fill(i);
    summary.mean.push_back(row);
    summary.min.push_back(row);
    summary.std.push_back(row);
    summary.nan.push_back(row);
  }
  SomSuggestions suggestions{{{3}, {1}, {3}, {10}, {"ring"}, {5}, {1}}, {3}, {2}, {4}, {3}, {3}, {"because"}};
  return {summary, suggestions};
}

}  // namespace atl::test
