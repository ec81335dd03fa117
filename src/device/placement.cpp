#include "device/placement.hpp"

#include <map>

namespace atl::device {

const DeviceInfo& device_of_rank(const std::vector<DeviceInfo>& selected, int node_rank) {
  return selected.at(static_cast<std::size_t>(node_rank) % selected.size());
}

std::string physical_device(const std::string& host, const DeviceInfo& info) {
  return info.gpu ? host + '|' + info.id : std::string();
}

std::vector<std::vector<int>> shared_devices(const std::vector<std::string>& device_of_each_rank) {
  std::map<std::string, std::vector<int>> ranks_of;
  for (std::size_t r = 0; r < device_of_each_rank.size(); ++r)
    if (!device_of_each_rank[r].empty()) ranks_of[device_of_each_rank[r]].push_back(static_cast<int>(r));
  std::vector<std::vector<int>> shared;
  for (auto& [name, ranks] : ranks_of)
    if (ranks.size() > 1) shared.push_back(ranks);
  return shared;
}

}  // namespace atl::device
