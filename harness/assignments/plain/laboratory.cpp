#include "harness/assignments/plain/laboratory.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace warpmark::plain {
namespace {

// Largest size, in numbers of all buffers, at which trials look for the smallest one with a wrong output.
constexpr std::uint64_t kLargestTrial = 4500;
// Most sizes tried, and most of them kept after the first with wrong outputs.
constexpr std::size_t kMostSizes = 64;
constexpr std::size_t kMostTrials = 16;
// Most numbers of inputs that are changed one by one: where a larger trial shows more than the smallest, and
// where there is no smaller one.
constexpr std::uint64_t kFewAlone = 48;
constexpr std::uint64_t kMostAlone = 110;
// Most wrong numbers of outputs whose dependences are noted.
constexpr std::size_t kMostWatched = 12;
// Limits on changes of groups of numbers: single ones found, and calls.
constexpr std::size_t kMostLeaves = 6;
constexpr std::size_t kMostGroups = 40;

std::uint64_t changeable_numbers(const Specimen& specimen) {
  std::uint64_t all = 0;
  for (const std::size_t buffer : specimen.changeable()) all += specimen.numbers(buffer);
  return all;
}

std::uint64_t all_numbers(const Specimen& specimen) {
  std::uint64_t all = specimen.outputs().size();
  for (std::size_t i = 0; i < specimen.inputs().size(); ++i) {
    if (specimen.is_input(i)) all += specimen.numbers(i);
  }
  return all;
}

// Returns some of the wrong numbers: the first half of them from the front, the others evenly spread up to
// the last.
std::vector<Cell> watched(const std::vector<Cell>& wrong) {
  if (wrong.size() <= kMostWatched) return wrong;
  constexpr std::size_t kFirst = kMostWatched / 2;
  std::vector<Cell> some(wrong.begin(), wrong.begin() + kFirst);
  for (std::size_t k = 1; k <= kMostWatched - kFirst; ++k)
    some.push_back(wrong[kFirst - 1 + (wrong.size() - kFirst) * k / (kMostWatched - kFirst)]);
  return some;
}

}  // namespace

Laboratory::Laboratory(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle,
                       const Assignment& assignment, const Case& which, Experiment& experiment)
    : spec_(std::move(spec)), oracle_(std::move(oracle)), experiment_(experiment) {
  find_trials(assignment, which);
}

std::optional<Trial> Laboratory::tried(const Case& which) {
  Trial trial;
  trial.specimen = std::make_shared<const Specimen>(spec_, oracle_, which);
  auto actual = call(trial, trial.specimen->inputs(), kBefore);
  if (!actual) return std::nullopt;
  trial.actual = std::move(*actual);
  trial.wrong = trial.specimen->wrong(trial.actual);
  if (trial.wrong.empty()) return std::nullopt;
  return trial;
}

void Laboratory::find_trials(const Assignment& assignment, const Case& which) {
  std::size_t tries = 0;
  for (const Size& size : experiment_.sizes()) {
    if (++tries > kMostSizes || trials_.size() == kMostTrials) break;
    Case smaller = assignment.case_of(which.type, which.data, size, which.seed);
    smaller.shift = which.shift;
    auto trial = tried(smaller);
    if (!trial) continue;
    const bool large = all_numbers(*trial->specimen) > kLargestTrial;
    if (large && !trials_.empty()) break;
    trials_.push_back(std::move(*trial));
    if (large) return;
  }
  if (!trials_.empty()) return;
  if (auto trial = tried(which)) trials_.push_back(std::move(*trial));
}

const Trial& Laboratory::small() const {
  const auto few = [](const Trial& trial) { return changeable_numbers(*trial.specimen) <= kFewAlone; };
  const auto found = std::find_if(trials_.rbegin(), trials_.rend(), few);
  return found == trials_.rend() ? trials_.front() : *found;
}

std::optional<Contents> Laboratory::call(const Trial& trial, const Contents& inputs, std::byte before) {
  return experiment_.call(trial.specimen->which(), trial.specimen->problem(), inputs, before);
}

const Contents* Laboratory::with_other_memory(const Trial& trial) {
  if (!other_memory_ || other_memory_->first != &trial)
    other_memory_ = {&trial, call(trial, trial.specimen->inputs(), kOtherBefore)};
  return other_memory_->second ? &*other_memory_->second : nullptr;
}

bool Laboratory::same_change(const Specimen& specimen, const Cell& cell, long double a, long double b,
                             long double magnitude) {
  if (a == b) return true;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b);
  const Number number = specimen.type(cell);
  if (!specimen.is_real(cell)) return false;
  const Tolerance& tolerance = specimen.spec().buffers[cell.buffer].tolerance;
  // Rounding of sums of some thousand terms, and twice what the comparison allows, at either end.
  const long double rounding = (number == Number::f32 ? 1.2e-7L : 2.3e-16L) * 1000;
  const long double allowed =
      magnitude * (rounding + 2 * static_cast<long double>(tolerance.relative.value_or(0))) +
      2 * static_cast<long double>(tolerance.absolute.value_or(0));
  return std::abs(a - b) <= allowed;
}

bool Laboratory::change(const Trial& trial, std::size_t buffer, std::uint64_t first, std::uint64_t last) {
  const Specimen& specimen = *trial.specimen;
  Contents inputs = specimen.inputs();
  const std::size_t bytes = specimen.place({buffer, 0}).second;
  const auto begin = static_cast<std::size_t>(first) * bytes;
  std::memcpy(inputs[buffer].data() + begin, specimen.others(buffer).data() + begin,
              static_cast<std::size_t>(last - first + 1) * bytes);
  if (inputs[buffer] == specimen.inputs()[buffer]) return false;
  const auto actual = call(trial, inputs, kBefore);
  dependences_->complete = dependences_->complete && actual.has_value();
  if (!actual) return false;
  const Contents expected = specimen.expected_for(inputs);
  bool differs = false;
  for (Dependence& dependence : dependences_->of_wrong) {
    const Cell& cell = dependence.output;
    const Effect effect{{buffer, first},
                        specimen.change(cell, specimen.expected(), expected),
                        specimen.change(cell, trial.actual, *actual)};
    const long double magnitude = std::max(
        {std::abs(specimen.value(expected, cell)), std::abs(specimen.value(*actual, cell)),
         std::abs(specimen.value(specimen.expected(), cell)), std::abs(specimen.value(trial.actual, cell))});
    const bool same = same_change(specimen, cell, effect.expected, effect.actual, magnitude);
    differs = differs || !same;
    if (first != last) continue;
    if (!same) dependence.differing.push_back(effect);
    if (same && effect.expected != 0) dependence.as_expected.push_back(effect);
  }
  return differs;
}

void Laboratory::change_each(const Trial& trial) {
  for (const std::size_t buffer : trial.specimen->changeable()) {
    for (std::uint64_t k = 0; k < trial.specimen->numbers(buffer); ++k) change(trial, buffer, k, k);
  }
}

void Laboratory::change_groups(const Trial& trial, std::size_t buffer, std::uint64_t first,
                               std::uint64_t last) {
  if (leaves_ == kMostLeaves) return;
  if (++groups_ > kMostGroups) {
    dependences_->complete = false;
    return;
  }
  if (!change(trial, buffer, first, last)) return;
  if (first == last) {
    ++leaves_;
    return;
  }
  const std::uint64_t middle = first + (last - first) / 2;
  change_groups(trial, buffer, first, middle);
  change_groups(trial, buffer, middle + 1, last);
}

const Dependences& Laboratory::dependences() {
  if (dependences_) return *dependences_;
  const Trial& trial = small();
  dependences_ = Dependences{&trial, true, changeable_numbers(*trial.specimen) <= kMostAlone, {}};
  for (const Cell& cell : watched(trial.wrong)) dependences_->of_wrong.push_back({cell, {}, {}});
  if (dependences_->each_alone) {
    change_each(trial);
  } else {
    for (const std::size_t buffer : trial.specimen->changeable()) {
      leaves_ = groups_ = 0;
      change_groups(trial, buffer, 0, trial.specimen->numbers(buffer) - 1);
    }
  }
  return *dependences_;
}

}  // namespace warpmark::plain
