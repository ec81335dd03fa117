// Trained maps in and out of the sweep's file: what a map's bytes are, and its checksum over them.
#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "store/som_checksum.hpp"
#include "store/som_file.hpp"

namespace atl::store {
namespace {

// Rows of /runs that lie closer together than this go out in one write: what is between them is known anyway.
constexpr std::size_t row_gap = 512;

/// Calls write(first, last) for every run of rows in sorted `rows` whose gaps are at most `gap`; `last` is behind it.
template <typename Write>
void for_each_run(const std::vector<std::size_t>& rows, std::size_t gap, Write write) {
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin + 1;
    while (end < rows.size() && rows[end] - rows[end - 1] <= gap) ++end;
    write(rows[begin], rows[end - 1] + 1);
    begin = end;
  }
}

}  // namespace

void SomFile::write(const SomBatch& batch) {
  const std::size_t count = batch.index.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return batch.index[a] < batch.index[b]; });
  std::vector<std::size_t> touched;
  for (const std::size_t i : order) {
    const auto map = static_cast<std::size_t>(batch.index[i]);
    if (batch.index[i] < 0 || map >= layout_->size()) fail(ExitCode::internal, "there is no map {}", batch.index[i]);
    touched.push_back(map);
    seconds_[map] = batch.seconds[i];
    rank_[map] = batch.rank;
    measures_[map] = batch.measures[i];
  }
  put_arrays(batch, order);
  for (const std::size_t map : touched) state_[map] = 1;
  put_runs(touched);
  start_flush();
}

/// Weights, assignments and hits, maps that are neighbours in the file in one write; and their checksums.
void SomFile::put_arrays(const SomBatch& batch, const std::vector<std::size_t>& order) {
  const std::size_t row_bytes = layout_->names.size() * layout_->weight_bytes();
  const auto points = static_cast<std::size_t>(layout_->points);
  std::vector<std::size_t> first(batch.index.size() + 1, 0);  // neurons before each map of the batch
  for (std::size_t i = 0; i < batch.index.size(); ++i)
    first[i + 1] = first[i] + neurons(static_cast<std::size_t>(batch.index[i]));
  const std::size_t total = first.back();
  if (batch.weights.size() != (layout_->weights ? total * row_bytes : 0) ||
      batch.hits.size() != (layout_->hits ? total : 0) ||
      batch.assignments.size() != (layout_->assignments ? batch.index.size() * points : 0))
    fail(ExitCode::internal, "a batch of {} maps has arrays of the wrong length", batch.index.size());

  for (std::size_t begin = 0; begin < order.size();) {
    // Neighbours in the sweep that are neighbours in the batch too need no copy.
    std::size_t end = begin + 1;
    while (end < order.size() && order[end] == order[end - 1] + 1 &&
           batch.index[order[end]] == batch.index[order[end - 1]] + 1)
      ++end;
    const std::size_t place = order[begin];
    const auto map = static_cast<std::size_t>(batch.index[place]);
    const std::size_t from = first[place];
    const std::size_t many = first[order[end - 1] + 1] - from;
    if (layout_->weights)
      put("/weights/values", first_neuron_[map] * row_bytes, batch.weights.data() + from * row_bytes, many * row_bytes);
    if (layout_->hits)
      put("/hits/values", first_neuron_[map] * sizeof(std::int32_t), batch.hits.data() + from,
          many * sizeof(std::int32_t));
    if (layout_->assignments)
      put("/assignments", map * points * sizeof(std::int32_t), batch.assignments.data() + place * points,
          (end - begin) * points * sizeof(std::int32_t));
    begin = end;
  }
  for (std::size_t i = 0; i < batch.index.size(); ++i) {
    const auto map = static_cast<std::size_t>(batch.index[i]);
    std::uint64_t sum = checksum(&batch.measures[i], sizeof(SomMeasures), layout_->stream[map]);
    if (layout_->weights) sum = checksum(batch.weights.data() + first[i] * row_bytes, neurons(map) * row_bytes, sum);
    if (layout_->hits) sum = checksum(batch.hits.data() + first[i], neurons(map) * sizeof(std::int32_t), sum);
    if (layout_->assignments) sum = checksum(batch.assignments.data() + i * points, points * sizeof(std::int32_t), sum);
    checksum_[map] = sum;
  }
}

/// The rows of /runs, columns of the state last.
void SomFile::put_runs(const std::vector<std::size_t>& touched) {
  std::vector<double> column;
  for_each_run(touched, row_gap, [&](std::size_t first, std::size_t last) {
    const std::size_t count = last - first;
    put("/runs/seconds", first * sizeof(double), &seconds_[first], count * sizeof(double));
    put("/runs/rank", first * sizeof(std::int32_t), &rank_[first], count * sizeof(std::int32_t));
    column.resize(count);
    for (std::size_t m = 0; m < som_measures.size(); ++m) {
      for (std::size_t i = 0; i < count; ++i) column[i] = measures_[first + i][m];
      put(std::string("/runs/") + som_measures[m], first * sizeof(double), column.data(), count * sizeof(double));
    }
    put("/runs/checksum", first * sizeof(std::uint64_t), &checksum_[first], count * sizeof(std::uint64_t));
    put("/runs/state", first, &state_[first], count);
  });
}

std::uint64_t SomFile::checksum_on_disk(std::size_t map, std::vector<std::byte>& buffer) const {
  const std::size_t row_bytes = layout_->names.size() * layout_->weight_bytes();
  const auto points = static_cast<std::size_t>(layout_->points);
  std::uint64_t sum = checksum(&measures_[map], sizeof(SomMeasures), layout_->stream[map]);
  const auto add = [&](const char* dataset, std::size_t at, std::size_t bytes) {
    buffer.resize(bytes);
    get(dataset, at, buffer.data(), bytes);
    sum = checksum(buffer.data(), bytes, sum);
  };
  if (layout_->weights) add("/weights/values", first_neuron_[map] * row_bytes, neurons(map) * row_bytes);
  if (layout_->hits)
    add("/hits/values", first_neuron_[map] * sizeof(std::int32_t), neurons(map) * sizeof(std::int32_t));
  if (layout_->assignments) add("/assignments", map * points * sizeof(std::int32_t), points * sizeof(std::int32_t));
  return sum;
}

/// What reopen() finds: the tables of /runs, and which maps are whole.
void SomFile::read_runs() {
  const std::size_t maps = layout_->size();
  get("/runs/state", 0, state_.data(), maps);
  get("/runs/checksum", 0, checksum_.data(), maps * sizeof(std::uint64_t));
  get("/runs/seconds", 0, seconds_.data(), maps * sizeof(double));
  get("/runs/rank", 0, rank_.data(), maps * sizeof(std::int32_t));
  std::vector<double> column(maps);
  for (std::size_t m = 0; m < som_measures.size(); ++m) {
    get(std::string("/runs/") + som_measures[m], 0, column.data(), maps * sizeof(double));
    for (std::size_t map = 0; map < maps; ++map) measures_[map][m] = column[map];
  }
  std::vector<std::byte> buffer;
  for (std::size_t map = 0; map < maps; ++map) {
    if (state_[map] != 0 && (state_[map] != 1 || checksum_on_disk(map, buffer) != checksum_[map])) {
      ++damaged_;
      state_[map] = 0;
    }
    if (state_[map] == 0) rank_[map] = -1;
  }
  put("/runs/state", 0, state_.data(), maps);
}

void SomFile::write(const SomSummary& summary, const SomSuggestions& suggestions) {
  put_columns("/summary/", summary.settings);
  const auto column = [&](const std::string& name, const std::vector<std::int64_t>& values) {
    put(name, 0, values.data(), values.size() * sizeof(std::int64_t));
  };
  column("/summary/replicates", summary.replicates);
  std::vector<double> values(summary.replicates.size());
  const auto measures = [&](const char* suffix, const std::vector<SomMeasures>& rows) {
    for (std::size_t m = 0; m < som_measures.size(); ++m) {
      for (std::size_t i = 0; i < rows.size(); ++i) values[i] = rows[i][m];
      put(fmt::format("/summary/{}{}", som_measures[m], suffix), 0, values.data(), values.size() * sizeof(double));
    }
  };
  measures("_mean", summary.mean);
  measures("_min", summary.min);
  measures("_std", summary.std);
  measures("_nan", summary.nan);
  const std::string group = "/summary/suggestion/";
  put_columns(group, suggestions.groups);
  column(group + "elbow", suggestions.elbow);
  column(group + "topographic", suggestions.topographic);
  column(group + "variance", suggestions.variance);
  column(group + "davies_bouldin", suggestions.davies_bouldin);
  column(group + "agreeing", suggestions.agreeing);
  put_texts(group + "reason", SomType::text600, suggestions.reason);
}

}  // namespace atl::store
