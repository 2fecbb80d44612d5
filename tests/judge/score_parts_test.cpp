// Points of checks that can be earned in part, bonus points, and versions that need others.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "harness/judge/score.h"

namespace warpmark::judge {
namespace {

using enum CauseKind;

CheckResult in_parts(const std::vector<CauseKind>& causes, const std::vector<PointPart>& parts,
                     const Worth& worth) {
  CheckResult check;
  for (const CauseKind kind : causes) check.causes.push_back(make_cause(kind, ""));
  check.parts = parts;
  settle(check, worth);
  return check;
}

TEST(Settle, a_failed_check_earns_the_parts_that_were_reached) {
  const std::vector<PointPart> parts{
      {"small", 1, false, true}, {"large", 2, false, false}, {"all", 1, true, true}};
  const CheckResult failed = in_parts({wrong_sum}, parts, {4, 1});
  EXPECT_EQ(failed.verdict, Verdict::failed);
  EXPECT_EQ(failed.points, 1);
  EXPECT_EQ(failed.bonus, 1);
  EXPECT_EQ(failed.possible, 4);
  EXPECT_EQ(failed.bonus_possible, 1);
  EXPECT_EQ(failed.open, 0);
}

TEST(Settle, a_passed_check_earns_all_but_the_bonus_that_was_not_reached) {
  const std::vector<PointPart> parts{{"3x", 2, false, false}, {"6x", 2, true, true}, {"9x", 3, true, false}};
  const CheckResult passed = in_parts({}, parts, {4, 5});
  EXPECT_EQ(passed.points, 4);
  EXPECT_EQ(passed.bonus, 2);
  EXPECT_TRUE(passed.parts[0].reached);
  EXPECT_FALSE(passed.parts[2].reached);
}

TEST(Settle, what_evaded_a_check_or_was_not_decided_earns_no_part) {
  for (const CauseKind kind : {tampering, no_kernel, noise, no_gpu, internal, depends}) {
    const CheckResult check = in_parts({wrong_sum, kind}, {{"small", 1, false, true}}, {4, 0});
    const bool alone = kind == tampering || kind == no_kernel;
    EXPECT_EQ(check.points, alone ? 0 : 1) << name_of(kind);
    EXPECT_EQ(in_parts({kind}, {{"small", 1, false, true}}, {4, 0}).points, 0) << name_of(kind);
  }
}

CheckResult check_in(const std::string& version, const std::string& check,
                     const std::vector<CauseKind>& causes = {}) {
  CheckResult result = in_parts(causes, {}, {2, 0});
  result.version = version;
  result.check = check;
  return result;
}

// v02 needs v01, with `correct` of v01 as given.
std::vector<CheckResult> with_need(const std::vector<CauseKind>& correct,
                                   const std::vector<CauseKind>& fast) {
  std::vector checks{check_in("v01", "correct", correct), check_in("v02", "builds"),
                     check_in("v02", "correct"), check_in("v02", "fast", fast)};
  earn_together(checks, {{"v02", {"v01"}}});
  return checks;
}

TEST(Needs, a_version_earns_nothing_while_the_needed_one_is_wrong) {
  const auto checks = with_need({wrong_sum}, {no_gpu});
  for (const std::size_t at : {1U, 2U, 3U}) {
    EXPECT_EQ(checks[at].points + checks[at].open, 0) << checks[at].check;
    ASSERT_EQ(checks[at].notes.size(), 1U) << checks[at].check;
    EXPECT_EQ(checks[at].notes[0].message,
              "`v02` earns points only when `v01` is right, and its `correct` did not pass.");
  }
  EXPECT_EQ(checks[2].verdict, Verdict::passed);
  EXPECT_EQ(score_of(checks, {{"v02", {"v01"}}}).lost(), 8);
}

TEST(Needs, points_are_open_while_the_needed_one_is_not_decided) {
  const auto checks = with_need({no_gpu}, {too_slow});
  EXPECT_EQ(checks[2].open, 2);
  EXPECT_EQ(checks[3].open, 0) << "it was lost before";
  const Score score = score_of(checks, {{"v02", {"v01"}}});
  EXPECT_EQ(score.open, 6);
  EXPECT_EQ(score.needs_gpu, 6);
}

// v03 needs v02, which needs v01: v03 needs both.
TEST(Needs, go_on_through_the_needed_version) {
  const Needs needs = with_indirect({{"v03", {"v02"}}, {"v02", {"v01"}}});
  EXPECT_THAT(needs.at("v03"), testing::UnorderedElementsAre("v02", "v01"));
  EXPECT_THAT(needs.at("v02"), testing::ElementsAre("v01"));
  std::vector checks{check_in("v01", "correct", {wrong_sum}), check_in("v02", "correct"),
                     check_in("v03", "correct")};
  earn_together(checks, needs);
  EXPECT_EQ(checks[1].points, 0);
  EXPECT_EQ(checks[2].points, 0);
  ASSERT_EQ(checks[2].notes.size(), 1U);
  EXPECT_EQ(checks[2].notes[0].message,
            "`v03` earns points only when `v01` is right, and its `correct` did not pass.");
}

TEST(Needs, that_are_met_or_not_graded_change_nothing) {
  for (const CheckResult& check : with_need({}, {})) EXPECT_EQ(check.points, 2) << check.check;
  std::vector checks{check_in("v02", "correct")};
  earn_together(checks, {{"v02", {"v01"}}});
  EXPECT_EQ(checks[0].points, 2);
}

TEST(Needs, take_bonus_and_parts_too) {
  std::vector checks{check_in("v01", "correct", {wrong_sum}),
                     in_parts({too_slow}, {{"2x", 1, false, true}}, {4, 0}), in_parts({}, {}, {0, 3})};
  checks[1].version = checks[2].version = "v02";
  earn_together(checks, {{"v02", {"v01"}}});
  EXPECT_EQ(checks[1].points, 0);
  EXPECT_EQ(checks[2].bonus, 0);
  EXPECT_EQ(checks[2].notes.size(), 1U);
}

TEST(Scores, have_the_bonus_beside_the_possible_points) {
  const Score score = score_of(
      std::vector{in_parts({}, {}, {4, 0}), in_parts({}, {}, {0, 3}), in_parts({no_gpu}, {}, {1, 2})});
  EXPECT_EQ(score.points, 4);
  EXPECT_EQ(score.possible, 5);
  EXPECT_EQ(score.open, 1);
  EXPECT_EQ(score.bonus, 3);
  EXPECT_EQ(score.bonus_possible, 5);
  EXPECT_EQ(score.earned(), 7);
}

TEST(ExitStatus, is_not_that_of_a_version_worth_bonus_points_alone_that_nobody_began) {
  const auto of = [](const std::vector<CauseKind>& causes, const Worth& worth) {
    CheckResult check = in_parts(causes, {}, worth);
    check.version = "v02";
    return check;
  };
  EXPECT_EQ(exit_status_of(std::vector{of({not_implemented}, {0, 2}), of({depends}, {0, 1})}), 0);
  EXPECT_EQ(exit_status_of(std::vector{of({wrong_sum}, {0, 2})}), 1);
  EXPECT_EQ(exit_status_of(std::vector{of({not_implemented}, {0, 2}), of({depends}, {1, 0})}), 1);
}

}  // namespace
}  // namespace warpmark::judge
