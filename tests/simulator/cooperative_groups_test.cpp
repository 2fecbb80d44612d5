// cooperative_groups.h, and blocks that wait for each other, from .cu text at both levels.
#include <array>
#include <numeric>

#include <gmock/gmock.h>

#include "tests/simulator/front_end_fixture.h"

namespace warpmark::simulator {
namespace {

using testing::HasSubstr;

constexpr std::array kGroupLevels{Level::checking, Level::counting};

class CooperativeGroups : public FrontEnd {};

constexpr int kGroupThreads = 80;  // the last warp is half a one
constexpr int kResults = 24;

TEST_F(CooperativeGroups, tiles_blocks_and_coalesced_threads_know_their_members) {
  auto* run = build<void(int*)>(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
struct Pair { short low; double high; };
__device__ int sum(cg::thread_group g, int* shared, int value) {
  const unsigned rank = g.thread_rank();
  for (unsigned s = 1; s < g.size(); s *= 2) {
    shared[rank] = value;
    g.sync();
    if (rank + s < g.size()) value += shared[rank + s];
    g.sync();
  }
  return value;
}
__global__ void k(int* out) {
  __shared__ int scratch[80];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto quad = cg::tiled_partition<4>(block);
  const int t = block.thread_rank();
  int* mine = out + 24 * t;
  mine[0] = block.size() + 1000 * block.group_index().x + block.thread_index().x;
  mine[1] = quad.thread_rank() + 10 * quad.meta_group_rank() + 1000 * quad.meta_group_size();
  mine[2] = quad.shfl(t, 2);
  mine[3] = quad.shfl_down(t, 1);
  mine[4] = quad.shfl_up(t, 1);
  mine[5] = quad.shfl_xor(t, 3);
  mine[6] = quad.ballot(t % 2 == 1);
  mine[7] = quad.any(t == 5) + 2 * quad.all(t < 8);
  mine[8] = quad.match_any(t % 2);
  mine[9] = cg::reduce(quad, t, cg::plus<int>());
  mine[10] = cg::reduce(warp, t, cg::greater<int>());
  mine[11] = cg::reduce(warp, t, cg::less<>());
  mine[12] = cg::reduce(warp, 1 << (t % 32), cg::bit_or<int>());
  mine[13] = (int)(cg::reduce(warp, t + 0.5, cg::plus<double>()) * 2);
  mine[14] = cg::inclusive_scan(quad, t);
  mine[15] = cg::exclusive_scan(quad, t, cg::plus<int>());
  if (t % 3 == 0) {
    const cg::coalesced_group some = cg::coalesced_threads();
    mine[16] = some.size();
    mine[17] = some.thread_rank();
    mine[18] = some.shfl(t, 1);
    mine[19] = cg::reduce(some, t, cg::plus<int>());
    mine[20] = some.ballot(t % 2 == 0);
  }
  const Pair pair = warp.shfl(Pair{(short)t, t * 0.5}, 3);
  mine[21] = pair.low + (int)(pair.high * 2);
  mine[22] = sum(block, scratch, t);
  cg::sync(block);
  mine[23] = cg::binary_partition(warp, t % 4 == 0).size();
}
extern "C" void run(int* out) { k<<<1, 80>>>(out); })",
                                "run");
  ASSERT_NE(run, nullptr);
  for (const Level level : kGroupLevels) {
    configure(level);
    int* out = device_ints(std::size_t{kGroupThreads} * kResults);
    ASSERT_EQ(cudaMemset(out, 0, sizeof(int) * kGroupThreads * kResults), cudaSuccess);
    run(out);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess) << simulator_control().drain();
    const auto results = download(out, std::size_t{kGroupThreads} * kResults);
    for (int t = 0; t < kGroupThreads; ++t) {
      const int quad = t / 4 * 4;
      const int warp = t / 32 * 32;
      const int end = std::min(warp + 32, kGroupThreads);
      int warp_sum = 0, thirds = 0, thirds_before = 0, thirds_sum = 0, second = 0, even = 0;
      for (int o = warp; o < end; ++o) {
        warp_sum += o;
        if (o % 3 != 0) continue;
        if (thirds == 1) second = o;
        if (o % 2 == 0) even |= 1 << thirds;
        ++thirds;
        thirds_before += o < t ? 1 : 0;
        thirds_sum += o;
      }
      const bool third = t % 3 == 0;
      const int all = kGroupThreads * (kGroupThreads - 1) / 2;
      const std::vector<int> expected{
          kGroupThreads + t,
          t % 4 + 10 * (t / 4) + 1000 * (kGroupThreads / 4),
          quad + 2,
          t % 4 == 3 ? t : t + 1,
          t % 4 == 0 ? t : t - 1,
          t ^ 3,
          0b1010,
          (quad == 4 ? 1 : 0) + (quad < 8 ? 2 : 0),
          t % 2 == 1 ? 0b1010 : 0b0101,
          4 * quad + 6,
          end - 1,
          warp,
          static_cast<int>(end - warp == 32 ? 0xFFFFFFFFU : (1U << (end - warp)) - 1),
          2 * warp_sum + end - warp,
          (t % 4 + 1) * (quad + t) / 2,
          (t % 4) * (quad + t - 1) / 2,
          third ? thirds : 0,
          third ? thirds_before : 0,
          third ? second : 0,
          third ? thirds_sum : 0,
          third ? even : 0,
          2 * (warp + 3),
          t == 0 ? all : results[static_cast<std::size_t>(t) * kResults + 22],
          t % 4 == 0 ? (end - warp) / 4 : (end - warp) * 3 / 4};
      const auto* mine = &results[static_cast<std::size_t>(t) * kResults];
      EXPECT_EQ(std::vector<int>(mine, mine + kResults), expected) << "thread " << t;
    }
  }
}

constexpr const char* kGridProgram = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// Each block reads what the next one wrote in the step before.
__global__ void rotate(int* values, int steps) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned n = grid.size(), t = grid.thread_rank();
  for (int step = 0; step < steps; ++step) {
    const int next = values[(t + blockDim.x) % n];
    grid.sync();
    values[t] = next + grid.is_valid();
    grid.sync();
  }
}
__global__ void leaves(int* values) {
  if (blockIdx.x == 1) return;
  cg::this_grid().sync();
  values[0] = 1;
}
// A block waits for one that comes later in every order.
__global__ void waits(volatile int* flags) {
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x) while (flags[blockIdx.x + 1] == 0) {}
    flags[blockIdx.x] = 1;
  }
}
extern "C" int run(int* values, int blocks, int steps) {
  void* arguments[] = {&values, &steps};
  return cudaLaunchCooperativeKernel(rotate, blocks, 64, arguments);
}
extern "C" void run_plainly(int* values) { rotate<<<2, 64>>>(values, 1); }
extern "C" void run_leaving(int* values) {
  void* arguments[] = {&values};
  cudaLaunchCooperativeKernel((const void*)leaves, 3, 64, arguments, 0, 0);
}
extern "C" void run_waiting(int* flags) { waits<<<20, 32>>>(flags); })";

TEST_F(CooperativeGroups, a_grid_waits_for_all_its_blocks) {
  auto* run = build<int(int*, int, int)>(kGridProgram, "run");
  ASSERT_NE(run, nullptr);
  for (const Level level : kGroupLevels) {
    configure(level);
    std::vector<int> values(std::size_t{5} * 64);
    std::iota(values.begin(), values.end(), 0);
    int* device = upload(values);
    ASSERT_EQ(run(device, 5, 3), cudaSuccess) << simulator_control().drain();
    const auto results = download(device, values.size());
    for (int t = 0; t < 320; ++t)
      EXPECT_EQ(results[static_cast<std::size_t>(t)], (t + 3 * 64) % 320 + 3) << t;
  }
  EXPECT_EQ(run(device_ints(1), 513, 1), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_THAT(simulator_control().drain(), HasSubstr("513 blocks, of which the device can run 512"));
  int cooperative = 0;
  cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0);
  EXPECT_EQ(cooperative, 1);
}

TEST_F(CooperativeGroups, a_grid_barrier_in_a_plain_launch_is_explained) {
  auto* run = build<void(int*)>(kGridProgram, "run_plainly");
  ASSERT_NE(run, nullptr);
  run(device_ints(128));
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  const auto finding = nlohmann::json::parse(simulator_control().drain())["findings"][0];
  EXPECT_EQ(finding["line"], 10);
  EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr("cudaLaunchCooperativeKernel"));
}

TEST_F(CooperativeGroups, a_block_that_leaves_before_the_grid_barrier_is_a_deadlock) {
  auto* run = build<void(int*)>(kGridProgram, "run_leaving");
  ASSERT_NE(run, nullptr);
  run(device_ints(1));
  const auto finding = nlohmann::json::parse(simulator_control().drain())["findings"][0];
  EXPECT_EQ(finding["kind"], "deadlock");
  EXPECT_EQ(finding["line"], 17);
  EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr("1 blocks have ended without coming here"));
}

TEST_F(CooperativeGroups, a_block_may_wait_for_one_that_has_not_begun) {
  auto* run = build<void(int*)>(kGridProgram, "run_waiting");
  ASSERT_NE(run, nullptr);
  configure(Level::counting);
  int* flags = upload(std::vector<int>(20));
  run(flags);
  ASSERT_EQ(cudaGetLastError(), cudaSuccess) << simulator_control().drain();
  EXPECT_EQ(download(flags, 20), std::vector<int>(20, 1));
}

}  // namespace
}  // namespace warpmark::simulator
