#include <cstring>

#include "tests/simulator/runtime_test_kernels.h"

namespace warpmark::simulator {
namespace {

class RuntimeDevice : public RuntimeTest {};

TEST_F(RuntimeDevice, there_is_one_device_and_its_properties_agree_with_its_attributes) {
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  cudaDeviceProp properties{};
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  const auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
    return value;
  };
  EXPECT_EQ(properties.multiProcessorCount, attribute(cudaDevAttrMultiProcessorCount));
  EXPECT_EQ(properties.maxThreadsPerBlock, attribute(cudaDevAttrMaxThreadsPerBlock));
  EXPECT_EQ(properties.warpSize, attribute(cudaDevAttrWarpSize));
  EXPECT_EQ(properties.major, attribute(cudaDevAttrComputeCapabilityMajor));
  EXPECT_EQ(static_cast<int>(properties.sharedMemPerBlock), attribute(cudaDevAttrMaxSharedMemoryPerBlock));
}

TEST_F(RuntimeDevice, another_device_is_invalid_and_so_is_an_unknown_attribute) {
  int value = 0;
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0), cudaErrorInvalidValue);
}

TEST_F(RuntimeDevice, every_attribute_is_answered_and_rates_can_be_divided_by) {
  int value = -1;
  for (int which = cudaDevAttrMaxThreadsPerBlock; which < cudaDevAttrMax; ++which)
    EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(which), 0), cudaSuccess) << which;
  for (const cudaDeviceAttr rate :
       {cudaDevAttrClockRate, cudaDevAttrMemoryClockRate, cudaDevAttrGlobalMemoryBusWidth}) {
    EXPECT_EQ(cudaDeviceGetAttribute(&value, rate, 0), cudaSuccess);
    EXPECT_GT(value, 0);
  }
}

TEST_F(RuntimeDevice, is_its_own_and_only_peer) {
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  int* from = device_ints(1);
  int* to = device_ints(1);
  EXPECT_EQ(cudaMemset(from, 1, sizeof *from), cudaSuccess);
  EXPECT_EQ(cudaMemcpyPeer(to, 0, from, 0, sizeof *to), cudaSuccess);
  int value = 0;
  EXPECT_EQ(cudaMemcpy(&value, to, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 0x01010101);
  EXPECT_EQ(cudaMemcpyPeer(to, 1, from, 0, sizeof *to), cudaErrorInvalidDevice);
  char bus[16] = {};
  EXPECT_EQ(cudaDeviceGetPCIBusId(bus, sizeof bus, 0), cudaSuccess);
  EXPECT_STREQ(bus, "0000:00:00.0");
  EXPECT_EQ(cudaDeviceGetPCIBusId(bus, 3, 0), cudaErrorInvalidValue);
}

TEST_F(RuntimeDevice, errors_have_cudas_names_and_texts) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(998)), "unrecognized error code");
}

TEST_F(RuntimeDevice, only_live_streams_are_streams) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  for (cudaStream_t usable :
       {stream, static_cast<cudaStream_t>(nullptr), cudaStreamLegacy, cudaStreamPerThread}) {
    EXPECT_EQ(cudaStreamSynchronize(usable), cudaSuccess);
  }
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMemsetAsync(device_ints(1), 0, 4, stream), cudaErrorInvalidResourceHandle);
}

TEST_F(RuntimeDevice, events_measure_only_what_they_recorded) {
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  cudaEvent_t untimed = nullptr;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
  float milliseconds = -1;
  ASSERT_EQ(cudaEventRecord(start), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaEventRecord(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0.0F);
  ASSERT_EQ(cudaEventRecord(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, untimed), cudaErrorInvalidResourceHandle);
  for (cudaEvent_t event : {start, end, untimed}) EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(start), cudaErrorInvalidResourceHandle);
}

}  // namespace
}  // namespace warpmark::simulator
