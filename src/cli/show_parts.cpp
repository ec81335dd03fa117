#include "cli/show_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/counts.hpp"

namespace atl::cli {
namespace {

herr_t keep_name(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

std::vector<std::string> attribute_names(const store::ReadFile& file) {
  std::vector<std::string> names;
  H5Aiterate2(file.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, keep_name, &names);
  return names;
}

nlohmann::ordered_json attribute_as_json(const store::ReadFile& file, const std::string& name) {
  const store::Handle attribute(H5Aopen(file.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  const store::Handle type(H5Aget_type(attribute.id()), H5Tclose);
  if (H5Tget_class(type.id()) == H5T_STRING) return file.text_attribute("/", name);
  if (H5Tget_class(type.id()) != H5T_INTEGER) return file.number_attribute("/", name);
  if (H5Tget_sign(type.id()) == H5T_SGN_NONE) return file.unsigned_attribute("/", name);
  return file.integer_attribute("/", name);
}

}  // namespace

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool left = i == 0 || rows.front()[i].empty();
      line += left ? fmt::format("  {:<{}}", row[i], widths[i]) : fmt::format("  {:>{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::vector<std::size_t> evenly(std::size_t count, std::size_t most) {
  std::vector<std::size_t> indices;
  const std::size_t shown = std::min(count, most);
  indices.reserve(shown);
  for (std::size_t i = 0; i < shown; ++i) indices.push_back(shown == 1 ? count - 1 : i * (count - 1) / (shown - 1));
  return indices;
}

std::string provenance_as_text(const store::ReadFile& file) {
  const auto text = [&](const char* name) { return file.text_attribute("/", name); };
  std::string lines = fmt::format("made by atoll {} ({}), {}, HDF5 {}\n", text("atoll_version"), text("git_hash"),
                                  text("mpi"), text("hdf5"));
  lines += fmt::format("  command   {}\n", text("command_line"));
  lines += fmt::format("  seed      {}\n", file.unsigned_attribute("/", "seed"));
  lines += fmt::format("  when      {} to {}, {:.4g} s on {}\n", text("started"), text("finished"),
                       file.number_attribute("/", "seconds"), counted(file.integer_attribute("/", "ranks"), "rank"));
  if (file.has_attribute("/", "slurm_job_id"))
    lines += fmt::format("  Slurm     job {}, {}\n", text("slurm_job_id"),
                         counted(file.integer_attribute("/", "slurm_restarts"), "restart"));
  return lines;
}

nlohmann::ordered_json attributes_as_json(const store::ReadFile& file) {
  nlohmann::ordered_json json;
  for (const std::string& name : attribute_names(file)) json[name] = attribute_as_json(file, name);
  return json;
}

}  // namespace atl::cli
