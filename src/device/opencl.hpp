// OpenCL as this program uses it. Includes CLHPP (a second of compile time): only device/ and the engines include it.
#pragma once
#include <CL/opencl.hpp>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "device/device_info.hpp"

namespace atl::device {

/// The device of this rank with its context and one in-order queue.
struct Device {
  DeviceInfo info;
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
  std::shared_ptr<std::atomic<std::size_t>> allocated;  // bytes of the buffers that live now; allocate() keeps it
};

/// Opens the device that `info` describes (its platform and index). Throws 69.
[[nodiscard]] Device open(const DeviceInfo& info);

/// A piece of program text; `origin` is empty for our own kernels, else the user's file, whose compiler messages are
/// the user's fault (65) and carry the user's file and line.
struct SourcePiece {
  std::string text;
  std::string origin;
};

/// Builds a program from the pieces in order, as OpenCL C 1.2 with FP_CONTRACT OFF from the first line on, so that all
/// devices round alike; the options are those of the precision plus `extra`. Every vendor workaround is in compile.cpp.
/// A build failure that names the user's file is Error 65 with the compiler's message; any other one is 70 with the
/// log. Retries once on an empty log (a race of PoCL's kernel cache).
[[nodiscard]] cl::Program build(const Device& device, const std::vector<SourcePiece>& pieces, bool single_precision,
                                const std::string& extra = "");

/// A buffer of `bytes` (at least one), counted against the device's memory; Error 69 with the numbers when it does not
/// fit.
[[nodiscard]] cl::Buffer allocate(const Device& device, std::size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE);

/// Waits for the event without burning a core: sleeps about `expected_seconds`, then polls. On a CPU device it just
/// waits.
/// Throws the event's cl::Error when the command failed.
void wait(const Device& device, const cl::Event& event, double expected_seconds);

/// Whether the command has ended, without waiting; for loops that do something else meanwhile. Throws like wait().
/// Flush the queue once before asking.
[[nodiscard]] bool finished(const cl::Event& event);

/// Seconds of device time between start and end of a profiled event.
[[nodiscard]] double seconds(const cl::Event& event);

/// "CL_INVALID_KERNEL_ARGS (-52)".
[[nodiscard]] std::string error_name(cl_int code);

/// Translates a cl::Error into our Error: 69 for lost devices and memory, 70 otherwise; the text names call and code.
[[nodiscard]] Error translate(const cl::Error& error, const Device& device);

}  // namespace atl::device
