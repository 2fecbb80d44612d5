// Two devices: each has its own memory, variables, streams and errors.
#include <string>

#include <gmock/gmock.h>

#include "tests/simulator/runtime_test_kernels.h"

namespace warpmark::simulator {
namespace {

using testing::HasSubstr;

class RuntimeDevices : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    configure(true, 2);
  }
  void TearDown() override {
    cudaSetDevice(1);
    cudaDeviceReset();
    cudaSetDevice(0);
    RuntimeTest::TearDown();
    configure(true, 1);
  }

  static int* ints_on(int device) {
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    return device_ints(4);
  }
  static int value_at(const int* pointer) {
    int value = -1;
    EXPECT_EQ(cudaMemcpy(&value, pointer, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
  }
  static std::string first_kind() {
    const auto seen = drain();
    return seen["findings"].empty() ? "none" : seen["findings"][0]["kind"].get<std::string>();
  }
};

TEST_F(RuntimeDevices, are_counted_and_chosen) {
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 2);
  int device = -1;
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 1) << "a device that there is not is not chosen";
}

TEST_F(RuntimeDevices, have_properties_each_and_share_the_bytes) {
  cudaDeviceProp first{};
  cudaDeviceProp second{};
  ASSERT_EQ(cudaGetDeviceProperties(&first, 0), cudaSuccess);
  ASSERT_EQ(cudaGetDeviceProperties(&second, 1), cudaSuccess);
  EXPECT_NE(std::string(first.uuid.bytes, sizeof first.uuid.bytes),
            std::string(second.uuid.bytes, sizeof second.uuid.bytes));
  EXPECT_NE(first.pciBusID, second.pciBusID);
  EXPECT_EQ(first.totalGlobalMem, std::size_t{8} << 30);
  EXPECT_EQ(cudaGetDeviceProperties(&first, 2), cudaErrorInvalidDevice);
  int device = -1;
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0) << "to ask for properties chooses nothing";
}

TEST_F(RuntimeDevices, have_memory_of_their_own) {
  const int* first = ints_on(0);
  const int* second = ints_on(1);
  cudaPointerAttributes attributes{};
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, first), cudaSuccess);
  EXPECT_EQ(attributes.device, 0);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, second), cudaSuccess);
  EXPECT_EQ(attributes.device, 1);
  std::size_t free = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(total - free, 4 * sizeof(int));
  void* large = nullptr;
  EXPECT_EQ(cudaMalloc(&large, std::size_t{9} << 30), cudaErrorMemoryAllocation);
}

TEST_F(RuntimeDevices, reach_each_others_memory_only_when_allowed) {
  int* first = ints_on(0);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  int possible = 0;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&possible, 1, 0), cudaSuccess);
  EXPECT_EQ(possible, 1);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
  EXPECT_EQ(launch(mark, first), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(value_at(first), 10);
  EXPECT_EQ(drain()["findings"].size(), 0U);

  EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaSuccess);
  launch(mark, first);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  const auto findings = drain()["findings"];
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0]["kind"], "peer_access");
  EXPECT_THAT(findings[0]["message"].get<std::string>(), HasSubstr("of device 0, by a kernel on device 1"));
}

TEST_F(RuntimeDevices, lose_their_context_each_alone) {
  int* first = ints_on(0);
  int* second = ints_on(1);
  launch(mark, first);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(launch(mark, first), cudaSuccess);
  EXPECT_EQ(value_at(first), 10);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, second), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(value_at(first), 10) << "the other device's memory stays";
}

TEST_F(RuntimeDevices, answer_wrong_use_of_peer_access_with_cudas_errors) {
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice) << "itself";
  EXPECT_EQ(cudaDeviceEnablePeerAccess(2, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue) << "flags have to be 0";
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  int possible = 1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&possible, 0, 0), cudaSuccess);
  EXPECT_EQ(possible, 0);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&possible, 0, 5), cudaErrorInvalidDevice);
}

TEST_F(RuntimeDevices, have_variables_of_their_own) {
  int* first = ints_on(0);
  ASSERT_EQ(launch(mark, first), cudaSuccess);
  int value = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&value, ticket, sizeof value), cudaSuccess);
  EXPECT_EQ(value, 10);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(&value, ticket, sizeof value), cudaSuccess);
  EXPECT_EQ(value, 7) << "as the program began";
}

TEST_F(RuntimeDevices, copy_to_each_other_and_the_record_says_between_which) {
  int* first = ints_on(0);
  ASSERT_EQ(launch(mark, first), cudaSuccess);
  int* second = ints_on(1);
  drain();
  ASSERT_EQ(cudaMemcpyPeer(second, 1, first, 0, sizeof *first), cudaSuccess);
  EXPECT_EQ(value_at(second), 10);
  const auto transfers = drain()["transfers"];
  ASSERT_EQ(transfers.size(), 2U);
  EXPECT_EQ(transfers[0]["direction"], "device_to_device");
  EXPECT_EQ(transfers[0]["device"], 1);
  EXPECT_EQ(transfers[0]["from_device"], 0);
  EXPECT_EQ(transfers[1]["direction"], "device_to_host");
  EXPECT_EQ(transfers[1]["device"], 1);
}

TEST_F(RuntimeDevices, are_named_by_a_copy_between_them) {
  int* first = ints_on(0);
  int* second = ints_on(1);
  EXPECT_EQ(cudaMemcpyPeer(second, 0, first, 1, sizeof *first), cudaErrorInvalidValue);
  EXPECT_EQ(first_kind(), "bad_copy");
  EXPECT_EQ(cudaMemcpyPeerAsync(second, 1, first, 3, sizeof *first, nullptr), cudaErrorInvalidDevice);
}

TEST_F(RuntimeDevices, do_not_wait_for_each_others_default_stream) {
  int* shared = nullptr;
  ASSERT_EQ(cudaMallocManaged(&shared, 4 * sizeof(int)), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(shared, 0, 4 * sizeof(int), nullptr), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "waits for device 1 alone";
  EXPECT_EQ(cudaMemsetAsync(shared, 1, 4 * sizeof(int), nullptr), cudaSuccess);
  const auto findings = drain()["findings"];
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0]["kind"], "race");
  EXPECT_THAT(findings[0]["message"].get<std::string>(), HasSubstr("default streams of two devices"));
}

TEST_F(RuntimeDevices, are_waited_for_each_alone) {
  int* shared = nullptr;
  ASSERT_EQ(cudaMallocManaged(&shared, 4 * sizeof(int)), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(shared, 0, 4 * sizeof(int), nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(shared, 1, 4 * sizeof(int), nullptr), cudaSuccess);
  EXPECT_EQ(first_kind(), "none");
}

TEST_F(RuntimeDevices, both_wait_for_a_copy_between_them) {
  int* first = ints_on(0);
  int* second = ints_on(1);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(first, 0, 4 * sizeof(int), nullptr), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaMemcpyPeer(second, 1, first, 0, 4 * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(first, 1, 4 * sizeof(int), nullptr), cudaSuccess);
  EXPECT_EQ(first_kind(), "none");
}

TEST_F(RuntimeDevices, take_no_launch_into_a_stream_of_another_one) {
  int* first = ints_on(0);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  void* arguments[] = {&first};
  EXPECT_EQ(::cudaLaunchKernel(static_cast<const void*>(&mark), 1, 1, arguments, 0, stream),
            cudaErrorInvalidResourceHandle);
  const auto findings = drain()["findings"];
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0]["message"].get<std::string>(), HasSubstr("belongs to device 0"));
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

}  // namespace
}  // namespace warpmark::simulator
