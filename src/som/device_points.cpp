#include "som/device_points.hpp"

#include <algorithm>

#include "device/human_bytes.hpp"

namespace atl::som {
namespace {

constexpr std::size_t parts_of_memory = 4;                // the others are for weights, tables, winners
constexpr std::size_t most_bytes = std::size_t{1} << 28;  // of a part: the host holds a copy

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::size_t real_bytes(config::Precision precision) {
  return precision == config::Precision::real32 ? sizeof(float) : sizeof(double);
}

/// Of the numbers that measures are computed in.
std::size_t measure_bytes(const device::DeviceInfo& info) {
  return info.has_double ? sizeof(double) : sizeof(float);
}

template <typename Real>
std::vector<Real> by_row(const ScaledData& data) {
  std::vector<Real> values(data.values.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Real>(data.values[i]);
  return values;
}

template <typename Real>
std::vector<Real> by_column(const ScaledData& data, const Chunk& chunk, std::size_t stride) {
  const std::size_t m = data.columns();
  std::vector<Real> values(m * stride, Real{0});
  for (std::size_t r = 0; r < chunk.count; ++r)
    for (std::size_t c = 0; c < m; ++c)
      values[c * stride + r] = static_cast<Real>(data.values[(chunk.first + r) * m + c]);
  return values;
}

template <typename Real>
void fill_by_column(Engine& engine, const Chunk& chunk, cl::Buffer& buffer) {
  const std::vector<Real> values = by_column<Real>(engine.inputs.data, chunk, column_stride(engine));
  const std::size_t bytes = values.size() * sizeof(Real);
  if (buffer() == nullptr) buffer = device::allocate(engine.device, bytes);
  engine.device.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, values.data());
}

}  // namespace

bool points_stay(const device::DeviceInfo& info, const TrainerInputs& inputs) {
  const std::size_t padded = round_up(inputs.data.rows, points_a_block);
  const std::size_t cells = padded * inputs.data.columns();
  const std::size_t training = cells * real_bytes(inputs.precision);
  const std::size_t measuring = cells * measure_bytes(info);
  const std::size_t orders = inputs.orders.size() * sizeof(std::int32_t);
  const std::size_t largest = std::max({training, measuring, orders});
  return largest <= info.largest_buffer && largest <= inputs.point_bytes &&
         training + measuring + orders + padded * winner_bytes <= info.global_memory;
}

std::size_t bytes_of_a_part(const device::DeviceInfo& info, const TrainerInputs& inputs) {
  return std::min({inputs.point_bytes, info.largest_buffer, info.global_memory / parts_of_memory, most_bytes});
}

std::size_t points_on_device(const device::DeviceInfo& info, const TrainerInputs& inputs) {
  if (points_stay(info, inputs)) return inputs.data.rows;
  const std::size_t a_point =
      inputs.data.columns() * std::max(real_bytes(inputs.precision), measure_bytes(info)) + winner_bytes;
  const std::size_t blocks = bytes_of_a_part(info, inputs) / a_point / points_a_block;
  return std::min(std::max<std::size_t>(blocks, 1) * points_a_block, inputs.data.rows);
}

std::string note_of_points(const device::DeviceInfo& info, const TrainerInputs& inputs) {
  if (points_stay(info, inputs)) return "";
  const std::size_t cells = inputs.data.rows * inputs.data.columns();
  const std::size_t bytes = cells * (real_bytes(inputs.precision) + measure_bytes(info));
  const std::size_t orders = inputs.orders.size() * sizeof(std::int32_t);
  return fmt::format(
      "the points{} take {} to train on and to measure with; {} has {}, {} a buffer, so that they are "
      "brought to it in parts: slower, and the same bits",
      orders > 0 ? " and the order file" : "", device::human_bytes(bytes + orders), info.name,
      device::human_bytes(info.global_memory), device::human_bytes(info.largest_buffer));
}

std::vector<Chunk> chunks_of(const Engine& engine) {
  std::vector<Chunk> chunks;
  const std::size_t n = engine.points();
  for (std::size_t first = 0; first < n; first += engine.points_at_once) {
    const std::size_t count = std::min(engine.points_at_once, n - first);
    chunks.push_back({first, count, first == 0, first + count == n});
  }
  return chunks;
}

std::size_t column_stride(const Engine& engine) {
  return round_up(engine.points_at_once, points_a_block);
}

const cl::Buffer& points_by_column(Engine& engine, const Chunk& chunk, bool single) {
  cl::Buffer& buffer = engine.data[single ? "columns single" : "columns double"];
  const bool there = buffer() != nullptr && chunk.is_first && chunk.is_last;
  if (!there && single) fill_by_column<float>(engine, chunk, buffer);
  if (!there && !single) fill_by_column<double>(engine, chunk, buffer);
  return buffer;
}

const cl::Buffer& points_by_row(Engine& engine) {
  cl::Buffer& buffer = engine.data["rows"];
  if (buffer() == nullptr)
    buffer = engine.single() ? upload(engine, by_row<float>(engine.inputs.data))
                             : upload(engine, by_row<double>(engine.inputs.data));
  return buffer;
}

}  // namespace atl::som
