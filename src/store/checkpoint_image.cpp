// A checkpoint as HDF5: what is where in the image, and what must fit together.
#include <limits>

#include "base/error.hpp"
#include "base/version.hpp"
#include "store/checkpoint_header.hpp"
#include "store/hdf5.hpp"

namespace atl::store {
namespace {

constexpr std::int64_t format_version = 1;

hsize_t extent(std::int64_t value) {
  return static_cast<hsize_t>(value);
}

void write_reals(MemoryFile& file, const std::string& path, const std::vector<std::byte>& bytes, bool single,
                 const Shape& shape) {
  if (single)
    file.write(path, std::span(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)), shape);
  else
    file.write(path, std::span(reinterpret_cast<const double*>(bytes.data()), bytes.size() / sizeof(double)), shape);
}

void write_islands(MemoryFile& file, const DeCheckpoint& c) {
  const hsize_t islands = extent(c.islands), free = extent(c.free), members = extent(c.members);
  write_reals(file, "/islands/population", c.populations, c.single, {islands, free, members});
  write_reals(file, "/islands/energies", c.energies, c.single, {islands, members});
  if (!c.archives.empty())
    write_reals(file, "/islands/archive", c.archives, c.single, {islands, free, extent(c.archive)});
  write_reals(file, "/islands/memories", c.memories, c.single, {islands, 2, extent(c.memory)});
  file.write("/islands/counters", c.counters, {islands, extent(DeCheckpoint::counters_an_island)});
  file.attribute("/islands/counters", "names",
                 std::vector<std::string>{"members", "archived", "memory_position", "nan_evaluations",
                                          "inf_evaluations", "value_to_reach_nfev"});
}

void write_history(MemoryFile& file, const DeCheckpoint& c) {
  const hsize_t rows = c.history_generation.size();
  file.write("/history/generation", c.history_generation, {rows});
  file.write("/history/evaluations", c.history_evaluations, {rows});
  file.write("/history/seconds", c.history_seconds, {rows});
  file.write("/history/best", c.history_best, {rows});
  file.write("/history/mean", c.history_mean, {rows});
  file.write("/history/std", c.history_std, {rows});
  file.write("/history/island_best", c.history_island_best, {rows, extent(c.islands)});
  file.attribute("/history", "stride", c.history_stride);
  file.attribute("/history", "seen", c.history_seen);
  file.attribute("/history", "last_is_extra", static_cast<std::int64_t>(c.history_last_is_extra));
}

void write_migrations(MemoryFile& file, const DeCheckpoint& c) {
  const hsize_t rows = c.migration_generation.size();
  file.write("/migrations/generation", c.migration_generation, {rows});
  file.write("/migrations/source", c.migration_source, {rows});
  file.write("/migrations/destination", c.migration_destination, {rows});
  file.write("/migrations/energy", c.migration_energy, {rows});
  if (!c.migration_points.empty()) file.write("/migrations/points", c.migration_points, {rows, extent(c.free)});
  file.attribute("/migrations", "accepted", c.migrations_accepted);
}

/// Reads and compares every extent with what the attributes say, so that the rest of the program can trust them.
class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path) {}

  DeCheckpoint read() {
    read_head();
    read_islands();
    read_history();
    read_migrations();
    return std::move(c_);
  }

 private:
  [[noreturn]] void contradiction(const std::string& what) const {
    fail(ExitCode::bad_data, "{}: {} does not fit the rest of the checkpoint", file_.path(), what);
  }

  std::int64_t count(const char* name, std::int64_t least) const {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();  // indices of the kernels are 32 bits wide
    const std::int64_t value = file_.integer_attribute("/", name);
    if (value < least || value > most) contradiction(name);
    return value;
  }

  void read_head() {
    if (file_.text_attribute("/", "format") != "atoll-de-checkpoint") contradiction("format");
    c_.identity = file_.text_attribute("/", "identity");
    c_.config = file_.text_attribute("/", "config");
    c_.saved = file_.text_attribute("/", "saved");
    c_.kept = file_.has_attribute("/", "kept") && file_.integer_attribute("/", "kept") != 0;
    c_.single = file_.text_attribute("/", "precision") == "single";
    c_.islands = count("islands", 1);
    c_.free = count("free", 1);
    c_.members = count("members", 1);
    c_.archive = count("archive", 1);
    c_.memory = count("memory", 1);
    c_.generation = count("generation", 0);
    c_.schedule = file_.integer_attribute("/", "schedule_evaluations");
    c_.evaluations = file_.integer_attribute("/", "evaluations");
    if (c_.evaluations < 1 || c_.schedule < 1) contradiction("evaluations");
    c_.seconds = file_.number_attribute("/", "seconds");
    if (file_.has_attribute("/", "value_to_reach")) c_.value_to_reach = file_.number_attribute("/", "value_to_reach");
    c_.best_seen = file_.integer_attribute("/", "best_seen") != 0;
    c_.best = file_.number_attribute("/", "best");
    c_.improved = file_.integer_attribute("/", "improved");
  }

  /// The bytes of a dataset of exactly this shape, in the working precision.
  std::vector<std::byte> reals(const char* path, const Shape& shape) const {
    if (file_.shape(path) != shape) contradiction(path);
    const std::size_t size = c_.single ? sizeof(float) : sizeof(double);
    hsize_t total = size;
    for (const hsize_t each : shape) total *= each;
    const Handle dataset(H5Dopen2(file_.id(), path, H5P_DEFAULT), H5Dclose);
    const Handle type(H5Dget_type(dataset.id()), H5Tclose);
    // Space for all of it is on the disk, or the file could not hold it: no size is believed before.
    if (H5Tget_class(type.id()) != H5T_FLOAT || H5Tget_size(type.id()) != size ||
        H5Dget_storage_size(dataset.id()) != total)
      contradiction(path);
    std::vector<std::byte> bytes(total);
    const hid_t memory = c_.single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    if (H5Dread(dataset.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) contradiction(path);
    return bytes;
  }

  void read_islands() {
    const hsize_t islands = extent(c_.islands), free = extent(c_.free), members = extent(c_.members);
    c_.populations = reals("/islands/population", {islands, free, members});
    c_.energies = reals("/islands/energies", {islands, members});
    if (file_.has("/islands/archive")) c_.archives = reals("/islands/archive", {islands, free, extent(c_.archive)});
    c_.memories = reals("/islands/memories", {islands, 2, extent(c_.memory)});
    if (file_.shape("/islands/counters") != Shape{islands, extent(DeCheckpoint::counters_an_island)})
      contradiction("/islands/counters");
    c_.counters = file_.integers("/islands/counters");
    for (std::size_t i = 0; i < c_.counters.size(); i += DeCheckpoint::counters_an_island) {
      const std::int64_t* mine = c_.counters.data() + i;
      // The kernels use these as indices.
      if (mine[0] != c_.members || mine[1] < 0 || mine[1] > c_.archive || mine[2] < 0 || mine[2] >= c_.memory)
        contradiction("/islands/counters");
    }
  }

  template <typename T>
  void check_rows(const char* path, const std::vector<T>& values, std::size_t rows) const {
    if (values.size() != rows) contradiction(path);
  }

  void read_history() {
    c_.history_generation = file_.integers("/history/generation");
    c_.history_evaluations = file_.integers("/history/evaluations");
    c_.history_seconds = file_.doubles("/history/seconds");
    c_.history_best = file_.doubles("/history/best");
    c_.history_mean = file_.doubles("/history/mean");
    c_.history_std = file_.doubles("/history/std");
    c_.history_island_best = file_.doubles("/history/island_best");
    c_.history_stride = file_.integer_attribute("/history", "stride");
    c_.history_seen = file_.integer_attribute("/history", "seen");
    c_.history_last_is_extra = file_.integer_attribute("/history", "last_is_extra") != 0;
    const std::size_t rows = c_.history_generation.size();
    check_rows("/history/evaluations", c_.history_evaluations, rows);
    for (const auto* column : {&c_.history_seconds, &c_.history_best, &c_.history_mean, &c_.history_std})
      check_rows("/history", *column, rows);
    check_rows("/history/island_best", c_.history_island_best, rows * static_cast<std::size_t>(c_.islands));
    if (rows == 0 || c_.history_stride < 1 || c_.history_seen < 1) contradiction("/history");
  }

  void read_migrations() {
    c_.migration_generation = file_.integers("/migrations/generation");
    c_.migration_source = file_.integers("/migrations/source");
    c_.migration_destination = file_.integers("/migrations/destination");
    c_.migration_energy = file_.doubles("/migrations/energy");
    if (file_.has("/migrations/points")) c_.migration_points = file_.doubles("/migrations/points");
    c_.migrations_accepted = file_.integer_attribute("/migrations", "accepted");
    const std::size_t rows = c_.migration_generation.size();
    check_rows("/migrations/source", c_.migration_source, rows);
    check_rows("/migrations/destination", c_.migration_destination, rows);
    check_rows("/migrations/energy", c_.migration_energy, rows);
    if (!c_.migration_points.empty())
      check_rows("/migrations/points", c_.migration_points, rows * static_cast<std::size_t>(c_.free));
  }

  ReadFile file_;
  DeCheckpoint c_;
};

}  // namespace

std::vector<std::byte> checkpoint_image(const DeCheckpoint& c) {
  MemoryFile file;
  file.attribute("/", "format", std::string("atoll-de-checkpoint"));
  file.attribute("/", "format_version", format_version);
  file.attribute("/", "atoll_version", std::string(version()));
  file.attribute("/", "git_hash", std::string(git_hash()));
  file.attribute("/", "hdf5", hdf5_version());
  file.attribute("/", "identity", c.identity);
  file.attribute("/", "config", c.config);
  file.attribute("/", "saved", c.saved);
  file.attribute("/", "kept", static_cast<std::int64_t>(c.kept));
  file.attribute("/", "precision", std::string(c.single ? "single" : "double"));
  file.attribute("/", "islands", c.islands);
  file.attribute("/", "free", c.free);
  file.attribute("/", "members", c.members);
  file.attribute("/", "archive", c.archive);
  file.attribute("/", "memory", c.memory);
  file.attribute("/", "schedule_evaluations", c.schedule);
  file.attribute("/", "generation", c.generation);
  file.attribute("/", "evaluations", c.evaluations);
  file.attribute("/", "seconds", c.seconds);
  if (c.value_to_reach) file.attribute("/", "value_to_reach", *c.value_to_reach);
  file.attribute("/", "best_seen", static_cast<std::int64_t>(c.best_seen));
  file.attribute("/", "best", c.best);
  file.attribute("/", "improved", c.improved);
  write_islands(file, c);
  write_history(file, c);
  write_migrations(file, c);
  return file.bytes();
}

DeCheckpoint read_checkpoint_image(const std::string& path) {
  return Reader(path).read();
}

std::vector<std::byte> checkpoint_bytes(const DeCheckpoint& checkpoint) {
  const std::vector<std::byte> image = checkpoint_image(checkpoint);
  std::vector<std::byte> bytes = header_of(image, identity_hash(checkpoint.identity));
  bytes.insert(bytes.end(), image.begin(), image.end());
  return bytes;
}

std::uint64_t checkpoint_size(std::uint64_t islands, std::uint64_t free, std::uint64_t members, std::uint64_t archive,
                              std::uint64_t memory, bool single) {
  constexpr std::uint64_t metadata = 16 << 10;
  const std::uint64_t reals = free * (members + archive) + members + 2 * memory;
  return metadata + islands * (reals * (single ? 4 : 8) + 8 * DeCheckpoint::counters_an_island);
}

}  // namespace atl::store
