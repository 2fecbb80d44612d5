// __syncthreads(): who counts, who is missing, what is told.
#include <gmock/gmock.h>

#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

using testing::HasSubstr;

class BarrierTest : public testing::Test {
 protected:
  Finding stops(const std::string& body, std::uint32_t threads = 64) {
    device.load(kernel_text(body));
    out = device.upload(std::vector<std::int32_t>(threads, -1));
    return device.expect_stops({.block = {threads}}, {out, out});
  }
  std::vector<std::int32_t> completes(const std::string& body, std::uint32_t threads = 64) {
    device.load(kernel_text(body));
    out = device.upload(std::vector<std::int32_t>(threads, -1));
    device.expect_completes({.block = {threads}}, {out, out});
    return device.download<std::int32_t>(out, threads);
  }
  SimulatedDevice device;
  Address out = 0;
};

// Each thread writes to shared memory, waits, and reads its mirror image.
constexpr const char* kMirror = R"(
  .shared .align 4 .b8 data[1024];
  mov.u64 %rd20, data;
  mul.wide.s32 %rd21, %r1, 4;
  add.s64 %rd22, %rd20, %rd21;
  st.shared.u32 [%rd22], %r1;
  bar.sync 0;
  sub.s32 %r10, %r3, %r1;
  mul.wide.s32 %rd21, %r10, 4;
  add.s64 %rd22, %rd20, %rd21;
  ld.shared.u32 %r11, [%rd22+-4];
  st.global.u32 [%rd4], %r11;)";

TEST_F(BarrierTest, holds_until_all_threads_are_there) {
  const auto results = completes(kMirror, 200);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)], 199 - i);
}

TEST_F(BarrierTest, that_waits_for_lanes_of_a_shuffle_is_not_blamed) {
  const Finding finding = stops(R"(
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra JOIN;
  .loc 1 7 1
  shfl.sync.down.b32 %r11|%p2, %r1, 4, 31, -1;
JOIN:
  .loc 1 9 1
  bar.sync 0;)");
  EXPECT_EQ(finding.kind, CauseKind::deadlock);
  EXPECT_EQ(finding.line, 7);
  EXPECT_THAT(finding.message, HasSubstr("1 thread (block (0,0,0), thread (0,0,0)) waits at line 7"));
  EXPECT_THAT(finding.message, HasSubstr("every lane that the mask names has to get there"));
  const std::vector<ThreadRun> runs{
      {0, 0, ThreadState::waits, 7}, {1, 31, ThreadState::past, 9}, {32, 63, ThreadState::waits, 9}};
  EXPECT_EQ(finding.block_threads, runs);
}

TEST_F(BarrierTest, that_some_threads_leave_out_tells_where_all_are) {
  const Finding finding = stops(R"(
  setp.gt.s32 %p1, %r1, 40;
  @%p1 bra DONE;
  setp.lt.s32 %p2, %r1, 8;
  @%p2 bra FIRST;
  .loc 1 7 1
  bar.sync 0;
  bra DONE;
FIRST:
  .loc 1 9 1
  bar.sync 0;
DONE:
  .loc 1 11 1)");
  EXPECT_EQ(finding.kind, CauseKind::divergent_barrier);
  const std::vector<ThreadRun> runs{
      {0, 7, ThreadState::waits, 9}, {8, 40, ThreadState::waits, 7}, {41, 63, ThreadState::returned, 0}};
  EXPECT_EQ(finding.block_threads, runs);
}

TEST_F(BarrierTest, does_not_count_threads_that_have_returned) {
  const auto results = completes(R"(
  setp.ge.s32 %p1, %r1, 40;
  @%p1 ret;
  bar.sync 0;
  bar.sync 0;
  st.global.u32 [%rd4], %r1;)");
  for (int i = 0; i < 64; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)], i < 40 ? i : -1);
}

TEST_F(BarrierTest, is_completed_by_threads_that_return_later) {
  const auto results = completes(R"(
  setp.ge.s32 %p1, %r1, 32;
  @%p1 bra LATE;
  bar.sync 0;
  st.global.u32 [%rd4], %r1;
LATE:)");
  for (int i = 0; i < 64; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)], i < 32 ? i : -1);
}

TEST_F(BarrierTest, on_different_lines_in_the_arms_of_a_branch_is_found) {
  const Finding finding = stops(R"(
  .loc 1 10 1
  setp.lt.s32 %p1, %r1, 16;
  @%p1 bra LOW;
  .loc 1 12 5
  bar.sync 0;
  bra.uni JOIN;
LOW:
  .loc 1 14 5
  bar.sync 0;
JOIN:
  .loc 1 16 5
  st.global.u32 [%rd4], %r1;)",
                                32);
  EXPECT_EQ(finding.kind, CauseKind::divergent_barrier);
  EXPECT_EQ(finding.kernel, "k");
  EXPECT_EQ(finding.file, "kernel.cu");
  EXPECT_EQ(std::minmax(finding.line, finding.other_line), std::minmax(12, 14));
  EXPECT_THAT(finding.message, HasSubstr("16 threads"));
  EXPECT_THAT(finding.message, HasSubstr("line 12"));
  EXPECT_THAT(finding.message, HasSubstr("line 14"));
}

TEST_F(BarrierTest, on_different_lines_by_warp_is_found) {
  const Finding finding = stops(R"(
  .loc 1 10 1
  setp.lt.s32 %p1, %r1, 32;
  @%p1 bra LOW;
  .loc 1 12 5
  bar.sync 0;
  bra.uni JOIN;
LOW:
  .loc 1 14 5
  bar.sync 0;
JOIN:
  .loc 1 16 5
  st.global.u32 [%rd4], %r1;)");
  EXPECT_EQ(finding.kind, CauseKind::divergent_barrier);
}

TEST_F(BarrierTest, twice_on_one_line_is_the_same_barrier) {
  completes(R"(
  setp.lt.s32 %p1, %r1, 32;
  @%p1 bra LOW;
  .loc 1 12 5
  bar.sync 0;
  bra.uni JOIN;
LOW:
  bar.sync 0;
JOIN:
  st.global.u32 [%rd4], %r1;)");
}

TEST_F(BarrierTest, that_lanes_of_the_warp_skip_is_found) {
  const Finding finding = stops(R"(
  .loc 1 10 1
  setp.lt.s32 %p1, %r1, 20;
  @%p1 bra JOIN;
  .loc 1 11 5
  bar.sync 0;
JOIN:
  .loc 1 13 5
  st.global.u32 [%rd4], %r1;)",
                                32);
  EXPECT_EQ(finding.kind, CauseKind::divergent_barrier);
  EXPECT_EQ(finding.line, 11);
  EXPECT_EQ(finding.other_line, 13);
  EXPECT_THAT(finding.message, HasSubstr("12 threads (block (0,0,0), thread (20,0,0)"));
  EXPECT_THAT(finding.message, HasSubstr("20 lanes of its warp (thread (0,0,0)) have passed it"));
}

TEST_F(BarrierTest, in_a_loop_of_different_length_is_found) {
  const Finding finding = stops(R"(
  mov.u32 %r10, 0;
LOOP:
  .loc 1 5 1
  bar.sync 0;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, %r1;
  @%p1 bra LOOP;
  .loc 1 8 1
  bar.sync 0;
  st.global.u32 [%rd4], %r10;)",
                                32);
  EXPECT_EQ(finding.kind, CauseKind::divergent_barrier);
  EXPECT_EQ(finding.line, 5);
}

TEST_F(BarrierTest, counts_true_conditions) {
  const auto results = completes(R"(
  setp.lt.s32 %p1, %r1, 40;
  bar.red.popc.u32 %r10, 0, %p1;
  bar.red.and.pred %p2, 0, %p1;
  bar.red.or.pred %p3, 0, %p1;
  bar.red.and.pred %p4, 0, !%p2;
  selp.b32 %r11, 100, 0, %p2;
  selp.b32 %r12, 1000, 0, %p3;
  selp.b32 %r13, 10000, 0, %p4;
  add.s32 %r10, %r10, %r11; add.s32 %r10, %r10, %r12; add.s32 %r10, %r10, %r13;
  st.global.u32 [%rd4], %r10;)");
  EXPECT_EQ(results, std::vector<std::int32_t>(64, 40 + 1000 + 10000));
}

TEST_F(BarrierTest, with_a_number_lets_these_threads_pass) {
  // Warps 0 and 1 meet at barrier 1; warp 2 never comes there.
  const auto results = completes(R"(
  setp.ge.s32 %p1, %r1, 64;
  @%p1 bra JOIN;
  bar.sync 1, 64;
JOIN:
  st.global.u32 [%rd4], %r1;)",
                                 96);
  EXPECT_EQ(results, counting(96));
}

TEST_F(BarrierTest, findings_do_not_depend_on_the_schedule) {
  device.load(kernel_text(R"(
  setp.lt.s32 %p1, %r1, 20;
  @%p1 bra JOIN;
  .loc 1 11 5
  bar.sync 0;
JOIN:
  st.global.u32 [%rd4], %r1;)"));
  out = device.allocate(4096);
  for (const std::uint64_t schedule : {0, 1, 2, 3}) {
    const Finding finding =
        device.expect_stops({.block = {128}}, {out, out}, {.schedule = schedule, .host_threads = 2});
    EXPECT_EQ(finding.kind, CauseKind::divergent_barrier);
    EXPECT_EQ(finding.line, 11);
  }
}

}  // namespace
}  // namespace warpmark::simulator::test
