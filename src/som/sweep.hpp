// A sweep ready to run: settings, points, plan and start weights, read and checked.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "config/som_settings.hpp"
#include "som/plan.hpp"
#include "som/scaling.hpp"
#include "som/trainer.hpp"
#include "store/som_layout.hpp"

namespace atl::som {

struct Sweep {
  config::LoadedSom loaded;
  Plan plan;
  TrainerInputs inputs;            // points, codebooks, orders; moved into the trainer
  std::string identity;            // everything that decides the maps, a "key = value" line each
  std::vector<std::string> notes;  // worth telling: columns centred, start weights beside the data
};

/// Reads the sweep file and all it names, and checks it all; errors 65, 66 and 78 with the place. Not collective.
[[nodiscard]] Sweep load_sweep(const std::string& path, const std::vector<config::Override>& overrides);

/// The layout of the result file.
[[nodiscard]] store::SomLayout layout_of(const Sweep& sweep);

/// Adds a trained map to a batch: in the data's own units and the precision of the file.
void pack_map(const store::SomLayout& layout, store::SomBatch& batch, std::int64_t index, const TrainedMap& map);

}  // namespace atl::som
