#include "harness/judge/decision.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace warpmark::judge {
namespace {

using enum CauseKind;
using enum Verdict;

constexpr bool kStays = true;
constexpr bool kTakenOut = false;
constexpr int kProven = 4;  // above every exit status: what was seen to be wrong stays wrong

constexpr std::array kTable{
    // The submission's fault: 0 points, and they stay in `possible`.
    DecisionRule{not_implemented, failed, kStays, 1},
    DecisionRule{compile_error, failed, kStays, 1},
    DecisionRule{missing_function, failed, kStays, 1},
    DecisionRule{wrong_sum, failed, kStays, 1},
    DecisionRule{wrong_output, failed, kStays, 1},
    DecisionRule{not_written, failed, kStays, 1},
    DecisionRule{input_changed, failed, kStays, 1},
    DecisionRule{out_of_bounds_write, failed, kStays, 1},
    DecisionRule{cuda_error, failed, kStays, 1},
    DecisionRule{crashed, failed, kStays, 1},
    DecisionRule{exited, failed, kStays, 1},
    DecisionRule{timed_out, failed, kStays, 1},
    DecisionRule{out_of_bounds, failed, kStays, 1},
    DecisionRule{use_after_free, failed, kStays, 1},
    DecisionRule{misaligned, failed, kStays, 1},
    DecisionRule{host_pointer, failed, kStays, 1},
    DecisionRule{device_pointer, failed, kStays, 1},
    DecisionRule{divergent_barrier, failed, kStays, 1},
    DecisionRule{deadlock, failed, kStays, 1},
    DecisionRule{endless_loop, failed, kStays, 1},
    DecisionRule{race, failed, kStays, 1},
    DecisionRule{warp_synchronous, failed, kStays, 1},
    DecisionRule{same_word_store, failed, kStays, 1},
    DecisionRule{uninitialised_read, failed, kStays, 1},
    DecisionRule{leak, failed, kStays, 1},
    DecisionRule{unchecked_error, failed, kStays, 1},
    DecisionRule{early_exit, failed, kStays, 1},
    DecisionRule{bad_copy, failed, kStays, 1},
    DecisionRule{uploaded_again, failed, kStays, 1},
    DecisionRule{not_uploaded, failed, kStays, 1},
    DecisionRule{zero_copy, failed, kStays, 1},
    DecisionRule{managed_memory, failed, kStays, 1},
    DecisionRule{too_slow, failed, kStays, 1},
    DecisionRule{implausible_time, failed, kStays, 1},
    DecisionRule{wrong_when_timed, failed, kStays, 1},
    DecisionRule{no_kernel, failed, kStays, 1},
    DecisionRule{schedule_dependent, failed, kStays, 1},
    DecisionRule{tampering, failed, kStays, 1},
    // An earlier check of the same version failed: not run, but its points stay.
    DecisionRule{depends, not_run, kStays, 1},
    // The machine lacks something: the points are taken out.
    DecisionRule{no_gpu, not_run, kTakenOut, 0},
    DecisionRule{no_compiler, not_run, kTakenOut, 0},
    DecisionRule{no_profiler, not_run, kTakenOut, 0},
    DecisionRule{unsupported, not_run, kTakenOut, 0},
    // Measured, but not to be trusted; and our own fault.
    DecisionRule{noise, inconclusive, kTakenOut, 3},
    DecisionRule{internal, broken, kTakenOut, 3},
};

constexpr bool every_kind_has_one_row() {
#define WARPMARK_X(name)                                                                 \
  if (std::count_if(kTable.begin(), kTable.end(),                                        \
                    [](const DecisionRule& row) { return row.cause == (name); }) != 1) { \
    return false;                                                                        \
  }
  WARPMARK_CAUSE_KINDS(WARPMARK_X)
#undef WARPMARK_X
  return true;
}
static_assert(every_kind_has_one_row());

}  // namespace

std::span<const DecisionRule> decision_table() {
  return kTable;
}

const DecisionRule& decide(CauseKind cause) {
  const auto* row =
      std::find_if(kTable.begin(), kTable.end(), [&](const DecisionRule& r) { return r.cause == cause; });
  if (row == kTable.end()) throw std::out_of_range("a kind of cause that the table lacks");
  return *row;
}

void settle(CheckResult& check, double worth) {
  check.points = 0;
  check.possible = worth;
  check.taken_out = 0;
  if (check.causes.empty()) {
    check.verdict = passed;
    check.points = worth;
    return;
  }
  const auto rank = [](const Cause& cause) {
    const DecisionRule& row = decide(cause.kind);
    return row.verdict == failed ? kProven : row.exit;
  };
  const auto strongest = std::max_element(check.causes.begin(), check.causes.end(),
                                          [&](const Cause& a, const Cause& b) { return rank(a) < rank(b); });
  std::rotate(check.causes.begin(), strongest, strongest + 1);
  const DecisionRule& row = decide(check.causes.front().kind);
  check.verdict = row.verdict;
  if (!row.stays_possible) {
    check.possible = 0;
    check.taken_out = worth;
  }
}

Score score_of(std::span<const CheckResult> checks) {
  Score score;
  for (const CheckResult& check : checks) {
    score.points += check.points;
    score.possible += check.possible;
    const bool for_want_of_a_gpu = !check.causes.empty() && check.causes.front().kind == no_gpu;
    (for_want_of_a_gpu ? score.needs_gpu : score.taken_out) += check.taken_out;
  }
  return score;
}

int exit_status_of(std::span<const CheckResult> checks) {
  int status = 0;
  for (const CheckResult& check : checks) {
    if (!check.causes.empty()) status = std::max(status, decide(check.causes.front().kind).exit);
  }
  return status;
}

}  // namespace warpmark::judge
