#include "som/som_reference.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "som/initial.hpp"
#include "som/streams.hpp"

namespace atl::som {
namespace {

using config::Decay;
using config::MapTopology;
using config::Neighborhood;
constexpr double infinity = std::numeric_limits<double>::infinity();

bool hexagonal(MapTopology t) {
  return t == MapTopology::hexagonal || t == MapTopology::hexagonal_toroid;
}
bool toroid(MapTopology t) {
  return t == MapTopology::rectangular_toroid || t == MapTopology::hexagonal_toroid;
}

double distance2_on_map(const MapSetting& map, int i, int j) {
  const int n = map.neurons();
  if (map.topology == MapTopology::line) return std::pow(i - j, 2);
  if (map.topology == MapTopology::ring) return std::pow(std::min(std::abs(i - j), n - std::abs(i - j)), 2);
  const int r1 = i / map.columns;
  const int r2 = j / map.columns;
  double x1 = i % map.columns;
  double x2 = j % map.columns;
  if (hexagonal(map.topology)) {
    x1 += 0.5 * (r1 % 2);
    x2 += 0.5 * (r2 % 2);
  }
  double dx = std::abs(x1 - x2);
  double dy = std::abs(r1 - r2);
  if (toroid(map.topology)) {
    dx = std::min(dx, std::abs(map.columns - dx));
    dy = std::min(dy, map.rows - dy);
  }
  return dx * dx + (hexagonal(map.topology) ? 0.75 : 1.0) * dy * dy;
}

double decay(Decay kind, double p, double q, double e, double count) {
  switch (kind) {
    case Decay::linear:
      return p * (1 - e / count);
    case Decay::linear_open:
      return p * (1 - (e + 1) / (count + 2));
    case Decay::linear_to_zero:
      return count > 1 ? p * (1 - e / (count - 1)) : p;
    case Decay::linear_to:
      return count > 1 ? p + (q - p) * e / (count - 1) : p;
    case Decay::exponential:
      return p * std::pow(q / p, e / count);
    case Decay::asymptotic:
      return p / (1 + e / (count / 2));
    case Decay::inverse:
      return p * (count / 100) / (count / 100 + e);
  }
  return p;
}

double influence(Neighborhood kind, double d2, double sigma) {
  if (sigma * sigma == 0) return d2 == 0 ? 1 : 0;
  const double d = std::sqrt(d2);
  switch (kind) {
    case Neighborhood::gaussian:
      return std::exp(-d2 / (2 * sigma * sigma));
    case Neighborhood::bubble:
      return d <= sigma ? 1 : 0;
    case Neighborhood::triangle:
      return std::max(0.0, 1 - d / sigma);
    case Neighborhood::mexican_hat:
      return (1 - d2 / (sigma * sigma)) * std::exp(-d2 / (2 * sigma * sigma));
  }
  return 0;
}

bool all_missing(const double* x, std::size_t columns) {
  return std::all_of(x, x + columns, [](double v) { return std::isnan(v); });
}

struct Winners {
  int first = -1, second = -1;
  double distance = infinity;
};

Winners winners(const TrainerInputs& inputs, const double* x, const std::vector<double>& w) {
  const std::size_t m = inputs.data.columns();
  Winners found;
  if (all_missing(x, m)) return found;
  double second_distance = infinity;
  for (int j = 0; j < static_cast<int>(w.size() / m); ++j) {
    const double d = reference_distance(inputs.training.distance, x, &w[j * m], m);
    if (d < found.distance || found.first < 0) {
      found.second = found.first;
      second_distance = found.distance;
      found.first = j;
      found.distance = d;
    } else if (d < second_distance || found.second < 0) {
      found.second = j;
      second_distance = d;
    }
  }
  return found;
}

std::vector<std::uint32_t> order_of(const MapSetting& map, const TrainerInputs& inputs, int epoch) {
  const auto n = static_cast<std::uint32_t>(inputs.data.rows);
  if (inputs.training.order == config::SampleOrder::shuffled)
    return epoch_order(inputs.seed, stream_of(map), static_cast<std::uint32_t>(epoch), n);
  std::vector<std::uint32_t> order(n);
  for (std::uint32_t i = 0; i < n; ++i)
    order[i] = inputs.training.order == config::SampleOrder::sequential
                   ? i
                   : static_cast<std::uint32_t>(inputs.orders[static_cast<std::size_t>(epoch) * n + i]);
  return order;
}

double sigma_of(const MapSetting& map, const TrainerInputs& inputs, double e, double count) {
  return decay(inputs.training.sigma_decay, map.sigma, inputs.training.sigma_end.value_or(0), e, count);
}

double eta_of(const MapSetting& map, const TrainerInputs& inputs, double e, double count) {
  return decay(inputs.training.eta_decay, map.eta, inputs.training.eta_end.value_or(0), e, count);
}

void online(const MapSetting& map, const TrainerInputs& inputs, std::vector<double>& w) {
  const std::size_t m = inputs.data.columns();
  const bool per_step = inputs.training.decay_per == config::DecayPer::step;
  const double count = map.epochs * (per_step ? static_cast<double>(inputs.data.rows) : 1.0);
  double step = 0;
  for (int epoch = 0; epoch < map.epochs; ++epoch)
    for (const std::uint32_t point : order_of(map, inputs, epoch)) {
      const double e = per_step ? step : epoch;
      step += 1;
      const double* x = &inputs.data.values[point * m];
      const int winner = winners(inputs, x, w).first;
      if (winner < 0) continue;
      const double sigma = sigma_of(map, inputs, e, count);
      const double eta = eta_of(map, inputs, e, count);
      for (int j = 0; j < map.neurons(); ++j) {
        const double h = influence(inputs.training.neighborhood, distance2_on_map(map, winner, j), sigma);
        for (std::size_t c = 0; c < m; ++c)
          if (!std::isnan(x[c])) w[j * m + c] += eta * h * (x[c] - w[j * m + c]);
      }
    }
}

void batch(const MapSetting& map, const TrainerInputs& inputs, std::vector<double>& w) {
  const std::size_t m = inputs.data.columns();
  for (int epoch = 0; epoch < map.epochs; ++epoch) {
    const double sigma = sigma_of(map, inputs, epoch, map.epochs);
    const double eta = eta_of(map, inputs, epoch, map.epochs);
    std::vector<double> above(w.size(), 0.0);
    std::vector<double> below(w.size(), 0.0);
    for (std::size_t i = 0; i < inputs.data.rows; ++i) {
      const double* x = &inputs.data.values[i * m];
      const int winner = winners(inputs, x, w).first;
      if (winner < 0) continue;
      for (int j = 0; j < map.neurons(); ++j) {
        const double h = influence(inputs.training.neighborhood, distance2_on_map(map, winner, j), sigma);
        for (std::size_t c = 0; c < m; ++c) {
          if (std::isnan(x[c])) continue;
          above[j * m + c] += h * x[c];
          below[j * m + c] += h;
        }
      }
    }
    for (std::size_t i = 0; i < w.size(); ++i)
      if (below[i] > 0) w[i] += eta * (above[i] / below[i] - w[i]);
  }
}

bool neighbors(const MapSetting& map, int i, int j, bool diagonals) {
  const double d2 = distance2_on_map(map, i, j);
  const bool rectangular = map.topology == MapTopology::rectangular || map.topology == MapTopology::rectangular_toroid;
  return d2 == 1 || (diagonals && rectangular && d2 == 2);
}

/// Dijkstra over map neighbors; edges are distances in data space.
std::vector<double> paths_from(const MapSetting& map, const TrainerInputs& inputs, const std::vector<double>& w,
                               int source) {
  const std::size_t m = inputs.data.columns();
  std::vector<double> way(static_cast<std::size_t>(map.neurons()), infinity);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  way[source] = 0;
  queue.emplace(0.0, source);
  while (!queue.empty()) {
    const auto [length, i] = queue.top();
    queue.pop();
    if (length > way[i]) continue;
    for (int j = 0; j < map.neurons(); ++j) {
      if (j == i || !neighbors(map, i, j, false)) continue;
      const double next = length + reference_distance(inputs.training.distance, &w[i * m], &w[j * m], m);
      if (next >= way[j]) continue;
      way[j] = next;
      queue.emplace(next, j);
    }
  }
  return way;
}

double euclidean2(const double* x, const double* w, std::size_t m) {
  double sum = 0;
  for (std::size_t c = 0; c < m; ++c)
    if (!std::isnan(x[c])) sum += (x[c] - w[c]) * (x[c] - w[c]);
  return sum;
}

}  // namespace

double reference_distance(config::MapDistance distance, const double* x, const double* w, std::size_t columns) {
  double sum = 0;
  double xw = 0;
  double xx = 0;
  double ww = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    if (std::isnan(x[c])) continue;
    const double d = std::abs(x[c] - w[c]);
    if (distance == config::MapDistance::euclidean) sum += d * d;
    if (distance == config::MapDistance::manhattan) sum += d;
    if (distance == config::MapDistance::chebyshev) sum = std::max(sum, d);
    xw += x[c] * w[c];
    xx += x[c] * x[c];
    ww += w[c] * w[c];
  }
  if (distance == config::MapDistance::euclidean) return std::sqrt(sum);
  if (distance != config::MapDistance::cosine) return sum;
  return xx * ww > 0 ? std::max(0.0, 1 - xw / std::sqrt(xx * ww)) : 1.0;
}

TrainedMap reference_measures(const MapSetting& map, const TrainerInputs& inputs, const std::vector<double>& w,
                              double sigma) {
  const std::size_t m = inputs.data.columns();
  const int neurons = map.neurons();
  TrainedMap result;
  result.weights = w;
  result.hits.assign(static_cast<std::size_t>(neurons), 0);
  std::vector<Winners> found;
  std::vector<double> sums(w.size(), 0.0);
  std::vector<double> cells(w.size(), 0.0);
  for (std::size_t i = 0; i < inputs.data.rows; ++i) {
    const double* x = &inputs.data.values[i * m];
    found.push_back(winners(inputs, x, w));
    result.assignments.push_back(found.back().first);
    if (found.back().first < 0) continue;
    ++result.hits[found.back().first];
    for (std::size_t c = 0; c < m; ++c)
      if (!std::isnan(x[c])) {
        sums[found.back().first * m + c] += x[c];
        cells[found.back().first * m + c] += 1;
      }
  }
  for (std::size_t i = 0; i < w.size(); ++i) sums[i] /= std::max(1.0, cells[i]);  // now the means
  const std::vector<double> center = column_means(inputs.data);

  double points = 0;
  double total = 0;
  double within = 0;
  Measures s{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  std::vector<double> spread(static_cast<std::size_t>(neurons), 0.0);
  for (std::size_t i = 0; i < inputs.data.rows; ++i) {
    const double* x = &inputs.data.values[i * m];
    const auto [b, b2, d] = found[i];
    if (b < 0) continue;
    points += 1;
    total += euclidean2(x, center.data(), m);
    within += euclidean2(x, &sums[b * m], m);
    spread[b] += std::sqrt(euclidean2(x, &sums[b * m], m)) / static_cast<double>(result.hits[b]);
    s.quantization_error += d;
    s.mean_squared_error += euclidean2(x, &w[b * m], m);
    for (int k = 0; k < neurons; ++k)
      s.distortion +=
          influence(inputs.training.neighborhood, distance2_on_map(map, b, k), sigma) * euclidean2(x, &w[k * m], m);
    s.kaski_lagus_error += d;
    if (neurons == 1) continue;
    s.topographic_error += neighbors(map, b, b2, false) ? 0 : 1;
    s.topographic_error_8 += neighbors(map, b, b2, true) ? 0 : 1;
    s.kaski_lagus_error += paths_from(map, inputs, w, b)[b2];
    double other = infinity;
    for (int k = 0; k < neurons; ++k)
      if (k != b && result.hits[k] > 0)
        other = std::min(other, reference_distance(inputs.training.distance, x, &w[k * m], m));
    if (std::isfinite(other) && std::max(other, d) > 0) s.simplified_silhouette += (other - d) / std::max(other, d);
  }
  int used = 0;
  double between = 0;
  double similarity = 0;
  for (int k = 0; k < neurons; ++k) {
    if (result.hits[k] == 0) continue;
    ++used;
    double worst = 0;
    for (std::size_t c = 0; c < m; ++c) between += cells[k * m + c] * std::pow(sums[k * m + c] - center[c], 2);
    for (int j = 0; j < neurons; ++j) {
      if (j == k || result.hits[j] == 0) continue;
      double apart = 0;
      for (std::size_t c = 0; c < m; ++c)
        if (cells[k * m + c] > 0 && cells[j * m + c] > 0) apart += std::pow(sums[k * m + c] - sums[j * m + c], 2);
      apart = std::sqrt(apart);
      if (apart > 0) worst = std::max(worst, (spread[k] + spread[j]) / apart);
    }
    similarity += worst;
  }
  Measures& r = result.measures;
  r.quantization_error = s.quantization_error / points;
  r.mean_squared_error = s.mean_squared_error / points;
  r.topographic_error = s.topographic_error / points;
  r.topographic_error_8 = s.topographic_error_8 / points;
  r.distortion = s.distortion / points;
  r.kaski_lagus_error = s.kaski_lagus_error / points;
  if (total > 0) r.explained_variance = 1 - s.mean_squared_error / total;
  r.empty_neurons = neurons - used;
  if (used < 2) return result;
  r.davies_bouldin = similarity / used;
  r.simplified_silhouette = s.simplified_silhouette / points;
  if (within > 0 && points > used) r.calinski_harabasz = between / (used - 1) / (within / (points - used));
  return result;
}

TrainedMap reference_map(const MapSetting& map, const TrainerInputs& inputs) {
  PrincipalComponents components;
  if (inputs.training.initial == config::MapInitial::pca)
    components = principal_components(inputs.data);
  else
    components.mean = column_means(inputs.data);
  std::vector<double> w = initial_weights(map, inputs, components);
  const bool per_step = inputs.training.decay_per == config::DecayPer::step;
  const double count = map.epochs * (per_step ? static_cast<double>(inputs.data.rows) : 1.0);
  if (inputs.training.training == config::Training::online)
    online(map, inputs, w);
  else
    batch(map, inputs, w);
  return reference_measures(map, inputs, w, sigma_of(map, inputs, count - 1, count));
}

}  // namespace atl::som
