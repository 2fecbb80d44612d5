// Help after a version has passed: figures beside others, what is still to gain, and the next step.
#include "reports/grade/passed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/counters.h"
#include "harness/model/passed.h"
#include "harness/model/reference_work.h"
#include "reports/reports.h"
#include "tests/reports/page.h"
#include "tests/reports/sample_grade.h"
#include "tests/reports/schema.h"

namespace warpmark {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

WorkFigures figures() {
  return {.launches = 1,
          .instructions = 100000,
          .active_lanes = 32,
          .requests = 10000,
          .sectors = 40000,
          .shared_requests = 1000,
          .barriers = 16,
          .global_atomics = 64};
}

PassedVersion passed() {
  return {.version = "v02", .next = "v03", .n = 1000, .work = figures(), .reference = figures()};
}

TEST(StillToGain, names_the_sectors_of_a_version_that_moves_twice_as_many) {
  PassedVersion version = passed();
  version.work->sectors = 80000;
  EXPECT_EQ(still_to_gain(version),
            "Half of the sectors are not needed (80,000 here, 40,000 in the reference): let neighbouring "
            "lanes access neighbouring values, so that every byte of a sector is used.");
}

TEST(StillToGain, names_what_costs_most) {
  PassedVersion version = passed();
  version.work->sectors = 80000;
  version.work->global_atomics = 100000;
  EXPECT_THAT(still_to_gain(version), HasSubstr("Over 99 % of the global atomics are not needed"));
  version.work->global_atomics = 640;
  EXPECT_THAT(still_to_gain(version), HasSubstr("Half of the sectors")) << "ten times as many, but few";
}

TEST(StillToGain, says_that_all_of_something_is_not_needed) {
  PassedVersion version = passed();
  version.work->bank_conflicts = 31000;
  EXPECT_THAT(still_to_gain(version),
              HasSubstr("All of the bank conflicts are not needed (31,000 here, 0 in"));
}

TEST(StillToGain, names_idle_lanes) {
  PassedVersion version = passed();
  version.work->active_lanes = 16.5;
  EXPECT_EQ(still_to_gain(version),
            "16.5 of 32 lanes are active on average, 32 in the reference: let whole warps take the same "
            "branch.");
}

TEST(StillToGain, is_what_the_next_version_does_without_where_the_reference_does_no_better) {
  PassedVersion version = passed();
  version.reference_of_next = figures();
  EXPECT_EQ(still_to_gain(version),
            "Nothing: no figure stands out beside the reference, or the next version.");
  version.reference_of_next->sectors = 10000;
  EXPECT_THAT(still_to_gain(version),
              HasSubstr("75 % of the sectors are not needed (40,000 here, 10,000 in v03)"));
  version.work->sectors = 80000;
  EXPECT_THAT(still_to_gain(version), HasSubstr("40,000 in the reference"));
}

TEST(StillToGain, does_not_blame_another_size_of_the_grid) {
  PassedVersion version = passed();
  version.work->sectors *= 1.2;
  version.work->instructions *= 1.2;
  EXPECT_THAT(still_to_gain(version), HasSubstr("Nothing"));
}

TEST(StillToGain, is_unknown_without_recorded_work) {
  PassedVersion version = passed();
  version.reference.reset();
  EXPECT_EQ(still_to_gain(version), "");
  version.reference = figures();
  version.work.reset();
  EXPECT_EQ(still_to_gain(version), "");
}

TEST(NextStep, is_that_of_the_furthest_version_before_one_that_has_not_passed) {
  Grade grade;
  EXPECT_EQ(furthest(grade), nullptr);
  grade.passed = {{.version = "v01", .next = "v02"},
                  {.version = "v02", .next = "v03", .teaches = "fewer atomics."}};
  ASSERT_NE(furthest(grade), nullptr);
  EXPECT_EQ(next_step(*furthest(grade)), "v03: fewer atomics.");
  EXPECT_EQ(next_step(grade.passed.front()), "v02");
  grade.passed.push_back({.version = "v03"});
  EXPECT_EQ(furthest(grade), nullptr) << "all have passed";
  EXPECT_EQ(next_step(grade.passed.back()), "");
}

TEST(PassedOnThePage, stands_beside_the_reference_the_version_before_and_the_last_grade) {
  const Document document = parsed(sample_grade());
  EXPECT_THAT(text_of(document, "h2"), HasSubstr("\nAfter passing\n"));
  const std::string rows = text_of(document, "tr");
  EXPECT_THAT(rows, HasSubstr("One call, 1,000,000 valuesYoursReferenceGiven v01"
                              "Your grade of 2026-11-21 09:12 UTC (990,000 values)\n"));
  EXPECT_THAT(rows, HasSubstr("sectors 32 bytes of global memory that a request touches"
                              "1,048,5761,048,576131,0722,097,152\n"));
  EXPECT_THAT(rows, Not(HasSubstr("bank conflicts an extra pass"))) << "nobody has any";
  EXPECT_THAT(
      text_of(document, "p"),
      AllOf(HasSubstr("Next step: v03_atomic_coalesced: neighbouring threads read neighbouring values."),
            HasSubstr("Still to gain: 88 % of the sectors are not needed (1,048,576 here, 131,072 in "
                      "v03_atomic_coalesced)")));
}

TEST(PassedOnThePage, leaves_out_what_is_not_known) {
  Grade grade = sample_grade();
  PassedVersion& version = grade.passed.front();
  version.reference.reset();
  version.reference_of_next.reset();
  version.before.reset();
  version.last.reset();
  const Document document = parsed(grade);
  EXPECT_THAT(text_of(document, "tr"), HasSubstr("One call, 1,000,000 valuesYours\n"));
  EXPECT_THAT(text_of(document, "p"), Not(HasSubstr("Still to gain:")));
  version.work.reset();
  EXPECT_THAT(text_of(parsed(grade), "p"), HasSubstr("Next step:"));
  grade.passed.clear();
  EXPECT_THAT(text_of(parsed(grade), "h2"), Not(HasSubstr("After passing")));
}

TEST(PassedOnTheConsole, is_the_next_step_and_what_is_still_to_gain) {
  const std::string text = to_console(sample_grade(), {.width = 300});
  EXPECT_THAT(text, AllOf(HasSubstr("\nstill to gain: v02_atomic_per_thread: 88 % of the sectors"),
                          HasSubstr("\nnext step: v03_atomic_coalesced: neighbouring threads")));
  EXPECT_THAT(to_console(sample_grade_without_gpu(), {}), Not(HasSubstr("next step")));
}

TEST(WorkFigures, are_sums_over_kernels) {
  Counted counted;
  counted.active_lanes = 30;
  for (const double launches : {1.0, 2.0}) {
    CountedKernel kernel{"k", static_cast<std::uint64_t>(launches), {}};
    for (const std::string_view name : kCounterNames) kernel.counters.emplace_back(name, 10 * launches);
    counted.kernels.push_back(kernel);
  }
  const WorkFigures all = figures_of(counted);
  EXPECT_EQ(all, (WorkFigures{.launches = 3,
                              .instructions = 30,
                              .active_lanes = 30,
                              .requests = 60,
                              .sectors = 60,
                              .shared_requests = 60,
                              .bank_conflicts = 60,
                              .barriers = 30,
                              .global_atomics = 30,
                              .shared_atomics = 30}));
}

TEST(LastGrade, is_compared_if_it_is_of_the_same_submission) {
  Grade grade = sample_grade();
  PassedVersion& version = grade.passed.front();
  version.version = grade.counters.front().version;
  version.last.reset();
  Grade last = grade;
  add_last_grade(grade, last);
  EXPECT_FALSE(version.last) << "the same files";
  last.submission_hash = "0";
  last.graded_at = "2026-11-20T08:00:00Z";
  last.counters.front().n = 19000;
  add_last_grade(grade, last);
  ASSERT_TRUE(version.last);
  EXPECT_EQ(version.last->graded_at, last.graded_at);
  EXPECT_EQ(version.last->n, 19000U);
  EXPECT_EQ(version.last->work, figures_of(last.counters.front()));
  version.last.reset();
  last.counters.front().type = "float";
  add_last_grade(grade, last);
  EXPECT_FALSE(version.last) << "counted with another type";
  last.counters.front().type = "int";
  last.submission_name = "grace";
  add_last_grade(grade, last);
  EXPECT_FALSE(version.last) << "somebody else's";
}

ReferenceWork recorded() {
  ReferenceWork work{
      .assignment = "sum",
      .command = "warpmark assignment check sum --record",
      .made_at = "2026-11-28",
      .tool_version = "1.0",
      .type = "int",
      .versions = {{"v01", "one atomic per value.", "ab", "few", {{900, figures()}, {1000, figures()}}},
                   {"v02", "", "cd", "", {}}}};
  work.versions[0].calls[1].work.sectors = 50000;
  return work;
}

TEST(ReferenceWork, lies_between_the_recorded_calls) {
  const ReferenceWork work = recorded();
  EXPECT_EQ(work.at("v01", "int", 900)->sectors, 40000);
  EXPECT_EQ(work.at("v01", "int", 950)->sectors, 45000);
  EXPECT_EQ(work.at("v01", "int", 1000)->sectors, 50000);
  EXPECT_EQ(work.at("v01", "int", 950)->launches, 1);
  EXPECT_FALSE(work.at("v01", "int", 1001));
  EXPECT_FALSE(work.at("v01", "int", 899));
  EXPECT_FALSE(work.at("v01", "float", 950));
  EXPECT_FALSE(work.at("v02", "int", 950));
  EXPECT_FALSE(work.at("v03", "int", 950));
}

TEST(ReferenceWork, is_read_as_it_was_written) {
  const std::string text = to_json(recorded());
  EXPECT_EQ(against_schema(json::parse(text), "reference"), "");
  const auto read = reference_work_from_json(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), text);
  EXPECT_THAT(reference_work_from_json("{").error().message,
              HasSubstr("Record it again with `warpmark assignment check NAME --record`"));
}

}  // namespace
}  // namespace warpmark
