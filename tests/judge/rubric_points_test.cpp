// What the versions of a rubric are worth: steps, weights, bonus points, needs, groups of sizes, the contest.
#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kSoundPoints = R"(title = "Sums"
contract = "sums.h"
types = ["int"]
naive = "slow"

[points]
builds = 1
correct = 4
fast = 8

[correct]
sizes = [0, 1, 33, 1000]

[[correct.group]]
name = "small"
sizes = [0, 1]
points = 1

[[correct.group]]
name = "large"
sizes = [1000]
points = 2

[fast]
size = 4096

[contest]
within = [1.2, 1.05]
points = [1, 2]

[[version]]
name = "slow"
given = true
checks = ["builds", "correct"]

[[version]]
name = "quick"
checks = ["builds", "correct", "fast"]
speedup = [1.5, 3, 6]
steps = [2, 4, 7]
bonus = {speedup = [8], steps = [3]}
points = {correct = 8}

[[version]]
name = "near"
checks = ["builds", "correct", "fast"]
of_reference = [0.5, 0.8]
steps = [1, 2]
weight = 2
needs = "quick"

[[version]]
name = "extra"
checks = ["builds", "correct", "fast"]
speedup = 9
bonus = true
needs = ["quick", "near"]
)";

std::string with_change(std::string_view text, std::string_view what, std::string_view by) {
  std::string result(text);
  const std::size_t at = result.find(what);
  EXPECT_NE(at, std::string::npos) << "the sound rubric has no " << what;
  return at == std::string::npos ? result : result.replace(at, what.size(), by);
}

Rubric sound_points() {
  const auto rubric = parse_rubric(kSoundPoints, "rubric.toml", "sums");
  EXPECT_TRUE(rubric) << rubric.error().message;
  return rubric ? *rubric : Rubric{};
}

TEST(RubricPoints, of_steps_add_up_and_replace_those_of_fast) {
  const Rubric rubric = sound_points();
  const VersionRule* quick = rubric.find("quick");
  ASSERT_NE(quick, nullptr);
  ASSERT_EQ(quick->steps.size(), 4U);
  std::vector<double> speeds;
  std::vector<double> points;
  for (const SpeedStep& step : quick->steps) {
    speeds.push_back(step.at_least);
    points.push_back(step.points);
  }
  EXPECT_THAT(speeds, ElementsAre(1.5, 3, 6, 8));
  EXPECT_THAT(points, ElementsAre(2, 2, 3, 3));
  EXPECT_TRUE(quick->steps.back().bonus);
  EXPECT_EQ(quick->required_speed(), 6);
  EXPECT_EQ(quick->worth(Check::fast).points, 7);
  EXPECT_EQ(quick->worth(Check::fast).bonus, 3);
  EXPECT_EQ(quick->worth(Check::builds).bonus, 0);
  EXPECT_EQ(quick->speed_unit, SpeedUnit::naive);
}

TEST(RubricPoints, are_multiplied_by_the_weight_of_a_version) {
  const Rubric rubric = sound_points();
  const VersionRule* near = rubric.find("near");
  ASSERT_NE(near, nullptr);
  EXPECT_EQ(near->speed_unit, SpeedUnit::reference);
  EXPECT_EQ(near->worth(Check::builds).points, 2);
  EXPECT_EQ(near->worth(Check::correct).points, 8);
  EXPECT_EQ(near->worth(Check::fast).points, 4);
  EXPECT_EQ(near->steps[1].points, 2);
  EXPECT_EQ(near->steps[1].at_least, 0.8);
}

TEST(RubricPoints, of_a_bonus_version_all_stand_beside_the_possible_ones) {
  const Rubric rubric = sound_points();
  const VersionRule* extra = rubric.find("extra");
  ASSERT_NE(extra, nullptr);
  EXPECT_TRUE(extra->is_bonus);
  for (const Check check : extra->checks) EXPECT_EQ(extra->worth(check).points, 0);
  EXPECT_EQ(extra->worth(Check::builds).bonus, 1);
  EXPECT_EQ(extra->worth(Check::fast).bonus, 8);
  EXPECT_THAT(extra->needs, ElementsAre("quick", "near"));
  EXPECT_THAT(rubric.find("near")->needs, ElementsAre("quick"));
}

TEST(RubricPoints, of_groups_keep_their_proportion_where_a_version_has_its_own) {
  const Rubric rubric = sound_points();
  ASSERT_EQ(rubric.correct.groups.size(), 2U);
  EXPECT_EQ(rubric.correct.groups[1].name, "large");
  EXPECT_THAT(rubric.correct.groups[0].sizes, ElementsAre(0, 1));
  EXPECT_THAT(rubric.find("slow")->group_points, ElementsAre(1, 2));
  EXPECT_THAT(rubric.find("quick")->group_points, ElementsAre(2, 4));
  EXPECT_THAT(rubric.find("extra")->group_points, ElementsAre(1, 2)) << "as bonus points";
}

TEST(RubricPoints, of_a_contest_are_for_all_timed_versions_unless_it_names_some) {
  const Rubric rubric = sound_points();
  ASSERT_TRUE(rubric.contest);
  EXPECT_THAT(rubric.contest->versions, ElementsAre("quick", "near", "extra"));
  ASSERT_EQ(rubric.contest->steps.size(), 2U);
  EXPECT_THAT(rubric.contest->steps[1].within, DoubleNear(1.05, 1e-12));
  EXPECT_EQ(rubric.contest->steps[1].points, 2);
  const auto named =
      parse_rubric(with_change(kSoundPoints, "within =", "versions = [\"near\"]\nwithin ="), "r", "sums");
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_THAT(named->contest->versions, ElementsAre("near"));
}

TEST(RubricPoints, of_the_rubric_for_a_gpu_are_read) {
  const auto rubric =
      read_rubric({.name = "reduction", .folder = WARPMARK_ROOT "/harness/assignments/reduction"},
                  WARPMARK_ROOT "/tests/gpu/points.toml");
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_EQ(rubric->find("v13_shared_grid_stride")->speed_unit, SpeedUnit::reference);
}

// The same reader reads an assignment.toml, whose sizes may have several parts.
TEST(RubricPoints, are_read_from_an_assignment_toml_with_several_sizes) {
  constexpr std::string_view kRows = R"toml(title = "Sums of rows"
contract = "rows.h"
call = "version(a, n, m, b, stream)"
sizes = ["n", "m"]
[[buffer]]
name = "a"
role = "input"
type = "float"
count = "n * m"
[[buffer]]
name = "b"
role = "output"
type = "float"
count = "n"
[points]
builds = 1
correct = 4
[correct]
sizes = [[0, 1], [33, 7]]
[[correct.group]]
name = "empty"
sizes = [[0, 1]]
points = 1
[[version]]
name = "one"
checks = ["builds", "correct"]
weight = 0.5
[[version]]
name = "two"
checks = ["builds", "correct"]
needs = "one"
bonus = true
)toml";
  const auto rubric = parse_rubric(kRows, "assignment.toml", "rows");
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_EQ(rubric->find("one")->worth(Check::correct).points, 2);
  EXPECT_THAT(rubric->find("one")->group_points, ElementsAre(0.5));
  EXPECT_THAT(rubric->find("two")->needs, ElementsAre("one"));
  const auto wrong =
      parse_rubric(with_change(kRows, "sizes = [[0, 1]]", "sizes = [[0, 2]]"), "assignment.toml", "rows");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(
      wrong.error().message,
      StartsWith("assignment.toml:22: the group empty has the size 0,2, which is none of correct.sizes"));
}

struct Mistake {
  const char* name;
  std::string_view what;   // in the sound rubric
  std::string_view by;     // what makes it unsound
  std::string_view where;  // the beginning of the line that must be named
  std::string_view rule;   // part of the message
};

std::ostream& operator<<(std::ostream& out, const Mistake& mistake) {
  return out << mistake.name;
}

class PointsMistake : public testing::TestWithParam<Mistake> {};

TEST_P(PointsMistake, is_refused_with_file_line_rule_and_remedy) {
  const Mistake& mistake = GetParam();
  const std::string text = with_change(kSoundPoints, mistake.what, mistake.by);
  const auto rubric = parse_rubric(text, "rubric.toml", "sums");
  ASSERT_FALSE(rubric) << "a broken rubric was accepted";
  const std::size_t at = text.find(mistake.where);
  ASSERT_NE(at, std::string::npos);
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  EXPECT_THAT(rubric.error().message, StartsWith("rubric.toml:" + std::to_string(line) + ": "));
  EXPECT_THAT(rubric.error().message, HasSubstr(mistake.rule));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, PointsMistake,
    testing::Values(
        Mistake{"steps_of_another_length", "steps = [2, 4, 7]", "steps = [2, 4]", "steps = [2, 4]",
                "quick: speedup has 3 and steps 2; give the points reached with each speed"},
        Mistake{"speeds_that_do_not_ascend", "[1.5, 3, 6]", "[1.5, 6, 3]", "speedup = [1.5, 6",
                "must be above 0 and ascend; 3 follows 6"},
        Mistake{"points_that_do_not_ascend", "[2, 4, 7]", "[2, 2, 7]", "steps = [2, 2",
                "must be above 0 and ascend"},
        Mistake{"a_negative_speed", "[1.5, 3, 6]", "[-1.5, 3, 6]", "speedup = [-1.5",
                "must be a number from 0"},
        Mistake{"a_step_of_zero", "[2, 4, 7]", "[0, 4, 7]", "steps = [0", "must be above 0 and ascend"},
        Mistake{
            "steps_without_speeds", "speedup = [1.5, 3, 6]\n", "", "steps = [2, 4, 7]",
            "quick: steps are points for the speeds of speedup or of_reference, which is missing; add it"},
        Mistake{"speeds_without_steps", "steps = [2, 4, 7]\n", "", "speedup = [1.5, 3, 6]",
                "quick: speedup has 3 speeds; give the points reached with each: steps = [...]"},
        Mistake{"steps_without_fast", "given = true", "given = true\nsteps = [1]", "steps = [1]",
                "slow: steps are points of the check \"fast\"; add it to checks"},
        Mistake{"two_baselines", "of_reference = [0.5, 0.8]", "of_reference = [0.5, 0.8]\nspeedup = 2",
                "of_reference", "near: give one of speedup and of_reference"},
        Mistake{"points_of_fast_beside_steps", "points = {correct = 8}", "points = {correct = 8, fast = 2}",
                "steps = [2, 4, 7]", "remove points.fast of this version"},
        Mistake{"a_bonus_below_what_is_required", "speedup = [8]", "speedup = [5]", "bonus = {",
                "quick: bonus.speedup must be above 6, the last speed that `fast` requires"},
        Mistake{"a_bonus_of_another_length", "{speedup = [8], steps = [3]}",
                "{speedup = [8, 9], steps = [3]}", "bonus = {", "speedup has 2 and steps 1"},
        Mistake{"a_bonus_for_speed_without_fast", "given = true",
                "given = true\nbonus = {speedup = [2], steps = [1]}", "bonus = {speedup = [2]",
                "slow: a bonus for speed needs the check \"fast\""},
        Mistake{"a_bonus_that_is_a_text", "bonus = true", "bonus = \"yes\"", "bonus = \"yes\"",
                "version.bonus must be true or false"},
        Mistake{"no_weight", "weight = 2", "weight = 0", "weight = 0",
                "near: weight must be above 0: it multiplies all points"},
        Mistake{"an_unknown_need", "needs = \"quick\"", "needs = \"qick\"", "needs = \"qick\"",
                "near: needs names \"qick\", which is no [[version]]"},
        Mistake{"a_circle", "steps = [2, 4, 7]", "steps = [2, 4, 7]\nneeds = \"extra\"", "needs = \"extra\"",
                "needs goes round in a circle: quick needs extra needs quick; remove one of them"},
        Mistake{"a_need_of_itself", "needs = \"quick\"", "needs = \"near\"", "needs = \"near\"",
                "needs goes round in a circle: near needs near"},
        Mistake{"a_need_that_is_never_right",
                "given = true\nchecks = [\"builds\", \"correct\"]\n\n[[version]]\nname = \"quick\"\n",
                "given = true\nchecks = [\"builds\"]\n\n[[version]]\nname = \"quick\"\nneeds = \"slow\"\n",
                "needs = \"slow\"", "quick: needs names slow, which has no check \"correct\""},
        Mistake{"a_group_of_an_unknown_size", "sizes = [1000]", "sizes = [1001]", "sizes = [1001]",
                "the group large has the size 1001, which is none of correct.sizes; add it there"},
        Mistake{"a_size_in_two_groups", "sizes = [1000]", "sizes = [1, 1000]", "sizes = [1, 1000]",
                "the size 1 is in the groups small and large; leave it in one"},
        Mistake{"two_groups_of_one_name", "name = \"large\"", "name = \"small\"",
                "[[correct.group]]\nname = "
                "\"small\"\nsizes = [1000]",
                "there are two groups small"},
        Mistake{"a_group_of_nothing", "sizes = [1000]", "sizes = []", "[[correct.group]]\nname = \"large\"",
                "the group large must name at least one size"},
        Mistake{"groups_worth_more_than_the_check", "points = 2", "points = 3.5", "[[correct.group]]",
                "the groups have 4.5 points, and `correct` 4; they share these"},
        Mistake{"a_group_with_a_negative_worth", "points = 2", "points = -2", "points = -2",
                "correct.group.points must be a number"},
        Mistake{"a_contest_of_another_length", "points = [1, 2]", "points = [1]", "points = [1]\n",
                "contest.within has 2 and contest.points 1"},
        Mistake{"a_contest_that_does_not_descend", "[1.2, 1.05]", "[1.05, 1.2]", "within = [1.05",
                "contest.within must be at least 1 and descend"},
        Mistake{"a_contest_below_the_fastest", "[1.2, 1.05]", "[1.2, 0.9]", "within = [1.2, 0.9",
                "contest.within must be at least 1"},
        Mistake{"a_contest_of_a_version_without_times", "within =", "versions = [\"slow\"]\nwithin =",
                "versions = [\"slow\"]", "contest.versions names slow, which is no version with the check"}),
    [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace warpmark::judge
