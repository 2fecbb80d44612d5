#include "harness/judge/score.h"

#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace warpmark::judge {
namespace {

using enum CauseKind;

// What the table of interfaces says in words, one line a situation.
struct Situation {
  const char* name;
  std::vector<CauseKind> causes;
  Verdict verdict;
  bool is_open;
  int exit;
};

std::ostream& operator<<(std::ostream& out, const Situation& situation) {
  return out << situation.name;
}

std::vector<Situation> situations() {
  return {
      {"the_submissions_fault",
       {not_implemented,
        compile_error,
        missing_function,
        wrong_sum,
        wrong_output,
        not_written,
        input_changed,
        out_of_bounds_write,
        cuda_error,
        crashed,
        exited,
        timed_out,
        out_of_bounds,
        use_after_free,
        misaligned,
        host_pointer,
        device_pointer,
        divergent_barrier,
        deadlock,
        endless_loop,
        launch_limit,
        memory_limit,
        output_limit,
        process_limit,
        uploaded_again,
        not_uploaded,
        bad_copy,
        zero_copy,
        managed_memory,
        too_slow,
        too_much_work,
        implausible_time,
        wrong_when_timed,
        schedule_dependent,
        tampering,
        race,
        warp_synchronous,
        same_word_store,
        uninitialised_read,
        leak,
        unchecked_error,
        early_exit,
        unset_constant,
        same_value_store,
        default_stream,
        missing_synchronize,
        optimisation_dependent,
        not_repeatable,
        wrong_when_called_again,
        no_kernel,
        forbidden_library,
        same_code,
        undefined_behaviour,
        mpi_error,
        peer_access,
        missing_fence},
       Verdict::failed,
       false,
       1},
      {"an_earlier_check_failed", {depends}, Verdict::not_run, false, 1},
      {"the_machine_lacks_something",
       {no_gpu, no_compiler, no_profiler, unsupported, not_calibrated, no_mpi, no_cores},
       Verdict::not_run,
       true,
       0},
      {"too_noisy", {noise}, Verdict::inconclusive, true, 3},
      {"our_own_fault", {internal}, Verdict::broken, true, 3},
  };
}

CheckResult settled(const std::vector<CauseKind>& kinds, double worth = 4) {
  CheckResult check;
  for (const CauseKind kind : kinds) check.causes.push_back(make_cause(kind, std::string(name_of(kind))));
  settle(check, {worth, 0});
  return check;
}

class EverySituation : public testing::TestWithParam<Situation> {};

TEST_P(EverySituation, costs_what_the_table_says) {
  for (const CauseKind kind : GetParam().causes) {
    SCOPED_TRACE(name_of(kind));
    EXPECT_EQ(rule_of(kind).verdict, GetParam().verdict);
    EXPECT_EQ(exit_status_for(kind), GetParam().exit);
    const CheckResult check = settled({kind});
    EXPECT_EQ(check.verdict, GetParam().verdict);
    EXPECT_EQ(check.points, 0);
    EXPECT_EQ(check.possible, 4);
    EXPECT_EQ(check.open, GetParam().is_open ? 4 : 0);
    EXPECT_EQ(exit_status_of(std::vector{check}), GetParam().exit);
  }
}

INSTANTIATE_TEST_SUITE_P(Decisions, EverySituation, testing::ValuesIn(situations()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(DecisionTable, has_one_row_a_kind_and_no_other) {
  std::size_t kinds = 0;
  for (const Situation& situation : situations()) kinds += situation.causes.size();
  EXPECT_EQ(kCauseRules.size(), kinds);
}

TEST(Settle, without_a_cause_everything_is_earned) {
  const CheckResult check = settled({});
  EXPECT_EQ(check.verdict, Verdict::passed);
  EXPECT_EQ(check.points, 4);
  EXPECT_EQ(check.possible, 4);
  EXPECT_EQ(check.open, 0);
  EXPECT_EQ(exit_status_of(std::vector{check}), 0);
}

TEST(Settle, forgets_what_stood_there_before) {
  CheckResult check;
  check.points = check.possible = check.open = 99;
  check.causes = {make_cause(no_gpu, "")};
  settle(check, {8, 0});
  EXPECT_EQ(check.points, 0);
  EXPECT_EQ(check.possible, 8);
  EXPECT_EQ(check.open, 8);
}

TEST(Settle, what_was_proven_wrong_stays_wrong_whatever_else_broke) {
  for (const CauseKind other : {internal, noise, no_gpu, depends, unsupported}) {
    for (const auto& order : {std::vector{other, wrong_sum}, std::vector{wrong_sum, other}}) {
      const CheckResult check = settled(order);
      EXPECT_EQ(check.verdict, Verdict::failed) << name_of(other);
      EXPECT_EQ(check.open, 0) << name_of(other);
      EXPECT_EQ(check.causes.front().kind, wrong_sum) << name_of(other);
      EXPECT_EQ(check.causes.size(), 2U);
    }
  }
}

TEST(Settle, the_first_fault_decides_and_the_others_keep_their_order) {
  const CheckResult check = settled({internal, wrong_sum, noise, crashed});
  std::vector<CauseKind> kinds;
  for (const Cause& cause : check.causes) kinds.push_back(cause.kind);
  EXPECT_EQ(kinds, (std::vector{wrong_sum, internal, noise, crashed}));
}

TEST(Settle, of_what_is_no_fault_the_highest_exit_status_decides) {
  EXPECT_EQ(settled({no_gpu, noise}).causes.front().kind, noise);
  EXPECT_EQ(settled({unsupported, internal}).verdict, Verdict::broken);
  EXPECT_EQ(settled({no_gpu, depends}).verdict, Verdict::not_run);
  EXPECT_EQ(settled({no_gpu, depends}).open, 0) << "it depends on what failed, GPU or not";
}

TEST(Scores, have_the_rubrics_denominator_and_say_what_is_open) {
  const std::vector checks{settled({}, 1),       settled({wrong_sum}, 2),  settled({depends}, 4),
                           settled({no_gpu}, 8), settled({no_gpu}, 16),    settled({unsupported}, 32),
                           settled({noise}, 64), settled({internal}, 128), settled({no_compiler}, 256),
                           settled({}, 0.5)};
  const Score score = score_of(checks);
  EXPECT_EQ(score.points, 1.5);
  EXPECT_EQ(score.possible, 511.5);
  EXPECT_EQ(score.needs_gpu, 8 + 16);
  EXPECT_EQ(score.open, 8 + 16 + 32 + 64 + 128 + 256);
  EXPECT_EQ(score.lost(), 2 + 4);
}

TEST(Scores, of_a_failure_beside_a_missing_gpu_are_not_excused) {
  const Score score = score_of(std::vector{settled({no_gpu, wrong_sum}, 8)});
  EXPECT_EQ(score.possible, 8);
  EXPECT_EQ(score.open, 0);
  EXPECT_EQ(score.needs_gpu, 0);
}

TEST(Scores, of_nothing_are_nothing) {
  const Score score = score_of({});
  EXPECT_EQ(score.points + score.possible + score.needs_gpu + score.open, 0);
}

// One version with `correct` as given; all else passed.
struct Together {
  const char* name;
  std::vector<CauseKind> correct;  // its causes
  double points;                   // of each of builds, clean and work
  double open;
};

std::ostream& operator<<(std::ostream& out, const Together& together) {
  return out << together.name;
}

CheckResult check_of(const std::string& version, const std::string& check,
                     const std::vector<CauseKind>& causes = {}) {
  CheckResult result = settled(causes, 2);
  result.version = version;
  result.check = check;
  return result;
}

TEST(SameCode, keeps_the_share_of_its_points_that_the_rubric_says) {
  std::vector checks{check_of("v01", "builds"), check_of("v02", "builds"), check_of("v02", "clean")};
  checks[1].notes.push_back(make_cause(CauseKind::same_code, "v02.cu is v01.cu with other names"));
  checks[2].bonus = 1;
  keep_for_same_code(checks, 100);
  EXPECT_EQ(checks[1].points, 2);
  keep_for_same_code(checks, 25);
  EXPECT_EQ(checks[0].points, 2);
  EXPECT_EQ(checks[1].points, 0.5);
  EXPECT_EQ(checks[2].points, 0.5) << "all checks of the version";
  EXPECT_EQ(checks[2].bonus, 0.25);
  EXPECT_EQ(checks[2].possible, 2) << "everybody's denominator";
}

class EarnedTogether : public testing::TestWithParam<Together> {};

TEST_P(EarnedTogether, with_correct_of_the_same_version) {
  std::vector checks{check_of("v01", "builds"), check_of("v01", "correct", GetParam().correct),
                     check_of("v01", "clean"),  check_of("v01", "work"),
                     check_of("v01", "fast"),   check_of("v02", "builds")};
  earn_together(checks);
  for (const std::size_t at : {0U, 2U, 3U}) {
    SCOPED_TRACE(checks[at].check);
    EXPECT_EQ(checks[at].verdict, Verdict::passed);
    EXPECT_EQ(checks[at].points, GetParam().points);
    EXPECT_EQ(checks[at].open, GetParam().open);
    EXPECT_EQ(checks[at].possible, 2);
    ASSERT_EQ(checks[at].notes.size(), GetParam().points > 0 ? 0U : 1U);
    if (GetParam().points == 0) {
      EXPECT_EQ(checks[at].notes[0].kind, depends);
    }
  }
  EXPECT_EQ(checks[4].points, 2) << "`fast` has its own rule";
  EXPECT_EQ(checks[5].points, 2) << "another version, of which `correct` was not asked";
}

TEST_P(EarnedTogether, upload_once_with_correct_of_any_version) {
  std::vector checks{check_of("v01", "correct", GetParam().correct), check_of("v02", "correct", {wrong_sum}),
                     check_of("", "upload_once")};
  earn_together(checks);
  EXPECT_EQ(checks[2].points, GetParam().points);
  EXPECT_EQ(checks[2].open, GetParam().open);
  EXPECT_EQ(checks[2].verdict, Verdict::passed);
}

INSTANTIATE_TEST_SUITE_P(Points, EarnedTogether,
                         testing::Values(Together{"correct", {}, 2, 0}, Together{"wrong", {wrong_sum}, 0, 0},
                                         Together{"not_implemented", {not_implemented}, 0, 0},
                                         Together{"depends", {depends}, 0, 0},
                                         Together{"needs_a_gpu", {no_gpu}, 0, 2},
                                         Together{"too_noisy", {noise}, 0, 2},
                                         Together{"our_fault", {internal}, 0, 2}),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(EarnTogether, upload_once_is_earned_when_one_version_is_correct) {
  std::vector checks{check_of("v01", "correct", {wrong_sum}), check_of("v02", "correct"),
                     check_of("v03", "correct", {no_gpu}), check_of("", "upload_once")};
  earn_together(checks);
  EXPECT_EQ(checks[3].points, 2);
}

TEST(EarnTogether, leaves_what_was_lost_or_open_before) {
  std::vector checks{check_of("v01", "builds", {compile_error}), check_of("v01", "clean", {unsupported}),
                     check_of("v01", "correct", {depends})};
  earn_together(checks);
  EXPECT_EQ(checks[0].open, 0);
  EXPECT_EQ(checks[1].open, 2);
  EXPECT_TRUE(checks[0].notes.empty());
  EXPECT_TRUE(checks[1].notes.empty());
}

TEST(EarnTogether, points_that_are_open_for_want_of_a_gpu_count_as_such) {
  std::vector checks{check_of("v01", "builds"), check_of("v01", "correct", {no_gpu}),
                     check_of("v02", "builds"), check_of("v02", "correct", {noise})};
  earn_together(checks);
  const Score score = score_of(checks);
  EXPECT_EQ(score.open, 8);
  EXPECT_EQ(score.needs_gpu, 4);
  EXPECT_EQ(exit_status_of(checks), 3);
}

TEST(ExitStatus, is_the_highest_that_applies) {
  EXPECT_EQ(exit_status_of({}), 0);
  EXPECT_EQ(exit_status_of(std::vector{settled({}), settled({no_gpu})}), 0);
  EXPECT_EQ(exit_status_of(std::vector{settled({}), settled({wrong_sum}), settled({no_gpu})}), 1);
  EXPECT_EQ(exit_status_of(std::vector{settled({wrong_sum}), settled({noise}), settled({})}), 3);
  EXPECT_EQ(exit_status_of(std::vector{settled({internal}), settled({wrong_sum})}), 3);
}

}  // namespace
}  // namespace warpmark::judge
