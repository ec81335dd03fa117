// Builds and runs small kernels on every usable device of the machine; PoCL is the one that is always there.
#include "device/opencl.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>

#include "device/quiet_stderr.hpp"
#include "device/usable_devices.hpp"

namespace atl::device {
namespace {

class OpenCl : public UsableDevices {};

const std::string add_kernel =
    "#line 1 \"test/add.cl\"\n"
    "kernel void add(global const int *a, global int *b, int n) {\n"
    "  const int i = get_global_id(0);\n"
    "  if (i < n) b[i] = value(a[i]);\n"
    "}\n";

Error refusal(const Device& device, const std::vector<SourcePiece>& pieces, bool single_precision = false) {
  try {
    (void)build(device, pieces, single_precision);
  } catch (const Error& error) {
    return error;
  }
  return {ExitCode::done, "it was built"};
}

template <typename T>
std::vector<T> run(const Device& device, const cl::Program& program, const char* name, const std::vector<T>& input) {
  const std::size_t bytes = input.size() * sizeof(T);
  cl::Buffer a = allocate(device, bytes), b = allocate(device, bytes);
  device.queue.enqueueWriteBuffer(a, CL_TRUE, 0, bytes, input.data());
  cl::Kernel kernel(program, name);
  kernel.setArg(0, a);
  kernel.setArg(1, b);
  kernel.setArg(2, static_cast<cl_int>(input.size()));
  cl::Event event;
  device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange((input.size() + 31) / 32 * 32), cl::NDRange(32),
                                    nullptr, &event);
  wait(device, event, 1e-4);
  EXPECT_GT(seconds(event), 0);
  std::vector<T> output(input.size());
  device.queue.enqueueReadBuffer(b, CL_TRUE, 0, bytes, output.data());
  return output;
}

TEST_F(OpenCl, AKernelOfSeveralPiecesRunsOnAwkwardSizes) {
  for (const Device& device : devices_) {
    const cl::Program program = build(device, {{"int value(int x) { return x + 1; }", ""}, {add_kernel, ""}}, false);
    for (const int n : {1, 31, 33, 1000}) {
      std::vector<int> input(n);
      std::iota(input.begin(), input.end(), 5);

      const std::vector<int> output = run(device, program, "add", input);

      for (int i = 0; i < n; ++i) ASSERT_EQ(output[i], input[i] + 1) << device.info.name << " n=" << n;
    }
  }
}

// a * b is inexact and c cancels its rounded value: two roundings give exactly 0, a fused one does not.
TEST_F(OpenCl, AProductAndASumAreRoundedTwice) {
  const std::string kernel =
      "kernel void f(global const float *a, global float *b, int n) {\n"
      "  const int i = get_global_id(0);\n"
      "  if (i + 2 < n) b[i] = a[i] * a[i + 1] + a[i + 2];\n"
      "}\n";
  const float x = 1.0F + 0x1p-12F;
  for (const Device& device : devices_) {
    const cl::Program program = build(device, {{kernel, ""}}, true);

    const std::vector<float> output = run<float>(device, program, "f", {x, x, -(x * x)});

    EXPECT_EQ(output[0], 0.0F) << device.info.name;
  }
}

TEST_F(OpenCl, AnErrorInTheUsersPieceCarriesTheUsersFileAndLine) {
  const SourcePiece user{"// lift\nint value(int x) {\n  return x + wind;\n}\n", "my wing.cl"};
  for (const Device& device : devices_) {
    const Error error = refusal(device, {{"#define ONE 1\n", ""}, user, {add_kernel, ""}});

    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_STREQ(error.what(),
                 "my wing.cl:3:14: error: use of undeclared identifier 'wind'\n    return x + wind;\n               ^");
  }
}

TEST_F(OpenCl, ABraceThatTheUserLeftOpenIsTheUsersError) {
  for (const Device& device : devices_) {
    const Error error = refusal(device, {{"int value(int x) {\n  return x;\n", "wing.cl"}, {add_kernel, ""}});

    EXPECT_EQ(error.code(), ExitCode::bad_data) << error.what();
    EXPECT_TRUE(std::string(error.what()).starts_with("wing.cl:")) << error.what();
  }
}

TEST_F(OpenCl, AFunctionThatTheUserOnlyDeclaredIsTheUsersError) {
  for (const Device& device : devices_) {
    if (device.info.platform_name == "Oclgrind") {
      std::puts("left out on Oclgrind, which links at the launch only");
      continue;
    }
    const Error error = refusal(
        device,
        {{"int lift2(int x);\nint lift(int x);\nint value(int x) { return lift(x); }", "wing.cl"}, {add_kernel, ""}});

    EXPECT_EQ(error.code(), ExitCode::bad_data) << error.what();
    EXPECT_STREQ(error.what(), "wing.cl:2: error: no function lift is defined");
  }
}

TEST_F(OpenCl, AnErrorOfOursIsInternalAndNamesOurFile) {
  for (const Device& device : devices_) {
    const std::string broken =
        "#line 1 \"test/broken.cl\"\nkernel void broken(global int *out) {\n  out[0] = nothing;\n}\n";
    const Error error = refusal(device, {{"int lift(int x) { return x; }", "wing.cl"}, {broken, ""}});

    EXPECT_EQ(error.code(), ExitCode::internal);
    EXPECT_NE(std::string(error.what()).find("test/broken.cl:2"), std::string::npos) << error.what();
  }
}

TEST_F(OpenCl, AUsersFileNameWithQuotesAndALastBackslashAreHarmless) {
  for (const Device& device : devices_) {
    EXPECT_EQ(refusal(device, {{"int value(int x) { return x; }\n// \\", "a\"b\\c.cl"}, {add_kernel, ""}}).code(),
              ExitCode::done);
  }
}

TEST_F(OpenCl, SinglePrecisionBuildsWithItsOptions) {
  for (const Device& device : devices_) {
    EXPECT_EQ(refusal(device, {{"int value(int x) { return (int)(x / 3.0f); }", ""}, {add_kernel, ""}}, true).code(),
              ExitCode::done);
  }
}

TEST_F(OpenCl, TheCompilersOwnWordsOnStderrAreHeldBack) {
  testing::internal::CaptureStderr();
  (void)refusal(devices_.front(), {{"int value(int x) { return wind; }", "wing.cl"}, {add_kernel, ""}});
  const std::string written = testing::internal::GetCapturedStderr();

  EXPECT_EQ(written, "");
}

TEST_F(OpenCl, OnlyTheUnwantedLinesOfStderrAreHeldBack) {
  testing::internal::CaptureStderr();
  {
    const QuietStderr quiet(" generated.");
    std::fputs("first\n1 error generated.\nlast", stderr);
  }
  const std::string written = testing::internal::GetCapturedStderr();

  EXPECT_EQ(written, "first\nlast");
}

TEST_F(OpenCl, ABufferOfNoBytesIsMadeWithOne) {
  for (const Device& device : devices_) {
    const cl::Buffer buffer = allocate(device, 0);

    EXPECT_EQ(buffer.getInfo<CL_MEM_SIZE>(), 1U);
  }
}

TEST_F(OpenCl, ABufferAboveTheLargestIsRefusedWithBothSizes) {
  Device device = devices_.front();
  device.info.largest_buffer = std::size_t{3} << 20;

  try {
    (void)allocate(device, (std::size_t{3} << 20) + (std::size_t{512} << 10));
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::no_device);
    EXPECT_EQ(error.what(), device.info.name + ": a buffer of 3.5 MiB is needed, the largest that it allows is 3 MiB");
  }
}

TEST_F(OpenCl, BuffersTogetherStayWithinTheDevicesMemory) {
  Device device = devices_.front();
  device.info.global_memory = std::size_t{10} << 20;
  const std::size_t bytes = std::size_t{4} << 20;
  cl::Buffer first = allocate(device, bytes);
  const cl::Buffer second = allocate(device, bytes);

  EXPECT_THROW((void)allocate(device, bytes), Error);
  first = cl::Buffer();  // gives its bytes back
  EXPECT_NO_THROW((void)allocate(device, bytes));
}

TEST_F(OpenCl, WaitingEndsWithTheCommandAndNotBefore) {
  Device device = devices_.front();
  device.info.gpu = true;  // takes the way of a GPU on any device
  cl::UserEvent never(device.context), ready(device.context);
  ready.setStatus(CL_COMPLETE);

  EXPECT_FALSE(finished(never));
  EXPECT_NO_THROW(wait(device, ready, 0));
  never.setStatus(CL_COMPLETE);
  EXPECT_TRUE(finished(never));
}

TEST_F(OpenCl, AFailedCommandThrowsItsCode) {
  Device device = devices_.front();
  device.info.gpu = true;
  cl::UserEvent failed(device.context);
  failed.setStatus(CL_OUT_OF_RESOURCES);

  try {
    wait(device, failed, 0);
    FAIL() << "nothing was thrown";
  } catch (const cl::Error& error) {
    EXPECT_EQ(error.err(), CL_OUT_OF_RESOURCES);
    EXPECT_EQ(translate(error, device).code(), ExitCode::no_device);
  }
}

TEST_F(OpenCl, ErrorsNameTheCallAndTheCode) {
  const Error error = translate(cl::Error(CL_INVALID_KERNEL_ARGS, "clEnqueueNDRangeKernel"), devices_.front());

  EXPECT_EQ(error.code(), ExitCode::internal);
  EXPECT_EQ(error.what(), devices_.front().info.name + ": clEnqueueNDRangeKernel gave CL_INVALID_KERNEL_ARGS (-52)");
  EXPECT_EQ(error_name(-12345), "error -12345");
}

TEST_F(OpenCl, AnUnusableOrVanishedDeviceIsNotOpened) {
  DeviceInfo unusable = devices_.front().info, vanished = unusable;
  unusable.unusable = "its driver has no compiler";
  vanished.device = 99;

  EXPECT_THROW((void)open(unusable), Error);
  EXPECT_THROW((void)open(vanished), Error);
}

}  // namespace
}  // namespace atl::device
