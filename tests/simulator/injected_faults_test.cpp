// Fault injection: the chosen execution of the chosen instruction has a wrong result, and no other.
#include "harness/simulator/engine/machine/injected_faults.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "harness/simulator/device/launch/fault_plan.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

constexpr std::size_t kThreads = 128;
constexpr std::size_t kWarp = 32;

// A thread's value goes through a sum, shared memory and a shuffle; a product is computed beside, which
// nobody uses.
std::string through_everything() {
  return kernel_text(R"(
  ld.global.f32 %f1, [%rd3];
  add.rn.f32 %f2, %f1, 0f3F800000;
  mul.rn.f32 %f9, %f1, %f1;
  mov.u32 %r20, held;
  shl.b32 %r21, %r1, 2;
  add.s32 %r22, %r20, %r21;
  st.shared.f32 [%r22], %f2;
  bar.sync 0;
  ld.shared.b32 %r10, [%r22];
  shfl.sync.idx.b32 %r11, %r10, %r1, 31, 0xffffffff;
  st.global.u32 [%rd4], %r11;
)",
                     ".shared .align 4 .b8 held[512];\n");
}

class Faults : public testing::Test, public SimulatedDevice {
 protected:
  // Runs the kernel with `faults` in instructions of the group, and returns the threads whose results differ
  // from those of a run without faults.
  std::vector<std::size_t> wrong_threads(InstructionGroup group, std::uint64_t faults, std::uint64_t seed,
                                         bool without = false) {
    load(through_everything());
    const std::vector<float> values(kThreads, 2);
    const Address from = upload(values);
    const Address to = allocate(kThreads * sizeof(float));
    const Shape shape{.grid = {2}, .block = {kThreads / 2}};
    Outcome counted = launch(shape, {from, to}, {.count_work = true});
    const auto right = download<float>(to, kThreads);
    FaultPlan plan;
    plan.call_begins({.count_work = 1});
    plan.counted(counted.work.value_or(LaunchWork{}).executions);
    plan.call_begins({.faults = faults,
                      .fault_group = static_cast<int>(group),
                      .fault_seed = seed,
                      .without_faults = without ? 1 : 0});
    const auto injected = plan.of_next_launch(*module->find("k"));
    if (injected == nullptr) return {};
    launch(shape, {from, to}, {.faults = injected.get()});
    const auto wrong = download<float>(to, kThreads);
    std::vector<std::size_t> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
      if (wrong[i] != right[i]) threads.push_back(i);
    }
    return threads;
  }
  // True if the threads are one warp.
  static bool is_one_warp(const std::vector<std::size_t>& threads) {
    return threads.size() == kWarp && threads.front() % kWarp == 0 &&
           threads.back() - threads.front() == kWarp - 1;
  }
};

TEST_F(Faults, of_shared_memory_change_what_one_warp_stores_or_loads) {
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    EXPECT_TRUE(is_one_warp(wrong_threads(InstructionGroup::shared_memory, 1, seed))) << seed;
}

TEST_F(Faults, of_shuffles_change_what_one_warp_gets) {
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    EXPECT_TRUE(is_one_warp(wrong_threads(InstructionGroup::shuffles, 1, seed))) << seed;
}

TEST_F(Faults, are_masked_where_nobody_uses_the_result) {
  int masked = 0;
  int shown = 0;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const auto threads = wrong_threads(InstructionGroup::real_arithmetic, 1, seed);
    (threads.empty() ? masked : shown) += 1;
    EXPECT_TRUE(threads.empty() || is_one_warp(threads)) << seed;
  }
  // The sum is used, the product is not; both are executed as often.
  EXPECT_GT(masked, 5);
  EXPECT_GT(shown, 5);
}

TEST_F(Faults, are_left_out_of_the_same_launches_where_that_is_asked) {
  EXPECT_TRUE(wrong_threads(InstructionGroup::shuffles, 16, 1, true).empty());
}

TEST_F(Faults, several_hit_several_warps) {
  EXPECT_GE(wrong_threads(InstructionGroup::shuffles, 16, 1).size(), 2 * kWarp);
}

TEST_F(Faults, are_none_where_the_call_has_no_such_instruction) {
  EXPECT_TRUE(wrong_threads(InstructionGroup::global_atomics, 1, 1).empty());
}

TEST_F(Faults, of_atomics_change_what_is_added_and_no_register) {
  load(kernel_text(R"(
  mov.u32 %r10, 1;
  red.global.add.u32 [%rd2], %r10;
  st.global.u32 [%rd3], %r10;
)"));
  const Address beside = allocate(kThreads * 4);
  const Address sum = upload(std::vector<std::uint32_t>{0});
  const Outcome counted = launch({.grid = {1}, .block = {kThreads}}, {beside, sum}, {.count_work = true});
  EXPECT_EQ(download<std::uint32_t>(sum, 1).front(), kThreads);
  FaultPlan plan;
  plan.call_begins({.count_work = 1});
  plan.counted(counted.work.value_or(LaunchWork{}).executions);
  plan.call_begins({.faults = 1, .fault_group = static_cast<int>(InstructionGroup::global_atomics)});
  const auto injected = plan.of_next_launch(*module->find("k"));
  ASSERT_NE(injected, nullptr);
  launch({.grid = {1}, .block = {kThreads}}, {beside, sum}, {.faults = injected.get()});
  EXPECT_NE(download<std::uint32_t>(sum, 1).front(), 2 * kThreads);
  EXPECT_EQ(download<std::uint32_t>(beside, kThreads), std::vector<std::uint32_t>(kThreads, 1));
}

// A maximum of equal values by a compare-and-swap loop: with another value to compare with, one thread would
// store nothing, and the answer would be right.
TEST_F(Faults, of_a_compare_and_swap_change_what_is_stored) {
  load(kernel_text(R"(
  ld.volatile.global.u32 %r10, [%rd2];
TRY:
  max.u32 %r12, %r10, 5;
  mov.u32 %r13, %r10;
  atom.global.cas.b32 %r10, [%rd2], %r13, %r12;
  setp.ne.s32 %p1, %r10, %r13;
  @%p1 bra TRY;
)"));
  const Address most = upload(std::vector<std::uint32_t>{0});
  const Shape shape{.grid = {4}, .block = {1}};
  const Outcome counted = launch(shape, {most, most}, {.count_work = true});
  EXPECT_EQ(download<std::uint32_t>(most, 1).front(), 5);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    FaultPlan plan;
    plan.call_begins({.count_work = 1});
    plan.counted(counted.work.value_or(LaunchWork{}).executions);
    plan.call_begins(
        {.faults = 1, .fault_group = static_cast<int>(InstructionGroup::global_atomics), .fault_seed = seed});
    const auto injected = plan.of_next_launch(*module->find("k"));
    ASSERT_NE(injected, nullptr);
    const Address at = upload(std::vector<std::uint32_t>{0});
    launch(shape, {at, at}, {.faults = injected.get()});
    EXPECT_NE(download<std::uint32_t>(at, 1).front(), 5) << seed;
  }
}

}  // namespace
}  // namespace warpmark::simulator::test
