// What a launch counts, from PTX: by kernel and by source line.
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

class Counting : public testing::Test, public SimulatedDevice {
 protected:
  LaunchWork count(const std::string& text, Shape shape, unsigned host_threads = 1) {
    load(text);
    const Address from = upload(counting(4096));
    const Address to = upload(counting(4096));
    const Outcome outcome = launch(shape, {from, to}, {.host_threads = host_threads, .count_work = true});
    EXPECT_TRUE(outcome.completed);
    EXPECT_TRUE(outcome.work.has_value());
    return outcome.work.value_or(LaunchWork{});
  }
  static Work at_line(const LaunchWork& work, int line) {
    const auto found = std::find_if(work.lines.begin(), work.lines.end(),
                                    [=](const LineWork& each) { return each.line == line; });
    return found == work.lines.end() ? Work{} : found->work;
  }
};

constexpr const char* kCopy = R"(
  .loc 1 10 1
  ld.global.u32 %r10, [%rd3];
  .loc 1 11 1
  st.global.u32 [%rd4], %r10;
)";

TEST_F(Counting, requests_and_sectors_of_loads_and_stores) {
  const LaunchWork work = count(kernel_text(kCopy), {.grid = {3}, .block = {64}});
  EXPECT_EQ(work.total.loads.requests, 6U);
  EXPECT_EQ(work.total.loads.sectors, 24U);
  EXPECT_EQ(work.total.stores.requests, 6U);
  EXPECT_EQ(work.total.stores.sectors, 24U);
  EXPECT_EQ(work.total.loads.shared_requests, 0U);
}

TEST_F(Counting, gives_each_line_its_own) {
  const LaunchWork work = count(kernel_text(kCopy), {.grid = {1}, .block = {64}});
  EXPECT_EQ(at_line(work, 10).loads.requests, 2U);
  EXPECT_EQ(at_line(work, 10).stores.requests, 0U);
  EXPECT_EQ(at_line(work, 11).stores.sectors, 8U);
  EXPECT_EQ(at_line(work, 10).instructions, 2U);
  Work sum;
  for (const LineWork& line : work.lines) {
    EXPECT_EQ(line.file, "kernel.cu");
    sum += line.work;
  }
  EXPECT_EQ(sum.instructions, work.total.instructions);
  EXPECT_EQ(sum.active_lanes, work.total.active_lanes);
}

TEST_F(Counting, active_lanes_of_a_partial_warp) {
  const LaunchWork work = count(kernel_text(kCopy), {.grid = {1}, .block = {40}});
  EXPECT_EQ(at_line(work, 10).instructions, 2U);
  EXPECT_EQ(at_line(work, 10).active_lanes, 40U);
  EXPECT_EQ(at_line(work, 10).loads.sectors, 5U);
}

TEST_F(Counting, does_not_depend_on_the_number_of_host_threads) {
  const std::string text = kernel_text(kCopy);
  const LaunchWork one = count(text, {.grid = {32}, .block = {64}}, 1);
  const LaunchWork four = count(text, {.grid = {32}, .block = {64}}, 4);
  EXPECT_EQ(one.total.instructions, four.total.instructions);
  EXPECT_EQ(one.total.loads.sectors, 32U * 8);
  EXPECT_EQ(four.total.loads.sectors, 32U * 8);
  EXPECT_EQ(one.lines.size(), four.lines.size());
}

TEST_F(Counting, keeps_the_costliest_access_of_a_line_in_the_first_block_where_it_is_asked) {
  load(kernel_text(R"(
  .shared .align 4 .b8 data[8192];
  mov.u64 %rd20, data;
  mul.wide.s32 %rd21, %r1, 8;
  add.s64 %rd22, %rd20, %rd21;
  .loc 1 20 1
  st.shared.u32 [%rd22], %r1;
  mul.wide.s32 %rd21, %r1, 28;
  add.s64 %rd22, %rd3, %rd21;
  .loc 1 21 1
  ld.global.u32 %r10, [%rd22];
  .loc 1 22 1
  st.global.u32 [%rd4], %r10;)"));
  const Address from = upload(counting(4096));
  const Address to = upload(counting(4096));
  const auto lines = [&](bool keep) {
    return launch({.grid = {2}, .block = {64}}, {from, to},
                  {.host_threads = 2, .count_work = true, .keep_costly = keep})
        .work->lines;
  };
  const auto all = lines(true);
  const auto at = [&](int line) { return std::ranges::find(all, line, &LineWork::line)->costly; };
  ASSERT_TRUE(at(20));
  EXPECT_EQ(at(20)->array, "data");
  EXPECT_TRUE(at(20)->shared && at(20)->writes);
  EXPECT_EQ(at(20)->passes, 2U);
  EXPECT_EQ(at(20)->positions[3], 6U);
  ASSERT_TRUE(at(21));
  EXPECT_EQ(at(21)->passes, 32U);
  EXPECT_EQ(at(21)->positions[2], 16U);
  EXPECT_FALSE(at(22)) << "coalesced";
  for (const LineWork& line : lines(false)) EXPECT_FALSE(line.costly);
}

TEST_F(Counting, nothing_is_counted_unless_asked) {
  load(kernel_text(kCopy));
  const Address values = upload(counting(64));
  EXPECT_EQ(launch({.block = {32}}, {values, values}).work, std::nullopt);
}

TEST_F(Counting, shared_memory_conflicts_barriers_and_shuffles) {
  const LaunchWork work = count(kernel_text(R"(
  .loc 1 20 1
  shl.b32 %r10, %r1, 3;
  mov.u32 %r11, s;
  add.u32 %r10, %r10, %r11;
  st.shared.u32 [%r10], %r1;
  .loc 1 21 1
  bar.sync 0;
  .loc 1 22 1
  ld.shared.u32 %r12, [s];
  .loc 1 23 1
  shfl.sync.idx.b32 %r13, %r12, 0, 31, -1;
  .loc 1 24 1
  red.shared.add.u32 [s], 1;
)",
                                            ".shared .align 16 .b8 s[1024];\n"),
                                {.grid = {2}, .block = {64}});
  EXPECT_EQ(at_line(work, 20).stores.shared_requests, 4U);
  EXPECT_EQ(at_line(work, 20).stores.wavefronts, 8U);
  EXPECT_EQ(at_line(work, 20).stores.conflicts, 4U);
  EXPECT_EQ(at_line(work, 22).loads.wavefronts, 4U);  // one word for all
  EXPECT_EQ(at_line(work, 22).loads.conflicts, 0U);
  EXPECT_EQ(work.total.loads.requests, 0U);
  EXPECT_EQ(at_line(work, 21).barriers, 2U);  // one a block
  EXPECT_EQ(at_line(work, 23).shuffles, 4U);
  EXPECT_EQ(at_line(work, 24).shared_atomics, 2U * 64);
  EXPECT_EQ(at_line(work, 24).global_atomics + at_line(work, 24).stores.shared_requests, 0U);
}

TEST_F(Counting, atomics_of_threads_and_those_that_wait) {
  const LaunchWork work = count(kernel_text(R"(
  .loc 1 30 1
  red.global.add.u32 [%rd2], 1;
  .loc 1 31 1
  atom.global.add.u32 %r10, [%rd4], 1;
)"),
                                {.grid = {1}, .block = {40}});
  EXPECT_EQ(at_line(work, 30).global_atomics, 40U);
  EXPECT_EQ(at_line(work, 30).same_address_atomics, 31U + 7U);
  EXPECT_EQ(at_line(work, 31).global_atomics, 40U);
  EXPECT_EQ(at_line(work, 31).same_address_atomics, 0U);
  EXPECT_EQ(work.total.shared_atomics, 0U);
  EXPECT_EQ(work.total.loads.requests + work.total.stores.requests, 0U);
}

TEST_F(Counting, branches_that_part_a_warp) {
  const LaunchWork work = count(kernel_text(R"(
  .loc 1 40 1
  setp.lt.u32 %p1, %r1, 48;
  @%p1 bra SMALL;
  .loc 1 41 1
  add.u32 %r10, %r1, 1;
  bra DONE;
SMALL:
  .loc 1 42 1
  add.u32 %r10, %r1, 2;
DONE:
  .loc 1 43 1
)"),
                                {.grid = {1}, .block = {64}});  // the second warp parts
  EXPECT_EQ(at_line(work, 40).divergent_branches, 1U);
  EXPECT_EQ(at_line(work, 41).active_lanes, 16U * 2);
  EXPECT_EQ(at_line(work, 42).active_lanes, 48U);
  EXPECT_EQ(at_line(work, 42).instructions, 2U);
}

}  // namespace
}  // namespace warpmark::simulator::test
