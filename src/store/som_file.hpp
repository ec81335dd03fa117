// The file of a sweep while it grows. HDF5 lays out every dataset at the start; from then on only raw bytes are
// written, at offsets that never move, so that a kill at any moment leaves a readable file and every finished map in
// it.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "store/som_create.hpp"
#include "store/som_layout.hpp"
#include "store/som_summary.hpp"

namespace atl::store {

class SomFile {
 public:
  /// Lays out `path` (replacing what is there) and reserves its space on the disk. Errors 74.
  static SomFile create(const std::string& path, const SomLayout& layout);

  /// `layout` must outlive the object, here and in create().
  /// Opens a file that create() laid out for the same sweep, and reads which maps it holds whole: their checksum is
  /// that of their bytes. Errors: 78 when it belongs to another sweep, naming each difference; 65 when it is damaged
  /// beyond its maps.
  static SomFile reopen(const std::string& path, const SomLayout& layout);

  SomFile(SomFile&& other) noexcept;
  SomFile& operator=(SomFile&&) = delete;
  ~SomFile();

  /// Writes trained maps: their data first, then checksum and state. Errors 74.
  void write(const SomBatch& batch);
  void write(const SomSummary& summary, const SomSuggestions& suggestions);

  /// 1 where the map is finished, in sweep order.
  [[nodiscard]] const std::vector<std::uint8_t>& state() const { return state_; }
  [[nodiscard]] const std::vector<SomMeasures>& measures() const { return measures_; }
  [[nodiscard]] const std::vector<double>& seconds() const { return seconds_; }
  [[nodiscard]] std::size_t damaged() const { return damaged_; }  // maps that reopen() found not to match

  void flush();  // to the disk
  /// Marks the file finished, flushes and renames it to `path`. Errors 74.
  void finish(const std::string& path, const Provenance& provenance, const std::string& message);

 private:
  SomFile(std::string path, const SomLayout& layout);
  void open(int flags);
  void reserve();
  [[nodiscard]] std::uint64_t length() const;
  void read_runs();
  void put(const std::string& dataset, std::uint64_t at, const void* bytes, std::size_t count);
  void get(const std::string& dataset, std::uint64_t at, void* bytes, std::size_t count) const;
  void start_flush();
  void put_settings();
  void put_columns(const std::string& group, const SomColumns& columns);
  void put_texts(const std::string& dataset, SomType type, const std::vector<std::string>& texts);
  void put_arrays(const SomBatch& batch, const std::vector<std::size_t>& order);
  void put_runs(const std::vector<std::size_t>& touched);
  [[nodiscard]] std::uint64_t checksum_on_disk(std::size_t map, std::vector<std::byte>& buffer) const;
  [[nodiscard]] std::size_t neurons(std::size_t map) const { return first_neuron_[map + 1] - first_neuron_[map]; }

  std::string path_;
  const SomLayout* layout_;
  int descriptor_ = -1;
  std::map<std::string, SomExtent> extents_;
  std::vector<std::uint64_t> first_neuron_;  // S + 1: neurons of all maps before
  std::vector<std::uint8_t> state_;
  std::vector<std::uint64_t> checksum_;
  std::vector<double> seconds_;
  std::vector<std::int32_t> rank_;
  std::vector<SomMeasures> measures_;
  std::size_t damaged_ = 0;
};

/// What create() asks of the disk: the file, and room for what finish() adds to it.
[[nodiscard]] std::uint64_t som_file_bytes(const SomLayout& layout);

/// "key: was A, is B" for every line in which two identities differ.
[[nodiscard]] std::vector<std::string> identity_changes(const std::string& before, const std::string& now);

}  // namespace atl::store
