// Contests of a class: decided from the grades alone, by the intervals of both.
#include "harness/class/run/contest.h"

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/class/exports/table.h"
#include "harness/class/run/regrade.h"
#include "harness/class/run/results.h"
#include "reports/class/pages.h"
#include "tests/reports/schema.h"

namespace warpmark::classroom {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const judge::Contest kContest{{{1.2, 1}, {1.05, 2}}, {"v07"}};

judge::Rubric rubric() {
  judge::Rubric rubric;
  rubric.upload_once.points = 100;
  rubric.contest = kContest;
  rubric.late = {10, 0, 100};
  return rubric;
}

// The grade of a version that is `speedup` times as fast, certain to half a percent.
Grade grade_with(double speedup, const std::vector<CauseKind>& causes = {}) {
  Grade grade;
  grade.assignment = "reduction";
  CheckResult fast;
  fast.id = "reduction.v07.fast";
  fast.version = "v07";
  fast.check = "fast";
  fast.engine = Engine::gpu;
  fast.verdict = Verdict::passed;
  for (const CauseKind kind : causes) {
    fast.causes.push_back(make_cause(kind, "why"));
    fast.verdict = rule_of(kind).verdict;
  }
  grade.checks = {fast};
  Measurement measured;
  measured.version = "v07";
  measured.speedup = speedup;
  measured.speedup_span = Span{speedup * 0.995, speedup * 1.005};
  measured.decided_by = causes == std::vector{CauseKind::noise} ? "noise" : "interval";
  grade.measurements = {measured};
  grade.score = {50, 100, 0, 0, 0, 0};
  return grade;
}

class ContestTest : public testing::Test {
 protected:
  void hand_in(const std::string& id, const Grade& grade, Shelf shelf = Shelf::current) {
    if (std::ranges::find(taken.students, id, &Taken::id) == taken.students.end()) {
      taken.students.emplace_back().id = id;
      taken.students.back().content = "of " + id;
    }
    Outcome outcome;
    outcome.content = "of " + id;
    outcome.grade = to_json(grade);
    outcome.score = grade.score;
    journal.set_outcome(shelf, id, outcome);
  }
  [[nodiscard]] std::vector<double> points(Shelf shelf = Shelf::current) const {
    std::vector<double> all;
    for (const ContestEntry& entry : contests_in(journal, shelf, taken, rubric()).at(0).entries)
      all.push_back(entry.points);
    return all;
  }
  [[nodiscard]] ClassResult result() const {
    return compose(taken, journal.outcomes(Shelf::current), {}, rubric(),
                   contests_in(journal, Shelf::current, taken, rubric()));
  }

  const TemporaryFolder folder;
  Journal journal = std::move(Journal::open(folder.path()).value());
  TakenClass taken;
};

TEST_F(ContestTest, gives_each_the_points_of_its_distance_from_the_fastest) {
  hand_in("slow", grade_with(5));
  hand_in("best", grade_with(10));
  hand_in("near", grade_with(9.7));
  hand_in("third", grade_with(8.8));
  const auto contests = contests_in(journal, Shelf::current, taken, rubric());
  ASSERT_EQ(contests.size(), 1U);
  EXPECT_EQ(contests[0].version, "v07");
  EXPECT_EQ(contests[0].entries[0].id, "best");
  EXPECT_EQ(contests[0].entries[1].id, "near");
  EXPECT_THAT(points(), ElementsAre(2, 2, 1, 0));
}

TEST_F(ContestTest, is_open_to_right_and_measured_versions_alone) {
  hand_in("too_slow_for_the_rubric", grade_with(10, {CauseKind::too_slow}));
  hand_in("wrong", grade_with(50, {CauseKind::wrong_when_timed}));
  hand_in("cheat", grade_with(50, {CauseKind::implausible_time}));
  hand_in("noisy", grade_with(50, {CauseKind::noise}));
  Grade needing = grade_with(50);
  needing.checks[0].notes = {make_cause(CauseKind::depends, "needs v06")};
  hand_in("needs_what_is_wrong", needing);
  EXPECT_THAT(points(), ElementsAre(2));
}

TEST_F(ContestTest, compares_what_was_measured_on_the_same_device_alone) {
  Grade on_another = grade_with(3);
  on_another.engines = {{Engine::gpu, "another GPU", "nvcc", 0, 0}};
  hand_in("best", grade_with(10));
  hand_in("other", on_another);
  hand_in("slow", grade_with(5));
  EXPECT_THAT(points(), ElementsAre(2, 0, 2));
}

TEST_F(ContestTest, without_one_in_the_rubric_is_not_held) {
  hand_in("best", grade_with(10));
  judge::Rubric none = rubric();
  none.contest.reset();
  EXPECT_THAT(contests_in(journal, Shelf::current, taken, none), IsEmpty());
}

TEST_F(ContestTest, a_submission_that_was_replaced_since_takes_no_part) {
  hand_in("best", grade_with(10));
  hand_in("near", grade_with(9.7));
  taken.students[0].content = "newer";
  EXPECT_THAT(points(), ElementsAre(2));
}

TEST_F(ContestTest, its_points_and_the_bonus_are_part_of_the_final_ones_and_stand_beside_the_graded_ones) {
  Grade best = grade_with(10);
  best.score.bonus = 4;
  hand_in("best", best);
  hand_in("slow", grade_with(5));
  taken.students[0].lateness = {true, 1, 0};
  const ClassResult all = result();
  EXPECT_EQ(all.students[0].points, 50);
  EXPECT_EQ(all.students[0].bonus, 4);
  ASSERT_EQ(all.students[0].contests.size(), 1U);
  EXPECT_EQ(all.students[0].contests[0].points, 2);
  EXPECT_EQ(all.students[0].contests[0].within, 1.05);
  EXPECT_EQ(all.students[0].lateness.deduction, 5.6);
  EXPECT_EQ(all.students[0].final_points, 50.4);
  EXPECT_EQ(all.students[1].final_points, 50);
  EXPECT_THAT(
      adjustments_of(all.students[0])[0],
      "Contest of v07: 2 bonus points, because the fastest right submission of the class is at most 1.05 "
      "times as fast.");
  EXPECT_THAT(adjustments_of(all.students[1]), IsEmpty());
}

TEST_F(ContestTest, is_in_class_json_the_table_and_the_page) {
  Grade best = grade_with(10);
  best.score.bonus = 4;
  hand_in("best", best);
  hand_in("slow", grade_with(5));
  const ClassResult all = result();
  const std::string text = to_json(all);
  EXPECT_EQ(against_schema(nlohmann::json::parse(text), "class"), "");
  const auto read = class_from_json(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), text);
  EXPECT_THAT(to_csv(all),
              AllOf(HasSubstr(",bonus,contest\r\n"), HasSubstr(",4,2\r\n"), HasSubstr(",0,0\r\n")));
  EXPECT_THAT(to_html(all), AllOf(HasSubstr("Contests"), HasSubstr("10.00\u00D7"), HasSubstr("9.95 to 10.05"),
                                  HasSubstr("4 + 2 by contest")));
}

TEST_F(ContestTest, of_a_regrade_is_decided_anew_and_its_changes_are_shown) {
  hand_in("best", grade_with(10));
  hand_in("near", grade_with(9.7));
  hand_in("best", grade_with(20), Shelf::shadow);
  hand_in("near", grade_with(9.7), Shelf::shadow);
  const auto won = [&](Shelf shelf) {
    Won shares;
    for (const Taken& student : taken.students)
      shares[student.id] = shares_of(contests_in(journal, shelf, taken, rubric()), student.id, rubric());
    return shares;
  };
  const auto changes = changes_in(journal, taken, won(Shelf::current), won(Shelf::shadow));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].student, "near");
  EXPECT_EQ(changes[0].before, 52);
  EXPECT_EQ(changes[0].after, 50);
  ASSERT_EQ(changes[0].checks.size(), 1U);
  EXPECT_EQ(changes[0].checks[0].id, "contest.v07");
  EXPECT_EQ(points(), points()) << "deciding twice changes nothing";
  journal.apply_shadow();
  EXPECT_THAT(points(), ElementsAre(2, 0));
}

}  // namespace
}  // namespace warpmark::classroom
