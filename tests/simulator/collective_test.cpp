// Shuffles, votes and warp barriers, also with lanes in different places.
#include <gmock/gmock.h>

#include "tests/simulator/one_block.h"

namespace warpmark::simulator::test {
namespace {

using testing::HasSubstr;

std::vector<std::int32_t> results_in_one_warp(const std::string& body, std::uint32_t threads = 32) {
  return results_of(body, threads);
}

struct ShuffleCase {
  std::string mode;
  int lane_operand;
  int width;
  int (*source)(int lane, int operand, int width);  // -1: out of range, the lane keeps its own value
};

int down(int lane, int delta, int width) {
  return lane % width + delta < width ? lane + delta : -1;
}
int up(int lane, int delta, int width) {
  return lane % width - delta >= 0 ? lane - delta : -1;
}
int butterfly(int lane, int mask, int width) {
  const int source = lane ^ mask;
  return source / width <= lane / width ? source : -1;
}
int index(int lane, int from, int width) {
  return lane / width * width + from % width;
}

class ShuffleTest : public testing::TestWithParam<ShuffleCase> {};

TEST_P(ShuffleTest, moves_values_between_lanes) {
  const ShuffleCase& test = GetParam();
  const int c = (32 - test.width) << 8 | (test.mode == "up" ? 0 : 31);
  const auto results = results_in_one_warp(
      "add.s32 %r10, %r1, 100; shfl.sync." + test.mode + ".b32 %r11|%p1, %r10, " +
      std::to_string(test.lane_operand) + ", " + std::to_string(c) +
      ", -1; selp.s32 %r12, 1000, 0, %p1; add.s32 %r11, %r11, %r12; st.global.u32 [%rd4], %r11;");
  for (int lane = 0; lane < 32; ++lane) {
    const int source = test.source(lane, test.lane_operand, test.width);
    EXPECT_EQ(results[static_cast<std::size_t>(lane)], source < 0 ? 100 + lane : 1100 + source) << lane;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShuffleTest,
                         testing::Values(ShuffleCase{"down", 1, 32, down}, ShuffleCase{"down", 16, 32, down},
                                         ShuffleCase{"down", 2, 8, down}, ShuffleCase{"up", 1, 32, up},
                                         ShuffleCase{"up", 3, 16, up}, ShuffleCase{"bfly", 16, 32, butterfly},
                                         ShuffleCase{"bfly", 3, 4, butterfly},
                                         ShuffleCase{"bfly", 8, 8, butterfly},
                                         ShuffleCase{"idx", 5, 32, index}, ShuffleCase{"idx", 5, 4, index}),
                         [](const auto& test) {
                           return test.param.mode + std::to_string(test.param.lane_operand) + "of" +
                                  std::to_string(test.param.width);
                         });

TEST(Shuffle, that_takes_the_value_of_a_lane_that_has_returned_is_found) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  setp.ge.s32 %p1, %r1, 8;
  @%p1 ret;
  .loc 1 7 1
  shfl.sync.down.b32 %r11|%p2, %r1, 4, 31, -1;)"));
  const Address out = device.allocate(4);
  const Outcome outcome =
      device.launch({.block = {32}}, {out, out}, {.host_threads = 1, .check_accesses = true});
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(outcome.findings[0].kind, CauseKind::uninitialised_read);
  EXPECT_EQ(outcome.findings[0].line, 7);
  EXPECT_THAT(outcome.findings[0].message, HasSubstr("takes a value from lane 8 of its warp"));
  EXPECT_THAT(outcome.findings[0].message, HasSubstr("lanes 0-31, of which lanes 8-31 are gone"));
}

TEST(Shuffle, among_the_lanes_that_are_left_is_right) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  setp.ge.s32 %p1, %r1, 8;
  @%p1 ret;
  shfl.sync.bfly.b32 %r11|%p2, %r1, 4, 31, -1;)"));
  const Address out = device.allocate(4);
  EXPECT_TRUE(device.launch({.block = {32}}, {out, out}, {.host_threads = 1, .check_accesses = true})
                  .findings.empty());
}

TEST(Shuffle, works_across_the_arms_of_a_branch) {
  // Even lanes shuffle in one arm, odd lanes in the other; all are named by the mask, so they exchange.
  const auto results = results_in_one_warp(R"(
  and.b32 %r10, %r1, 1;
  setp.eq.s32 %p1, %r10, 0;
  @%p1 bra EVEN;
  shfl.sync.bfly.b32 %r11, %r1, 1, 31, -1;
  bra.uni JOIN;
EVEN:
  shfl.sync.bfly.b32 %r11, %r1, 1, 31, -1;
  add.s32 %r11, %r11, 500;
JOIN:
  st.global.u32 [%rd4], %r11;)");
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(results[static_cast<std::size_t>(lane)], (lane ^ 1) + (lane % 2 == 0 ? 500 : 0));
  }
}

TEST(Shuffle, of_each_arm_alone_needs_only_that_arm) {
  const auto results = results_in_one_warp(R"(
  setp.lt.s32 %p1, %r1, 16;
  @%p1 bra LOW;
  shfl.sync.idx.b32 %r11, %r1, 20, 31, 0xFFFF0000;
  bra.uni JOIN;
LOW:
  shfl.sync.idx.b32 %r11, %r1, 3, 31, 0x0000FFFF;
JOIN:
  st.global.u32 [%rd4], %r11;)");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(results[static_cast<std::size_t>(lane)], lane < 16 ? 3 : 20);
}

TEST(Shuffle, takes_a_different_mask_from_each_tile_of_a_warp) {
  const auto results = results_in_one_warp(R"(
  and.b32 %r10, %r1, 24;
  mov.u32 %r11, 255;
  shl.b32 %r12, %r11, %r10;
  shfl.sync.idx.b32 %r13, %r1, 2, 6175, %r12;
  activemask.b32 %r14;
  popc.b32 %r15, %r14;
  mad.lo.s32 %r13, %r15, 100, %r13;
  st.global.u32 [%rd4], %r13;)");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(results[static_cast<std::size_t>(lane)], 3200 + lane / 8 * 8 + 2);
}

TEST(Shuffle, of_one_mask_is_not_completed_by_lanes_that_wait_for_another) {
  // Four arms, two masks: each half of the warp is in two arms, and waits for its own other arm.
  const auto results = results_in_one_warp(R"(
  and.b32 %r10, %r1, 8;
  setp.ne.s32 %p1, %r10, 0;
  setp.ge.s32 %p2, %r1, 16;
  @%p1 bra ODD;
  @%p2 bra EVEN_HIGH;
  shfl.sync.bfly.b32 %r11, %r1, 8, 31, 0x0000FFFF;
  bra.uni JOIN;
EVEN_HIGH:
  shfl.sync.bfly.b32 %r11, %r1, 8, 31, 0xFFFF0000;
  bra.uni JOIN;
ODD:
  @%p2 bra ODD_HIGH;
  shfl.sync.bfly.b32 %r11, %r1, 8, 31, 0x0000FFFF;
  bra.uni JOIN;
ODD_HIGH:
  shfl.sync.bfly.b32 %r11, %r1, 8, 31, 0xFFFF0000;
JOIN:
  st.global.u32 [%rd4], %r11;)");
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(results[static_cast<std::size_t>(lane)], lane ^ 8);
}

TEST(Shuffle, does_not_wait_for_lanes_that_are_gone) {
  const auto results = results_in_one_warp(R"(
  setp.ge.s32 %p1, %r1, 8;
  @%p1 ret;
  shfl.sync.idx.b32 %r11, %r1, 7, 31, -1;
  st.global.u32 [%rd4], %r11;)");
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(results[static_cast<std::size_t>(lane)], lane < 8 ? 7 : -1);
}

TEST(Shuffle, of_a_lane_that_does_not_exist_gives_nothing_plausible) {
  const auto results =
      results_in_one_warp("shfl.sync.down.b32 %r11, %r1, 8, 31, -1; st.global.u32 [%rd4], %r11;", 16);
  for (int lane = 0; lane < 16; ++lane) {
    EXPECT_EQ(results[static_cast<std::size_t>(lane)], lane < 8 ? lane + 8 : static_cast<int>(0xCDCDCDCD));
  }
}

TEST(Shuffle, whose_mask_forgets_the_caller_is_found) {
  SimulatedDevice device;
  device.load(kernel_text(".loc 1 8 1\n shfl.sync.down.b32 %r11, %r1, 1, 31, 0xFFFF;"));
  const Finding finding = device.expect_stops({.block = {32}}, {0, 0});
  EXPECT_EQ(finding.line, 8);
  EXPECT_THAT(finding.message, HasSubstr("a mask that names lanes 0-15, not them"));
  EXPECT_THAT(finding.message, HasSubstr("thread (16,0,0)"));
}

TEST(Shuffle, that_others_never_reach_is_a_deadlock) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  .loc 1 10 1
  setp.lt.s32 %p1, %r1, 16;
  @%p1 bra JOIN;
  .loc 1 11 1
  shfl.sync.down.b32 %r11, %r1, 1, 31, -1;
JOIN:
  .loc 1 13 1
  st.global.u32 [%rd4], %r1;)"));
  const Address out = device.allocate(4096);
  const Finding finding = device.expect_stops({.block = {32}}, {out, out});
  EXPECT_EQ(finding.kind, CauseKind::deadlock);
  EXPECT_EQ(finding.line, 11);
  EXPECT_EQ(finding.other_line, 13);
  EXPECT_THAT(finding.message, HasSubstr("16 threads"));
}

TEST(Vote, counts_the_lanes_of_the_mask) {
  const auto results = results_in_one_warp(R"(
  setp.lt.s32 %p1, %r1, 5;
  vote.sync.ballot.b32 %r10, %p1, -1;
  vote.sync.any.pred %p2, %p1, -1;
  vote.sync.all.pred %p3, %p1, -1;
  vote.sync.uni.pred %p4, %p1, -1;
  vote.sync.all.pred %p5, !%p1, -1;
  setp.lt.s32 %p6, %r1, 99;
  vote.sync.all.pred %p7, %p6, -1;
  selp.b32 %r11, 1, 0, %p2;
  selp.b32 %r12, 2, 0, %p3;
  selp.b32 %r13, 4, 0, %p4;
  selp.b32 %r14, 8, 0, %p5;
  selp.b32 %r15, 16, 0, %p7;
  shl.b32 %r10, %r10, 8;
  or.b32 %r10, %r10, %r11; or.b32 %r10, %r10, %r12; or.b32 %r10, %r10, %r13; or.b32 %r10, %r10, %r14; or.b32 %r10, %r10, %r15;
  st.global.u32 [%rd4], %r10;)");
  EXPECT_EQ(results, std::vector<std::int32_t>(32, 0x1F << 8 | 1 | 16));
}

TEST(Vote, of_a_partial_warp_sees_only_its_lanes) {
  const auto results = results_in_one_warp(R"(
  setp.ge.s32 %p1, %r1, 0;
  vote.sync.ballot.b32 %r10, %p1, -1;
  vote.sync.all.pred %p2, %p1, -1;
  selp.b32 %r11, %r10, 0, %p2;
  st.global.u32 [%rd4], %r11;)",
                                           7);
  EXPECT_EQ(results, std::vector<std::int32_t>(7, 0x7F));
}

TEST(Reduce, adds_up_the_lanes_of_the_mask) {
  EXPECT_EQ(results_in_one_warp("redux.sync.add.s32 %r10, %r1, -1; st.global.u32 [%rd4], %r10;"),
            std::vector<std::int32_t>(32, 496));
  EXPECT_EQ(results_in_one_warp(
                "sub.s32 %r9, %r1, 5; redux.sync.min.s32 %r10, %r9, -1; st.global.u32 [%rd4], %r10;"),
            std::vector<std::int32_t>(32, -5));
  EXPECT_EQ(results_in_one_warp(
                "sub.s32 %r9, %r1, 5; redux.sync.max.u32 %r10, %r9, -1; st.global.u32 [%rd4], %r10;"),
            std::vector<std::int32_t>(32, -1));
}

TEST(WarpBarrier, waits_for_the_other_arm) {
  // Lanes 0-15 read after the barrier what lanes 16-31 wrote before it.
  const auto results = results_in_one_warp(R"(
  .shared .align 4 .b8 data[64];
  mov.u64 %rd20, data;
  setp.lt.s32 %p1, %r1, 16;
  @%p1 bra READ;
  sub.s32 %r10, %r1, 16;
  mul.wide.s32 %rd21, %r10, 4;
  add.s64 %rd22, %rd20, %rd21;
  st.shared.u32 [%rd22], %r1;
  mov.u32 %r11, 0;
  bar.warp.sync -1;
  bra.uni JOIN;
READ:
  mul.wide.s32 %rd21, %r1, 4;
  add.s64 %rd22, %rd20, %rd21;
  bar.warp.sync -1;
  ld.shared.u32 %r11, [%rd22];
JOIN:
  st.global.u32 [%rd4], %r11;)");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(results[static_cast<std::size_t>(lane)], lane < 16 ? lane + 16 : 0);
}

}  // namespace
}  // namespace warpmark::simulator::test
