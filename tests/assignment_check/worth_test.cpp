#include "harness/assignment_check/worth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignment_check/proposal.h"
#include "harness/assignment_check/survivors.h"

namespace warpmark::assignment_check {
namespace {

using judge::WorkCounter;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Renamed, changes_the_functions_name_in_code_alone) {
  EXPECT_EQ(renamed("// v01 is first\nvoid v01(int v01_count) { v01(1); f(\"v01\"); }", "v01", "v02"),
            "// v01 is first\nvoid v02(int v01_count) { v02(1); f(\"v01\"); }");
}

TEST(LimitBetween, lies_between_the_reference_and_the_naive_version) {
  const auto limit = limit_between({WorkCounter::sectors_a_request, 4, 32});
  ASSERT_TRUE(limit);
  EXPECT_FALSE(limit->at_least);
  EXPECT_TRUE(limit->holds(4));
  EXPECT_TRUE(limit->holds(4.5));
  EXPECT_FALSE(limit->holds(32));
  EXPECT_THAT(limit->lesson, HasSubstr("32"));
}

TEST(LimitBetween, is_not_proposed_where_the_two_are_close) {
  EXPECT_FALSE(limit_between({WorkCounter::sectors_a_request, 4, 5}));
  EXPECT_FALSE(limit_between({WorkCounter::sectors_a_request, 32, 4}));
  EXPECT_FALSE(limit_between({WorkCounter::atomics_a_value, 0, 0}));
}

TEST(LimitBetween, is_0_where_the_reference_does_without) {
  const auto limit = limit_between({WorkCounter::atomics_a_value, 0, 1});
  ASSERT_TRUE(limit);
  EXPECT_EQ(limit->limit, 0);
}

struct Sizes {
  std::vector<Size> correct;
  std::uint64_t secret = 0;
  std::vector<Size> clean;
};

std::vector<AssignmentFinding> gaps(const Sizes& sizes) {
  static const judge::Installation kNowhere{};
  static const CheckOptions kOptions;
  Setting setting{kNowhere, kOptions, {}, {}, {}};
  setting.rubric.correct.sizes = sizes.correct;
  setting.rubric.correct.secret.count = sizes.secret;
  setting.rubric.clean.sizes = sizes.clean;
  return gaps_of_sizes(setting);
}

TEST(GapsOfSizes, are_sizes_of_whole_warps_alone) {
  EXPECT_THAT(gaps({{0, 32, 256}, 0, {33}}), SizeIs(1));
  EXPECT_THAT(gaps({{0, 32, 256}, 0, {33}})[0].message, HasSubstr("[correct]"));
  EXPECT_THAT(gaps({{33}, 0, {64}})[0].message, HasSubstr("[clean]"));
  EXPECT_THAT(gaps({{0, 32, 256, 257}, 0, {33}}), IsEmpty());
}

TEST(GapsOfSizes, are_closed_by_secret_sizes) {
  EXPECT_THAT(gaps({{0, 32, 256}, 4, {33}}), IsEmpty());
}

TEST(GapsOfSizes, look_at_each_part_of_a_size) {
  const auto found = gaps({{Size({64, 7}), Size({32, 9})}, 0, {Size({33, 1})}});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].standing, Standing::open);
  // One value alone may be what the assignment is about, such as the number of bins.
  EXPECT_EQ(gaps({{Size({33, 256}), Size({34, 256})}, 0, {Size({33, 1})}})[0].standing, Standing::remark);
}

}  // namespace
}  // namespace warpmark::assignment_check
