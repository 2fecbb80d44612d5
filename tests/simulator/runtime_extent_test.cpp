// Two-dimensional memory, symbols by stream, limits, callbacks, advice.
#include <numeric>
#include <vector>

#include "tests/simulator/runtime_test_kernels.h"

namespace warpmark::simulator {
namespace {

class RuntimeExtent : public RuntimeTest {};

TEST_F(RuntimeExtent, rows_go_there_and_back_with_their_pitch) {
  int* device = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&device, &pitch, 5 * sizeof(int), 3), cudaSuccess);
  EXPECT_EQ(pitch % 512, 0U);
  std::vector<int> rows(15);
  std::iota(rows.begin(), rows.end(), 1);
  ASSERT_EQ(
      cudaMemcpy2D(device, pitch, rows.data(), 5 * sizeof(int), 5 * sizeof(int), 3, cudaMemcpyHostToDevice),
      cudaSuccess);
  ASSERT_EQ(cudaMemset2D(device + 1, pitch, 0, sizeof(int), 2), cudaSuccess);
  std::vector<int> back(12, -1);
  ASSERT_EQ(
      cudaMemcpy2D(back.data(), 4 * sizeof(int), device, pitch, 3 * sizeof(int), 3, cudaMemcpyDeviceToHost),
      cudaSuccess);
  EXPECT_EQ(back, (std::vector<int>{1, 0, 3, -1, 6, 0, 8, -1, 11, 12, 13, -1}));
  EXPECT_EQ(cudaMemcpy2D(device, 8, rows.data(), 20, 20, 3, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(device, pitch, rows.data(), 20, 20, 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue)
      << "a row more than there is";
}

TEST_F(RuntimeExtent, a_whole_rectangle_is_one_transfer) {
  int* device = device_ints(12);
  drain();
  const std::vector<int> rows(12, 3);
  ASSERT_EQ(cudaMemcpy2D(device, 16, rows.data(), 16, 16, 3, cudaMemcpyHostToDevice), cudaSuccess);
  const auto transfers = drain()["transfers"];
  ASSERT_EQ(transfers.size(), 1U);
  EXPECT_EQ(transfers[0]["bytes"], 48);
}

TEST_F(RuntimeExtent, rectangles_larger_than_the_device_are_refused) {
  int* device = nullptr;
  std::size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&device, &pitch, std::size_t{1} << 33, std::size_t{1} << 33),
            cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMallocPitch(&device, &pitch, ~std::size_t{0}, 2), cudaErrorInvalidValue);
}

TEST_F(RuntimeExtent, symbols_are_copied_by_stream) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  const int value = 77;
  int back = 0;
  EXPECT_EQ(cudaMemcpyToSymbolAsync(static_cast<const void*>(&ticket), &value, sizeof value, 0,
                                    cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbolAsync(&back, static_cast<const void*>(&ticket), sizeof back, 0,
                                      cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  EXPECT_EQ(back, 77);
  EXPECT_EQ(cudaMemcpyFromSymbol(&back, static_cast<const void*>(&ticket), sizeof back, 2),
            cudaErrorInvalidValue)
      << "past its end";
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbolAsync(static_cast<const void*>(&ticket), &value, sizeof value, 0,
                                    cudaMemcpyHostToDevice, stream),
            cudaErrorInvalidResourceHandle);
}

TEST_F(RuntimeExtent, host_functions_run_in_the_streams_order) {
  std::vector<int> seen;
  const auto note = [](void* to) { static_cast<std::vector<int>*>(to)->push_back(1); };
  const auto callback = [](cudaStream_t, cudaError_t status, void* to) {
    const bool refused = cudaDeviceSynchronize() == cudaErrorNotPermitted;
    static_cast<std::vector<int>*>(to)->push_back(status == cudaSuccess && refused ? 2 : 3);
  };
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, note, &seen), cudaSuccess);
  EXPECT_EQ(cudaStreamAddCallback(nullptr, callback, &seen, 0), cudaSuccess);
  EXPECT_EQ(seen, (std::vector<int>{1, 2}));
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, nullptr, nullptr), cudaErrorInvalidValue);
}

TEST_F(RuntimeExtent, limits_are_kept_until_the_device_is_reset) {
  std::size_t value = 0;
  ASSERT_EQ(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize), cudaSuccess);
  EXPECT_EQ(value, std::size_t{1} << 20);
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 << 20), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize), cudaSuccess);
  EXPECT_EQ(value, std::size_t{4} << 20);
  cudaDeviceReset();
  ASSERT_EQ(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize), cudaSuccess);
  EXPECT_EQ(value, std::size_t{1} << 20);
  EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(3), 1), cudaErrorUnsupportedLimit);
}

TEST_F(RuntimeExtent, only_managed_memory_takes_advice) {
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 400), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 400, 0), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(managed, 400, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 500, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(device_ints(4), 16, 0), cudaErrorInvalidValue);
  unsigned flags = 0;
  int* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 16), cudaSuccess);
  EXPECT_EQ(cudaHostGetFlags(&flags, pinned), cudaSuccess);
  EXPECT_EQ(cudaHostGetFlags(&flags, managed), cudaErrorInvalidValue);
}

TEST_F(RuntimeExtent, every_error_has_a_name_and_a_text) {
#define CHECK_TEXT(name, number, text)         \
  EXPECT_STREQ(cudaGetErrorName(name), #name); \
  EXPECT_STRNE(cudaGetErrorString(name), "unrecognized error code");
  WARPMARK_CUDA_ERRORS(CHECK_TEXT)
#undef CHECK_TEXT
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(1000)), "unrecognized error code");
}

}  // namespace
}  // namespace warpmark::simulator
