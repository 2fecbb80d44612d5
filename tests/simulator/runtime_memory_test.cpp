#include <array>
#include <csignal>
#include <numeric>
#include <string>

#include <gmock/gmock.h>
#include <unistd.h>

#include "harness/simulator/engine/memory/device_memory.h"
#include "tests/simulator/runtime_test_kernels.h"
#include "tests/simulator/simulator_control.h"

namespace warpmark::simulator {
namespace {

using nlohmann::json;

class RuntimeMemory : public RuntimeTest {
 protected:
  static json transfers() { return drain()["transfers"]; }
  static json only_finding() {
    auto findings = drain()["findings"];
    EXPECT_EQ(findings.size(), 1U) << findings;
    if (findings.empty()) return json::object();
    EXPECT_THAT(findings[0]["message"].get<std::string>(),
                testing::Not(testing::ContainsRegex("0x[0-9a-f]{6,}")));
    return findings[0];
  }
};

json transfer(const char* direction, std::size_t bytes, const char* kind = "copy",
              std::size_t launches_before = 0) {
  return {{"direction", direction}, {"bytes", bytes}, {"kind", kind}, {"launches_before", launches_before}};
}

TEST_F(RuntimeMemory, bytes_survive_the_way_to_the_device_and_back) {
  std::array<int, 100> there{};
  std::array<int, 100> back{};
  std::iota(there.begin(), there.end(), 1);
  int* first = device_ints(100);
  int* second = device_ints(100);
  EXPECT_EQ(cudaMemcpy(first, there.data(), sizeof there, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(second, first, sizeof there, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), second, sizeof back, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(there, back);
  EXPECT_EQ(transfers(), json({transfer("host_to_device", 400), transfer("device_to_device", 400),
                               transfer("device_to_host", 400)}));
}

TEST_F(RuntimeMemory, a_default_copy_is_counted_in_the_direction_it_took) {
  int value = 5;
  int* device = device_ints(1);
  EXPECT_EQ(cudaMemcpy(device, &value, 4, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(&value, device, 4, cudaMemcpyDefault), cudaSuccess);
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 4), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(managed, &value, 4, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(transfers(), json({transfer("host_to_device", 4), transfer("device_to_host", 4),
                               transfer("host_to_device", 4)}));
}

TEST_F(RuntimeMemory, a_copy_of_nothing_is_no_transfer) {
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(transfers(), json::array());
}

TEST_F(RuntimeMemory, memset_fills_bytes_and_is_no_transfer) {
  int* device = device_ints(2);
  ASSERT_EQ(cudaMemset(device, 0x11, 4), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(device + 1, 0x22, 4), cudaSuccess);
  EXPECT_EQ(transfers(), json::array());
  std::array<int, 2> values{};
  ASSERT_EQ(cudaMemcpy(values.data(), device, 8, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_THAT(values, testing::ElementsAre(0x11111111, 0x22222222));
}

TEST_F(RuntimeMemory, a_copy_past_the_end_is_refused_and_measured) {
  std::array<int, 20> values{};
  int* device = device_ints(10);
  EXPECT_EQ(cudaMemcpy(device + 5, values.data(), 40, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  const json all = drain();
  EXPECT_EQ(all["transfers"], json::array());
  ASSERT_EQ(all["findings"].size(), 1U);
  EXPECT_EQ(all["findings"][0]["kind"], "bad_copy");
  EXPECT_THAT(
      all["findings"][0]["message"].get<std::string>(),
      testing::AllOf(testing::HasSubstr("cudaMemcpy: 40 bytes from offset 20 of an allocation of 40 bytes"),
                     testing::HasSubstr("20 bytes past its end")));
}

TEST_F(RuntimeMemory, a_host_read_before_a_copy_is_awaited_is_found_and_goes_on) {
  int* device = device_ints(1);
  ASSERT_EQ(cudaMemset(device, 1, sizeof(int)), cudaSuccess);
  volatile int* host = nullptr;
  ASSERT_EQ(cudaMallocHost(reinterpret_cast<void**>(const_cast<int**>(&host)), 2 * sizeof(int)), cudaSuccess);
  const auto copy = [&] {
    void* const target = const_cast<int*>(host);
    return cudaMemcpyAsync(target, device, sizeof(int), cudaMemcpyDeviceToHost, nullptr);
  };
  ASSERT_EQ(copy(), cudaSuccess);
  EXPECT_EQ(*host, 0x01010101);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const json finding = only_finding();
  EXPECT_EQ(finding["kind"], "missing_synchronize");
  EXPECT_THAT(finding["message"].get<std::string>(), testing::HasSubstr("host code reads"));

  ASSERT_EQ(copy(), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(*host, 0x01010101);
  ASSERT_EQ(copy(), cudaSuccess);
  host[1] = 7;  // beside it
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(drain()["findings"], json::array());
}

TEST_F(RuntimeMemory, a_memset_past_the_end_is_refused) {
  EXPECT_EQ(cudaMemset(device_ints(1), 0, 5), cudaErrorInvalidValue);
  EXPECT_EQ(only_finding()["kind"], "bad_copy");
}

TEST_F(RuntimeMemory, a_copy_in_the_wrong_direction_is_refused_and_named) {
  int value = 0;
  int* device = device_ints(1);
  EXPECT_EQ(cudaMemcpy(&value, device, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  const json finding = only_finding();
  EXPECT_EQ(finding["kind"], "bad_copy");
  EXPECT_THAT(finding["message"].get<std::string>(),
              testing::HasSubstr("cudaMemcpyHostToDevice makes the destination device memory"));
}

TEST_F(RuntimeMemory, use_after_free_and_double_free_are_found) {
  int value = 0;
  int* device = device_ints(1);
  ASSERT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(&value, device, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(only_finding()["kind"], "use_after_free");
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(only_finding()["kind"], "use_after_free");
}

TEST_F(RuntimeMemory, only_the_beginning_of_its_own_kind_is_freed) {
  int* device = device_ints(2);
  int* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 8), cudaSuccess);
  EXPECT_EQ(cudaFree(device + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST_F(RuntimeMemory, more_than_the_device_has_is_out_of_memory) {
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, std::size_t{1} << 50), cudaErrorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
}

TEST_F(RuntimeMemory, free_memory_shrinks_by_what_is_allocated) {
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  device_ints(1024);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - after, 4096U);
}

TEST_F(RuntimeMemory, pointer_attributes_tell_the_kinds_of_memory_apart) {
  const auto type_of = [](const void* pointer) {
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    return attributes.type;
  };
  int* device = device_ints(4);
  EXPECT_EQ(type_of(device), cudaMemoryTypeDevice);
  EXPECT_EQ(type_of(device + 3), cudaMemoryTypeDevice);
  int* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 16, cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ(type_of(pinned + 1), cudaMemoryTypeHost);
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 16), cudaSuccess);
  EXPECT_EQ(type_of(managed), cudaMemoryTypeManaged);
  std::array<int, 4> plain{};
  EXPECT_EQ(type_of(plain.data()), cudaMemoryTypeUnregistered);
  ASSERT_EQ(cudaHostRegister(plain.data(), sizeof plain, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(type_of(&plain[3]), cudaMemoryTypeHost);
  EXPECT_EQ(cudaHostRegister(&plain[1], 4, 0), cudaErrorHostMemoryAlreadyRegistered);
  ASSERT_EQ(cudaHostUnregister(plain.data()), cudaSuccess);
  EXPECT_EQ(type_of(plain.data()), cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaHostUnregister(plain.data()), cudaErrorHostMemoryNotRegistered);
}

TEST_F(RuntimeMemory, mapped_host_memory_has_a_device_pointer) {
  int* pinned = nullptr;
  int* device = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 4, cudaHostAllocMapped), cudaSuccess);
  *pinned = 3;
  ASSERT_EQ(cudaHostGetDevicePointer(&device, pinned, 0), cudaSuccess);
  EXPECT_EQ(launch(mark, device), cudaSuccess);
  EXPECT_EQ(*pinned, 10);
  EXPECT_EQ(transfers(), json({transfer("host_to_device", 4, "mapped")}));
}

TEST_F(RuntimeMemory, kernels_reach_registered_host_memory_until_it_is_unregistered) {
  std::array<int, 2> plain{};
  ASSERT_EQ(cudaHostRegister(plain.data(), sizeof plain, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(plain.data()), cudaErrorInvalidValue);
  EXPECT_EQ(launch(mark, &plain[1]), cudaSuccess);
  EXPECT_EQ(plain[1], 10);
  EXPECT_EQ(transfers(), json({transfer("host_to_device", 4, "mapped")}));
  ASSERT_EQ(cudaHostUnregister(plain.data()), cudaSuccess);
  EXPECT_EQ(launch(mark, &plain[1]), cudaErrorIllegalAddress);
  EXPECT_EQ(only_finding()["kind"], "host_pointer");
}

TEST_F(RuntimeMemory, the_same_finding_is_told_once) {
  int* device = device_ints(1);
  EXPECT_EQ(cudaMemset(device, 0, 5), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(device, 0, 5), cudaErrorInvalidValue);
  EXPECT_EQ(only_finding()["kind"], "bad_copy");
}

TEST_F(RuntimeMemory, managed_memory_crosses_at_every_launch_as_far_as_it_is_accessed) {
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess);
  EXPECT_EQ(launch(mark, managed), cudaSuccess);
  EXPECT_EQ(launch(mark, managed), cudaSuccess);
  EXPECT_EQ(*managed, 10);
  const auto after = [](int launches) {
    return transfer("host_to_device", sizeof(int), "managed", launches);
  };
  EXPECT_EQ(transfers(), json({after(1), after(2)}));
}

TEST_F(RuntimeMemory, a_transfer_tells_how_many_launches_came_before_it) {
  int value = 5;
  int* device = device_ints(1);
  EXPECT_EQ(cudaMemcpy(device, &value, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(launch(mark, device), cudaSuccess);
  EXPECT_EQ(launch(mark, device), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(&value, device, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(transfers(), json({transfer("host_to_device", 4), transfer("device_to_host", 4, "copy", 2)}));
}

TEST_F(RuntimeMemory, a_host_read_of_device_memory_is_explained_before_the_process_dies) {
  EXPECT_EXIT(
      {
        volatile int* device = device_ints(1);
        simulator_control().report_to(-1);
        [[maybe_unused]] const int value = *device;
      },
      testing::KilledBySignal(SIGSEGV),
      "\"kind\":\"device_pointer\".*host code read from device memory.*cudaMemcpy");
}

TEST_F(RuntimeMemory, a_host_write_is_reported_to_the_descriptor_as_one_line_of_json) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  volatile int* device = device_ints(1);
  EXPECT_EXIT(
      {
        simulator_control().report_to(ends[1]);
        *device = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
  close(ends[1]);
  std::string text(1024, '\0');
  const auto count = read(ends[0], text.data(), text.size());
  close(ends[0]);
  ASSERT_GT(count, 0);
  text.resize(static_cast<std::size_t>(count));
  EXPECT_EQ(text.back(), '\n');
  const json finding = json::parse(text);
  EXPECT_EQ(finding["kind"], "device_pointer");
#if defined(__x86_64__)
  EXPECT_THAT(finding["message"].get<std::string>(), testing::HasSubstr("wrote to device memory"));
#endif
  EXPECT_THAT(finding["message"].get<std::string>(), testing::Not(testing::HasSubstr("0x")));
}

TEST_F(RuntimeMemory, other_faults_stay_what_they_are) {
  volatile Address nowhere = 8;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is what this is about
  EXPECT_EXIT({ *reinterpret_cast<volatile int*>(nowhere) = 1; }, testing::KilledBySignal(SIGSEGV), "^$");
}

}  // namespace
}  // namespace warpmark::simulator
