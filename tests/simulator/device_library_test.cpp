// printf, assert, __trap and the intrinsics between threads, from .cu text at both levels.
#include <array>
#include <functional>
#include <numeric>

#include <gmock/gmock.h>

#include "harness/simulator/engine/machine/printing.h"
#include "tests/simulator/front_end_fixture.h"

namespace warpmark::simulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::internal::CaptureStderr;
using testing::internal::CaptureStdout;
using testing::internal::GetCapturedStderr;
using testing::internal::GetCapturedStdout;

constexpr std::array kLevels{Level::checking, Level::counting};

class DeviceLibrary : public FrontEnd {
 protected:
  static std::string printed(const std::function<void()>& body) {
    CaptureStdout();
    body();
    std::fflush(stdout);
    return GetCapturedStdout();
  }
};

TEST_F(DeviceLibrary, printf_shows_each_call_whole_in_the_order_of_the_launch) {
  auto* run = build<void(int*)>(R"(
#include <cstdio>
__global__ void k(int* returned) {
  const char word[] = {'w', (char)('a' + threadIdx.x), 0};
  const int n = printf("%s %d/%u %c %.2f %lld %x%%\n", word, threadIdx.x, blockIdx.x, 'z', 1.5f, -5ll, 255u);
  returned[0] = n;
  if (threadIdx.x == 1) {
    returned[1] = printf("plain\n");
    printf("%s", "global text\n");
  }
}
extern "C" void run(int* returned) { k<<<2, 3>>>(returned); cudaDeviceSynchronize(); })",
                                "run");
  ASSERT_NE(run, nullptr);
  for (const Level level : kLevels) {
    configure(level);
    int* returned = device_ints(2);
    std::string expected;
    for (const char* block : {"0", "1"}) {
      for (const char* thread : {"0", "1", "2"}) {
        expected += std::string("w") + static_cast<char>('a' + thread[0] - '0') + " " + thread + "/" + block +
                    " z 1.50 -5 ff%\n";
      }
      expected += "plain\nglobal text\n";
    }
    EXPECT_EQ(printed([&] { run(returned); }), expected);
    EXPECT_THAT(download(returned, 2), ElementsAre(7, 0));
  }
}

TEST_F(DeviceLibrary, a_kernel_that_prints_without_end_fills_its_buffer_and_a_note_says_so) {
  auto* run = build<void()>(R"(
#include <cstdio>
__global__ void k() { for (int n = 0; n < 20000; ++n) printf("%0100d\n", n); }
extern "C" void run() { k<<<3, 1>>>(); cudaDeviceSynchronize(); })",
                            "run");
  ASSERT_NE(run, nullptr);
  const std::string text = printed(run);
  EXPECT_LE(text.size(), kPrintBytes);
  EXPECT_GT(text.size(), kPrintBytes - 101);
  const auto seen = nlohmann::json::parse(simulator_control().drain());
  EXPECT_EQ(seen["findings"], nlohmann::json::array());
  ASSERT_EQ(seen["notes"].size(), 1U);
  EXPECT_THAT(seen["notes"][0]["message"].get<std::string>(), HasSubstr("1048576 bytes"));
}

TEST_F(DeviceLibrary, a_failed_assertion_says_where_and_is_sticky) {
  auto* run = build<void(int*)>(R"(#include <cassert>
__global__ void k(int* values) {
  const int x = values[threadIdx.x];
  assert(x < 40 && "too large");
  values[threadIdx.x] = 1;
}
extern "C" void run(int* values) { k<<<1, 64>>>(values); })",
                                "run");
  ASSERT_NE(run, nullptr);
  for (const Level level : kLevels) {
    cudaDeviceReset();
    configure(level);
    simulator_control().drain();
    std::vector<int> values(64);
    std::iota(values.begin(), values.end(), -1);
    CaptureStderr();
    run(upload(values));
    const std::string said = GetCapturedStderr();
    EXPECT_THAT(said,
                HasSubstr("a.cu:4: void k(int *): block: [0,0,0], thread: [41,0,0] Assertion `x < 40 && "
                          "\"too large\"` failed.\n"));
    EXPECT_THAT(said, HasSubstr("thread: [63,0,0]"));
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
    EXPECT_EQ(cudaGetLastError(), cudaErrorAssert);
    const auto finding = nlohmann::json::parse(simulator_control().drain())["findings"][0];
    EXPECT_EQ(finding["line"], 4);
    EXPECT_EQ(finding["kind"], "cuda_error");
    EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr("thread (41,0,0) and 22 more lanes"));
  }
}

TEST_F(DeviceLibrary, a_trap_stops_the_kernel) {
  auto* run = build<void(int*)>(R"(
__global__ void k(int* p) { if (*p == 0) __trap(); *p = 2; }
extern "C" void run(int* p) { k<<<1, 1>>>(p); })",
                                "run");
  ASSERT_NE(run, nullptr);
  run(upload(std::vector<int>{0}));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

// One result a thread of two warps and a half; the host says what each has to be.
TEST_F(DeviceLibrary, threads_of_a_warp_and_a_block_agree) {
  auto* run = build<void(unsigned*)>(R"(
__global__ void k(unsigned* out) {
  const unsigned t = threadIdx.x, lane = t % 32;
  const unsigned mask = t < 64 ? ~0u : 0xffffu;
  unsigned* mine = out + t * 24;
  mine[0] = __reduce_add_sync(mask, t);
  mine[1] = (unsigned)__reduce_min_sync(mask, -(int)t);
  mine[2] = __reduce_max_sync(mask, t);
  mine[3] = __reduce_and_sync(mask, t | 64);
  mine[4] = __reduce_or_sync(mask, t);
  mine[5] = __reduce_xor_sync(mask, t);
  mine[6] = __match_any_sync(mask, t % 5);
  mine[7] = __match_any_sync(mask, (unsigned long long)(t % 2) << 40);
  int all;
  mine[8] = __match_all_sync(mask, t / 32, &all);
  mine[9] = all;
  mine[10] = __match_all_sync(mask, (double)t, &all) + all;
  mine[11] = __syncthreads_count(t % 3 == 0);
  mine[12] = __syncthreads_and(t < 80) != 0;
  mine[13] = __syncthreads_and(t < 79) != 0;
  mine[14] = __syncthreads_or(t == 70) != 0;
  mine[15] = __syncthreads_or(t > 80) != 0;
  if (lane < 7) mine[16] = __activemask();
  const long long before = clock64();
  __nanosleep(10);
  mine[17] = clock64() > before && clock() != 0;
  unsigned sm, count, lanes;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  asm("mov.u32 %0, %%nsmid;" : "=r"(count));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
  mine[18] = sm < count;
  mine[19] = lanes;
  __stcg(&mine[20], __ldg(&mine[0]) + __ldcs(&mine[0]) + __ldcv(&mine[0]));
  __threadfence(); __threadfence_block(); __threadfence_system();
}
extern "C" void run(unsigned* out) { k<<<1, 80>>>(out); })",
                                     "run");
  ASSERT_NE(run, nullptr);
  for (const Level level : kLevels) {
    configure(level);
    auto* out = upload(std::vector<unsigned>(80 * 24));
    run(out);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess) << simulator_control().drain();
    const auto results = download(out, 80 * 24);
    for (unsigned t = 0; t < 80; ++t) {
      const unsigned first = t / 32 * 32;
      const unsigned last = std::min(first + 31, 79U);
      unsigned sum = 0, conjunction = ~0U, disjunction = 0, exclusive = 0, fives = 0, twos = 0;
      for (unsigned o = first; o <= last; ++o) {
        sum += o;
        conjunction &= o | 64;
        disjunction |= o;
        exclusive ^= o;
        if (o % 5 == t % 5) fives |= 1U << (o - first);
        if (o % 2 == t % 2) twos |= 1U << (o - first);
      }
      const unsigned mask = t < 64 ? ~0U : 0xFFFFU;
      const std::vector<unsigned> expected{sum,
                                           0U - last,
                                           last,
                                           conjunction,
                                           disjunction,
                                           exclusive,
                                           fives,
                                           twos,
                                           mask,
                                           1,
                                           0,
                                           27,
                                           1,
                                           0,
                                           1,
                                           0,
                                           t % 32 < 7 ? 127U : 0U,
                                           1,
                                           1,
                                           (1U << (t % 32)) - 1,
                                           3 * sum};
      const auto* mine = &results[std::size_t{24} * t];
      EXPECT_EQ(std::vector<unsigned>(mine, mine + expected.size()), expected) << "thread " << t;
    }
  }
}

// One warp fills a buffer and arrives; the other waits for it, without a __syncthreads().
TEST_F(DeviceLibrary, named_barriers_let_a_producer_pass_and_a_consumer_wait) {
  auto* run = build<void(int*)>(R"(
__global__ void k(int* out) {
  __shared__ int buffer[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x >= 32) {
    for (int n = 0; n < 100 + lane; ++n) asm volatile("");
    buffer[lane] = 10 * lane;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[lane] = buffer[31 - lane];
  }
}
extern "C" void run(int* out) { k<<<1, 64>>>(out); })",
                                "run");
  ASSERT_NE(run, nullptr);
  for (const Level level : kLevels) {
    configure(level);
    int* out = device_ints(32);
    run(out);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess) << simulator_control().drain();
    EXPECT_EQ(download(out, 32)[3], 280);
  }
}

// Each atomic of each type and scope, by all threads of two blocks; what is left in memory is the check.
TEST_F(DeviceLibrary, atomics_of_every_kind_type_and_scope) {
  auto* run =
      build<void(int*, unsigned*, long long*, unsigned long long*, float*, double*, unsigned short*)>(R"(
template <class T> __device__ void set_min(T* p, T value) {  // as courses write it for floats
  unsigned* bits = (unsigned*)p;
  unsigned seen = *bits;
  while (value < __uint_as_float(seen)) {
    const unsigned before = atomicCAS(bits, seen, __float_as_uint(value));
    if (before == seen) break;
    seen = before;
  }
}
__global__ void k(int* i, unsigned* u, long long* l, unsigned long long* q, float* f, double* d, unsigned short* h) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&i[0], t); atomicAdd_block(&i[1], t); atomicAdd_system(&i[2], t);
  atomicSub(&i[3], t); atomicSub_system(&i[4], 1);
  atomicMin(&i[5], -t); atomicMax_block(&i[6], t); atomicAnd(&i[7], ~(1 << (t % 8))); atomicOr_system(&i[8], 1 << (t % 8));
  atomicXor(&i[9], t); atomicExch(&i[10], 7); atomicCAS_block(&i[11], 0, 5);
  atomicAdd(&u[0], 1u); atomicSub(&u[1], 1u); atomicMin_system(&u[2], (unsigned)t); atomicMax(&u[3], (unsigned)t);
  atomicInc(&u[4], 9u); atomicDec_system(&u[5], 9u); atomicAnd_block(&u[6], 0xf0u); atomicXor(&u[7], 1u);
  atomicCAS_system(&u[8], 0u, 6u); atomicExch_block(&u[9], 8u); atomicOr(&u[10], 1u << (t % 32));
  atomicMin(&l[0], -(long long)t << 33); atomicMax(&l[1], (long long)t << 33);
  atomicAdd(&q[0], 1ull << 33); atomicAdd_system(&q[1], 1ull); atomicMin(&q[2], (unsigned long long)t + 5);
  atomicMax_block(&q[3], (unsigned long long)t << 40); atomicAnd(&q[4], ~1ull); atomicOr(&q[5], 1ull << (t % 64));
  atomicXor_system(&q[6], 1ull << 50); atomicExch(&q[7], 1ull << 60); atomicCAS(&q[8], 0ull, 1ull << 61);
  atomicAdd(&f[0], 0.5f); atomicAdd_block(&f[1], 0.25f); atomicExch(&f[2], 2.5f); set_min(&f[3], (float)-t);
  atomicAdd(&d[0], 0.5); atomicAdd_system(&d[1], 0.125);
  atomicCAS(&h[1], (unsigned short)0, (unsigned short)(t == 0 ? 9 : 9));
}
extern "C" void run(int* i, unsigned* u, long long* l, unsigned long long* q, float* f, double* d, unsigned short* h) {
  k<<<2, 64>>>(i, u, l, q, f, d, h);
})",
                                                                                                      "run");
  ASSERT_NE(run, nullptr);
  for (const Level level : kLevels) {
    configure(level);
    std::vector<int> first_ints(12);
    first_ints[7] = -1;
    int* i = upload(first_ints);
    unsigned* u = upload(std::vector<unsigned>{0, 0, 99, 0, 0, 0, 0xFFF, 0, 0, 0, 0});
    auto* l = upload(std::vector<long long>(2));
    auto* q = upload(std::vector<unsigned long long>{0, 0, 99, 0, 3, 0, 0, 0, 0});
    auto* f = upload(std::vector<float>(4));
    auto* d = upload(std::vector<double>(2));
    auto* h = upload(std::vector<unsigned short>(4));
    run(i, u, l, q, f, d, h);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess) << simulator_control().drain();
    EXPECT_THAT(download(i, 12), ElementsAre(8128, 8128, 8128, -8128, -128, -127, 127, -256, 255, 0, 7, 5));
    EXPECT_THAT(download(u, 11),
                ElementsAre(128U, 0U - 128U, 0U, 127U, 128U % 10, 2U, 0xF0U, 0U, 6U, 8U, ~0U));
    EXPECT_THAT(download(l, 2), ElementsAre(-(127LL << 33), 127LL << 33));
    EXPECT_THAT(download(q, 9), ElementsAre(128ULL << 33, 128ULL, 5ULL, 127ULL << 40, 2ULL, ~0ULL, 0ULL,
                                            1ULL << 60, 1ULL << 61));
    EXPECT_THAT(download(f, 4), ElementsAre(64.0F, 32.0F, 2.5F, -127.0F));
    EXPECT_THAT(download(d, 2), ElementsAre(64.0, 16.0));
    EXPECT_THAT(download(h, 4), ElementsAre(0, 9, 0, 0));
  }
}

}  // namespace
}  // namespace warpmark::simulator
