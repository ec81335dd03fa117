// Lists the devices of all platforms. Whatever a driver refuses to tell is left at its default: listing never fails.
#include "device/device_info.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "device/opencl.hpp"

namespace atl::device {
namespace {

// Of cl_nv_device_attribute_query, which the Khronos headers lack.
constexpr cl_device_info nv_pci_bus = 0x4008, nv_pci_slot = 0x4009, nv_pci_domain = 0x400A;

template <typename T>
bool query(const cl::Device& device, cl_device_info what, T& value) {
  return clGetDeviceInfo(device(), what, sizeof(T), &value, nullptr) == CL_SUCCESS;
}

template <typename T>
T value_of(const cl::Device& device, cl_device_info what) {
  T value{};
  query(device, what, value);
  return value;
}

std::string text_of(const cl::Device& device, cl_device_info what) {
  std::string text;
  try {
    device.getInfo(what, &text);
  } catch (const cl::Error&) {
    return "";
  }
  const auto end = text.find_last_not_of(std::string(" \t\n\0", 4));
  return text.substr(0, end == std::string::npos ? 0 : end + 1);
}

bool has(const std::string& extensions, const std::string& name) {
  return (" " + extensions + " ").find(" " + name + " ") != std::string::npos;
}

// What stays the same however a launcher renumbers the visible devices. CPU devices have no such name: PoCL 5 gives the
// same UUID to all of them.
std::string physical_id(const cl::Device& device, const DeviceInfo& info, const std::string& extensions) {
  if (info.gpu && has(extensions, "cl_khr_device_uuid")) {
    std::array<unsigned char, CL_UUID_SIZE_KHR> uuid{};
    if (query(device, CL_DEVICE_UUID_KHR, uuid) && uuid != decltype(uuid){})
      return fmt::format("UUID-{:02x}", fmt::join(uuid, ""));
  }
  if (info.gpu && has(extensions, "cl_khr_pci_bus_info")) {
    cl_device_pci_bus_info_khr pci{};
    if (query(device, CL_DEVICE_PCI_BUS_INFO_KHR, pci))
      return fmt::format("PCI-{:04x}:{:02x}:{:02x}.{:x}", pci.pci_domain, pci.pci_bus, pci.pci_device,
                         pci.pci_function);
  }
  if (info.gpu && has(extensions, "cl_nv_device_attribute_query")) {
    cl_uint bus = 0, slot = 0;
    if (query(device, nv_pci_bus, bus) && query(device, nv_pci_slot, slot))
      return fmt::format("PCI-{:04x}:{:02x}:{:02x}.{:x}", value_of<cl_uint>(device, nv_pci_domain), bus, slot >> 3,
                         slot & 7);
  }
  return fmt::format("{}/{}", info.platform_name, info.device);
}

// "OpenCL C 1.2 PoCL" -> 102
int language_version(const std::string& text) {
  int major = 0, minor = 0;
  if (std::sscanf(text.c_str(), "OpenCL C %d.%d", &major, &minor) != 2) return 0;
  return 100 * major + minor;
}

std::string why_unusable(const cl::Device& device, const DeviceInfo& info) {
  const auto type = value_of<cl_device_type>(device, CL_DEVICE_TYPE);
  const std::string language = text_of(device, CL_DEVICE_OPENCL_C_VERSION);
  if ((type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CPU)) == 0) return "neither a GPU nor a CPU";
  if (value_of<cl_bool>(device, CL_DEVICE_AVAILABLE) == CL_FALSE) return "its driver says that it is not available";
  if (value_of<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE) return "its driver has no compiler";
  if (language_version(language) < 102) return fmt::format("OpenCL C 1.2 is needed, it has \"{}\"", language);
  if (text_of(device, CL_DEVICE_PROFILE) != "FULL_PROFILE") return "it has only OpenCL's embedded profile";
  if ((value_of<cl_bool>(device, CL_DEVICE_ENDIAN_LITTLE) == CL_TRUE) != (std::endian::native == std::endian::little))
    return "its byte order is not the host's";
  if (info.global_memory == 0) return "it reports no memory";
  return "";
}

DeviceInfo describe(const cl::Device& device, DeviceInfo info) {
  const std::string extensions = text_of(device, CL_DEVICE_EXTENSIONS);
  info.name = text_of(device, CL_DEVICE_NAME);
  info.driver = text_of(device, CL_DRIVER_VERSION);
  info.gpu = (value_of<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0;
  info.has_double = value_of<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  info.correctly_rounded_single =
      (value_of<cl_device_fp_config>(device, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  info.global_memory = value_of<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
  info.largest_buffer = value_of<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info.local_memory = value_of<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  info.largest_group = value_of<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  info.compute_units = value_of<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
  info.id = physical_id(device, info, extensions);
  info.unusable = why_unusable(device, info);
  return info;
}

}  // namespace

std::vector<DeviceInfo> list_devices() {
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {
    return {};  // -1001: the loader found no platform
  }
  std::vector<DeviceInfo> list;
  for (std::size_t p = 0; p < platforms.size(); ++p) {
    std::vector<cl::Device> devices;
    DeviceInfo info;
    try {
      info.platform_name = platforms[p].getInfo<CL_PLATFORM_NAME>();
      platforms[p].getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error&) {
      continue;  // -1: a platform without devices, as NVIDIA's with CUDA_VISIBLE_DEVICES empty
    }
    for (std::size_t d = 0; d < devices.size(); ++d) {
      info.index = static_cast<int>(list.size());
      info.platform = static_cast<int>(p);
      info.device = static_cast<int>(d);
      list.push_back(describe(devices[d], info));
    }
  }
  return list;
}

}  // namespace atl::device
