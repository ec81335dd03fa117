// The files that a sweep may bring besides its points: start weights and orders of the points.
#pragma once
#include <cstdint>
#include <vector>

#include "som/plan.hpp"
#include "som/scaling.hpp"
#include "som/trainer.hpp"

namespace atl::som {

/// Start weights of `som.initial = "file.h5:/path"`, brought into scaled space; sets `codebook` of every map. The path
/// is a dataset (neurons, columns) for maps of that size, or a group with `offset` and `values` as /weights of a
/// result: one codebook a map in sweep order where the sizes agree, else the first codebook of each map's size. Errors:
/// 66 missing, 65 with both shapes where they differ, or with the row and column of a value that is not finite.
[[nodiscard]] std::vector<Codebook> read_codebooks(const config::SomTraining& training, const ScaledData& data,
                                                   Plan& plan);

/// Orders of `som.order = "file.h5:/path"`: (epochs, points) from 0, cut to the longest training of the sweep. Errors
/// 65 where it is too short or a row is not a permutation.
[[nodiscard]] std::vector<std::int32_t> read_orders(const config::SomTraining& training, const ScaledData& data,
                                                    const Plan& plan);

}  // namespace atl::som
