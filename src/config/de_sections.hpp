// The tables of a problem file, one function each; they record effective values in the order in which they are called.
#pragma once
#include "config/de_settings.hpp"
#include "config/reader.hpp"

namespace atl::config {

inline constexpr std::int64_t most_evaluations = 1'000'000'000'000'000;  // an island
inline constexpr std::int64_t most_generations = 4'294'967'295;          // the random streams count them in 32 bits
inline constexpr std::int64_t most_members = 1'000'000;                  // an island
inline constexpr std::int64_t most_islands = 10'000'000;
inline constexpr std::int64_t most_complete_islands = 4096;  // every island sends to every other
inline constexpr std::int64_t most_dimensions = 100'000;     // entries of x

[[nodiscard]] ProblemSettings read_problem(Reader& reader);  // without constants and parameters
[[nodiscard]] std::vector<Constant> read_constants(Reader& reader, ProblemKind kind);
[[nodiscard]] std::vector<Parameter> read_parameters(Reader& reader);
[[nodiscard]] AlgorithmSettings read_algorithm(Reader& reader);
[[nodiscard]] IslandSettings read_islands(Reader& reader);
[[nodiscard]] MigrationSettings read_migration(Reader& reader, const IslandSettings& islands);
[[nodiscard]] StopSettings read_stop(Reader& reader);
[[nodiscard]] RunSettings read_run(Reader& reader);

/// Refuses boxes that only a double can hold.
void check_single_precision(const Reader& reader, const std::vector<Parameter>& parameters);

}  // namespace atl::config
