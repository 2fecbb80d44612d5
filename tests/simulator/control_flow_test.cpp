// Lanes that part and meet again, loops of different length.
#include "harness/simulator/decode/control_flow.h"

#include <gmock/gmock.h>

#include "harness/simulator/engine/machine/control_operations.h"
#include "tests/simulator/one_block.h"

namespace warpmark::simulator::test {
namespace {

using testing::ElementsAreArray;

TEST(Divergence, nested_branches_meet_again) {
  // The votes at the joins see all lanes only if these have met.
  const auto results = results_of(R"(
  and.b32 %r10, %r1, 1;
  setp.eq.s32 %p1, %r10, 0;
  mov.u32 %r20, 0;
  @%p1 bra EVEN;
  and.b32 %r11, %r1, 2;
  setp.eq.s32 %p2, %r11, 0;
  @%p2 bra ODD_LOW;
  mov.u32 %r20, 300;
  bra.uni ODD_JOIN;
ODD_LOW:
  mov.u32 %r20, 100;
ODD_JOIN:
  activemask.b32 %r12;
  popc.b32 %r13, %r12;
  add.s32 %r20, %r20, %r13;
  bra.uni JOIN;
EVEN:
  mov.u32 %r20, 1000;
JOIN:
  activemask.b32 %r12;
  popc.b32 %r13, %r12;
  add.s32 %r20, %r20, %r13;
  st.global.u32 [%rd4], %r20;)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) {
                if (t % 2 == 0) return 1000 + 32;
                return ((t & 2) != 0 ? 300 : 100) + 16 + 32;
              })));
}

TEST(Divergence, loops_run_as_often_as_each_lane_wants) {
  const auto results = results_of(R"(
  mov.u32 %r10, 0;
  mov.u32 %r11, 0;
LOOP:
  setp.ge.s32 %p1, %r10, %r1;
  @%p1 bra DONE;
  add.s32 %r11, %r11, %r10;
  add.s32 %r10, %r10, 1;
  bra.uni LOOP;
DONE:
  activemask.b32 %r12;
  popc.b32 %r13, %r12;
  mad.lo.s32 %r11, %r11, 100, %r13;
  st.global.u32 [%rd4], %r11;)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) { return t * (t - 1) / 2 * 100 + 32; })));
}

TEST(Divergence, break_and_continue_keep_their_meaning) {
  // for (i = 0; i < 40; ++i) { if (i % 3 == t % 3) continue; if (i > t) break; sum += i; }
  const auto results = results_of(R"(
  rem.s32 %r15, %r1, 3;
  mov.u32 %r10, 0;
  mov.u32 %r11, 0;
HEAD:
  setp.ge.s32 %p1, %r10, 40;
  @%p1 bra DONE;
  rem.s32 %r12, %r10, 3;
  setp.eq.s32 %p2, %r12, %r15;
  @%p2 bra NEXT;
  setp.gt.s32 %p3, %r10, %r1;
  @%p3 bra DONE;
  add.s32 %r11, %r11, %r10;
NEXT:
  add.s32 %r10, %r10, 1;
  bra.uni HEAD;
DONE:
  st.global.u32 [%rd4], %r11;)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) {
                int sum = 0;
                for (int i = 0; i < 40; ++i) {
                  if (i % 3 == t % 3) continue;
                  if (i > t) break;
                  sum += i;
                }
                return sum;
              })));
}

TEST(Divergence, nested_loops_with_lane_dependent_counts) {
  const auto results = results_of(R"(
  mov.u32 %r10, 0;
  mov.u32 %r20, 0;
OUTER:
  mov.u32 %r11, 0;
INNER:
  add.s32 %r20, %r20, 1;
  add.s32 %r11, %r11, 1;
  setp.le.s32 %p1, %r11, %r10;
  @%p1 bra INNER;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p2, %r10, %r1;
  @%p2 bra OUTER;
  st.global.u32 [%rd4], %r20;)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) {
                const int n = std::max(t, 1);
                return n * (n + 1) / 2;
              })));
}

TEST(Divergence, a_switch_takes_each_lane_to_its_case) {
  const auto results = results_of(R"(
  and.b32 %r10, %r1, 3;
  setp.eq.s32 %p1, %r10, 0;
  @%p1 bra CASE0;
  setp.eq.s32 %p2, %r10, 1;
  @%p2 bra CASE1;
  setp.eq.s32 %p3, %r10, 2;
  @%p3 bra CASE2;
  mov.u32 %r11, 33;
  bra.uni END;
CASE0:
  mov.u32 %r11, 10;
CASE1:
  mov.u32 %r12, 5;
  add.s32 %r11, %r1, %r12;
  bra.uni END;
CASE2:
  mov.u32 %r11, 22;
END:
  st.global.u32 [%rd4], %r11;)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) {
                if (t % 4 < 2) return t + 5;
                return t % 4 == 2 ? 22 : 33;
              })));
}

TEST(Divergence, lanes_that_return_early_are_gone) {
  const auto results = results_of(R"(
  setp.lt.s32 %p1, %r1, 20;
  @%p1 bra OUT;
  activemask.b32 %r12;
  popc.b32 %r13, %r12;
  st.global.u32 [%rd4], %r13;
OUT:)",
                                  32);
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) { return t < 20 ? -1 : 12; }, 32)));
}

TEST(Divergence, lanes_of_one_warp_can_wait_for_each_other) {
  // Lane 0 spins on a flag in shared memory that lane 5 sets in the other arm.
  const auto results = results_of(R"(
  .shared .align 4 .u32 flag;
  mov.u64 %rd20, flag;
  mov.u32 %r10, 0;
  st.volatile.shared.u32 [%rd20], %r10;
  bar.warp.sync -1;
  setp.eq.s32 %p1, %r1, 0;
  @%p1 bra WAIT;
  mov.u32 %r11, 17;
  setp.eq.s32 %p2, %r1, 5;
  @%p2 st.volatile.shared.u32 [%rd20], %r11;
  bra.uni JOIN;
WAIT:
  ld.volatile.shared.u32 %r11, [%rd20];
  setp.eq.s32 %p3, %r11, 0;
  @%p3 bra WAIT;
JOIN:
  st.global.u32 [%rd4], %r11;)",
                                  32);
  EXPECT_EQ(results, std::vector<std::int32_t>(32, 17));
}

TEST(Divergence, warps_of_one_block_can_wait_for_each_other) {
  const auto results = results_of(R"(
  .shared .align 4 .u32 flag;
  mov.u64 %rd20, flag;
  mov.u32 %r10, 0;
  st.shared.u32 [%rd20], %r10;
  bar.sync 0;
  setp.ge.s32 %p1, %r1, 32;
  @%p1 bra WRITE;
WAIT:
  ld.volatile.shared.u32 %r11, [%rd20];
  setp.eq.s32 %p3, %r11, 0;
  @%p3 bra WAIT;
  bra.uni JOIN;
WRITE:
  mov.u32 %r11, 9;
  st.volatile.shared.u32 [%rd20], %r11;
JOIN:
  st.global.u32 [%rd4], %r11;)");
  EXPECT_EQ(results, std::vector<std::int32_t>(64, 9));
}

TEST(Rejoin, is_the_nearest_instruction_that_all_paths_pass) {
  // 0: branch to 3; 1: on; 2: jump to 4; 3: on; 4: on; 5: end
  std::vector<Instruction> code(6);
  code[0].target = 3;
  code[2].target = 4;
  find_rejoins(code, 0, 6, {Flow::branch, Flow::next, Flow::jump, Flow::next, Flow::next, Flow::end});
  EXPECT_EQ(code[0].rejoin, 4U);
}

TEST(Rejoin, does_not_wait_where_only_the_end_follows) {
  std::vector<Instruction> code(3);
  code[0].target = 2;
  find_rejoins(code, 0, 3, {Flow::branch, Flow::next, Flow::end});
  EXPECT_EQ(code[0].rejoin, kNowhere);
}

TEST(Rejoin, does_not_wait_for_lanes_that_die) {
  // 0: branch to 2; 1: dead; 2: on; 3: leave
  std::vector<Instruction> code(4);
  code[0].target = 2;
  find_rejoins(code, 0, 4, {Flow::branch, Flow::dead, Flow::next, Flow::leave});
  EXPECT_EQ(code[0].rejoin, 2U);
}

TEST(Rejoin, has_none_in_a_loop_without_end) {
  std::vector<Instruction> code(3);
  code[0].target = 2;
  code[2].target = 0;
  find_rejoins(code, 0, 3, {Flow::branch, Flow::next, Flow::jump});
  EXPECT_EQ(code[0].rejoin, kNowhere);
}

}  // namespace
}  // namespace warpmark::simulator::test
