// One cause, one finding, with the remedy that fits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/simulator/engine/machine/finding_log.h"

namespace warpmark::simulator {
namespace {

using testing::HasSubstr;
using testing::Not;
using Within = Conflict::Within;

Finding finding(CauseKind kind, int line, int other_line) {
  return {
      .kind = kind, .kernel = "k", .file = "a.cu", .line = line, .other_line = other_line, .message = "it"};
}
Conflict reads(Within within, const char* array = "sum") {
  return {.array = array, .within = within, .reads = true, .other_known = true};
}
Conflict writes(Within within, const char* array = "sum") {
  return {.array = array, .within = within, .both_write = true, .other_known = true};
}

TEST(Causes, an_update_by_many_threads_is_one_race_that_asks_for_an_atomic_operation) {
  FindingLog log;
  log.add(finding(CauseKind::same_word_store, 9, 0), 0, writes(Within::warp));
  log.add(finding(CauseKind::warp_synchronous, 9, 9), 0, reads(Within::warp));
  log.add(finding(CauseKind::race, 9, 9), 1, reads(Within::block));
  log.add(finding(CauseKind::race, 9, 9), 1, writes(Within::block));
  const auto found = log.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, CauseKind::race);
  EXPECT_THAT(found[0].message, HasSubstr("use atomicAdd"));
  EXPECT_THAT(found[0].message, Not(HasSubstr("__sync")));
}

TEST(Causes, an_update_by_the_lanes_of_one_warp_is_a_race_too) {
  FindingLog log;
  log.add(finding(CauseKind::same_word_store, 9, 0), 0, writes(Within::warp));
  log.add(finding(CauseKind::warp_synchronous, 9, 9), 0, reads(Within::warp));
  const auto found = log.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, CauseKind::race);
  EXPECT_THAT(found[0].message, HasSubstr("use atomicAdd"));
}

TEST(Causes, a_warp_tail_is_one_finding_with_all_its_lines) {
  FindingLog log;
  for (int line = 11; line < 16; ++line)
    log.add(finding(CauseKind::warp_synchronous, line + 1, line), 0, reads(Within::warp, "shared"));
  const auto found = log.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].line, 12);
  EXPECT_THAT(found[0].message, HasSubstr("__syncwarp"));
  EXPECT_THAT(found[0].message, HasSubstr("the same at lines 13, 14, 15, 16"));
}

Conflict reads_of_other(Within within) {
  Conflict conflict = reads(within, "shared");
  conflict.reads_other = true;
  return conflict;
}

TEST(Causes, steps_of_a_tree_ask_for_a_barrier_and_not_for_an_atomic_operation) {
  FindingLog log;
  log.add(finding(CauseKind::race, 28, 28), 0, reads(Within::block, "shared"));
  log.add(finding(CauseKind::race, 28, 28), 0, reads_of_other(Within::block));
  log.add(finding(CauseKind::race, 28, 28), 0, writes(Within::block, "shared"));
  const auto found = log.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, HasSubstr("put a __syncthreads()"));
  EXPECT_THAT(found[0].message, Not(HasSubstr("atomic")));
}

TEST(Causes, the_last_warp_is_not_sent_to_a_barrier_of_the_block) {
  Conflict conflict = reads(Within::warp, "shared");
  conflict.barriers = true;
  FindingLog log;
  log.add(finding(CauseKind::warp_synchronous, 24, 25), 0, conflict);
  const auto found = log.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, HasSubstr("put a __syncwarp() between them"));
  EXPECT_THAT(found[0].message, Not(HasSubstr("__syncthreads")));
}

TEST(Causes, where_all_warps_come_by_a_barrier_of_the_block_is_named) {
  Conflict conflict = reads(Within::warp, "shared");
  conflict.barriers = true;
  FindingLog log;
  log.add(finding(CauseKind::warp_synchronous, 23, 21), 0, conflict);
  conflict.all_warps = true;
  log.add(finding(CauseKind::warp_synchronous, 23, 21), 0, conflict);
  const auto found = log.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, HasSubstr("put a __syncthreads() between them"));
}

TEST(Causes, equal_values_that_a_race_lets_threads_store_are_no_finding_of_their_own) {
  FindingLog log;
  log.add(finding(CauseKind::race, 31, 24), 0, reads(Within::block, "shared"));
  log.add(finding(CauseKind::same_value_store, 31, 31), 0, writes(Within::block, "partial"));
  EXPECT_EQ(log.take().size(), 1U);
}

TEST(Causes, threads_that_reset_one_element_and_add_to_it_are_told_to_use_an_atomic_operation) {
  FindingLog log;
  log.add(finding(CauseKind::same_value_store, 19, 19), 0, writes(Within::block));
  log.add(finding(CauseKind::race, 24, 24), 0, reads(Within::block));
  log.add(finding(CauseKind::race, 24, 24), 0, writes(Within::block));
  const auto found = log.take();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].message, HasSubstr("use atomicAdd"));
}

TEST(Causes, threads_with_one_index_are_told_so) {
  FindingLog log;
  Conflict fill = writes(Within::block, "shared");
  log.add(finding(CauseKind::same_value_store, 19, 19), 0, fill);
  fill.elements = true;
  log.add(finding(CauseKind::same_value_store, 19, 19), 0, fill);
  log.add(finding(CauseKind::race, 24, 24), 0, reads_of_other(Within::block));
  log.add(finding(CauseKind::race, 24, 24), 0, writes(Within::block, "shared"));
  log.add(finding(CauseKind::race, 31, 24), 0, reads(Within::block, "shared"));
  const auto found = log.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, CauseKind::race);
  EXPECT_EQ(found[0].line, 24);
  EXPECT_THAT(found[0].message, HasSubstr("several threads store to one element as early as line 19"));
}

TEST(Causes, conflicts_of_different_arrays_or_lines_stay_apart) {
  FindingLog log;
  log.add(finding(CauseKind::race, 22, 17), 0, reads(Within::block, "shared"));
  log.add(finding(CauseKind::race, 24, 23), 0, reads(Within::block, "shared"));
  log.add(finding(CauseKind::race, 22, 17), 0, reads(Within::block, "other"));
  EXPECT_EQ(log.take().size(), 3U);
}

TEST(Causes, between_blocks_nobody_is_told_to_use_a_barrier_of_a_block) {
  for (const Conflict& conflict : {reads(Within::grid), writes(Within::grid)}) {
    FindingLog log;
    log.add(finding(CauseKind::race, 9, 9), 0, conflict);
    const auto found = log.take();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].message, HasSubstr("blocks run in any order"));
    EXPECT_THAT(found[0].message, Not(HasSubstr("__syncthreads")));
  }
}

TEST(Causes, a_plain_store_beside_atomic_operations_belongs_before_the_launch) {
  FindingLog log;
  Conflict conflict = writes(Within::warp);
  conflict.atomic = true;
  log.add(finding(CauseKind::warp_synchronous, 17, 9), 0, conflict);
  const auto found = log.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, CauseKind::race);
  EXPECT_THAT(found[0].message, HasSubstr("cudaMemsetAsync"));
}

TEST(Causes, a_race_explains_an_uninitialised_read_at_its_line) {
  FindingLog log;
  log.add(finding(CauseKind::uninitialised_read, 22, 0), 0);
  log.add(finding(CauseKind::uninitialised_read, 30, 0), 0);
  log.add(finding(CauseKind::race, 22, 17), 0, reads(Within::block));
  const auto found = log.take();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, CauseKind::race);
  EXPECT_EQ(found[1].line, 30);
}

}  // namespace
}  // namespace warpmark::simulator
