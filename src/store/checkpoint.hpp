// The state of a search on disk: an HDF5 image behind a header of 512 bytes that is verified before HDF5 sees a byte,
// because HDF5 does not notice flipped bits. h5py and h5dump read the file as it is: for HDF5 the header is a user
// block.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace atl::store {

/// All that a search needs to go on with the same bits, in the order of the islands, whatever ranks held them. Reals
/// of the islands are bytes in the working precision: a conversion could lose the payload of a NaN.
struct DeCheckpoint {
  std::string identity;  // lines "key = value": what must be the same to go on
  std::string config;    // effective TOML, for people
  std::string saved;     // ISO 8601, UTC
  bool kept = false;     // the search came to its planned end behind it; this is what it can be extended from

  bool single = false;                                   // reals are float32
  std::int64_t islands = 0, free = 0;                    // I, searched coordinates
  std::int64_t members = 0, archive = 0, memory = 0;     // current population; slots of archive and memories
  std::optional<double> value_to_reach;                  // of which the counters tell
  std::int64_t schedule = 0;                             // evaluations over which a population shrinks
  std::int64_t generation = 0, evaluations = 0;          // evaluations of an island
  double seconds = 0;                                    // of search, over all legs
  std::vector<std::byte> populations, energies;          // [I][free][members], [I][members]
  std::vector<std::byte> archives, memories;             // [I][free][archive] or empty, [I][2][memory]
  std::vector<std::int64_t> counters;                    // [I][counters_an_island]
  static constexpr std::int64_t counters_an_island = 6;  // members, archived, memory position, nan, inf, reached

  std::vector<std::int64_t> history_generation, history_evaluations;                                  // T
  std::vector<double> history_seconds, history_best, history_mean, history_std, history_island_best;  // T, T * I
  std::int64_t history_stride = 1, history_seen = 0;
  bool history_last_is_extra = false;

  std::vector<std::int64_t> migration_generation, migration_source, migration_destination;  // M
  std::vector<double> migration_energy, migration_points;                                   // M, M * free or empty
  std::int64_t migrations_accepted = 0;

  bool best_seen = false;
  double best = 0;
  std::int64_t improved = 0;  // generation of the last better energy
};

/// NAME.checkpoint.h5 and NAME.checkpoint.previous.h5 beside NAME.h5.
struct CheckpointPaths {
  std::string newest, previous;
};
[[nodiscard]] CheckpointPaths checkpoint_paths(const std::string& output);

/// True when one of the two generations is there, valid or not.
[[nodiscard]] bool checkpoint_exists(const CheckpointPaths& paths);

/// The whole file. Uses HDF5: no other thread may do so meanwhile.
[[nodiscard]] std::vector<std::byte> checkpoint_bytes(const DeCheckpoint& checkpoint);

/// Bytes of such a file without its history and migrations, to a few KiB.
[[nodiscard]] std::uint64_t checkpoint_size(std::uint64_t islands, std::uint64_t free, std::uint64_t members,
                                            std::uint64_t archive, std::uint64_t memory, bool single);

/// Writes a new generation: first whole and on the disk beside the others, then the newest becomes the previous one.
/// Whatever fails or dies, one complete generation stays. Errors 74.
void write_checkpoint(const CheckpointPaths& paths, std::span<const std::byte> bytes);

/// Errors: 66 when the file is not there, 65 when it is damaged, foreign or of a later version, with the reason.
[[nodiscard]] DeCheckpoint read_checkpoint(const std::string& path);

/// The newest valid generation; what is wrong with a newer one is told in `warning`. Nothing when neither is there.
/// Error 65 when none of those that are there is valid.
struct FoundCheckpoint {
  DeCheckpoint checkpoint;
  std::string path, warning;
};
[[nodiscard]] std::optional<FoundCheckpoint> find_checkpoint(const CheckpointPaths& paths);

/// Removes both generations and what a killed run left of a half-written file beside `output`.
void remove_checkpoints(const std::string& output);
/// Leaves only the newest generation, if it is there.
void keep_newest_checkpoint(const std::string& output);
/// Only the half-written files.
void remove_leftovers(const std::string& output);

}  // namespace atl::store
