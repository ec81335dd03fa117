// From what a user says to the devices that are meant.
#include <fmt/format.h>
#include <grp.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "device/device_info.hpp"

namespace atl::device {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_index(const std::string& selector) {
  return !selector.empty() && selector.size() <= 6 && selector.find_first_not_of("0123456789") == std::string::npos;
}

bool matches(const DeviceInfo& info, const std::string& selector) {
  if (is_index(selector)) return info.index == std::stoi(selector);
  if (lower(selector) == "gpu") return info.gpu;
  if (lower(selector) == "cpu") return !info.gpu;
  return lower(info.name).find(lower(selector)) != std::string::npos;
}

std::string table_of(const std::vector<DeviceInfo>& devices) {
  std::string text;
  for (const DeviceInfo& info : devices)
    text += fmt::format("\n  {}: {} ({}, {}){}{}", info.index, info.name, info.gpu ? "gpu" : "cpu", info.platform_name,
                        info.unusable.empty() ? "" : ": not usable, ", info.unusable);
  return text;
}

std::string registered_drivers() {
  const char* set = std::getenv("OCL_ICD_VENDORS");
  const std::filesystem::path folder = set != nullptr ? set : "/etc/OpenCL/vendors";
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".icd") names.insert(entry.path().filename());
  const std::string where = fmt::format("{}{}", set != nullptr ? "OCL_ICD_VENDORS=" : "", folder.string());
  if (names.empty()) return fmt::format("no driver is registered in {}", where);
  return fmt::format("registered in {}: {}", where, fmt::join(names, ", "));
}

// GPU drivers often open their device files to members of these groups only.
std::string missing_groups() {
  if (geteuid() == 0) return "";
  std::vector<gid_t> own(static_cast<std::size_t>(std::max(0, getgroups(0, nullptr))));
  if (getgroups(static_cast<int>(own.size()), own.data()) < 0) return "";
  std::string text;
  for (const char* name : {"render", "video"}) {
    const group* entry = getgrnam(name);
    if (entry != nullptr && std::ranges::find(own, entry->gr_gid) == own.end())
      text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
  }
  return text;
}

}  // namespace

std::string explain_no_device(const std::vector<DeviceInfo>& devices) {
  std::string text = devices.empty() ? "no OpenCL device was found" : "no OpenCL device is usable:" + table_of(devices);
  text += "\n  " + registered_drivers();
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "POCL_DEVICES"})
    if (const char* value = std::getenv(name))
      text += fmt::format("\n  {}=\"{}\" decides what is visible", name, value);
  if (const std::string groups = missing_groups(); !groups.empty())
    text += fmt::format("\n  this user is not in the group(s) {}, which GPU drivers may ask for", groups);
  return text + "\n  PoCL (Debian and Ubuntu: pocl-opencl-icd) makes the CPU a device";
}

std::vector<DeviceInfo> select(const std::vector<DeviceInfo>& devices, const std::string& selector, bool any_gpu) {
  const std::string meant = selector.empty() ? (any_gpu ? "gpu" : "cpu") : selector;
  std::vector<DeviceInfo> usable;
  const DeviceInfo* unusable = nullptr;
  for (const DeviceInfo& info : devices) {
    if (!matches(info, meant)) continue;
    if (info.unusable.empty())
      usable.push_back(info);
    else
      unusable = &info;
  }
  if (!usable.empty()) return usable;
  if (std::ranges::none_of(devices, [](const DeviceInfo& info) { return info.unusable.empty(); }))
    throw Error(ExitCode::no_device, explain_no_device(devices));
  if (unusable != nullptr)
    fail(ExitCode::no_device, "device \"{}\" is {}, which is not usable: {}", meant, unusable->name,
         unusable->unusable);
  fail(ExitCode::no_device, "no device is \"{}\"; allowed are gpu, cpu, an index, or part of a name of these:{}", meant,
       table_of(devices));
}

void share_cpu(int cores, int ranks_on_node) {
  const std::string threads = std::to_string(std::max(1, cores / std::max(1, ranks_on_node)));
  const bool user_decides =
      std::getenv("POCL_MAX_PTHREAD_COUNT") != nullptr || std::getenv("POCL_CPU_MAX_CU_COUNT") != nullptr;
  if (!user_decides) {
    setenv("POCL_MAX_PTHREAD_COUNT", threads.c_str(), 0);  // up to PoCL 4
    setenv("POCL_CPU_MAX_CU_COUNT", threads.c_str(), 0);   // PoCL 5 and later
  }
  // With affinity on, thread i of every rank would sit on core i.
  setenv("POCL_AFFINITY", "0", 0);
}

}  // namespace atl::device
