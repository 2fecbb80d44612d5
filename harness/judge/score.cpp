#include "harness/judge/score.h"

#include <algorithm>

namespace warpmark::judge {
namespace {

constexpr int kProven = 4;  // above every exit status: what was seen to be wrong stays wrong

}  // namespace

void settle(CheckResult& check, double worth) {
  check.points = 0;
  check.possible = worth;
  check.taken_out = 0;
  if (check.causes.empty()) {
    check.verdict = Verdict::passed;
    check.points = worth;
    return;
  }
  const auto rank = [](const Cause& cause) {
    const CauseRule& rule = rule_of(cause.kind);
    return rule.verdict == Verdict::failed ? kProven : rule.exit;
  };
  const auto strongest = std::max_element(check.causes.begin(), check.causes.end(),
                                          [&](const Cause& a, const Cause& b) { return rank(a) < rank(b); });
  std::rotate(check.causes.begin(), strongest, strongest + 1);
  const CauseRule& rule = rule_of(check.causes.front().kind);
  check.verdict = rule.verdict;
  if (rule.points == Points::open) {
    check.possible = 0;
    check.taken_out = worth;
  }
}

Score score_of(std::span<const CheckResult> checks) {
  Score score;
  for (const CheckResult& check : checks) {
    score.points += check.points;
    score.possible += check.possible;
    const bool for_want_of_a_gpu = !check.causes.empty() && check.causes.front().kind == CauseKind::no_gpu;
    (for_want_of_a_gpu ? score.needs_gpu : score.taken_out) += check.taken_out;
  }
  return score;
}

int exit_status_of(std::span<const CheckResult> checks) {
  int status = 0;
  for (const CheckResult& check : checks) {
    if (!check.causes.empty()) status = std::max(status, rule_of(check.causes.front().kind).exit);
  }
  return status;
}

}  // namespace warpmark::judge
