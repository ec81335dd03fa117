// The words of a problem file, in the order in which messages list them.
#pragma once
#include <array>

#include "config/de_settings.hpp"
#include "config/reader.hpp"

namespace atl::config {

inline constexpr std::array loss_names{
    Named<LossKind>{"absolute", LossKind::absolute},
    Named<LossKind>{"squared", LossKind::squared},
    Named<LossKind>{"huber", LossKind::huber},
    Named<LossKind>{"cauchy", LossKind::cauchy},
};
inline constexpr std::array bounds_names{
    Named<Bounds>{"midpoint", Bounds::midpoint},
    Named<Bounds>{"resample", Bounds::resample},
    Named<Bounds>{"reflect", Bounds::reflect},
    Named<Bounds>{"clip", Bounds::clip},
};
inline constexpr std::array initial_names{
    Named<Initial>{"latin_hypercube", Initial::latin_hypercube},
    Named<Initial>{"sobol", Initial::sobol},
    Named<Initial>{"halton", Initial::halton},
    Named<Initial>{"uniform", Initial::uniform},
};
inline constexpr std::array strategy_names{
    Named<Strategy>{"best1bin", Strategy::best1bin},
    Named<Strategy>{"best1exp", Strategy::best1exp},
    Named<Strategy>{"rand1bin", Strategy::rand1bin},
    Named<Strategy>{"rand1exp", Strategy::rand1exp},
    Named<Strategy>{"randtobest1bin", Strategy::randtobest1bin},
    Named<Strategy>{"randtobest1exp", Strategy::randtobest1exp},
    Named<Strategy>{"currenttobest1bin", Strategy::currenttobest1bin},
    Named<Strategy>{"currenttobest1exp", Strategy::currenttobest1exp},
    Named<Strategy>{"best2bin", Strategy::best2bin},
    Named<Strategy>{"best2exp", Strategy::best2exp},
    Named<Strategy>{"rand2bin", Strategy::rand2bin},
    Named<Strategy>{"rand2exp", Strategy::rand2exp},
};
inline constexpr std::array algorithm_names{
    Named<AlgorithmName>{"classic", AlgorithmName::classic},
    Named<AlgorithmName>{"jso", AlgorithmName::jso},
};
inline constexpr std::array topology_names{
    Named<Topology>{"unconnected", Topology::unconnected},
    Named<Topology>{"ring", Topology::ring},
    Named<Topology>{"bidirectional_ring", Topology::bidirectional_ring},
    Named<Topology>{"complete", Topology::complete},
};
inline constexpr std::array selection_names{
    Named<Selection>{"best", Selection::best},
    Named<Selection>{"random", Selection::random},
};
inline constexpr std::array replacement_names{
    Named<Replacement>{"worst_if_better", Replacement::worst_if_better},
    Named<Replacement>{"worst", Replacement::worst},
    Named<Replacement>{"random", Replacement::random},
};
inline constexpr std::array precision_names{
    Named<Precision>{"double", Precision::real64},
    Named<Precision>{"single", Precision::real32},
};

/// The words of one list, for messages.
template <typename E, std::size_t N>
[[nodiscard]] std::vector<std::string> words_of(const std::array<Named<E>, N>& names) {
  std::vector<std::string> words;
  words.reserve(N);
  for (const Named<E>& named : names) words.emplace_back(named.name);
  return words;
}

}  // namespace atl::config
