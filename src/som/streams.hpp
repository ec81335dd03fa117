// Random numbers of a map: which stream is its own, and the orders and draws that come from it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "som/map.hpp"

namespace atl::som {

/// The points of one epoch in training order; what the kernels compute point by point.
[[nodiscard]] std::vector<std::uint32_t> epoch_order(std::uint64_t seed, std::uint64_t stream, std::uint32_t epoch,
                                                     std::uint32_t points);

/// The same from position `first` on, as many as `order` takes; first + its size <= points.
void part_of_epoch_order(std::uint64_t seed, std::uint64_t stream, std::uint32_t epoch, std::uint32_t points,
                         std::uint32_t first, std::span<std::uint32_t> order);

/// `count` distinct points in random order; with more than `points` the same ones follow again.
[[nodiscard]] std::vector<std::uint32_t> sample_points(std::uint64_t seed, std::uint64_t stream, std::size_t count,
                                                       std::uint32_t points);

/// `count` numbers uniform in [0, 1) with 53 random bits each.
[[nodiscard]] std::vector<double> uniform_numbers(std::uint64_t seed, std::uint64_t stream, std::size_t count);

}  // namespace atl::som
