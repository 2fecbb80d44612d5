#include "harness/judge/score.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpmark::judge {
namespace {

// Rank of a proven failure among the reasons why a check did not pass: above every exit status, by which the
// other reasons are ranked.
constexpr int kProven = 4;

constexpr std::string_view kCorrect = "correct";
constexpr std::string_view kUploadOnce = "upload_once";
constexpr std::array<std::string_view, 3> kWithCorrect{"builds", "clean", "work"};

bool is_open(const CheckResult& check) {
  return !check.causes.empty() && leaves_points_open(check.causes.front().kind);
}

// Returns true if `check` earns its points only if `correct` passes.
bool earns_with(const CheckResult& check, const CheckResult& correct) {
  if (correct.check != kCorrect) return false;
  if (check.check == kUploadOnce) return true;
  return check.version == correct.version &&
         std::ranges::find(kWithCorrect, check.check) != kWithCorrect.end();
}

// Returns the best result of `correct` that entitles `check` to its points: a passed one, else one that could
// not be decided on this machine, else a failed one. Returns nullptr if the grade contains none.
const CheckResult* earned_with(const CheckResult& check, std::span<const CheckResult> checks) {
  const CheckResult* best = nullptr;
  const auto rank = [](const CheckResult& one) {
    return one.verdict == Verdict::passed ? 2 : is_open(one) ? 1 : 0;
  };
  for (const CheckResult& one : checks) {
    if (earns_with(check, one) && (best == nullptr || rank(one) > rank(*best))) best = &one;
  }
  return best;
}

// Returns the reason why a check's points are neither earned nor lost but open; nullptr if they are not open.
const Cause* why_open(const CheckResult& check, std::span<const CheckResult> checks) {
  if (!(check.open > 0)) return nullptr;
  const CheckResult* decides = check.verdict == Verdict::passed ? earned_with(check, checks) : &check;
  return decides == nullptr || decides->causes.empty() ? nullptr : &decides->causes.front();
}

std::string message_for(const CheckResult& check, bool open) {
  const bool upload = check.check == kUploadOnce;
  const std::string_view rule =
      upload ? "`upload_once` earns its points only when some version is `correct`, and none is"
             : "`builds`, `clean` and `work` earn their points only together with `correct` of the "
               "same version, which did not pass";
  const std::string_view rule_when_open =
      upload ? "`upload_once` earns its points only when some version is `correct`, and that could "
               "not be decided here: its points stay open"
             : "`builds`, `clean` and `work` earn their points only together with `correct` of the "
               "same version, which could not be decided here: their points stay open";
  return std::string(open ? rule_when_open : rule) + ".";
}

}  // namespace

void settle(CheckResult& check, double worth) {
  check.points = 0;
  check.possible = worth;
  check.open = 0;
  if (check.causes.empty()) {
    check.verdict = Verdict::passed;
    check.points = worth;
    return;
  }
  const auto rank = [](const Cause& cause) {
    return rule_of(cause.kind).verdict == Verdict::failed ? kProven : exit_status_for(cause.kind);
  };
  const auto strongest = std::max_element(check.causes.begin(), check.causes.end(),
                                          [&](const Cause& a, const Cause& b) { return rank(a) < rank(b); });
  std::rotate(check.causes.begin(), strongest, strongest + 1);
  check.verdict = rule_of(check.causes.front().kind).verdict;
  if (is_open(check)) check.open = worth;
}

void earn_together(std::span<CheckResult> checks) {
  for (CheckResult& check : checks) {
    if (check.verdict != Verdict::passed) continue;
    const CheckResult* with = earned_with(check, checks);
    if (with == nullptr || with->verdict == Verdict::passed) continue;
    const bool open = is_open(*with);
    check.points = 0;
    check.open = open ? check.possible : 0;
    if (check.possible > 0) check.notes.push_back(make_cause(CauseKind::depends, message_for(check, open)));
  }
}

Score score_of(std::span<const CheckResult> checks) {
  Score score;
  for (const CheckResult& check : checks) {
    score.points += check.points;
    score.possible += check.possible;
    score.open += check.open;
    const Cause* cause = why_open(check, checks);
    if (cause != nullptr && cause->kind == CauseKind::no_gpu) score.needs_gpu += check.open;
  }
  for (double* sum : {&score.points, &score.possible, &score.open, &score.needs_gpu})
    *sum = rounded_points(*sum);
  return score;
}

int exit_status_of(std::span<const CheckResult> checks) {
  int status = 0;
  for (const CheckResult& check : checks) {
    if (!check.causes.empty()) status = std::max(status, exit_status_for(check.causes.front().kind));
  }
  return status;
}

}  // namespace warpmark::judge
