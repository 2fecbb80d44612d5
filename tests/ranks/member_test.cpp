#include "harness/ranks/member.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::ranks {
namespace {

using testing::HasSubstr;

TEST(PartOfOthers, is_the_call_without_data) {
  wire::Call call;
  call.function = "k03_mpi";
  call.buffers = {{"rows", 64, 4096}};
  call.scalars = {100, 8};
  call.reads = {{"labels", 0, 16}};
  call.patches = {{{"rows", 0, 4}, 7}};
  call.restores = {{"rows.fresh", {"rows", 64, 4096}}};
  call.sweep = true;
  call.turns = 3;
  const auto part = part_of_others(call);
  ASSERT_TRUE(part);
  const auto& others = std::get<wire::Call>(*part);
  EXPECT_EQ(others.function, "k03_mpi");
  EXPECT_EQ(others.buffers, std::vector<wire::View>{wire::View{}});
  EXPECT_EQ(others.scalars, (std::vector<std::uint64_t>{0, 0}));
  EXPECT_TRUE(others.reads.empty());
  EXPECT_TRUE(others.patches.empty());
  EXPECT_TRUE(others.restores.empty());
  EXPECT_TRUE(others.sweep) << "the other ranks prepare a timed call, too";
  EXPECT_EQ(others.turns, 3U);
}

TEST(PartOfOthers, is_nothing_of_the_data_and_all_of_the_libraries) {
  EXPECT_FALSE(part_of_others(wire::Fill{.buffer = "rows"}));
  EXPECT_FALSE(part_of_others(wire::Read{}));
  EXPECT_TRUE(part_of_others(wire::Load{"k03", "/libraries/1.so"}));
  EXPECT_TRUE(part_of_others(wire::Hello{}));
}

TEST(Merge, tells_the_rank_that_threw_unless_the_first_one_did) {
  wire::CallReply theirs;
  theirs.failure.threw = "std::bad_alloc";
  wire::Reply other = theirs;
  wire::Reply reply = wire::CallReply{};
  merge(2, other, reply);
  EXPECT_EQ(std::get<wire::CallReply>(reply).failure.threw, "at rank 2: std::bad_alloc");
  wire::CallReply own;
  own.failure.threw = "first";
  reply = own;
  other = theirs;
  merge(2, other, reply);
  EXPECT_EQ(std::get<wire::CallReply>(reply).failure.threw, "first");
}

TEST(Merge, keeps_findings_of_every_rank) {
  wire::CallReply theirs;
  theirs.observed.findings.push_back({.kind = CauseKind::out_of_bounds, .message = "past the end"});
  wire::Reply other = theirs;
  wire::Reply reply = wire::CallReply{};
  merge(3, other, reply);
  const auto& findings = wire::seen_in(reply).observed.findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "at rank 3: past the end");
}

TEST(Merge, is_a_failure_where_another_rank_could_not_do_it) {
  wire::FailedReply failed;
  failed.why = "no library a is loaded";
  wire::Reply other = failed;
  wire::Reply reply = wire::CallReply{};
  merge(1, other, reply);
  ASSERT_TRUE(std::holds_alternative<wire::FailedReply>(reply));
  EXPECT_THAT(std::get<wire::FailedReply>(reply).why, HasSubstr("at rank 1: no library"));
}

}  // namespace
}  // namespace warpmark::ranks
