#include <ostream>
#include <string>

#include <gmock/gmock.h>

#include "tests/simulator/runtime_test_kernels.h"

namespace warpmark::simulator {
namespace {

using nlohmann::json;

class RuntimeLaunch : public RuntimeTest {
 protected:
  static int value_at(const int* device) {
    int value = -1;
    EXPECT_EQ(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
  }
};

TEST_F(RuntimeLaunch, a_kernel_runs_and_is_in_the_journal) {
  int* out = device_ints(1);
  EXPECT_EQ(launch(mark, out, dim3(2), dim3(32, 2)), cudaSuccess);
  EXPECT_EQ(value_at(out), 10);
  const json launches = drain()["launches"];
  EXPECT_EQ(launches, json({{{"kernel", "mark"}, {"grid", {2, 1, 1}}, {"block", {32, 2, 1}}}}));
}

// What is told of a call that has its work on one stream.
class RuntimeCall : public RuntimeLaunch {
 protected:
  void SetUp() override {
    RuntimeLaunch::SetUp();
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    simulator_control().drain();
    simulator_control().begin_call(nullptr, stream);
  }
  static std::vector<std::string> kinds_at_the_end() {
    simulator_control().end_call(nullptr);
    std::vector<std::string> kinds;
    const json drained = drain();
    for (const json& finding : drained.value("findings", json::array())) kinds.push_back(finding["kind"]);
    return kinds;
  }
  cudaStream_t stream = nullptr;
};

TEST_F(RuntimeCall, finds_a_launch_and_a_memset_on_the_default_stream) {
  int* out = device_ints(1);
  ASSERT_EQ(launch(mark, out), cudaSuccess);
  ASSERT_EQ(cudaFree(out), cudaSuccess);
  EXPECT_THAT(kinds_at_the_end(), testing::ElementsAre("default_stream"));
}

TEST_F(RuntimeCall, finds_nothing_on_the_stream_that_it_was_given) {
  int* out = device_ints(1);
  void* arguments[] = {static_cast<void*>(&out)};
  ASSERT_EQ(::cudaLaunchKernel(&mark, 1, 1, arguments, 0, stream), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(out, 0, 4, stream), cudaSuccess);
  ASSERT_EQ(cudaFree(out), cudaSuccess);
  EXPECT_THAT(kinds_at_the_end(), testing::IsEmpty());
}

TEST_F(RuntimeCall, finds_copies_within_the_device_on_the_default_stream) {
  int* from = device_ints(1);
  int* to = device_ints(1);
  ASSERT_EQ(cudaMemset(from, 0, sizeof(int)), cudaSuccess);
  kinds_at_the_end();
  const auto in_a_call = [&](const auto& copy) {
    simulator_control().begin_call(nullptr, stream);
    EXPECT_EQ(copy(), cudaSuccess);
    return kinds_at_the_end();
  };
  const auto on_the_default_stream = testing::ElementsAre("default_stream");
  constexpr auto kind = cudaMemcpyDeviceToDevice;
  EXPECT_THAT(in_a_call([&] { return cudaMemcpy(to, from, 4, kind); }), on_the_default_stream);
  EXPECT_THAT(in_a_call([&] { return cudaMemcpyToSymbol(ticket, from, 4, 0, kind); }), on_the_default_stream);
  EXPECT_THAT(in_a_call([&] { return cudaMemcpyFromSymbol(to, ticket, 4, 0, kind); }), on_the_default_stream);
  EXPECT_THAT(in_a_call([&] { return cudaMemcpyToSymbolAsync(ticket, from, 4, 0, kind, nullptr); }),
              on_the_default_stream);
  EXPECT_THAT(in_a_call([&] { return cudaMemcpyToSymbolAsync(ticket, from, 4, 0, kind, stream); }),
              testing::IsEmpty());
  int value = 0;
  EXPECT_THAT(in_a_call([&] { return cudaMemcpyToSymbol(ticket, &value, 4); }), testing::IsEmpty());
}

TEST_F(RuntimeCall, lets_a_stream_of_its_own_pass_that_it_waits_for) {
  cudaStream_t own = nullptr;
  ASSERT_EQ(cudaStreamCreate(&own), cudaSuccess);
  int* out = device_ints(1);
  ASSERT_EQ(cudaMemsetAsync(out, 0, 4, own), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(own), cudaSuccess);
  ASSERT_EQ(cudaFree(out), cudaSuccess);
  EXPECT_THAT(kinds_at_the_end(), testing::IsEmpty());
  simulator_control().begin_call(nullptr, stream);
  out = device_ints(1);
  ASSERT_EQ(cudaMemsetAsync(out, 0, 4, own), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(out, stream), cudaSuccess);
  EXPECT_THAT(kinds_at_the_end(), testing::UnorderedElementsAre("default_stream", "race"));
}

TEST_F(RuntimeCall, finds_memory_that_is_not_freed) {
  device_ints(5);
  EXPECT_THAT(kinds_at_the_end(), testing::ElementsAre("leak"));
}

TEST_F(RuntimeCall, leaves_memory_from_before_alone) {
  simulator_control().end_call(nullptr);
  simulator_control().drain();
  device_ints(5);
  simulator_control().begin_call(nullptr, stream);
  EXPECT_THAT(kinds_at_the_end(), testing::IsEmpty());
}

TEST_F(RuntimeLaunch, the_level_is_chosen_from_the_next_launch_on) {
  int* out = device_ints(1);
  ASSERT_EQ(launch(mark, out), cudaSuccess);
  EXPECT_EQ(value_at(out), 10);
  configure(false);
  ASSERT_EQ(launch(mark, out), cudaSuccess);
  EXPECT_EQ(value_at(out), 12);
}

TEST_F(RuntimeLaunch, runs_unchecked_on_the_same_variables_what_is_beyond_the_work_that_may_be_checked) {
  const WarpmarkSimulatorOptions options{.checking = 1,
                                         .schedule = 0,
                                         .instruction_budget = 100'000,
                                         .host_threads = 1,
                                         .check_accesses = 1,
                                         .count_work = 0,
                                         .keep_costly = 0,
                                         .work_limit = 20,
                                         .time_limit = 0,
                                         .devices = 0};
  simulator_control().configure(&options);
  int* out = device_ints(1);
  ASSERT_EQ(launch(mark, out), cudaSuccess);
  EXPECT_EQ(value_at(out), 10) << "checked";
  EXPECT_TRUE(drain().value("notes", json::array()).empty());
  for (int i = 0; i < 2; ++i) ASSERT_EQ(launch(mark, out), cudaSuccess);
  EXPECT_EQ(value_at(out), 12) << "unchecked";
  int value = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, ticket, sizeof value), cudaSuccess);
  EXPECT_EQ(value, 12);
  EXPECT_EQ(drain()["notes"].size(), 1U);
}

TEST_F(RuntimeLaunch, counts_a_share_of_the_work_and_runs_the_rest_uncounted) {
  const WarpmarkSimulatorOptions options{.checking = 0,
                                         .schedule = 0,
                                         .instruction_budget = 100'000,
                                         .host_threads = 1,
                                         .check_accesses = 0,
                                         .count_work = 1,
                                         .keep_costly = 0,
                                         .work_limit = 80,
                                         .time_limit = 0,
                                         .devices = 0};
  simulator_control().configure(&options);
  int* out = device_ints(1);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(launch(mark, out), cudaSuccess);
  EXPECT_EQ(value_at(out), 12);
  const json launches = drain()["launches"];
  ASSERT_EQ(launches.size(), 3U);
  EXPECT_TRUE(launches[0].contains("work"));
  EXPECT_FALSE(launches[2].contains("work"));
}

TEST_F(RuntimeLaunch, draining_empties_the_journal) {
  ASSERT_EQ(launch(mark, device_ints(1)), cudaSuccess);
  EXPECT_EQ(drain()["launches"].size(), 1U);
  EXPECT_EQ(drain(), json({{"launches", json::array()},
                           {"findings", json::array()},
                           {"transfers", json::array()},
                           {"notes", json::array()}}));
}

TEST_F(RuntimeLaunch, a_configuration_pushed_by_the_call_is_popped_by_the_stub) {
  EXPECT_EQ(__cudaPushCallConfiguration(dim3(1, 2, 3), dim3(4), 5, cudaStreamPerThread), 0U);
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, static_cast<void*>(&stream)), cudaSuccess);
  EXPECT_EQ(grid.z, 3U);
  EXPECT_EQ(block.x, 4U);
  EXPECT_EQ(shared, 5U);
  EXPECT_EQ(stream, cudaStreamPerThread);
}

TEST_F(RuntimeLaunch, an_unknown_kernel_is_an_invalid_device_function) {
  const char unknown = 0;
  EXPECT_EQ(launch(unknown), cudaErrorInvalidDeviceFunction);
}

struct Shape {
  const char* name;
  dim3 grid, block;
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.name;
}
class RuntimeLaunchShape : public RuntimeLaunch, public testing::WithParamInterface<Shape> {};

TEST_P(RuntimeLaunchShape, is_refused_and_explained) {
  EXPECT_EQ(launch(mark, device_ints(1), GetParam().grid, GetParam().block), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  const json all = drain();
  EXPECT_EQ(all["launches"], json::array());
  ASSERT_EQ(all["findings"].size(), 1U);
  EXPECT_EQ(all["findings"][0]["kind"], "cuda_error");
  EXPECT_EQ(all["findings"][0]["kernel"], "mark");
}

TEST_F(RuntimeLaunch, an_empty_grid_is_said_to_be_one) {
  EXPECT_EQ(launch(mark, device_ints(1), dim3(0)), cudaErrorInvalidConfiguration);
  EXPECT_THAT(drain()["findings"][0]["message"].get<std::string>(),
              testing::HasSubstr("a grid of 0 blocks, (0, 1, 1). If there is nothing to do (n = 0), return"));
}

INSTANTIATE_TEST_SUITE_P(, RuntimeLaunchShape,
                         testing::Values(Shape{"NoBlocks", dim3(0), dim3(1)},
                                         Shape{"NoThreads", dim3(1), dim3(0)},
                                         Shape{"TooManyThreads", dim3(1), dim3(1025)},
                                         Shape{"TooManyThreadsInAll", dim3(1), dim3(32, 33)},
                                         Shape{"TooDeepABlock", dim3(1), dim3(1, 1, 65)},
                                         Shape{"TooManyRowsOfBlocks", dim3(1, 65536), dim3(1)}),
                         [](const auto& entry) { return std::string(entry.param.name); });

TEST_F(RuntimeLaunch, dynamic_shared_memory_is_limited_until_the_kernel_asks_for_more) {
  const std::size_t rest = 47 << 10;
  EXPECT_EQ(launch(with_shared, 1, 1, rest), cudaSuccess);
  EXPECT_EQ(launch(with_shared, 1, 1, rest + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(&with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10),
            cudaSuccess);
  EXPECT_EQ(launch(with_shared, 1, 1, 100 << 10), cudaSuccess);
  EXPECT_EQ(launch(with_shared, 1, 1, (100 << 10) + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(&with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 163 << 10),
            cudaErrorInvalidValue);
}

TEST_F(RuntimeLaunch, a_fatal_finding_makes_an_error_that_stays_until_the_device_is_reset) {
  int* out = device_ints(1);
  EXPECT_EQ(launch(outside, out), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(launch(mark, out), cudaErrorIllegalAddress);
  const json findings = drain()["findings"];
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0]["kind"], "out_of_bounds");
  EXPECT_EQ(findings[0]["kernel"], "outside");
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(launch(mark, device_ints(1)), cudaSuccess);
}

TEST_F(RuntimeLaunch, an_endless_loop_is_a_timeout) {
  EXPECT_EQ(launch(spin), cudaErrorLaunchTimeout);
  const json findings = drain()["findings"];
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0]["kind"], "endless_loop");
}

TEST_F(RuntimeLaunch, a_kernel_without_readable_device_code_says_so) {
  static constexpr char kPacked[] = "warpmark-fat-binary/1\nO0 6\nno PTXO2 6\nno PTX";
  EmbeddedCode code{.data = kPacked};
  void** module = __cudaRegisterFatBinary(&code);
  const char stub = 0;
  std::string name = "k";
  __cudaRegisterFunction(module, &stub, name.data(), "k", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(launch(stub), cudaErrorNotSupported);
  __cudaUnregisterFatBinary(module);
  EXPECT_EQ(launch(stub), cudaErrorInvalidDeviceFunction);
  const json findings = drain()["findings"];
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0]["kind"], "unsupported");
}

TEST_F(RuntimeLaunch, variables_are_read_and_written_by_their_symbol) {
  int value = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, ticket, sizeof value), cudaSuccess);
  EXPECT_EQ(value, 7);
  const int nine = 9;
  ASSERT_EQ(cudaMemcpyToSymbol(ticket, &nine, sizeof nine), cudaSuccess);
  for (const bool checking : {true, false}) {
    configure(checking);
    ASSERT_EQ(cudaMemcpyFromSymbol(&value, ticket, sizeof value), cudaSuccess);
    EXPECT_EQ(value, 9) << "checking " << checking;
  }
  ASSERT_EQ(launch(mark, device_ints(1)), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromSymbol(&value, ticket, sizeof value), cudaSuccess);
  EXPECT_EQ(value, 12);
  EXPECT_EQ(cudaMemcpyToSymbol(ticket, &nine, sizeof nine, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(value, &nine, sizeof nine), cudaErrorInvalidSymbol);
}

TEST_F(RuntimeLaunch, a_symbol_is_no_pointer_and_a_pointer_no_symbol) {
  int nine = 9;
  const auto message = [&](cudaError_t error, cudaError_t wanted) {
    EXPECT_EQ(error, wanted);
    const json findings = drain().value("findings", json::array());
    EXPECT_EQ(findings.size(), 1U);
    return findings.empty() ? std::string() : findings[0]["message"].get<std::string>();
  };
  EXPECT_THAT(message(cudaMemcpy(&ticket, &nine, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue),
              testing::HasSubstr("copy with cudaMemcpyToSymbol(ticket, from, bytes, 0, kind)"));
  EXPECT_THAT(message(cudaMemcpyAsync(&nine, &ticket, 4, cudaMemcpyDefault, nullptr), cudaErrorInvalidValue),
              testing::HasSubstr("copy with cudaMemcpyFromSymbolAsync(to, ticket, bytes, 0, kind, stream)"));
  EXPECT_THAT(message(cudaMemset(&ticket, 0, 4), cudaErrorInvalidValue),
              testing::HasSubstr("ticket is a __device__ or __constant__ variable"));
  EXPECT_THAT(message(cudaMemcpyToSymbol(nine, &nine, 4), cudaErrorInvalidSymbol),
              testing::HasSubstr("invalid symbol during the copy"));
  EXPECT_THAT(message(launch(mark, reinterpret_cast<int*>(&ticket)), cudaErrorIllegalAddress),
              testing::HasSubstr("use ticket by its name in the kernel"));
}

TEST_F(RuntimeLaunch, occupancy_follows_threads_and_shared_memory) {
  const auto blocks_of = [&](const char& kernel, int size, std::size_t shared) {
    int blocks = -1;
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kernel, size, shared), cudaSuccess);
    return blocks;
  };
  EXPECT_EQ(blocks_of(mark, 1024, 0), 2);
  EXPECT_EQ(blocks_of(mark, 33, 0), 32);
  EXPECT_EQ(blocks_of(mark, 256, 0), 8);
  EXPECT_EQ(blocks_of(mark, 256, 40 << 10), 4);
  EXPECT_EQ(blocks_of(mark, 1025, 0), 0);
  int grid = 0;
  int block = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, &mark), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 32);
}

}  // namespace
}  // namespace warpmark::simulator
