#include "config/som_names.hpp"

#include <algorithm>

namespace atl::config {
namespace {

template <typename E, std::size_t N>
const char* look_up(E value, const std::array<Named<E>, N>& names) {
  for (const Named<E>& named : names)
    if (named.value == value) return named.name;
  return "?";
}

}  // namespace

const char* name_of(MapTopology value) {
  return look_up(value, map_topologies);
}
const char* name_of(Scaling value) {
  return look_up(value, scalings);
}
const char* name_of(Training value) {
  return look_up(value, trainings);
}
const char* name_of(SampleOrder value) {
  return look_up(value, sample_orders);
}
const char* name_of(Decay value) {
  return look_up(value, decays);
}
const char* name_of(DecayPer value) {
  return look_up(value, decay_pers);
}
const char* name_of(Neighborhood value) {
  return look_up(value, neighborhoods);
}
const char* name_of(MapInitial value) {
  return look_up(value, map_initials);
}
const char* name_of(MapDistance value) {
  return look_up(value, map_distances);
}

bool is_grid(MapTopology topology) {
  return topology != MapTopology::line && topology != MapTopology::ring;
}

bool is_toroid(MapTopology topology) {
  return topology == MapTopology::rectangular_toroid || topology == MapTopology::hexagonal_toroid;
}

bool has_end(Decay decay) {
  return decay == Decay::linear_to || decay == Decay::exponential;
}

double SigmaSetting::of(const MapShape& shape) const {
  return divisor > 0 ? static_cast<double>(std::max(shape.rows, shape.columns)) / divisor : value;
}

}  // namespace atl::config
