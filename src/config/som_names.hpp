// The words of a sweep file, one table each: reading, messages and attributes all use these.
#pragma once
#include <array>

#include "config/reader.hpp"
#include "config/som_settings.hpp"

namespace atl::config {

inline constexpr std::array<Named<MapTopology>, 6> map_topologies = {
    {{"line", MapTopology::line},
     {"ring", MapTopology::ring},
     {"rectangular", MapTopology::rectangular},
     {"hexagonal", MapTopology::hexagonal},
     {"rectangular_toroid", MapTopology::rectangular_toroid},
     {"hexagonal_toroid", MapTopology::hexagonal_toroid}}};
inline constexpr std::array<Named<Scaling>, 3> scalings = {
    {{"none", Scaling::none}, {"zscore", Scaling::zscore}, {"minmax", Scaling::minmax}}};
inline constexpr std::array<Named<Training>, 2> trainings = {
    {{"online", Training::online}, {"batch", Training::batch}}};
inline constexpr std::array<Named<SampleOrder>, 3> sample_orders = {
    {{"shuffled", SampleOrder::shuffled}, {"sequential", SampleOrder::sequential}, {"file", SampleOrder::file}}};
inline constexpr std::array<Named<Decay>, 7> decays = {{{"linear", Decay::linear},
                                                        {"linear_open", Decay::linear_open},
                                                        {"linear_to_zero", Decay::linear_to_zero},
                                                        {"linear_to", Decay::linear_to},
                                                        {"exponential", Decay::exponential},
                                                        {"asymptotic", Decay::asymptotic},
                                                        {"inverse", Decay::inverse}}};
inline constexpr std::array<Named<DecayPer>, 2> decay_pers = {{{"epoch", DecayPer::epoch}, {"step", DecayPer::step}}};
inline constexpr std::array<Named<Neighborhood>, 4> neighborhoods = {{{"gaussian", Neighborhood::gaussian},
                                                                      {"bubble", Neighborhood::bubble},
                                                                      {"triangle", Neighborhood::triangle},
                                                                      {"mexican_hat", Neighborhood::mexican_hat}}};
inline constexpr std::array<Named<MapInitial>, 4> map_initials = {{{"sample", MapInitial::sample},
                                                                   {"uniform", MapInitial::uniform},
                                                                   {"pca", MapInitial::pca},
                                                                   {"file", MapInitial::file}}};
inline constexpr std::array<Named<MapDistance>, 4> map_distances = {{{"euclidean", MapDistance::euclidean},
                                                                     {"manhattan", MapDistance::manhattan},
                                                                     {"chebyshev", MapDistance::chebyshev},
                                                                     {"cosine", MapDistance::cosine}}};

}  // namespace atl::config
