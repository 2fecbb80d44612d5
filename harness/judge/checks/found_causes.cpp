#include "harness/judge/checks/found_causes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "harness/judge/workers/causes.h"
#include "harness/wire/finding_key.h"

namespace warpmark::judge {
namespace {

constexpr std::size_t kMostCauses = 10;

// Returns a defect's position in a report. 0: faults that end a call; 1: errors found by an engine in a call
// that continued; 2: wrong results; 3: results that differ between calls, or that no kernel wrote; 4: the
// rest.
int rank(const Cause& cause) {
  using enum CauseKind;
  const CauseRule& rule = rule_of(cause.kind);
  if (rule.verdict != Verdict::failed) return 4;
  if (rule.after == After::ends) return 0;
  if (rule.source == Source::engine) return rule.severity == Severity::error ? 1 : 4;
  const bool compared = cause.kind == schedule_dependent || cause.kind == optimisation_dependent ||
                        cause.kind == not_repeatable || cause.kind == wrong_when_called_again ||
                        cause.kind == no_kernel;
  return compared ? 3 : 2;
}

// Returns true for an uninitialised read if a call of the same size ended with a fault: the read probably
// supplied the faulting index or pointer.
bool brings_about_the_end(const std::vector<Cause>& causes, const Cause& cause) {
  return cause.kind == CauseKind::uninitialised_read && std::ranges::any_of(causes, [&](const Cause& other) {
           return rank(other) == 0 && other.n == cause.n;
         });
}

}  // namespace

bool FoundCauses::add(std::vector<Cause> causes) {
  const std::size_t before = causes_.size();
  add_once(causes_, std::move(causes));
  return causes_.size() > before;
}

bool FoundCauses::has(CauseKind kind) const {
  return std::ranges::any_of(causes_, [&](const Cause& cause) { return cause.kind == kind; });
}

bool FoundCauses::lacks_some_of(const std::vector<Cause>& causes) const {
  auto all = causes_;
  add_once(all, causes);
  return all.size() > causes_.size();
}

bool FoundCauses::full() const {
  return causes_.size() >= kMostCauses;
}

std::vector<Cause> FoundCauses::worst_first() && {
  std::vector<std::pair<int, std::size_t>> order;
  for (std::size_t i = 0; i < causes_.size(); ++i)
    order.emplace_back(brings_about_the_end(causes_, causes_[i]) ? -1 : rank(causes_[i]), i);
  std::ranges::sort(order);
  std::vector<Cause> sorted;
  for (const auto& [place, i] : order) {
    if (sorted.size() < kMostCauses) sorted.push_back(std::move(causes_[i]));
  }
  wire::fold_races(sorted);
  return sorted;
}

}  // namespace warpmark::judge
