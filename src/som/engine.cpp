#include "som/engine.hpp"

#include "device/kernel_table.hpp"

namespace atl::som {

bool has_warp_instructions(const device::Device& device) {
  constexpr cl_device_info capability_major = 0x4000;  // CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV
  if (!device.info.gpu || device.info.platform_name.find("NVIDIA") == std::string::npos) return false;
  cl_uint major = 0;
  return clGetDeviceInfo(device.device(), capability_major, sizeof major, &major, nullptr) == CL_SUCCESS && major >= 8;
}

void Engine::look() {
  constexpr std::chrono::milliseconds between(2);
  const auto now = std::chrono::steady_clock::now();
  if (!stop || now - looked < between) return;
  static_cast<void>(stop());
  looked = std::chrono::steady_clock::now();
}

cl::Kernel kernel(Engine& engine, const char* name, std::span<const std::string_view> files, bool single,
                  const std::string& options) {
  std::string key = (single ? "single " : "double ") + options;
  for (const std::string_view file : files) key.append(" ").append(file);
  auto found = engine.programs.find(key);
  if (found == engine.programs.end()) {
    std::vector<device::SourcePiece> pieces;
    if (single) pieces.push_back({"#define ATOLL_SINGLE\n", ""});
    pieces.push_back({device::kernel_source("common/real.cl"), ""});
    for (const std::string_view file : files) pieces.push_back({device::kernel_source(file), ""});
    found = engine.programs.emplace(key, device::build(engine.device, pieces, single, options)).first;
  }
  return {found->second, name};
}

std::string data_options(const Engine& engine) {
  return fmt::format("-DCOLUMNS={} -DMETRIC={}{}", engine.columns(), static_cast<int>(engine.inputs.training.distance),
                     engine.inputs.data.missing ? " -DMISSING" : "");
}

cl::Event launch(Engine& engine, const cl::Kernel& kernel, std::size_t x, std::size_t y, std::size_t z,
                 std::size_t width) {
  const std::size_t group = engine.gpu() ? width : 1;
  cl::Event done;
  engine.device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange((x + group - 1) / group * group, y, z),
                                           cl::NDRange(group, 1, 1), nullptr, &done);
  return done;
}

}  // namespace atl::som
