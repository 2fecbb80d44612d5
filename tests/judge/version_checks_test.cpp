// `correct` and `clean`, from the judge's side: what a worker answers becomes causes.
#include "harness/judge/checks/version_checks.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/checks/other_orders.h"
#include "tests/judge/checks_fixture.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

using Correct = FakeChecks;
using Clean = FakeChecks;

TEST_F(Correct, a_right_sum_passes_on_either_engine) {
  EXPECT_THAT(correct("sum"), IsEmpty());
  EXPECT_THAT(correct("sum", Engine::gpu), IsEmpty());
}

TEST_F(Correct, faults_are_told_by_their_kinds) {
  for (const auto& [behaviour, kind] : {std::pair{"zero", "wrong_sum"},
                                        {"half", "wrong_sum"},
                                        {"never_writes", "not_written"},
                                        {"changes_input", "input_changed"},
                                        {"cuda_error", "cuda_error"},
                                        {"crashes", "crashed"},
                                        {"throws", "crashed"},
                                        {"finding:out_of_bounds", "out_of_bounds"},
                                        {"finding:unsupported", "cuda_error"},
                                        {"finding:no_gpu", "tampering"}}) {
    EXPECT_THAT(kinds(correct(behaviour)), ElementsAre(kind)) << behaviour;
  }
}

TEST_F(Correct, a_sum_that_no_kernel_computed_fails) {
  for (const Engine engine : {Engine::simulator, Engine::gpu}) {
    course.rubric.correct.sizes = {0, 1, 33, 1000};
    EXPECT_THAT(kinds(correct("on_the_cpu", engine)), IsEmpty()) << "small sizes may take any way";
    course.rubric.correct.sizes = {0, 1, 33, 5000};
    EXPECT_THAT(kinds(correct("on_the_cpu", engine)), ElementsAre("no_kernel"));
    EXPECT_THAT(kinds(correct("sum", engine)), IsEmpty());
  }
}

TEST_F(Correct, writes_beside_the_buffers_are_seen_on_a_gpu) {
  for (const char* behaviour : {"before", "past", "past_workspace"}) {
    EXPECT_THAT(kinds(correct(behaviour, Engine::gpu)), ElementsAre("out_of_bounds_write")) << behaviour;
  }
}

TEST_F(Correct, a_library_that_cannot_be_loaded_fails_and_says_why) {
  const auto causes = correct("not_loadable");
  ASSERT_THAT(kinds(causes), ElementsAre("compile_error"));
  EXPECT_THAT(causes[0].message, HasSubstr("undefined symbol: helper"));
}

TEST_F(Correct, a_failure_tells_with_what_it_can_be_seen_again) {
  const auto causes = correct("zero");
  ASSERT_THAT(causes, SizeIs(1));
  const Cause& cause = causes.front();
  EXPECT_EQ(cause.file, "v.cu");
  EXPECT_EQ(cause.n, 1U) << "the smallest size that shows it";
  EXPECT_EQ(cause.type, "int");
  EXPECT_THAT(cause.seed, HasSubstr("0x"));
  EXPECT_EQ(cause.actual, "0");
  EXPECT_NE(cause.expected, "0");
  course.focus.size = cause.n;
  course.focus.type = cause.type;
  course.focus.seed = std::stoull(cause.seed, nullptr, 16);
  const auto again = correct("zero");
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again.front().expected, cause.expected);
}

TEST_F(Correct, work_outside_of_the_given_stream_fails_whatever_the_answer) {
  EXPECT_THAT(kinds(correct("finding:default_stream")), ElementsAre("default_stream"));
  EXPECT_THAT(kinds(correct("finding:missing_synchronize")), ElementsAre("missing_synchronize"));
  EXPECT_THAT(correct("finding:leak"), IsEmpty()) << "another remark";
}

TEST_F(Correct, an_adapter_that_cannot_be_loaded_is_our_fault) {
  BuiltTypes types = built("sum");
  types.adapters["int"] = "/fake/not_loadable";
  EXPECT_THAT(kinds(check_correct(bench(), "v", types).causes), ElementsAre("internal"));
}

TEST_F(Correct, goes_on_in_a_fresh_worker_after_a_crash_and_tells_the_worst_first) {
  const auto causes = correct("zero_or_crash");
  ASSERT_THAT(kinds(causes), ElementsAre("crashed", "wrong_sum"));
  EXPECT_EQ(causes[0].n, 33U);
  EXPECT_EQ(causes[1].n, 1U) << "the smallest size that shows it";
}

TEST_F(Correct, ends_with_the_first_failure_where_only_that_is_asked_for) {
  GradingContext context = bench();
  context.only_first_failure = true;
  EXPECT_THAT(kinds(check_correct(context, "v", built("zero_or_crash")).causes), ElementsAre("wrong_sum"))
      << "the crash comes at a larger size";
  EXPECT_THAT(check_correct(context, "v", built("sum")).causes, IsEmpty());
}

TEST_F(Correct, on_a_gpu_looks_for_no_reason_that_the_simulator_found) {
  course.rubric.types = {"int"};
  const auto after = [&](bool is_explained) {
    int asked = 0;
    GradingContext context = bench();
    context.is_explained = [&](const std::vector<Cause>& failures) {
      EXPECT_THAT(failures, Not(IsEmpty()));
      ++asked;
      return is_explained;
    };
    EXPECT_THAT(check_correct(context, "v", built("sum", Engine::gpu)).causes, IsEmpty());
    EXPECT_EQ(asked, 0) << "nothing failed";
    return kinds(check_correct(context, "v", built("adds_up", Engine::gpu)).causes);
  };
  EXPECT_THAT(after(false), ElementsAre("wrong_when_called_again"));
  EXPECT_THAT(after(true), ElementsAre("wrong_sum"));
}

TEST_F(Correct, an_answer_kept_from_the_first_call_fails_in_the_second) {
  course.rubric.types = {"int"};
  for (const Engine engine : {Engine::simulator, Engine::gpu}) {
    const auto kept = correct("kept_by_size", engine);
    ASSERT_THAT(kinds(kept), ElementsAre("wrong_when_called_again"));
    EXPECT_THAT(kept[0].message, AllOf(HasSubstr("second call"), HasSubstr("first call's answer")));
    EXPECT_EQ(kept[0].n, 1U);
    const auto added = correct("adds_up", engine);
    ASSERT_THAT(kinds(added), ElementsAre("wrong_when_called_again"));
    EXPECT_THAT(added[0].message, AllOf(HasSubstr("gave a wrong answer"), HasSubstr("ticket")));
  }
}

TEST_F(Correct, what_a_call_of_another_size_left_behind_is_told_as_such) {
  const auto causes = correct("kept_grid");
  ASSERT_THAT(kinds(causes), ElementsAre("wrong_when_called_again"));
  EXPECT_THAT(causes[0].message, HasSubstr("right in a first call"));
}

TEST_F(Correct, what_differs_from_run_to_run_is_not_blamed_on_earlier_calls) {
  course.rubric.types = {"int"};
  EXPECT_THAT(kinds(correct("races")), ElementsAre("wrong_sum"));
  const auto causes = correct("races", Engine::gpu);
  ASSERT_THAT(kinds(causes), ElementsAre("wrong_sum"));
  EXPECT_THAT(causes[0].message, HasSubstr("not every time the same two calls are made"));
}

TEST_F(Correct, an_answer_that_is_wrong_in_another_order_fails_where_orders_can_be_chosen) {
  const auto causes = correct("by_schedule");
  ASSERT_THAT(kinds(causes), ElementsAre("wrong_sum"));
  EXPECT_THAT(causes[0].message, AllOf(HasSubstr("wrong in another order"), HasSubstr("Look for threads")));
  EXPECT_EQ(causes[0].line, 0);
  EXPECT_TRUE(show_in_another_order_alone(causes));
  EXPECT_FALSE(show_in_another_order_alone(correct("half")));
  EXPECT_THAT(correct("by_schedule", Engine::gpu), IsEmpty());
}

TEST_F(Correct, an_answer_that_is_wrong_in_another_order_follows_from_the_race) {
  const auto causes = correct("race_by_schedule");
  ASSERT_THAT(kinds(causes), ElementsAre("wrong_sum"));
  EXPECT_THAT(causes[0].message, HasSubstr("it follows from what was found in the same call at v.cu:2"));
  EXPECT_EQ(causes[0].line, 2);
}

TEST_F(Correct, asks_in_other_orders_what_is_too_large_for_a_second_call_only_where_a_race_was_seen) {
  course.rubric.correct = {};
  course.rubric.correct.sizes = {5000};
  EXPECT_THAT(correct("by_schedule"), IsEmpty());
  const auto causes = correct("race_by_schedule");
  ASSERT_THAT(kinds(causes), ElementsAre("wrong_sum"));
  EXPECT_EQ(causes[0].n, 5000U);
  EXPECT_EQ(causes[0].line, 2);
}

// A failure in another order leaves the race unexplained, so that `clean` still looks for its cure.
TEST_F(Correct, asks_for_the_order_where_no_reasons_are_wanted) {
  GradingContext context = bench();
  context.only_first_failure = true;
  const auto causes = check_correct(context, "v", built("by_schedule")).causes;
  EXPECT_THAT(kinds(causes), ElementsAre("wrong_sum"));
  EXPECT_TRUE(show_in_another_order_alone(causes));
}

TEST_F(Correct, values_that_are_wrong_in_a_fresh_worker_too_are_not_blamed_on_earlier_calls) {
  course.rubric.types = {"int"};
  course.rubric.correct.sizes = {33, 34, 35, 36, 37, 38, 39, 40};  // of which some are right at first
  for (const Engine engine : {Engine::simulator, Engine::gpu}) {
    const auto causes = correct("odd_first", engine);
    ASSERT_THAT(kinds(causes), ElementsAre("wrong_sum"));
    course.focus = {std::stoull(causes[0].seed, nullptr, 16), causes[0].n, "int"};
    EXPECT_THAT(kinds(correct("odd_first", engine)), ElementsAre("wrong_sum")) << "seen again";
    course.focus = {};
  }
}

TEST_F(Correct, a_first_answer_that_is_wrong_is_not_also_blamed_on_a_second_call) {
  EXPECT_THAT(kinds(correct("half")), ElementsAre("wrong_sum"));
}

TEST_F(Correct, a_failure_on_a_gpu_is_explained_on_the_simulator) {
  for (const auto& [behaviour, kind] :
       {std::pair{"cuda_error", "cuda_error"}, {"zero", "wrong_sum"}, {"crashes", "crashed"}}) {
    const BuiltTypes simulated = built("finding:misaligned");
    const auto causes = check_correct(bench(), "v", built(behaviour, Engine::gpu), &simulated).causes;
    ASSERT_THAT(kinds(causes), UnorderedElementsAre(kind, "misaligned")) << behaviour;
    for (const Cause& cause : causes) {
      EXPECT_EQ(cause.line, 2) << "the simulator's place is the GPU's as well";
      EXPECT_EQ(cause.n, causes[0].n) << "the very case";
      if (cause.kind == CauseKind::misaligned) {
        EXPECT_THAT(cause.message, HasSubstr("on the simulator"));
      }
    }
  }
}

TEST_F(Correct, a_race_that_the_simulator_sees_explains_a_wrong_answer_on_a_gpu) {
  const BuiltTypes simulated = built("finding:race");
  const auto causes = check_correct(bench(), "v", built("zero", Engine::gpu), &simulated).causes;
  EXPECT_THAT(kinds(causes), ElementsAre("race", "wrong_sum"));
}

TEST_F(Correct, what_the_simulator_runs_without_a_finding_stays_as_the_gpu_told_it) {
  const BuiltTypes simulated = built("zero");
  const auto causes = check_correct(bench(), "v", built("zero", Engine::gpu), &simulated).causes;
  EXPECT_THAT(kinds(causes), ElementsAre("wrong_sum"));
}

TEST_F(Correct, every_launch_has_a_limit_in_first_second_and_further_calls) {
  EXPECT_THAT(correct("limited"), IsEmpty());
  EXPECT_THAT(clean("limited"), IsEmpty());
}

TEST_F(Correct, asks_no_more_once_the_time_of_the_version_is_over) {
  auto now = std::chrono::steady_clock::time_point{};
  auto timed = bench();
  timed.time = std::make_shared<TimeBudget>(
      TimeBudget::Limits{std::chrono::seconds(60), std::chrono::seconds(20), 1, 1}, [&] {
        now += std::chrono::seconds(4);
        return now;
      });
  const auto causes = check_correct(timed, "v", built("sum")).causes;
  ASSERT_THAT(kinds(causes), ElementsAre("timed_out"));
  EXPECT_THAT(causes[0].message, HasSubstr("the time limit was reached"));
}

TEST_F(Correct, ranks_that_wait_for_each_other_are_waited_for_once) {
  auto two_ranks = bench();
  two_ranks.shape.ranks = std::make_shared<const RankStart>(RankStart{2, "/fake/mpi", {}});
  two_ranks.time = std::make_shared<TimeBudget>(
      TimeBudget::Limits{std::chrono::seconds(3600), std::chrono::seconds(60), 2, 1});
  const auto causes = check_correct(two_ranks, "v", built("ranks_wait", Engine::host)).causes;
  ASSERT_THAT(kinds(causes), ElementsAre("deadlock"));
  EXPECT_THAT(causes[0].message, HasSubstr("rank 0 waits in MPI_Recv for rank 1"));
  EXPECT_EQ(fake.clock_ms(), 5000);
  EXPECT_TRUE(two_ranks.time->has_timed_out("v")) << "and no other check asks again";
  EXPECT_EQ(two_ranks.time->limit("w"), std::chrono::seconds(60));
}

TEST_F(Correct, a_worker_that_does_not_start_is_our_fault) {
  fake.at_hello("fail");
  EXPECT_THAT(kinds(correct("sum")), ElementsAre("internal"));
}

// As on a GPU that many processes share.
TEST_F(Correct, a_worker_may_start_later_than_a_call_may_end) {
  fake.at_hello("late:1500");
  course.rubric.limits.call = std::chrono::milliseconds(1000);
  EXPECT_THAT(correct("sum"), IsEmpty());
}

TEST_F(Correct, only_the_type_that_the_user_wants_to_see_is_asked) {
  course.focus.type = "float";
  const auto causes = correct("zero");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes.front().type, "float");
}

TEST_F(Clean, the_same_answer_in_every_mode_passes) {
  EXPECT_THAT(clean("sum"), IsEmpty());
}

TEST_F(Clean, a_sum_that_is_always_wrong_is_for_correct_to_tell) {
  EXPECT_THAT(clean("zero"), IsEmpty());
  EXPECT_THAT(clean("half"), IsEmpty());
}

TEST_F(Clean, an_answer_that_depends_on_the_schedule_fails) {
  const auto causes = clean("by_schedule");
  ASSERT_THAT(kinds(causes), ElementsAre("schedule_dependent"));
  EXPECT_THAT(causes[0].message, HasSubstr("order"));
  EXPECT_EQ(causes[0].file, "v.cu");
}

TEST_F(Clean, what_is_written_where_it_must_not_be_fails) {
  EXPECT_THAT(kinds(clean("changes_input")), ElementsAre("input_changed"));
  EXPECT_THAT(kinds(clean("never_writes")), ElementsAre("not_written"));
}

TEST_F(Clean, one_schedule_cannot_tell) {
  course.rubric.clean.schedules = 1;
  EXPECT_THAT(clean("by_schedule"), IsEmpty());
}

TEST_F(Clean, an_answer_that_depends_on_the_optimiser_fails) {
  const auto causes = clean("by_optimiser");
  ASSERT_THAT(kinds(causes), ElementsAre("optimisation_dependent"));
  EXPECT_THAT(causes[0].message, HasSubstr("optimised"));
}

TEST_F(Clean, an_answer_that_differs_from_call_to_call_is_not_blamed_on_the_order) {
  EXPECT_THAT(kinds(clean("by_the_clock")), ElementsAre("not_repeatable"));
}

TEST_F(Clean, an_answer_that_differs_only_while_blocks_run_side_by_side_depends_on_their_order) {
  EXPECT_THAT(kinds(clean("races")), ElementsAre("schedule_dependent"));
}

TEST_F(Clean, goes_on_after_a_failure_and_tells_each_defect_once) {
  course.rubric.clean.sizes = {0, 33, 255, 256, 1000};
  course.rubric.correct.shifted_size.reset();
  EXPECT_THAT(kinds(clean("bounds_and_race")), ElementsAre("out_of_bounds", "race"));
}

TEST_F(Clean, ends_with_the_first_failure_where_only_that_is_asked_for) {
  course.rubric.clean.sizes = {0, 33, 255, 256, 1000};
  course.rubric.correct.shifted_size.reset();
  GradingContext context = bench();
  context.only_first_failure = true;
  EXPECT_THAT(check_clean(context, "v", built("bounds_and_race")).causes, SizeIs(1));
}

TEST_F(Clean, asks_the_misaligned_pointer_too) {
  course.rubric.clean.sizes = {256};
  course.rubric.correct.shifted_size = 257;
  EXPECT_THAT(kinds(clean("bounds_and_race")), ElementsAre("out_of_bounds", "race"));
}

TEST_F(Clean, races_fail_and_only_there) {
  for (const char* kind : {"race", "warp_synchronous", "same_word_store", "uninitialised_read"}) {
    EXPECT_THAT(kinds(clean(std::string("finding:") + kind)), ElementsAre(kind));
    EXPECT_THAT(correct(std::string("finding:") + kind), IsEmpty());
  }
}

TEST_F(Clean, what_costs_nothing_is_noted) {
  for (const char* kind : {"leak", "unchecked_error", "early_exit"}) {
    const CheckOutcome outcome = check_clean(bench(), "v", built(std::string("finding:") + kind));
    EXPECT_THAT(outcome.causes, IsEmpty());
    EXPECT_THAT(kinds(outcome.notes), ElementsAre(kind)) << "once, at whatever size and schedule";
  }
}

TEST_F(Clean, tells_the_return_before_a_barrier_before_the_read_that_follows_from_it) {
  const CheckOutcome outcome = check_clean(bench(), "v", built("early_exit"));
  EXPECT_THAT(kinds(outcome.causes), ElementsAre("early_exit", "uninitialised_read"));
  EXPECT_THAT(outcome.notes, IsEmpty());
}

TEST_F(Clean, the_rubric_lowers_and_raises) {
  course.rubric.clean.lower = {CauseKind::warp_synchronous};
  course.rubric.clean.raise = {CauseKind::leak};
  const CheckOutcome lowered = check_clean(bench(), "v", built("finding:warp_synchronous"));
  EXPECT_THAT(lowered.causes, IsEmpty());
  EXPECT_THAT(kinds(lowered.notes), ElementsAre("warp_synchronous"));
  EXPECT_THAT(kinds(clean("finding:leak")), ElementsAre("leak"));
}

TEST_F(Clean, findings_and_deaths_fail) {
  for (const auto& [behaviour, kind] : {std::pair{"finding:divergent_barrier", "divergent_barrier"},
                                        {"crashes", "crashed"},
                                        {"cuda_error", "cuda_error"}}) {
    EXPECT_THAT(kinds(clean(behaviour)), ElementsAre(kind)) << behaviour;
  }
}

}  // namespace
}  // namespace warpmark::judge
