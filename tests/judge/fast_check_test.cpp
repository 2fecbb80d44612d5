#include "harness/judge/speed/fast_check.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/checks_fixture.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Fast : public FakeChecks {
 protected:
  // A threshold of 4 over a naive kernel; both behave as named.
  [[nodiscard]] FastOutcomes all(const std::vector<std::string>& students,
                                 const std::string& naive = "time:8.0") const {
    std::vector<FastRequest> requests;
    requests.reserve(students.size());
    for (const std::string& student : students) requests.push_back({&rule, required, built(student, engine)});
    GradingContext all = bench();
    all.seconds_of_others = seconds_of_others;
    all.cores_at_once = cores_at_once;
    const CourseKernels kernels{built(naive, engine), "/fake/sweep"};
    FastPreparation prepared = prepare_fast(all, kernels, requests.size(), others);
    return check_fast(all, requests, prepared, 2);
  }
  [[nodiscard]] FastOutcome timed(const std::string& student, const std::string& naive = "time:8.0") const {
    return all({student}, naive).versions.front();
  }
  [[nodiscard]] std::vector<std::string> kinds_of(const std::string& student,
                                                  const std::string& naive = "time:8.0") const {
    return kinds(timed(student, naive).outcome.causes);
  }
  static std::string message_of(const FastOutcome& found) {
    return found.outcome.causes.empty() ? "" : found.outcome.causes.front().message;
  }

  std::size_t others = 1000;  // for which there is no room
  std::function<double()> seconds_of_others = [] { return 0.0; };
  std::function<double(unsigned)> cores_at_once = [](unsigned threads) { return double{threads}; };
  Engine engine = Engine::gpu;

  std::vector<double> required{4};
  VersionRule rule = [] {
    VersionRule version;
    version.name = "v";
    version.steps = {{1, 8}};  // in C++: 4 threads
    return version;
  }();
};

TEST_F(Fast, a_version_that_reaches_the_threshold_passes) {
  EXPECT_THAT(kinds_of("time:1.99"), IsEmpty());
  EXPECT_THAT(kinds_of("time:0.5"), IsEmpty());
}

TEST_F(Fast, a_version_below_the_threshold_fails_with_both_times) {
  const auto outcome = timed("time:2.5");
  ASSERT_THAT(kinds(outcome.outcome.causes), ElementsAre("too_slow"));
  const Cause& cause = outcome.outcome.causes.front();
  EXPECT_THAT(cause.message, AllOf(HasSubstr("3.20"), HasSubstr("2.5"), HasSubstr("8.0")));
  EXPECT_EQ(cause.expected, "4 times");
  EXPECT_EQ(cause.actual, "3.20 times");
  EXPECT_EQ(cause.file, "v.cu");
}

TEST_F(Fast, keeps_every_sample_and_what_decided) {
  const auto outcome = timed("time:1.6");
  ASSERT_TRUE(outcome.measurement);
  const Measurement& measured = *outcome.measurement;
  EXPECT_EQ(measured.version, "v");
  EXPECT_EQ(measured.n, 1000U);
  EXPECT_EQ(measured.threshold, 4);
  EXPECT_NEAR(measured.speedup, 5, 1e-9);
  EXPECT_THAT(measured.naive_ms, AllOf(SizeIs(24), Each(8.0)));
  EXPECT_THAT(measured.student_ms, AllOf(SizeIs(24), Each(1.6)));
  ASSERT_TRUE(measured.speedup_span);
  EXPECT_NEAR(measured.speedup_span->low, 5, 1e-9);
  EXPECT_NEAR(measured.speedup_span->high, 5, 1e-9);
  ASSERT_TRUE(measured.control_span);
  EXPECT_NEAR(measured.control_span->low, 1, 1e-9);
  EXPECT_EQ(measured.decided_by, "interval");
  EXPECT_FALSE(measured.calibrated);
  EXPECT_EQ(measured.naive_before_ms, 8);
  EXPECT_EQ(measured.naive_after_ms, 8);
}

TEST_F(Fast, takes_all_rounds_where_the_threshold_lies_within_and_then_98_percent_are_enough) {
  const auto passed = timed("swings:2.02:1.05");
  EXPECT_THAT(passed.outcome.causes, IsEmpty());
  EXPECT_EQ(passed.measurement->decided_by, "cap");
  EXPECT_THAT(passed.measurement->student_ms, SizeIs(192));
  const auto failed = timed("swings:2.06:1.05");
  EXPECT_THAT(kinds(failed.outcome.causes), ElementsAre("too_slow"));
  EXPECT_EQ(failed.measurement->decided_by, "cap");
}

TEST_F(Fast, a_version_slower_than_the_naive_kernel_is_given_up_early) {
  const auto outcome = timed("time:9.0");
  EXPECT_THAT(kinds(outcome.outcome.causes), ElementsAre("too_slow"));
  EXPECT_EQ(outcome.measurement->decided_by, "hopeless");
  EXPECT_THAT(outcome.measurement->student_ms, SizeIs(6));
  EXPECT_FALSE(outcome.measurement->speedup_span);
  EXPECT_THAT(message_of(outcome), HasSubstr("first 3 rounds"));
}

TEST_F(Fast, versions_are_judged_one_by_one_on_the_same_data) {
  const auto outcomes = all({"time:1.0", "replays", "time:2.5", "time:1.0", "zero"});
  ASSERT_THAT(outcomes.versions, SizeIs(5));
  EXPECT_THAT(outcomes.versions[0].outcome.causes, IsEmpty());
  EXPECT_THAT(kinds(outcomes.versions[1].outcome.causes), ElementsAre("wrong_when_timed"));
  EXPECT_THAT(kinds(outcomes.versions[2].outcome.causes), ElementsAre("too_slow"));
  EXPECT_THAT(outcomes.versions[3].outcome.causes, IsEmpty());
  EXPECT_THAT(kinds(outcomes.versions[4].outcome.causes), ElementsAre("wrong_when_timed"));
}

TEST_F(Fast, workers_that_stand_ready_early_judge_alike) {
  others = 0;
  const auto found = all({"time:1.0", "time:2.5", "crashes"});
  EXPECT_THAT(found.versions.at(0).outcome.causes, IsEmpty());
  EXPECT_THAT(kinds(found.versions.at(1).outcome.causes), ElementsAre("too_slow"));
  EXPECT_THAT(kinds(found.versions.at(2).outcome.causes), ElementsAre("crashed"));
}

TEST_F(Fast, workers_stand_ready_early_where_there_is_room_for_them_beside_the_others) {
  const GradingContext one = bench();
  const CourseKernels kernels{built("time:8.0", Engine::gpu), "/fake/sweep"};
  EXPECT_THAT(prepare_fast(one, kernels, 2, 1).watches, SizeIs(2));
  EXPECT_THAT(prepare_fast(one, kernels, 2, 1000).watches, IsEmpty());
}

TEST_F(Fast, tells_how_the_machine_was) {
  course.calibration.source = "a fake GPU, yesterday";
  const Timing timing = all({"time:1.0"}).timing;
  EXPECT_EQ(timing.calibration, "a fake GPU, yesterday");
  ASSERT_TRUE(timing.control_span);
  EXPECT_NEAR(timing.control_span->low, 1, 1e-9);
  EXPECT_EQ(timing.before.other_processes, 2U) << "the grader's own is not another";
  EXPECT_EQ(timing.before.sm_mhz, 1980U);
  EXPECT_FALSE(timing.before.celsius);
  EXPECT_THAT(timing.after.throttled_by, ElementsAre("power limit"));
}

TEST_F(Fast, a_version_that_replays_an_old_answer_is_wrong_when_timed) {
  EXPECT_THAT(kinds_of("replays"), ElementsAre("wrong_when_timed"));
}

TEST_F(Fast, a_version_that_is_wrong_only_when_timed_fails) {
  const auto causes = timed("by_sweep").outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("wrong_when_timed"));
  EXPECT_NE(causes[0].expected, causes[0].actual);
  EXPECT_THAT(causes[0].seed, HasSubstr("0x"));
}

TEST_F(Fast, a_version_that_writes_nothing_is_not_saved_by_the_answer_of_the_other) {
  EXPECT_THAT(kinds_of("never_writes"), ElementsAre("wrong_when_timed"));
}

TEST_F(Fast, a_version_that_dies_or_fails_fails) {
  EXPECT_THAT(kinds_of("crashes"), ElementsAre("crashed"));
  EXPECT_THAT(kinds_of("cuda_error"), ElementsAre("cuda_error"));
}

TEST_F(Fast, a_naive_kernel_that_is_wrong_in_a_worker_without_a_submission_is_our_fault) {
  const auto causes = timed("time:2.0", "zero").outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("internal"));
  EXPECT_THAT(causes[0].message, HasSubstr("naive kernel"));
}

TEST_F(Fast, a_course_kernel_that_cannot_be_loaded_is_not_blamed_on_the_version) {
  EXPECT_THAT(kinds_of("time:2.0", "not_loadable"), ElementsAre("internal"));
}

TEST_F(Fast, a_version_that_changes_the_input_when_timed_fails) {
  const auto found = kinds_of("changes_input");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0], testing::AnyOf("input_changed", "wrong_when_timed"));
}

TEST_F(Fast, a_version_that_changes_what_cancels_out_of_the_sum_is_found_out) {
  course.focus.size = 1'000'000;  // so many that no patch falls on a value that was moved
  EXPECT_THAT(kinds_of("turns_input"), ElementsAre("input_changed"));
}

class OddTimes : public Fast, public testing::WithParamInterface<const char*> {};

TEST_P(OddTimes, are_tampering_and_no_speedup) {
  const auto outcome = timed(std::string("time:") + GetParam());
  EXPECT_THAT(kinds(outcome.outcome.causes), ElementsAre("tampering"));
  EXPECT_FALSE(outcome.measurement);
}

INSTANTIATE_TEST_SUITE_P(Times, OddTimes, testing::Values("0", "-1.0", "null", "\"1\"", "[1]", "true"));

TEST_F(Fast, work_that_its_events_do_not_see_is_implausible) {
  const auto outcome = timed("hidden:0.5:0.8");
  ASSERT_THAT(kinds(outcome.outcome.causes), ElementsAre("implausible_time"));
  EXPECT_EQ(outcome.measurement->decided_by, "clock");
  EXPECT_THAT(message_of(outcome), HasSubstr("0.3 ms more"));
  EXPECT_THAT(kinds_of("hidden:0.5:0.55"), IsEmpty()) << "within what clocks leave open";
}

TEST_F(Fast, events_that_last_longer_than_the_time_that_passed_are_implausible) {
  EXPECT_THAT(kinds_of("hidden:0.5:0.3"), ElementsAre("implausible_time"));
}

TEST_F(Fast, a_naive_kernel_whose_events_are_drawn_out_is_implausible) {
  EXPECT_THAT(kinds_of("time:1.9", "hidden_beside:8.0:6.0"), ElementsAre("implausible_time"));
}

TEST_F(Fast, nothing_is_faster_than_the_memory) {
  const auto outcome = timed("time:0.00003");
  ASSERT_THAT(kinds(outcome.outcome.causes), ElementsAre("implausible_time"));
  EXPECT_THAT(message_of(outcome), HasSubstr("L2"));
  EXPECT_THAT(kinds_of("time:0.00004"), IsEmpty());
}

// What is not quiet, or not as it should be, is never decided, whichever way it would come out.
class Disturbed : public Fast, public testing::WithParamInterface<const char*> {
 protected:
  FastOutcome disturbed(const std::string& naive) const {
    auto outcome = timed(GetParam(), naive);
    EXPECT_THAT(kinds(outcome.outcome.causes), ElementsAre("noise"));
    EXPECT_EQ(outcome.measurement ? outcome.measurement->decided_by : "nothing", "noise");
    return outcome;
  }
};

INSTANTIATE_TEST_SUITE_P(Students, Disturbed, testing::Values("time:1.0", "time:2.5", "time:7.9"));

TEST_P(Disturbed, by_a_naive_kernel_that_is_not_quiet) {
  EXPECT_THAT(message_of(disturbed("swings:8.0:1.05")), HasSubstr("against itself"));
}

TEST_P(Disturbed, by_a_naive_kernel_that_is_slower_beside_the_version) {
  const auto outcome = disturbed("beside:8.0:9.0");
  EXPECT_THAT(message_of(outcome), AllOf(HasSubstr("9 ms beside this version"), HasSubstr("8 ms")));
}

TEST_P(Disturbed, by_a_naive_kernel_that_is_faster_beside_the_version) {
  disturbed("beside:9.0:8.0");
}

TEST_P(Disturbed, by_a_naive_kernel_that_is_not_as_calibrated) {
  course.calibration.naive_ms = 7;
  const auto outcome = disturbed("time:8.0");
  EXPECT_THAT(message_of(outcome), HasSubstr("calibrate"));
  EXPECT_EQ(outcome.measurement->naive_calibrated_ms, 7);
}

// As time slices of another process do: the events of one call see none of them.
TEST_P(Disturbed, by_clocks_that_are_apart_in_the_reference_too) {
  EXPECT_THAT(message_of(disturbed("hidden:8.0:10.5")), HasSubstr("2.5"));
}

// Each of its calls takes as long as a hundred of a kernel's.
TEST_F(Fast, nothing_is_asked_of_a_version_in_cpp_where_the_sequential_one_is_not_quiet) {
  engine = Engine::host;
  rule.host = true;
  course.rubric.host.type = "int";
  course.rubric.host.size = 1000;
  EXPECT_THAT(kinds_of("time:1.0"), IsEmpty());
  const auto outcome = timed("crashes", "swings:8.0:1.3");
  EXPECT_THAT(kinds(outcome.outcome.causes), ElementsAre("noise"));
  EXPECT_THAT(message_of(outcome), AllOf(HasSubstr("sequential version"), HasSubstr("the machine's cores")));
  EXPECT_FALSE(outcome.measurement);
}

TEST_F(Fast, a_version_in_cpp_that_repairs_its_last_answer_is_wrong_when_timed) {
  engine = Engine::host;
  rule.host = true;
  course.rubric.host.type = "int";
  course.rubric.host.size = 1000;
  EXPECT_THAT(kinds_of("repairs"), ElementsAre("wrong_when_timed"));
}

// Sums of up to 15 values fewer, as the seed says.
class SumsOfAnySize final : public Assignment {
 public:
  explicit SumsOfAnySize(const Assignment& sums) : sums_(sums) {}
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    return sums_.data_classes(type);
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    Case other = which;
    other.n -= which.seed % 16;
    return sums_.make(other);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return sums_.value_bytes(type);
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return sums_.wrong_answer(); }

 private:
  const Assignment& sums_;
};

TEST_F(Fast, a_version_in_cpp_gets_whole_inputs_also_where_their_size_follows_from_the_seed) {
  engine = Engine::host;
  rule.host = true;
  course.rubric.host.type = "int";
  course.rubric.host.size = 1000;
  reduction = std::make_shared<SumsOfAnySize>(*assignment_called("reduction"));
  EXPECT_THAT(kinds_of("time:1.0"), IsEmpty());
  EXPECT_THAT(kinds_of("repairs"), ElementsAre("wrong_when_timed"));
}

TEST_F(Fast, a_sequential_version_may_be_another_beside_threads_where_the_verdict_stays) {
  engine = Engine::host;
  rule.host = true;
  course.rubric.host.type = "int";
  course.rubric.host.size = 1000;
  EXPECT_THAT(kinds_of("time:1.0", "beside:8.0:5.0"), IsEmpty()) << "5 times, and 8 with the time alone";
  EXPECT_THAT(kinds_of("time:1.5", "beside:8.0:12.0"), IsEmpty()) << "8 times, or 5.3";
  EXPECT_THAT(kinds_of("time:1.9", "beside:8.0:5.0"), ElementsAre("noise")) << "2.6 times, or 4.2";
  EXPECT_THAT(kinds_of("time:2.5", "beside:8.0:12.0"), ElementsAre("noise")) << "4.8 times, or 3.2";
  EXPECT_THAT(kinds_of("time:4.0", "beside:8.0:12.0"), ElementsAre("too_slow")) << "3 times, and 2";
}

// One thread waits for the other, whose core somebody else has half of the time.
TEST_F(Fast, a_version_in_cpp_is_not_too_slow_where_others_took_the_cores) {
  engine = Engine::host;
  rule.host = true;
  course.rubric.host.type = "int";
  course.rubric.host.size = 1000;
  const auto taking = [](double cores) { return [=] { return cores * judge::monotonic_ms() / 1000; }; };
  seconds_of_others = taking(0);
  EXPECT_THAT(kinds_of("time:6.0"), ElementsAre("too_slow"));
  seconds_of_others = taking(0.7);
  const auto outcome = timed("time:6.0", "time:8.0");
  EXPECT_THAT(kinds(outcome.outcome.causes), ElementsAre("noise"));
  EXPECT_THAT(message_of(outcome), AllOf(HasSubstr("70 % of a core"), HasSubstr("grade again")));
  EXPECT_THAT(kinds_of("time:9.0"), ElementsAre("too_slow")) << "nobody took so much";
  EXPECT_THAT(kinds_of("time:1.0"), IsEmpty()) << "fast enough all the same";
}

// Where the system says nothing of it: two threads of the judge's own have no more than one core, either.
TEST_F(Fast, a_version_in_cpp_is_not_too_slow_where_threads_have_no_core_each) {
  engine = Engine::host;
  rule.host = true;
  rule.steps = {{0.5, 8}};  // 4 times: of 8 threads
  course.rubric.host.type = "int";
  course.rubric.host.size = 1000;
  EXPECT_THAT(kinds_of("time:4.0"), ElementsAre("too_slow"));
  cores_at_once = [](unsigned threads) { return 0.4 * threads; };
  const auto outcome = timed("time:4.0", "time:8.0");
  EXPECT_THAT(kinds(outcome.outcome.causes), ElementsAre("noise"));
  EXPECT_THAT(message_of(outcome), AllOf(HasSubstr("8 test threads of the grader"), HasSubstr("3.20 cores"),
                                         HasSubstr("grade again")));
  EXPECT_THAT(kinds_of("time:6.0"), ElementsAre("too_slow")) << "with 8 cores it would be 3.3 times as fast";
  EXPECT_THAT(kinds_of("time:1.0"), IsEmpty()) << "fast enough all the same";
}

TEST_F(Fast, hidden_work_is_no_noise_where_the_reference_is_quiet) {
  EXPECT_THAT(kinds_of("hidden:0.5:0.8", "swings_beside:8.0:1.05"), ElementsAre("implausible_time"));
  EXPECT_THAT(kinds_of("time:0.5", "swings_beside:8.0:1.05"), ElementsAre("noise"));
}

TEST_F(Fast, ten_percent_of_the_naive_kernels_time_are_allowed) {
  course.calibration.naive_ms = 7.4;
  EXPECT_THAT(kinds_of("time:1.0", "beside:8.0:7.7"), IsEmpty());
}

TEST_F(Fast, another_size_than_the_calibrated_one_has_no_calibrated_time) {
  course.calibration.naive_ms = 7;
  course.focus.size = 500;
  EXPECT_THAT(kinds_of("time:1.0"), IsEmpty());
}

TEST_F(Fast, a_disturbance_that_passes_costs_an_attempt_and_no_verdict) {
  EXPECT_THAT(kinds_of("time:1.0", "once:8.0:10.0"), IsEmpty());
}

}  // namespace
}  // namespace warpmark::judge
