// Rubrics of programs that are timed: what they mean, and how each mistake is named.
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/rules/course.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kProgramRubric = R"(kind = "program"
title = "Sums"
naive = "slow"
[points]
builds = 1
correct = 4
fast = 5
[[case]]
name = "small"
[[case]]
name = "hidden"
secret = true
[fast]
case = "small"
[[version]]
name = "slow"
sources = ["slow.cu", "common.cu"]
checks = ["builds", "correct"]
[[version]]
name = "quick"
checks = ["builds", "correct", "fast"]
speedup = [2, 4]
steps = [3, 5]
[[version]]
name = "own"
checks = ["builds", "correct", "fast"]
of_reference = 0.8
)";

Result<Rubric> with(const std::string& from, const std::string& to) {
  std::string text = kProgramRubric;
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return parse_rubric(text, "assignment.toml", "sums");
}

TEST(ProgramRules, time_programs_over_the_naive_one_or_the_courses_own) {
  const auto rubric = with("", "");
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_EQ(rubric->fast.test, "small");
  EXPECT_EQ(rubric->naive, "slow");
  EXPECT_THAT(rubric->fast.naive_sources, ElementsAre("slow.cu", "common.cu"));
  const VersionRule& quick = *rubric->find("quick");
  EXPECT_EQ(quick.points.at(Check::fast), 5);
  EXPECT_STREQ(quick.baseline(), "naive program");
  EXPECT_THAT(resolve(*rubric).required_speeds(quick), ElementsAre(2, 4));
  EXPECT_EQ(resolve(*rubric).parts_of(quick, Check::fast)[0].name, "2 times as fast as the naive program");
  EXPECT_STREQ(rubric->find("own")->baseline(), "course's solution");
  EXPECT_FALSE(rubric->find("slow")->has(Check::fast)) << "not unless it is asked for";
}

TEST(ProgramRules, name_each_mistake) {
  for (const auto& [from, to, why] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"case = \"small\"", "case = \"large\"", "fast.case names \"large\", which is no [[case]]"},
           {"case = \"small\"", "case = \"hidden\"", "is secret, so that handouts lack it"},
           {"case = \"small\"", "size = 3", "fast.case is missing"},
           {"[fast]\ncase = \"small\"\n", "", "needs a [fast] table with the case that is timed"},
           {"naive = \"slow\"", "naive = \"slower\"", "naive is \"slower\", which is no [[version]]"},
           {"naive = \"slow\"\n", "", "quick: speedup is over a naive program"},
           {"of_reference = 0.8", "of_reference = 0.8\nspeedup = 2", "give one of speedup and of_reference"},
           {"\"correct\", \"fast\"]\nof", "\"correct\", \"work\"]\nof", "programs have no check \"work\""}}) {
    const auto rubric = with(from, to);
    ASSERT_FALSE(rubric) << to;
    EXPECT_THAT(rubric.error().message, AllOf(HasSubstr("assignment.toml"), HasSubstr(why))) << to;
  }
}

}  // namespace
}  // namespace warpmark::judge
