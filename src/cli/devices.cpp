#include "cli/devices.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "device/human_bytes.hpp"

namespace atl::cli {
namespace {

using device::DeviceInfo;
using nlohmann::json;

json to_json(const DeviceInfo& info) {
  return {{"index", info.index},
          {"platform_name", info.platform_name},
          {"name", info.name},
          {"driver", info.driver},
          {"id", info.id},
          {"kind", info.gpu ? "gpu" : "cpu"},
          {"double", info.has_double},
          {"compute_units", info.compute_units},
          {"global_memory", info.global_memory},
          {"largest_buffer", info.largest_buffer},
          {"local_memory", info.local_memory},
          {"largest_group", info.largest_group},
          {"unusable", info.unusable}};
}

DeviceInfo from_json(const json& object) {
  DeviceInfo info;
  info.index = object.at("index");
  info.platform_name = object.at("platform_name");
  info.name = object.at("name");
  info.driver = object.at("driver");
  info.id = object.at("id");
  info.gpu = object.at("kind") == "gpu";
  info.has_double = object.at("double");
  info.compute_units = object.at("compute_units");
  info.global_memory = object.at("global_memory");
  info.largest_buffer = object.at("largest_buffer");
  info.local_memory = object.at("local_memory");
  info.largest_group = object.at("largest_group");
  info.unusable = object.at("unusable");
  return info;
}

json to_json(const RankReport& report) {
  json found = json::array();
  for (const DeviceInfo& info : report.device.found) found.push_back(to_json(info));
  const auto& chosen = report.device.chosen;
  return {{"rank", report.rank},
          {"host", report.host},
          {"chosen", chosen ? json(chosen->index) : json()},  // an index into devices, or null
          {"refusal", report.device.refusal},
          {"devices", found}};
}

RankReport report_from(const json& object) {
  RankReport report{object.at("rank"), object.at("host"), {}};
  for (const json& each : object.at("devices")) report.device.found.push_back(from_json(each));
  if (!object.at("chosen").is_null())
    report.device.chosen = report.device.found.at(object.at("chosen").get<std::size_t>());
  report.device.refusal = object.at("refusal");
  return report;
}

// Names come from drivers: a stray byte must not stop the listing.
std::string dump(const json& object, int indent = -1) {
  return object.dump(indent, ' ', false, json::error_handler_t::replace);
}

// Columns as wide as their widest cell; the last is not padded.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t c = 0; c + 1 < row.size(); ++c) text += fmt::format("{:<{}}  ", row[c], widths[c]);
    text += row.back() + '\n';
  }
  return text;
}

std::vector<std::string> cells(const std::string& who, const std::string& host, const DeviceInfo& info) {
  return {who,
          host,
          fmt::format("{}", info.index),
          info.gpu ? "gpu" : "cpu",
          device::human_bytes(info.global_memory),
          fmt::format("{}", info.compute_units),
          info.has_double ? "yes" : "no",
          info.driver,
          info.name};
}

// The head is enough in a table; the whole text goes to stderr.
std::string head(const std::string& text) {
  return text.substr(0, text.find_first_of(";:\n"));
}

}  // namespace

std::string devices_as_table(const std::vector<RankReport>& ranks) {
  std::vector<std::vector<std::string>> rows{
      {"rank", "host", "device", "kind", "memory", "units", "double", "driver", "name"}};
  std::set<std::pair<std::string, int>> used;
  for (const RankReport& report : ranks) {
    const std::string who = std::to_string(report.rank);
    if (const auto& chosen = report.device.chosen) {
      rows.push_back(cells(who, report.host, *chosen));
      used.emplace(report.host, chosen->index);
    } else {
      rows.push_back({who, report.host, "none", "", "", "", "", "", head(report.device.refusal)});
    }
  }
  std::string text = aligned(rows);

  std::vector<std::vector<std::string>> others;
  for (const RankReport& report : ranks) {
    for (const DeviceInfo& info : report.device.found) {
      if (!used.emplace(report.host, info.index).second) continue;
      others.push_back(cells("", report.host, info));
      if (!info.unusable.empty()) others.back().back() += " (not usable: " + info.unusable + ")";
    }
  }
  if (!others.empty()) text += "\nnot used:\n" + aligned(others);
  return text;
}

std::string devices_as_json(const std::vector<RankReport>& ranks) {
  json list = json::array();
  for (const RankReport& report : ranks) list.push_back(to_json(report));
  return dump({{"ranks", list}}, 2) + '\n';
}

int devices(const cluster::Communicator& communicator, const std::string& selector, bool json_wanted) {
  const RankDevice mine = find_device(communicator, selector);
  const std::vector<std::string> warnings = device_warnings(communicator, mine);
  const std::string own = dump(to_json(RankReport{communicator.rank(), communicator.host(), mine}));
  if (const auto texts = communicator.gather_all(own); communicator.root()) {
    std::vector<RankReport> ranks;
    ranks.reserve(texts.size());
    for (const std::string& text : texts) ranks.push_back(report_from(json::parse(text)));
    fmt::print("{}", json_wanted ? devices_as_json(ranks) : devices_as_table(ranks));
    for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
  }
  try {
    (void)require_device(communicator, mine);
  } catch (const Error& error) {
    if (communicator.root()) fmt::print(stderr, "atoll: {}\n", error.what());
    return static_cast<int>(error.code());
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace atl::cli
