#include <array>
#include <ostream>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/simulator/front_end_fixture.h"

namespace warpmark::simulator {
namespace {

using testing::HasSubstr;

// The source lines of the instructions that begin so, in the order of the code.
std::vector<std::string> places_of(std::string_view instruction, const std::string& ptx) {
  std::istringstream code(ptx);
  std::vector<std::string> places;
  std::string last;
  for (std::string line; std::getline(code, line);) {
    std::istringstream words(line);
    std::string word;
    std::string file;
    std::string number;
    words >> word;
    if (word == ".loc" && words >> file >> number) last = number;
    if (word.starts_with(instruction)) places.push_back(last);
  }
  return places;
}

TEST_F(FrontEnd, barriers_in_both_arms_stay_two_barriers_with_their_own_lines) {
  const std::string ptx = device_code(R"(__global__ void k(int* p) {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  *p = 1;
})",
                                      Level::checking);
  EXPECT_THAT(places_of("bar.sync", ptx), testing::ElementsAre("3", "5")) << ptx;
}

TEST_F(FrontEnd, intrinsics_have_the_line_of_their_call) {
  const std::string ptx = device_code(R"(__global__ void k(int* p) {
  int x = p[threadIdx.x];
  x += __shfl_down_sync(~0u, x, 16);
  atomicAdd(p, x);
})",
                                      Level::checking);
  EXPECT_THAT(places_of("shfl.sync", ptx), testing::ElementsAre("3")) << ptx;
  EXPECT_THAT(places_of("atom.", ptx), testing::ElementsAre("4")) << ptx;
  EXPECT_THAT(ptx, testing::Not(HasSubstr(".func"))) << "an intrinsic was not inlined";
}

struct Missing {
  const char* name;
  const char* use;
};
std::ostream& operator<<(std::ostream& out, const Missing& missing) {
  return out << missing.name;
}
class FrontEndMissing : public FrontEnd, public testing::WithParamInterface<Missing> {};

TEST_P(FrontEndMissing, is_a_compile_error_that_names_it) {
  const std::string said = complaint_about(std::string("void f(void** p) { ") + GetParam().use + "; }");
  EXPECT_THAT(said, HasSubstr(GetParam().name));
  EXPECT_THAT(said, HasSubstr("is unavailable: not simulated by Warpmark"));
}

INSTANTIATE_TEST_SUITE_P(, FrontEndMissing,
                         testing::Values(Missing{"cudaMemRangeGetAttribute",
                                                 "cudaMemRangeGetAttribute(p, 1)"},
                                         Missing{"cudaIpcMemHandle_t", "cudaIpcMemHandle_t h"},
                                         Missing{"cudaIpcGetMemHandle", "cudaIpcGetMemHandle(p)"}),
                         [](const auto& entry) { return std::string(entry.param.name); });

TEST_F(FrontEnd, a_tree_sum_runs_at_both_levels) {
  auto* sum = build<void(const int*, std::size_t, int*)>(R"(
#include <algorithm>
#include <cstdint>
template <int kThreads>
__global__ void tree(const int* values, size_t n, int* sum) {
  static_assert(kThreads % 2 == 0, "");
  __shared__ int partial[kThreads];
  const size_t i = blockIdx.x * size_t{kThreads} + threadIdx.x;
  partial[threadIdx.x] = i < n ? values[i] : 0;
  __syncthreads();
  for (unsigned stride = kThreads / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}
extern "C" void sum_of(const int* values, size_t n, int* sum) {
  cudaMemset(sum, 0, sizeof *sum);
  tree<128><<<std::max<size_t>(1, (n + 127) / 128), 128>>>(values, n, sum);
})",
                                                         "sum_of");
  ASSERT_NE(sum, nullptr);
  const std::vector<int> values(1000, 3);
  const int* device = upload(values);
  for (const Level level : {Level::checking, Level::counting}) {
    configure(level);
    int* result = device_ints(1);
    sum(device, values.size(), result);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(download(result, 1)[0], 3000);
  }
  EXPECT_EQ(nlohmann::json::parse(simulator_control().drain())["findings"], nlohmann::json::array());
}

// Each thread reads what its neighbour wrote: a compiler that carries the own value past the barrier is
// wrong.
TEST_F(FrontEnd, values_in_shared_memory_are_not_carried_past_a_barrier) {
  auto* run = build<void(int*)>(R"(
__global__ void shift(int* out) {
  __shared__ int shared[33];
  const int t = threadIdx.x;
  shared[t] = t;
  __syncthreads();
  shared[t + 1] = 100 + t;
  __syncthreads();
  out[t] = shared[t];
}
extern "C" void run(int* out) { shift<<<1, 32>>>(out); }
)",
                                "run");
  ASSERT_NE(run, nullptr);
  for (const Level level : {Level::checking, Level::counting}) {
    configure(level);
    int* out = upload(std::vector<int>(32));
    run(out);
    const auto values = download(out, 32);
    EXPECT_EQ(values[0], 0);
    EXPECT_EQ(values[1], 100);
    EXPECT_EQ(values[31], 130);
  }
}

TEST_F(FrontEnd, fences_and_warp_barriers_keep_their_order_with_memory) {
  const std::string ptx = device_code(R"(__global__ void k(int* p) {
  __shared__ int shared[33];
  shared[threadIdx.x] = 1;
  __syncwarp();
  shared[threadIdx.x + 1] = 2;
  __threadfence_block();
  p[threadIdx.x] = shared[threadIdx.x];
})",
                                      Level::counting);
  EXPECT_THAT(places_of("st.shared", ptx), testing::ElementsAre("3", "5")) << ptx;
  EXPECT_EQ(places_of("bar.warp.sync", ptx).size(), 1U) << ptx;
  EXPECT_EQ(places_of("membar.cta", ptx).size(), 1U) << ptx;
  EXPECT_EQ(places_of("ld.shared", ptx).size(), 1U) << ptx;
}

TEST_F(FrontEnd, a_vector_is_copied_in_one_access) {
  for (const char* type : {"int4", "float4", "double2", "longlong2"}) {
    const std::string ptx = device_code(
        fmt::format("__global__ void k({0}* a, {0}* b) {{ b[threadIdx.x] = a[threadIdx.x]; }}", type),
        Level::counting);
    EXPECT_EQ(places_of("ld.global", ptx).size(), 1U) << ptx;
    EXPECT_EQ(places_of("st.global", ptx).size(), 1U) << ptx;
  }
}

// Each instance of the template has an array of its own, 40 KiB of them, of which a kernel uses one.
TEST_F(FrontEnd, a_kernel_has_room_for_its_own_shared_arrays_only) {
  auto* run = build<void(int*)>(R"(
template <class T>
__device__ T turned(T value) {
  __shared__ T shared[40 * 1024 / sizeof(T)];
  shared[threadIdx.x] = value;
  __syncthreads();
  return shared[blockDim.x - 1 - threadIdx.x];
}
__global__ void ints(int* out) { out[threadIdx.x] = turned<int>(threadIdx.x); }
__global__ void doubles(int* out) { out[32 + threadIdx.x] = (int)turned<double>(threadIdx.x); }
extern "C" void run(int* out) {
  ints<<<1, 32>>>(out);
  doubles<<<1, 32>>>(out);
}
)",
                                "run");
  ASSERT_NE(run, nullptr);
  for (const Level level : {Level::checking, Level::counting}) {
    configure(level);
    int* out = upload(std::vector<int>(64));
    run(out);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    const auto values = download(out, 64);
    EXPECT_EQ(values[0], 31);
    EXPECT_EQ(values[63], 0);
    EXPECT_EQ(values[32], 31);
  }
}

TEST_F(FrontEnd, shuffles_move_every_type) {
  auto* run = build<void(long long*, double*)>(R"(
__global__ void k(long long* whole, double* real) {
  const int lane = threadIdx.x;
  long long a = __shfl_down_sync(~0u, lane * 10000000000ll, 1);
  unsigned long long b = __shfl_up_sync(~0u, (unsigned long long)lane, 1u);
  int c = __shfl_xor_sync(~0u, -lane, 1);
  unsigned d = __shfl_sync(~0u, (unsigned)lane, 3, 8);
  whole[lane] = a + (long long)b + c + d;
  real[lane] = __shfl_xor_sync(~0u, lane + 0.5f, 2) + __shfl_sync(~0u, lane * 100.25, 5);
}
extern "C" void run(long long* whole, double* real) { k<<<1, 32>>>(whole, real); })",
                                               "run");
  ASSERT_NE(run, nullptr);
  auto* whole = upload(std::vector<long long>(32));
  auto* real = upload(std::vector<double>(32));
  for (const Level level : {Level::checking, Level::counting}) {
    configure(level);
    run(whole, real);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess) << simulator_control().drain();
    const auto wholes = download(whole, 32);
    const auto reals = download(real, 32);
    for (int lane = 0; lane < 32; ++lane) {
      const long long below = lane == 31 ? 31 : lane + 1;
      const long long above = lane == 0 ? 0 : lane - 1;
      EXPECT_EQ(wholes[lane], below * 10'000'000'000 + above - (lane ^ 1) + (lane / 8 * 8 + 3)) << lane;
      EXPECT_EQ(reals[lane], (lane ^ 2) + 0.5 + 501.25) << lane;
    }
  }
}

TEST_F(FrontEnd, atomics_and_vectors_of_every_type_work) {
  auto* run = build<void(int*, unsigned*, unsigned long long*, float*, double*, int4*)>(R"(
__global__ void k(int* i, unsigned* u, unsigned long long* l, float* f, double* d, int4* v) {
  atomicAdd(&i[0], 1);
  atomicMin(&i[1], -(int)threadIdx.x);
  atomicMax(&i[2], (int)threadIdx.x);
  atomicSub(&i[3], 2);
  atomicAdd(&u[0], 1u);
  atomicInc(&u[1], 9u);
  atomicOr(&u[2], 1u << threadIdx.x);
  atomicAdd(&l[0], 1ull << 40);
  atomicMax(&l[1], (unsigned long long)threadIdx.x << 33);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  for (unsigned seen = u[3];;) {
    const unsigned before = atomicCAS(&u[3], seen, seen + 2);
    if (before == seen) break;
    seen = before;
  }
  const int4 four = __ldg(&v[threadIdx.x]);
  v[threadIdx.x] = make_int4(four.w, four.z, four.y, min(four.x, 5));
}
extern "C" void run(int* i, unsigned* u, unsigned long long* l, float* f, double* d, int4* v) {
  k<<<1, 32>>>(i, u, l, f, d, v);
})",
                                                                                        "run");
  ASSERT_NE(run, nullptr);
  for (const Level level : {Level::checking, Level::counting}) {
    configure(level);
    auto* i = upload(std::vector<int>(4));
    auto* u = upload(std::vector<unsigned>(4));
    auto* l = upload(std::vector<unsigned long long>(2));
    auto* f = upload(std::vector<float>(1));
    auto* d = upload(std::vector<double>(1));
    std::vector<int4> vectors(32, int4{0, 100, 200, 300});
    for (int lane = 0; lane < 32; ++lane) vectors[lane].x = lane;
    auto* v = upload(vectors);
    run(i, u, l, f, d, v);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess) << simulator_control().drain();
    EXPECT_THAT(download(i, 4), testing::ElementsAre(32, -31, 31, -64));
    EXPECT_THAT(download(u, 4), testing::ElementsAre(32U, 2U, 0xffffffffU, 64U));
    EXPECT_THAT(download(l, 2), testing::ElementsAre(32ULL << 40, 31ULL << 33));
    EXPECT_EQ(download(f, 1)[0], 16.0F);
    EXPECT_EQ(download(d, 1)[0], 8.0);
    const int4 last = download(v, 32)[31];
    EXPECT_THAT((std::array{last.x, last.y, last.z, last.w}), testing::ElementsAre(300, 200, 100, 5));
  }
}

TEST_F(FrontEnd, thrust_reduces_device_memory_on_its_stream) {
  if (!fs::exists("/usr/include/thrust/reduce.h")) GTEST_SKIP() << "thrust is not installed (libthrust-dev)";
  auto* sum = build<void(const int*, std::size_t, int*, cudaStream_t)>(R"(
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
extern "C" void sum_of(const int* values, size_t n, int* sum, cudaStream_t stream) {
  int total = thrust::reduce(thrust::cuda::par.on(stream), values, values + n, 0);
  total += 1000 * thrust::reduce(thrust::device, values, values + n, 0, thrust::plus<int>());
  total += 1000000 * thrust::reduce(thrust::device_ptr<const int>(values), thrust::device_ptr<const int>(values + n));
  cudaMemcpyAsync(sum, &total, sizeof total, cudaMemcpyHostToDevice, stream);
})",
                                                                       "sum_of");
  ASSERT_NE(sum, nullptr);
  configure(Level::checking);
  const int* values = upload(std::vector<int>{1, 2, 3, 4});
  int* result = device_ints(1);
  sum(values, 4, result, cudaStreamPerThread);
  EXPECT_EQ(download(result, 1)[0], 10010010);
}

}  // namespace
}  // namespace warpmark::simulator
