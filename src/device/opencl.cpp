#include "device/opencl.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "device/human_bytes.hpp"

namespace atl::device {
namespace {

using Counter = std::shared_ptr<std::atomic<std::size_t>>;

struct Reservation {
  Counter allocated;
  std::size_t bytes;
};

void CL_CALLBACK give_back(cl_mem, void* data) {
  const std::unique_ptr<Reservation> reservation(static_cast<Reservation*>(data));
  *reservation->allocated -= reservation->bytes;
}

void check_room(const Device& device, std::size_t bytes) {
  const DeviceInfo& info = device.info;
  if (bytes > info.largest_buffer)
    fail(ExitCode::no_device, "{}: a buffer of {} is needed, the largest that it allows is {}", info.name,
         human_bytes(bytes), human_bytes(info.largest_buffer));
  const auto fits = [&] { return bytes <= info.global_memory && *device.allocated <= info.global_memory - bytes; };
  if (fits()) return;
  // Released buffers are given back when the last command that uses them ends, by a thread of PoCL a moment later.
  device.queue.finish();
  for (int look = 0; look < 100 && !fits(); ++look) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (!fits())
    fail(ExitCode::no_device, "{}: a buffer of {} is needed beside {} in use, the device has {}", info.name,
         human_bytes(bytes), human_bytes(*device.allocated), human_bytes(info.global_memory));
}

}  // namespace

Device open(const DeviceInfo& info) {
  if (!info.unusable.empty()) fail(ExitCode::no_device, "device {} ({}): {}", info.index, info.name, info.unusable);
  try {
    std::vector<cl::Platform> platforms;
    std::vector<cl::Device> devices;
    cl::Platform::get(&platforms);
    platforms.at(info.platform).getDevices(CL_DEVICE_TYPE_ALL, &devices);
    Device device{info, devices.at(info.device), {}, {}, std::make_shared<std::atomic<std::size_t>>(0)};
    device.context = cl::Context(device.device);
    device.queue = cl::CommandQueue(device.context, device.device, CL_QUEUE_PROFILING_ENABLE);
    return device;
  } catch (const cl::Error& error) {
    fail(ExitCode::no_device, "device {} ({}) cannot be opened: {} gave {}", info.index, info.name, error.what(),
         error_name(error.err()));
  } catch (const std::out_of_range&) {
    fail(ExitCode::no_device, "device {} ({}) is no longer there", info.index, info.name);
  }
}

cl::Buffer allocate(const Device& device, std::size_t bytes, cl_mem_flags flags) {
  bytes = std::max<std::size_t>(bytes, 1);  // a buffer of 0 bytes is an error in OpenCL
  check_room(device, bytes);
  cl::Buffer buffer(device.context, flags, bytes);
  auto reservation = std::make_unique<Reservation>(Reservation{device.allocated, bytes});
  buffer.setDestructorCallback(give_back, reservation.get());
  std::ignore = reservation.release();  // the callback owns it now
  *device.allocated += bytes;
  return buffer;
}

bool finished(const cl::Event& event) {
  const auto status = event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
  if (status < 0) throw cl::Error(status, "a command on the device");
  return status == CL_COMPLETE;
}

void wait(const Device& device, const cl::Event& event, double expected_seconds) {
  if (!device.info.gpu) {
    event.wait();
    std::ignore = finished(event);
    return;
  }
  // NVIDIA's clFinish and clWaitForEvents spin on a core, which may be the one that another rank needs.
  using std::chrono::duration, std::chrono::steady_clock;
  constexpr duration<double> shortest{60e-6}, longest{1e-3};  // a sleep takes about 60 us longer than it was told
  constexpr double share = 1.0 / 256;                         // a late look costs at most this share of the wait
  device.queue.flush();
  const auto start = steady_clock::now();
  std::this_thread::sleep_for(duration<double>(std::clamp(0.5 * expected_seconds, 0.0, 600.0)));
  while (!finished(event)) {
    const duration<double> waited = steady_clock::now() - start;
    if (share * waited < shortest)
      std::this_thread::yield();  // a short wait is over soon
    else
      std::this_thread::sleep_for(std::min(share * waited, longest));
  }
}

double seconds(const cl::Event& event) {
  const cl_ulong start = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
  const cl_ulong end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
  return 1e-9 * static_cast<double>(end - start);
}

}  // namespace atl::device
