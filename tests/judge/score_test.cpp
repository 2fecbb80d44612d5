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
  bool stays_possible;
  int exit;
};

std::ostream& operator<<(std::ostream& out, const Situation& situation) {
  return out << situation.name;
}

std::vector<Situation> situations() {
  return {
      {"the_submissions_fault",
       {not_implemented,  compile_error,    missing_function,    wrong_sum,      wrong_output,
        not_written,      input_changed,    out_of_bounds_write, cuda_error,     crashed,
        exited,           timed_out,        out_of_bounds,       use_after_free, misaligned,
        host_pointer,     device_pointer,   divergent_barrier,   deadlock,       endless_loop,
        launch_limit,     memory_limit,     output_limit,        process_limit,  uploaded_again,
        not_uploaded,     bad_copy,         zero_copy,           managed_memory, too_slow,
        implausible_time, wrong_when_timed, schedule_dependent,  tampering,      race,
        warp_synchronous, same_word_store,  uninitialised_read,  leak,           unchecked_error,
        early_exit,       no_kernel},
       Verdict::failed,
       true,
       1},
      {"an_earlier_check_failed", {depends}, Verdict::not_run, true, 1},
      {"the_machine_lacks_something",
       {no_gpu, no_compiler, no_profiler, unsupported, not_calibrated},
       Verdict::not_run,
       false,
       0},
      {"too_noisy", {noise}, Verdict::inconclusive, false, 3},
      {"our_own_fault", {internal}, Verdict::broken, false, 3},
  };
}

CheckResult settled(const std::vector<CauseKind>& kinds, double worth = 4) {
  CheckResult check;
  for (const CauseKind kind : kinds) check.causes.push_back(make_cause(kind, std::string(name_of(kind))));
  settle(check, worth);
  return check;
}

class EverySituation : public testing::TestWithParam<Situation> {};

TEST_P(EverySituation, costs_what_the_table_says) {
  for (const CauseKind kind : GetParam().causes) {
    SCOPED_TRACE(name_of(kind));
    EXPECT_EQ(rule_of(kind).verdict, GetParam().verdict);
    EXPECT_EQ(rule_of(kind).exit, GetParam().exit);
    const CheckResult check = settled({kind});
    EXPECT_EQ(check.verdict, GetParam().verdict);
    EXPECT_EQ(check.points, 0);
    EXPECT_EQ(check.possible, GetParam().stays_possible ? 4 : 0);
    EXPECT_EQ(check.taken_out, GetParam().stays_possible ? 0 : 4);
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
  EXPECT_EQ(check.taken_out, 0);
  EXPECT_EQ(exit_status_of(std::vector{check}), 0);
}

TEST(Settle, forgets_what_stood_there_before) {
  CheckResult check;
  check.points = check.possible = check.taken_out = 99;
  check.causes = {make_cause(no_gpu, "")};
  settle(check, 8);
  EXPECT_EQ(check.points, 0);
  EXPECT_EQ(check.possible, 0);
  EXPECT_EQ(check.taken_out, 8);
}

TEST(Settle, what_was_proven_wrong_stays_wrong_whatever_else_broke) {
  for (const CauseKind other : {internal, noise, no_gpu, depends, unsupported}) {
    for (const auto& order : {std::vector{other, wrong_sum}, std::vector{wrong_sum, other}}) {
      const CheckResult check = settled(order);
      EXPECT_EQ(check.verdict, Verdict::failed) << name_of(other);
      EXPECT_EQ(check.possible, 4) << name_of(other);
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
  EXPECT_EQ(settled({no_gpu, depends}).possible, 4) << "it depends on what failed, GPU or not";
}

TEST(Scores, are_sums_with_what_needs_a_gpu_apart) {
  const std::vector checks{settled({}, 1),       settled({wrong_sum}, 2),  settled({depends}, 4),
                           settled({no_gpu}, 8), settled({no_gpu}, 16),    settled({unsupported}, 32),
                           settled({noise}, 64), settled({internal}, 128), settled({no_compiler}, 256),
                           settled({}, 0.5)};
  const Score score = score_of(checks);
  EXPECT_EQ(score.points, 1.5);
  EXPECT_EQ(score.possible, 1 + 2 + 4 + 0.5);
  EXPECT_EQ(score.needs_gpu, 8 + 16);
  EXPECT_EQ(score.taken_out, 32 + 64 + 128 + 256);
}

TEST(Scores, of_a_failure_beside_a_missing_gpu_are_not_excused) {
  const Score score = score_of(std::vector{settled({no_gpu, wrong_sum}, 8)});
  EXPECT_EQ(score.possible, 8);
  EXPECT_EQ(score.needs_gpu, 0);
}

TEST(Scores, of_nothing_are_nothing) {
  const Score score = score_of({});
  EXPECT_EQ(score.points + score.possible + score.needs_gpu + score.taken_out, 0);
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
