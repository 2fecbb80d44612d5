#include "harness/judge/score.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

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

// Returns the worst result of the check `correct` among the kernel files `names`: a failed one, else an
// undecided one; nullptr if all passed or are not in the grade.
const CheckResult* worst_needed(const std::vector<std::string>& names, std::span<const CheckResult> checks) {
  const CheckResult* worst = nullptr;
  for (const CheckResult& one : checks) {
    const bool needed = one.check == kCorrect && std::ranges::find(names, one.version) != names.end();
    if (!needed || one.verdict == Verdict::passed) continue;
    if (worst == nullptr || (is_open(*worst) && !is_open(one))) worst = &one;
  }
  return worst;
}

// Returns the reason why a check's points are neither earned nor lost but open; nullptr if they are not open.
const Cause* why_open(const CheckResult& check, std::span<const CheckResult> checks, const Needs& needs) {
  if (!(check.open > 0)) return nullptr;
  const CheckResult* decides = &check;
  if (!is_open(check)) {
    const auto needed = needs.find(check.version);
    decides = check.verdict == Verdict::passed ? earned_with(check, checks) : nullptr;
    if ((decides == nullptr || decides->causes.empty()) && needed != needs.end())
      decides = worst_needed(needed->second, checks);
  }
  return decides == nullptr || decides->causes.empty() ? nullptr : &decides->causes.front();
}

std::string message_for_need(const CheckResult& check, const CheckResult& needed) {
  return fmt::format("`{}` earns points only when `{}` is right, {}.", check.version, needed.version,
                     is_open(needed) ? "which could not be decided here: its points stay open"
                                     : "and its `correct` did not pass");
}

// Sets a check's points and bonus to 0, because the check `with`, on which they depend, did not pass. If
// `with` is undecided, the points become open instead of lost.
void withhold(CheckResult& check, const CheckResult& with, std::string message) {
  if (!(check.points > 0 || check.bonus > 0 || check.open > 0)) return;
  check.open = is_open(with) ? check.points + check.open : 0;
  check.points = 0;
  check.bonus = 0;
  check.notes.push_back(make_cause(CauseKind::depends, std::move(message)));
}

}  // namespace

void settle(CheckResult& check, const Worth& worth) {
  check.points = 0;
  check.bonus = 0;
  check.possible = worth.points;
  check.bonus_possible = worth.bonus;
  check.open = 0;
  if (check.causes.empty()) {
    check.verdict = Verdict::passed;
    check.points = worth.points;
    check.bonus = worth.bonus;
    for (PointPart& part : check.parts) {
      part.reached = part.reached || !part.bonus;
      if (!part.reached) check.bonus -= part.points;
    }
    return;
  }
  const auto rank = [](const Cause& cause) {
    return rule_of(cause.kind).verdict == Verdict::failed ? kProven : exit_status_for(cause.kind);
  };
  const auto strongest = std::max_element(check.causes.begin(), check.causes.end(),
                                          [&](const Cause& a, const Cause& b) { return rank(a) < rank(b); });
  std::rotate(check.causes.begin(), strongest, strongest + 1);
  check.verdict = rule_of(check.causes.front().kind).verdict;
  if (is_open(check)) check.open = worth.points;
  const bool evaded = std::ranges::any_of(check.causes, [](const Cause& cause) {
    return cause.kind == CauseKind::tampering || cause.kind == CauseKind::no_kernel;
  });
  const bool counts = check.verdict == Verdict::failed && !evaded;
  for (PointPart& part : check.parts) {
    part.reached = part.reached && counts;
    if (part.reached) (part.bonus ? check.bonus : check.points) += part.points;
  }
}

Needs with_indirect(Needs needs) {
  for (auto& [version, needed] : needs) {
    for (std::size_t i = 0; i < needed.size(); ++i) {
      const auto further = needs.find(needed[i]);
      if (further == needs.end() || further->first == version) continue;
      for (std::size_t k = 0; k < further->second.size(); ++k) {
        const std::string& name = further->second[k];
        if (std::ranges::find(needed, name) == needed.end()) needed.push_back(name);
      }
    }
  }
  return needs;
}

void earn_together(std::span<CheckResult> checks, const Needs& needs) {
  for (CheckResult& check : checks) {
    if (check.verdict != Verdict::passed) continue;
    const CheckResult* with = earned_with(check, checks);
    if (with == nullptr || with->verdict == Verdict::passed) continue;
    withhold(check, *with, message_for(check, is_open(*with)));
  }
  for (CheckResult& check : checks) {
    const auto needed = needs.find(check.version);
    if (needed == needs.end()) continue;
    if (const CheckResult* with = worst_needed(needed->second, checks))
      withhold(check, *with, message_for_need(check, *with));
  }
}

void keep_for_same_code(std::span<CheckResult> checks, double percent) {
  std::set<std::string> same;
  for (const CheckResult& check : checks) {
    if (std::ranges::find(check.notes, CauseKind::same_code, &Cause::kind) != check.notes.end())
      same.insert(check.version);
  }
  for (CheckResult& check : checks) {
    if (!same.contains(check.version)) continue;
    for (double* points : {&check.points, &check.open, &check.bonus}) *points *= percent / 100;
  }
}

Score score_of(std::span<const CheckResult> checks, const Needs& needs) {
  Score score;
  for (const CheckResult& check : checks) {
    score.points += check.points;
    score.possible += check.possible;
    score.open += check.open;
    score.bonus += check.bonus;
    score.bonus_possible += check.bonus_possible;
    const Cause* cause = why_open(check, checks, needs);
    if (cause != nullptr && cause->kind == CauseKind::no_gpu) score.needs_gpu += check.open;
  }
  for (double* sum :
       {&score.points, &score.possible, &score.open, &score.needs_gpu, &score.bonus, &score.bonus_possible})
    *sum = rounded_points(*sum);
  return score;
}

int exit_status_of(std::span<const CheckResult> checks) {
  std::set<std::string> for_bonus;  // kernel files whose points are all bonus points
  for (const CheckResult& check : checks) {
    if (check.bonus_possible > 0) for_bonus.insert(check.version);
  }
  for (const CheckResult& check : checks) {
    if (check.possible > 0) for_bonus.erase(check.version);
  }
  int status = 0;
  for (const CheckResult& check : checks) {
    if (check.causes.empty()) continue;
    const CauseKind kind = check.causes.front().kind;
    const bool not_tried = kind == CauseKind::not_implemented || kind == CauseKind::depends;
    if (!not_tried || !for_bonus.contains(check.version)) status = std::max(status, exit_status_for(kind));
  }
  return status;
}

}  // namespace warpmark::judge
