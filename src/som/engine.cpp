#include "som/engine.hpp"

#include <cmath>

#include "device/kernel_table.hpp"

namespace atl::som {
namespace {

template <typename Real>
std::vector<Real> by_row(const ScaledData& data) {
  return {data.values.begin(), data.values.end()};
}

template <>
std::vector<float> by_row<float>(const ScaledData& data) {
  std::vector<float> values(data.values.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(data.values[i]);
  return values;
}

template <typename Real>
std::vector<Real> by_column(const ScaledData& data, std::size_t stride) {
  const std::size_t m = data.columns();
  std::vector<Real> values(m * stride, Real{0});
  for (std::size_t r = 0; r < data.rows; ++r)
    for (std::size_t c = 0; c < m; ++c) values[c * stride + r] = static_cast<Real>(data.values[r * m + c]);
  return values;
}

}  // namespace

bool has_warp_instructions(const device::Device& device) {
  constexpr cl_device_info capability_major = 0x4000;  // CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV
  if (!device.info.gpu || device.info.platform_name.find("NVIDIA") == std::string::npos) return false;
  cl_uint major = 0;
  return clGetDeviceInfo(device.device(), capability_major, sizeof major, &major, nullptr) == CL_SUCCESS && major >= 8;
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

const cl::Buffer& points_by_row(Engine& engine) {
  auto found = engine.data.find("rows");
  if (found == engine.data.end()) {
    const ScaledData& data = engine.inputs.data;
    found = engine.data
                .emplace("rows",
                         engine.single() ? upload(engine, by_row<float>(data)) : upload(engine, by_row<double>(data)))
                .first;
  }
  return found->second;
}

std::size_t column_stride(const Engine& engine) {
  constexpr std::size_t multiple = 256;
  return (engine.points() + multiple - 1) / multiple * multiple;
}

const cl::Buffer& points_by_column(Engine& engine, bool single) {
  const std::string key = single ? "columns single" : "columns double";
  auto found = engine.data.find(key);
  if (found == engine.data.end()) {
    const ScaledData& data = engine.inputs.data;
    const std::size_t stride = column_stride(engine);
    found = engine.data
                .emplace(key, single ? upload(engine, by_column<float>(data, stride))
                                     : upload(engine, by_column<double>(data, stride)))
                .first;
  }
  return found->second;
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
