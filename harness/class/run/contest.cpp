#include "harness/class/run/contest.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "harness/measure/decision.h"

namespace warpmark::classroom {
namespace {

measure::Interval logarithms(const Span& span) {
  return {std::log(span.low), std::log(span.high)};
}

bool is_decided(const Measurement& measured) {
  return measured.speedup_span && (measured.decided_by == "interval" || measured.decided_by == "cap");
}

bool counts(const CheckResult& fast) {
  const bool decided =
      fast.verdict == Verdict::passed || (fast.verdict == Verdict::failed && !fast.causes.empty() &&
                                          fast.causes.front().kind == CauseKind::too_slow);
  // A student's kernel version gets no contest points if it earns no points itself because another version
  // that it depends on is wrong.
  return decided && std::ranges::find(fast.notes, CauseKind::depends, &Cause::kind) == fast.notes.end();
}

}  // namespace

std::optional<ContestEntry> entry_of(const Grade& grade, const std::string& version) {
  const auto is_of = [&](const char* check) {
    return
        [&version, check](const CheckResult& each) { return each.version == version && each.check == check; };
  };
  const auto fast = std::ranges::find_if(grade.checks, is_of("fast"));
  const auto measured = std::ranges::find(grade.measurements, version, &Measurement::version);
  if (fast == grade.checks.end() || measured == grade.measurements.end()) return std::nullopt;
  if (!counts(*fast) || !is_decided(*measured)) return std::nullopt;
  const auto used = std::ranges::find(grade.engines, fast->engine, &EngineUsed::engine);
  return ContestEntry{"", measured->speedup, *measured->speedup_span, 0,
                      used == grade.engines.end() ? "" : used->device};
}

ContestResult decide(const judge::Contest& contest, const std::string& version,
                     std::vector<ContestEntry> entries) {
  std::ranges::stable_sort(entries, std::greater{}, &ContestEntry::speedup);
  std::vector<double> within;
  for (const judge::Contest::Step& step : contest.steps) within.push_back(step.within);
  for (ContestEntry& entry : entries) {
    const ContestEntry& best = *std::ranges::find(entries, entry.device, &ContestEntry::device);
    const std::size_t reached =
        &entry == &best ? within.size()
                        : measure::within_of_fastest(logarithms(entry.span), std::log(entry.speedup),
                                                     logarithms(best.span), std::log(best.speedup), within);
    entry.points = reached == 0 ? 0 : contest.steps[reached - 1].points;
  }
  return {version, std::move(entries)};
}

std::vector<ContestResult> contests_in(const Journal& journal, Shelf shelf, const TakenClass& taken,
                                       const judge::Rubric& rubric) {
  if (!rubric.contest) return {};
  std::map<std::string, std::vector<ContestEntry>> entries;
  for (const Taken& student : taken.students) {
    const auto outcome = journal.outcome(shelf, student.id);
    if (!outcome || outcome->state != StudentState::graded || outcome->content != student.content) continue;
    const auto grade = grade_from_json(outcome->grade);
    if (!grade) continue;
    for (const std::string& version : rubric.contest->versions) {
      auto entry = entry_of(*grade, version);
      if (!entry) continue;
      entry->id = student.id;
      entries[version].push_back(std::move(*entry));
    }
  }
  std::vector<ContestResult> contests;
  for (const std::string& version : rubric.contest->versions)
    contests.push_back(decide(*rubric.contest, version, std::move(entries[version])));
  return contests;
}

std::vector<ContestShare> shares_of(const std::vector<ContestResult>& contests, const std::string& id,
                                    const judge::Rubric& rubric) {
  std::vector<ContestShare> shares;
  for (const ContestResult& contest : contests) {
    const auto own = std::ranges::find(contest.entries, id, &ContestEntry::id);
    if (own == contest.entries.end() || own->points == 0 || !rubric.contest) continue;
    const auto step = std::ranges::find(rubric.contest->steps, own->points, &judge::Contest::Step::points);
    if (step != rubric.contest->steps.end()) shares.push_back({contest.version, step->within, own->points});
  }
  return shares;
}

}  // namespace warpmark::classroom
