#include "som/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/counts.hpp"
#include "base/fnv.hpp"
#include "base/version.hpp"
#include "som/sweep_inputs.hpp"

namespace atl::som {
namespace {

/// Distances a thousandth of the data's width must still have squares of full precision, for maps to tell points apart.
constexpr double spread_in_squares = 1000;

template <typename T>
void add_values(Fnv& hash, const std::vector<T>& values) {
  hash.add_bytes(values.data(), values.size() * sizeof(T));
}

/// Paths are no part of it: a moved file is the same file, and what it holds is.
std::string identity_of(const Sweep& sweep, const data::Table& table) {
  std::string text = fmt::format("atoll = {}\n", version());
  for (const config::EffectiveValue& value : sweep.loaded.effective) {
    if (value.key == "data.file") continue;
    const bool from_file = (value.key == "som.initial" && !sweep.inputs.codebooks.empty()) ||
                           (value.key == "som.order" && !sweep.inputs.orders.empty());
    if (!from_file) text += fmt::format("{} = {}\n", value.key, value.value);
  }
  text += fmt::format("the data = {} points, {} columns, fingerprint {:016x}\n", table.rows, table.columns(),
                      data::fingerprint(table));
  if (!sweep.inputs.orders.empty()) {
    Fnv hash;
    add_values(hash, sweep.inputs.orders);
    text += fmt::format("som.order = a file, fingerprint {:016x}\n", hash.value());
  }
  if (!sweep.inputs.codebooks.empty()) {
    Fnv hash;
    for (const Codebook& codebook : sweep.inputs.codebooks) add_values(hash, codebook.values);
    text += fmt::format("som.initial = a file, fingerprint {:016x}\n", hash.value());
  }
  return text;
}

/// Smallest and largest value of a column that is present; every column has one.
std::pair<double, double> column_range(const ScaledData& data, std::size_t column) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t r = 0; r < data.rows; ++r) {
    const double value = data.values[r * data.columns() + column];
    if (std::isnan(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return {low, high};
}

/// Squared distances of single precision end near 1e38: beyond half of those digits every distance would be infinite.
void check_range(const Sweep& sweep, const std::string& source) {
  const ScaledData& data = sweep.inputs.data;
  const bool single = sweep.inputs.precision == config::Precision::real32;
  const double largest =
      std::sqrt((single ? static_cast<double>(std::numeric_limits<float>::max()) : std::numeric_limits<double>::max()) /
                static_cast<double>(data.columns())) /
      4;
  for (std::size_t i = 0; i < data.values.size(); ++i)
    if (std::abs(data.values[i]) > largest)
      fail(ExitCode::bad_data,
           "{}: row {}, column '{}': {} is too large for distances in {} precision; use data.scale = \"zscore\"{}",
           source, i / data.columns() + 1, data.names[i % data.columns()], data.values[i], single ? "single" : "double",
           single ? " or run.precision = \"double\"" : "");
}

/// Squares of differences this small are no longer held with all their digits, or are 0: every distance would be noise.
void check_spread(const Sweep& sweep, const std::string& source) {
  const ScaledData& data = sweep.inputs.data;
  const bool single = sweep.inputs.precision == config::Precision::real32;
  const double smallest =
      std::sqrt(single ? static_cast<double>(std::numeric_limits<float>::min()) : std::numeric_limits<double>::min());
  double widest = 0;
  for (std::size_t c = 0; c < data.columns(); ++c) {
    const auto [low, high] = column_range(data, c);
    widest = std::max(widest, high - low);
  }
  if (widest == 0 || widest >= smallest * spread_in_squares) return;
  fail(ExitCode::bad_data,
       "{}: no column is wider than {:.3g}: too little for distances in {} precision; use data.scale = \"zscore\"{}",
       source, widest, single ? "single" : "double", single ? " or run.precision = \"double\"" : "");
}

void note_initial(Sweep& sweep) {
  const config::SomTraining& training = sweep.loaded.settings.training;
  const ScaledData& data = sweep.inputs.data;
  if (training.initial == config::MapInitial::sample) {
    const auto larger = std::count_if(sweep.plan.maps.begin(), sweep.plan.maps.end(), [&](const MapSetting& map) {
      return static_cast<std::size_t>(map.neurons()) > data.rows;
    });
    if (larger > 0)
      sweep.notes.push_back(fmt::format("{} more neurons than there are points ({}): start weights repeat points",
                                        larger == 1 ? "1 map has" : counted(larger, "map") + " have", data.rows));
    return;
  }
  if (training.initial != config::MapInitial::uniform) return;
  for (std::size_t c = 0; c < data.columns(); ++c) {
    const auto [low, high] = column_range(data, c);
    if (training.uniform_high >= low && training.uniform_low <= high) continue;
    sweep.notes.push_back(
        fmt::format("som.initial: uniform:{}:{} misses column '{}', which spans {:.6g} to {:.6g} in the "
                    "space of the maps",
                    training.uniform_low, training.uniform_high, data.names[c], low, high));
  }
}

/// Whether anything of a map's training is drawn by chance.
bool random(const config::SomTraining& training) {
  const bool start = training.initial == config::MapInitial::sample || training.initial == config::MapInitial::uniform;
  const bool order = training.training == config::Training::online && training.order == config::SampleOrder::shuffled;
  return start || order;
}

void note_replicates(Sweep& sweep) {
  const config::SomSettings& settings = sweep.loaded.settings;
  if (settings.sweep.replicates > 1 && !random(settings.training))
    sweep.notes.push_back(
        fmt::format("nothing in this training is random, so the {} replicates are equal", settings.sweep.replicates));
}

template <typename T>
void append_weights(store::SomBatch& batch, const store::SomLayout& layout, const std::vector<double>& weights) {
  const std::size_t columns = layout.names.size();
  std::vector<T> values(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    values[i] = static_cast<T>(weights[i] * layout.scale[i % columns] + layout.offset[i % columns]);
  const std::size_t at = batch.weights.size();
  batch.weights.resize(at + values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(batch.weights.data() + at, values.data(), values.size() * sizeof(T));
}

}  // namespace

Sweep load_sweep(const std::string& path, const std::vector<config::Override>& overrides) {
  Sweep sweep;
  sweep.loaded = config::load_som(path, overrides);
  const config::SomSettings& settings = sweep.loaded.settings;
  sweep.plan = make_plan(settings.sweep);
  for (std::size_t s = 0; s < sweep.plan.settings(); ++s)
    check_trainable(sweep.plan.maps[s * sweep.plan.replicates], settings.training, settings.sweep.where);
  data::TableOptions options;
  options.columns = settings.data.columns;
  options.missing = settings.data.ignore_missing ? data::Missing::ignore : data::Missing::error;
  options.use = settings.data.use;
  const data::Table table = data::read_table(settings.data.file, options, settings.data.where);
  sweep.inputs.data = scale(table, settings.data, settings.training);
  sweep.inputs.training = settings.training;
  sweep.inputs.seed = settings.seed;
  sweep.inputs.precision = settings.precision;
  check_range(sweep, table.source);
  check_spread(sweep, table.source);
  sweep.inputs.codebooks = read_codebooks(settings.training, sweep.inputs.data, sweep.plan);
  sweep.inputs.orders = read_orders(settings.training, sweep.inputs.data, sweep.plan);
  sweep.notes = sweep.inputs.data.notes;
  note_initial(sweep);
  note_replicates(sweep);
  sweep.identity = identity_of(sweep, table);
  return sweep;
}

store::SomLayout layout_of(const Sweep& sweep) {
  const config::SomSettings& settings = sweep.loaded.settings;
  const ScaledData& data = sweep.inputs.data;
  store::SomLayout layout;
  layout.provenance.config = sweep.loaded.toml();
  layout.provenance.seed = settings.seed;
  layout.identity = sweep.identity;
  layout.names = data.names;
  layout.offset = data.offset;
  layout.scale = data.scale;
  layout.points = static_cast<std::int64_t>(data.rows);
  layout.weights = settings.store.weights;
  layout.assignments = settings.store.assignments;
  layout.hits = settings.store.hits;
  layout.double_weights = data.scaled || settings.precision == config::Precision::real64;
  layout.settings = sweep.plan.settings();
  layout.groups = sweep.plan.groups;
  const std::size_t maps = sweep.plan.maps.size();
  for (auto* const column : {&layout.maps.neurons, &layout.maps.rows, &layout.maps.columns, &layout.maps.epochs})
    column->reserve(maps);
  layout.maps.topology.reserve(maps);
  layout.maps.sigma.reserve(maps);
  layout.maps.eta.reserve(maps);
  layout.replicate.reserve(maps);
  layout.stream.reserve(maps);
  for (const MapSetting& map : sweep.plan.maps) {
    layout.maps.neurons.push_back(map.neurons());
    layout.maps.rows.push_back(map.rows);
    layout.maps.columns.push_back(map.columns);
    layout.maps.epochs.push_back(map.epochs);
    layout.maps.topology.emplace_back(config::name_of(map.topology));
    layout.maps.sigma.push_back(map.sigma);
    layout.maps.eta.push_back(map.eta);
    layout.replicate.push_back(map.replicate);
    layout.stream.push_back(stream_of(map));
  }
  return layout;
}

void pack_map(const store::SomLayout& layout, store::SomBatch& batch, std::int64_t index, const TrainedMap& map) {
  const Measures& m = map.measures;
  batch.index.push_back(index);
  batch.seconds.push_back(map.seconds);
  batch.measures.push_back({m.quantization_error, m.mean_squared_error, m.topographic_error, m.topographic_error_8,
                            m.distortion, m.kaski_lagus_error, m.explained_variance, m.empty_neurons, m.davies_bouldin,
                            m.calinski_harabasz, m.simplified_silhouette});
  if (layout.weights && layout.double_weights) append_weights<double>(batch, layout, map.weights);
  if (layout.weights && !layout.double_weights) append_weights<float>(batch, layout, map.weights);
  if (layout.assignments)
    batch.assignments.insert(batch.assignments.end(), map.assignments.begin(), map.assignments.end());
  if (layout.hits)
    for (const std::int64_t count : map.hits) batch.hits.push_back(static_cast<std::int32_t>(count));
}

}  // namespace atl::som
