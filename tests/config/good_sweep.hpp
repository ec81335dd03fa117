// A sweep file with every key; points.csv has the columns a, b and c.
#pragma once

namespace atl::test {

inline constexpr const char* good_sweep = R"(# every key
[data]
file = "points.csv"
use = ["a", 2]
scale = "zscore"
missing = "ignore"

[sweep]
neurons = ["2..16:2", 19]
shapes = ["8x8", "10x12"]
sigma = [5.0, "n/2"]
eta = [1, 0.5]
epochs = [149, 20]
topology = ["ring", "line", "hexagonal_toroid"]
replicates = 3

[som]
training = "online"
order = "shuffled"
decay = { sigma = "exponential", eta = "linear_to" }
decay_per = "step"
sigma_end = 0.5
eta_end = 0.01
neighborhood = "gaussian"
initial = "uniform:-0.5:0.5"
distance = "manhattan"

[run]
seed = 7
precision = "double"
store = ["weights", "hits"]
)";

}  // namespace atl::test
