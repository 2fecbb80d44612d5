#include "harness/judge/checks/found_causes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/checks/explain_wrong_answer.h"
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

bool is_of_the_answer(const Cause& cause) {
  using enum CauseKind;
  return cause.kind == not_written || cause.kind == wrong_sum || cause.kind == wrong_output;
}

// Returns true for a call that did not come back, if a smaller one has a wrong answer: that says more, and
// the large call may only have been too slow for this engine.
bool is_seen_at_a_smaller_size(const std::vector<Cause>& causes, const Cause& cause) {
  return cause.kind == CauseKind::timed_out && std::ranges::any_of(causes, [&](const Cause& other) {
           return is_of_the_answer(other) && other.n < cause.n;
         });
}

// Returns the position of a defect among all: that of its kind, except where another one explains it.
int place_of(const std::vector<Cause>& causes, const Cause& cause) {
  if (brings_about_the_end(causes, cause)) return -1;
  return is_seen_at_a_smaller_size(causes, cause) ? 3 : rank(cause);
}

// Returns true if two failures show one mistake: the source shows it surely, or of wrong or missing answers,
// they name the same kind and line, or one was
// not written and the other is explained by numbers that were not.
bool show_one_mistake(const Cause& one, const Cause& other) {
  if (one.mistake == kSureInSource && other.mistake == kSureInSource) return one.line == other.line;
  if (!is_of_the_answer(one) || !is_of_the_answer(other) || one.kind == other.kind) return false;
  const auto says_so = [](const Cause& cause) {
    return cause.kind == CauseKind::not_written || cause.message.find("never written") != std::string::npos;
  };
  const bool same_place = !one.mistake.empty() && one.mistake == other.mistake && one.file == other.file &&
                          one.line == other.line;
  return same_place || (says_so(one) && says_so(other));
}

// Keeps one of the causes that show one mistake, preferably one with a line, and notes the other in it.
void fold_answers(std::vector<Cause>& causes) {
  for (std::size_t i = 0; i < causes.size(); ++i) {
    for (std::size_t k = i + 1; k < causes.size(); ++k) {
      if (!show_one_mistake(causes[i], causes[k])) continue;
      if (causes[i].line == 0 && causes[k].line != 0) std::swap(causes[i], causes[k]);
      causes[i].message += fmt::format(". The same mistake shows as \"{}\", with n = {}",
                                       rule_of(causes[k].kind).title, causes[k].n.value_or(0));
      causes.erase(causes.begin() + static_cast<std::ptrdiff_t>(k--));
    }
  }
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
  for (std::size_t i = 0; i < causes_.size(); ++i) order.emplace_back(place_of(causes_, causes_[i]), i);
  std::ranges::sort(order);
  std::vector<Cause> sorted;
  for (const auto& [place, i] : order) {
    if (sorted.size() < kMostCauses) sorted.push_back(std::move(causes_[i]));
  }
  wire::fold_races(sorted);
  fold_answers(sorted);
  return sorted;
}

}  // namespace warpmark::judge
