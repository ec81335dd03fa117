// A problem file with every key, and the same with the keys of the other kinds.
#pragma once

namespace atl::test {

inline constexpr const char* good_problem = R"(# every key
[problem]
model  = "k * a1*x1 + a0 + p[0]"
data   = "sub/../tables.h5:/group/set"
target = "y"
loss   = "huber:1.5"
weight = "w"
columns = ["x1", "y", "w"]

[constants]
k = 2
tiny = 1e-9

[parameters]
zeta = [-20, 20]
a1 = { min = -20, max = 20 }
a0 = { min = 1e-9, max = 1e3, scale = "log", start = 1 }
n  = { min = 0, max = 7, integer = true, start = 3 }
c  = { value = 3.5 }
d  = [2, 2]
p  = { min = -5, max = 5, size = 3, start = [1, 2, 3.5] }
q  = { min = 0, max = 1, size = 2, start = 0.2, scale = "linear" }
v  = { value = 1, size = 4 }
b.min = -1
b.max = 1
[parameters.last]
min = 0
max = 1

[algorithm]
name = "classic"
population = 128
bounds = "reflect"
initial = "start.h5:/x"
strategy = "rand2exp"
differential_weight = [0.4, 0.9]
crossover_probability = 0.25

[islands]
count = 16

[migration]
topology = "bidirectional_ring"
interval = 20
first = 200
migrants = 2
selection = "random"
replacement = "worst"
mode = "synchronous"

[stop]
evaluations = 80_000
generations = 1e3
value_to_reach = -1.5
time = "11h30m"
stagnation = "50 generations"
tolerance = { relative = 0.01, absolute = 1e-6 }

[run]
seed = 42
precision = "single"
polish = false
)";

inline constexpr const char* small_problem = "[problem]\nbenchmark = \"sphere\"\n[parameters]\na = [-1, 1]\n";

}  // namespace atl::test
