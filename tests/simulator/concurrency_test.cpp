// Threads, warps and blocks in any order: atomics, schedules, several host threads.
#include <algorithm>

#include <fmt/format.h>

#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

struct AtomicCase {
  std::string instruction;  // on [%rd20], with %r10, %rd10, %f1 or %fd1 holding the thread's number plus 1
  std::int64_t start;
  std::int64_t expected;  // after threads 1 to 256
  int bytes = 4;
};
class AtomicTest : public testing::TestWithParam<AtomicCase> {};

TEST_P(AtomicTest, loses_nothing) {
  for (const bool shared : {false, true}) {
    SimulatedDevice device;
    std::string instruction = GetParam().instruction;
    for (std::size_t at = 0; shared && (at = instruction.find(".global", at)) != std::string::npos;) {
      instruction.replace(at, 7, ".shared");
    }
    // In shared memory the cell is copied in and out again.
    const bool word = GetParam().bytes == 4;
    const std::string before =
        fmt::format(fmt::runtime(shared ? ".shared .align 8 .b8 cell[8]; mov.u64 %rd20, cell;"
                                          "ld.global.{0} {1}, [%rd2]; st.shared.{0} [%rd20], {1}; bar.sync 0;"
                                        : "mov.u64 %rd20, %rd2;"),
                    word ? "u32" : "u64", word ? "%r20" : "%rd21");
    const std::string after = fmt::format(
        fmt::runtime(shared ? "bar.sync 0; ld.shared.{0} {1}, [%rd20]; st.global.{0} [%rd2], {1};" : ""),
        word ? "u32" : "u64", word ? "%r20" : "%rd21");
    device.load(kernel_text(fmt::format(R"({}
  add.s32 %r10, %r4, 1;
  cvt.s64.s32 %rd10, %r10;
  cvt.rn.f32.s32 %f1, %r10;
  cvt.rn.f64.s32 %fd1, %r10;
{}
{})",
                                        before, instruction, after)));
    const Address cell = device.upload(std::vector<std::int64_t>{GetParam().start});
    const SimulatedDevice::Shape shape =
        shared ? SimulatedDevice::Shape{.block = {256}} : SimulatedDevice::Shape{.grid = {8}, .block = {32}};
    device.expect_completes(shape, {cell, cell}, {.host_threads = 4});
    const auto result = device.download<std::int64_t>(cell, 1)[0];
    EXPECT_EQ(GetParam().bytes == 4 ? static_cast<std::int32_t>(result) : result, GetParam().expected)
        << (shared ? "shared" : "global");
  }
}

std::int64_t as_bits(float value) {
  return std::bit_cast<std::int32_t>(value);
}
std::int64_t as_bits(double value) {
  return std::bit_cast<std::int64_t>(value);
}

INSTANTIATE_TEST_SUITE_P(
    All, AtomicTest,
    testing::Values(AtomicCase{"atom.global.add.u32 %r11, [%rd20], %r10;", 5, 5 + 32896},
                    AtomicCase{"red.global.add.s32 [%rd20], %r10;", 0, 32896},
                    AtomicCase{"red.global.add.u64 [%rd20], %rd10;", std::int64_t{1} << 40,
                               (std::int64_t{1} << 40) + 32896, 8},
                    AtomicCase{"atom.global.add.f32 %f2, [%rd20], %f1;", as_bits(0.5F), as_bits(32896.5F)},
                    AtomicCase{"atom.global.add.f64 %fd2, [%rd20], %fd1;", as_bits(0.25), as_bits(32896.25),
                               8},
                    AtomicCase{"atom.global.min.s32 %r11, [%rd20], %r10;", 90, 1},
                    AtomicCase{"atom.global.max.s32 %r11, [%rd20], %r10;", -7, 256},
                    AtomicCase{"atom.global.max.u32 %r11, [%rd20], %r10;", -7, -7},
                    AtomicCase{"atom.global.min.s64 %rd11, [%rd20], %rd10;", 90, 1, 8},
                    AtomicCase{"atom.global.and.b32 %r11, [%rd20], 0xFF;", 0xABCD, 0xCD},
                    AtomicCase{"atom.global.or.b32 %r11, [%rd20], %r10;", 0, 511},
                    AtomicCase{"atom.global.xor.b32 %r11, [%rd20], %r10;", 0, 256},
                    AtomicCase{"atom.global.inc.u32 %r11, [%rd20], 99;", 0, 56},
                    AtomicCase{"atom.global.dec.u32 %r11, [%rd20], 99;", 0, 44},
                    AtomicCase{"atom.global.exch.b32 %r11, [%rd20], 7;", 0, 7},
                    AtomicCase{R"(
  TRY: ld.volatile.global.u32 %r12, [%rd20];
  add.s32 %r13, %r12, %r10;
  atom.global.cas.b32 %r14, [%rd20], %r12, %r13;
  setp.ne.s32 %p1, %r14, %r12;
  @%p1 bra TRY;)",
                               0, 32896}));

TEST(Concurrency, atomics_of_many_blocks_on_several_threads_lose_nothing) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  red.global.add.u32 [%rd2], 1;
  atom.global.add.f64 %fd1, [%rd2+8], 0d3FF0000000000000;
  atom.global.inc.u32 %r10, [%rd2+16], 0xFFFFFFFF;)"));
  const Address cells = device.upload(std::vector<std::int64_t>(3, 0));
  device.expect_completes({.grid = {30000}, .block = {64}}, {cells, cells}, {.host_threads = 4});
  EXPECT_EQ(device.download<std::int32_t>(cells, 5)[0], 1920000);
  EXPECT_EQ(device.download<double>(cells, 2)[1], 1920000);
  EXPECT_EQ(device.download<std::int32_t>(cells, 5)[4], 1920000);
}

TEST(Concurrency, blocks_on_several_threads_see_each_others_flags) {
  // The last block to finish (by ticket) adds up what the others wrote.
  SimulatedDevice device;
  device.load(kernel_text(R"(
  mul.wide.s32 %rd20, %r2, 4;
  add.s64 %rd21, %rd1, %rd20;
  add.s32 %r10, %r2, 1;
  st.global.u32 [%rd21], %r10;
  membar.gl;
  atom.global.inc.u32 %r11, [ticket], 99;
  setp.ne.s32 %p1, %r11, 99;
  @%p1 ret;
  mov.u32 %r12, 0;
  mov.u32 %r13, 0;
LOOP:
  mul.wide.s32 %rd22, %r12, 4;
  add.s64 %rd23, %rd1, %rd22;
  ld.global.cv.u32 %r14, [%rd23];
  add.s32 %r13, %r13, %r14;
  add.s32 %r12, %r12, 1;
  setp.lt.s32 %p2, %r12, 100;
  @%p2 bra LOOP;
  st.global.u32 [%rd2], %r13;)",
                          ".visible .global .align 4 .u32 ticket;\n"));
  const Address partial = device.allocate(400);
  for (const std::uint64_t schedule : {0, 5, 6}) {
    const Address out = device.allocate(4);
    device.expect_completes({.grid = {100}, .block = {1}}, {partial, out},
                            {.schedule = schedule, .host_threads = 4});
    EXPECT_EQ(device.download<std::int32_t>(out, 1)[0], 5050);
  }
}

// 160 tickets, each for a loop of 100 instructions and more, among 16 blocks.
TEST(ShortTurns, share_a_queue_among_all_blocks) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
NEXT:
  atom.global.add.u32 %r10, [%rd2], 1;
  setp.ge.u32 %p1, %r10, 160;
  @%p1 ret;
  mov.u32 %r11, 0;
LOOP:
  add.s32 %r11, %r11, 1;
  setp.lt.u32 %p2, %r11, 50;
  @%p2 bra LOOP;
  bra NEXT;)"));
  const auto longest = [&](bool short_turns) {
    const Address ticket = device.upload(std::vector<std::uint32_t>{0});
    const Outcome outcome =
        device.launch({.grid = {16}, .block = {1}}, {ticket, ticket},
                      {.host_threads = 1, .count_work = true, .short_turns = short_turns});
    EXPECT_EQ(device.download<std::uint32_t>(ticket, 1)[0], 160 + 16);
    return outcome.work.value_or(LaunchWork{}).longest_warp;
  };
  EXPECT_GT(longest(false), 15'000);
  EXPECT_LT(longest(true), 3'000);
}

// The first of 16 blocks waits for the last, each of which but the first computes for a while.
TEST(ShortTurns, leave_out_what_a_warp_does_while_it_waits) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  setp.eq.s32 %p1, %r2, 0;
  @%p1 bra WAIT;
  mov.u32 %r11, 0;
LOOP:
  add.s32 %r11, %r11, 1;
  setp.lt.u32 %p2, %r11, 500;
  @%p2 bra LOOP;
  atom.global.add.u32 %r10, [%rd2], 1;
  ret;
WAIT:
  ld.volatile.global.u32 %r10, [%rd2];
  setp.lt.u32 %p3, %r10, 15;
  @%p3 bra WAIT;)"));
  const auto of_first_block = [&](bool short_turns) {
    const Address done = device.upload(std::vector<std::uint32_t>{0});
    const Outcome outcome =
        device.launch({.grid = {16}, .block = {1}}, {done, done},
                      {.host_threads = 1, .count_work = true, .short_turns = short_turns});
    EXPECT_TRUE(outcome.completed);
    return outcome.work.value_or(LaunchWork{}).longest_warp;
  };
  EXPECT_GT(of_first_block(false), 4'000);
  EXPECT_LT(of_first_block(true), 1'600);
}

TEST(Concurrency, a_seed_changes_the_order_of_blocks) {
  SimulatedDevice device;
  device.load(kernel_text(
      "atom.global.add.u32 %r10, [%rd2], 1; mul.wide.s32 %rd20, %r10, 4; add.s64 %rd21, %rd1, %rd20;"
      "st.global.u32 [%rd21], %r2;"));
  const auto order_with = [&](std::uint64_t schedule) {
    const Address order = device.allocate(400);
    device.expect_completes({.grid = {100}, .block = {1}}, {order, device.upload(counting(1))},
                            {.schedule = schedule, .host_threads = 1});
    return device.download<std::int32_t>(order, 100);
  };
  EXPECT_EQ(order_with(0), counting(100));
  EXPECT_NE(order_with(1), counting(100));
  EXPECT_NE(order_with(1), order_with(2));
  EXPECT_EQ(order_with(2), order_with(2));
  auto sorted = order_with(3);
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, counting(100));
}

TEST(Concurrency, a_seed_changes_the_order_of_warps) {
  SimulatedDevice device;
  device.load(
      kernel_text("mov.u32 %r12, %warpid; atom.global.add.u32 %r10, [%rd2], 1; mul.wide.s32 %rd20, %r10, 4;"
                  "add.s64 %rd21, %rd1, %rd20; st.global.u32 [%rd21], %r12;"));
  const auto order_with = [&](std::uint64_t schedule) {
    const Address order = device.allocate(4096);
    device.expect_completes({.block = {1024}}, {order, device.upload(counting(1))},
                            {.schedule = schedule, .host_threads = 1});
    return device.download<std::int32_t>(order, 1024);
  };
  EXPECT_NE(order_with(0), order_with(1));
}

// Each of them is long enough for others to begin beside it.
TEST(LongBlocks, end_one_after_the_other_while_others_run_beside_them) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  mov.u32 %r10, 0;
LOOP:
  add.s32 %r10, %r10, 1;
  setp.lt.u32 %p1, %r10, 5000000;
  @%p1 bra LOOP;
  st.global.u32 [%rd4], %r10;)"));
  const Address out = device.upload(counting(48));
  device.expect_completes({.grid = {48}, .block = {1}}, {out, out}, {.host_threads = 1, .time_limit = 1});
  EXPECT_EQ(device.download<std::int32_t>(out, 48), std::vector<std::int32_t>(48, 5'000'000));
}

TEST(Clock, moves_on_in_each_thread_and_depends_on_neither_launch_nor_host_threads) {
  constexpr std::size_t kThreads = 64 * 16;
  SimulatedDevice device;
  device.load(kernel_text(R"(
  mov.u64 %rd10, %clock64;
  mov.u64 %rd11, %clock64;
  bar.sync 0;
  setp.lt.s32 %p1, %r1, 40;
  mov.u32 %r10, 0;
  @%p1 mov.u32 %r10, %clock;
  cvt.u64.u32 %rd12, %r10;
  mul.wide.s32 %rd20, %r4, 24;
  add.s64 %rd21, %rd2, %rd20;
  st.global.u64 [%rd21], %rd10;
  st.global.u64 [%rd21+8], %rd11;
  st.global.u64 [%rd21+16], %rd12;)"));
  const auto read_clocks = [&](unsigned host_threads) {
    const Address out = device.allocate(kThreads * 24);
    device.expect_completes({.grid = {16}, .block = {64}}, {out, out}, {.host_threads = host_threads});
    return device.download<std::uint64_t>(out, kThreads * 3);
  };
  const std::vector<std::uint64_t> first = read_clocks(1);
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    EXPECT_LT(first[3 * thread], first[3 * thread + 1]) << thread;
    if (thread % 64 < 40) {
      EXPECT_LT(first[3 * thread + 1], first[3 * thread + 2]) << thread;
    } else {
      EXPECT_EQ(first[3 * thread + 2], 0U) << thread;
    }
    EXPECT_EQ(first[3 * thread], first[3 * (thread % 64)]) << "every block begins at the same count";
  }
  for (const unsigned host_threads : {1U, 2U}) EXPECT_EQ(read_clocks(host_threads), first) << host_threads;
}

}  // namespace
}  // namespace warpmark::simulator::test
