#include "harness/judge/checks/size_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/score.h"
#include "tests/judge/checks_fixture.h"

namespace warpmark::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::uint64_t values_at(const Size& size) {
  return size.parts.front();
}

TEST(GroupOf, is_the_one_that_names_the_size_or_the_next_larger_one) {
  const std::vector<SizeGroup> groups{{"small", {0, 33}, 1}, {"large", {100, 1000}, 2}};
  EXPECT_EQ(group_of(groups, 33, values_at), 0U);
  EXPECT_EQ(group_of(groups, 1, values_at), 0U);
  EXPECT_EQ(group_of(groups, 34, values_at), 1U);
  EXPECT_EQ(group_of(groups, 1000, values_at), 1U);
  EXPECT_EQ(group_of(groups, 70000, values_at), 1U) << "beyond all";
}

class Groups : public FakeChecks {
 protected:
  Groups() {
    VersionRule version;
    version.name = "v";
    version.checks = {Check::builds, Check::correct};
    version.points = {{Check::builds, 0}, {Check::correct, 4}};
    version.group_points = {1, 2};
    course.rubric.versions = {version};
    course.rubric.correct.groups = {{"small", {0, 1, 33}, 1}, {"large", {1000}, 2}};
  }
  [[nodiscard]] CheckResult graded(const std::string& behaviour) const {
    const CheckOutcome outcome = check_correct(bench(), "v", built(behaviour));
    CheckResult result;
    result.causes = outcome.causes;
    result.parts = outcome.parts;
    settle(result, {4, 0});
    return result;
  }
};

TEST_F(Groups, that_are_wholly_right_earn_their_points_though_the_check_fails) {
  const CheckResult result = graded("first_hundred");
  EXPECT_EQ(result.verdict, Verdict::failed);
  EXPECT_EQ(result.points, 1);
  ASSERT_EQ(result.parts.size(), 2U);
  EXPECT_EQ(result.parts[0].name, "sizes: small");
  EXPECT_TRUE(result.parts[0].reached);
  EXPECT_FALSE(result.parts[1].reached);
}

TEST_F(Groups, a_wrong_size_spoils_its_own_alone) {
  const CheckResult result = graded("wrong_at_33");
  EXPECT_EQ(result.points, 2) << "the large ones are right";
}

TEST_F(Groups, everything_right_earns_everything_and_everything_wrong_nothing) {
  EXPECT_EQ(graded("sum").points, 4);
  EXPECT_EQ(graded("zero").points, 0);
}

TEST_F(Groups, without_any_a_failure_earns_nothing) {
  course.rubric.versions[0].group_points.clear();
  EXPECT_THAT(graded("first_hundred").parts, IsEmpty());
  EXPECT_EQ(graded("first_hundred").points, 0);
}

}  // namespace
}  // namespace warpmark::judge
