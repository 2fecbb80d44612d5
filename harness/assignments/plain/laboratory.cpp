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

// Returns the inputs with numbers first to last of a buffer replaced by their other values.
Contents replaced(const Specimen& specimen, std::size_t buffer, std::uint64_t first, std::uint64_t last) {
  Contents inputs = specimen.inputs();
  const std::size_t bytes = specimen.place({buffer, 0}).second;
  const auto begin = static_cast<std::size_t>(first) * bytes;
  std::memcpy(inputs[buffer].data() + begin, specimen.others(buffer).data() + begin,
              static_cast<std::size_t>(last - first + 1) * bytes);
  return inputs;
}

std::vector<Cell> inputs_of(const std::vector<Effect>& effects, bool (Effect::*chosen)() const) {
  std::vector<Cell> cells;
  for (const Effect& effect : effects) {
    if ((effect.*chosen)()) cells.push_back(effect.input);
  }
  return cells;
}

}  // namespace

std::vector<Cell> Dependence::missing() const {
  return inputs_of(differing, &Effect::missing);
}
std::vector<Cell> Dependence::extras() const {
  return inputs_of(differing, &Effect::extra);
}

std::vector<const Dependence*> Dependences::telling() const {
  std::vector<const Dependence*> all;
  for (const Dependence& dependence : of_wrong) {
    if (!dependence.differing.empty()) all.push_back(&dependence);
  }
  return all;
}

Laboratory::Laboratory(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle,
                       const Assignment& assignment, const Case& which, Experiment& experiment)
    : spec_(std::move(spec)), oracle_(std::move(oracle)), assignment_(assignment), experiment_(experiment) {
  find_trials(assignment, which);
}

std::optional<Trial> Laboratory::tried(const Case& which) {
  Trial trial;
  trial.specimen = std::make_shared<const Specimen>(spec_, oracle_, which);
  auto actual = call(trial, trial.specimen->inputs(), kBefore);
  if (!actual) return std::nullopt;
  trial.actual = std::move(*actual);
  trial.wrong = trial.specimen->wrong(trial.actual);
  trial.kernels = experiment_.kernels_launched();
  if (which.n > 0) all_tried_.push_back({trial.kernels, !trial.wrong.empty()});
  if (trial.wrong.empty()) return std::nullopt;
  return trial;
}

void Laboratory::try_a_larger_one(const Assignment& assignment, const Case& which) {
  const std::vector<Size> sizes = experiment_.sizes();
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    const Case larger = assignment.case_of(which.type, which.data, *size, which.seed);
    if (larger.n > kLargestTrial) continue;
    tried(larger);
    return;
  }
}

void Laboratory::find_trials(const Assignment& assignment, const Case& which) {
  std::size_t tries = 0;
  for (const Size& size : experiment_.sizes()) {
    if (trials_.size() == kMostTrials) try_a_larger_one(assignment, which);
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

std::vector<const Trial*> Laboratory::with_full_tiles() {
  if (!full_tiles_) {
    full_tiles_.emplace();
    const Case& which = small().specimen->which();
    if (const auto size = experiment_.full_tiles())
      *full_tiles_ = tried(assignment_.case_of(which.type, which.data, *size, which.seed));
  }
  std::vector<const Trial*> all;
  if (*full_tiles_) all.push_back(&**full_tiles_);
  for (const Trial& trial : trials_) all.push_back(&trial);
  return all;
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
  if (std::isinf(a) || std::isinf(b)) return false;
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
  const Contents inputs = replaced(specimen, buffer, first, last);
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
  first = std::max(first, behind_run_);
  if (leaves_ == kMostLeaves || first > last) return;
  if (++groups_ > kMostGroups) {
    dependences_->complete = false;
    return;
  }
  if (!change(trial, buffer, first, last)) return;
  if (first == last) {
    ++leaves_;
    behind_run_ = end_of_run({buffer, first}) + 1;
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
      leaves_ = groups_ = behind_run_ = 0;
      change_groups(trial, buffer, 0, trial.specimen->numbers(buffer) - 1);
    }
  }
  return *dependences_;
}

std::optional<Effect> Laboratory::effect(const Cell& output, const Cell& first, std::uint64_t last) {
  const Trial& trial = small();
  const Specimen& specimen = *trial.specimen;
  const Contents inputs = replaced(specimen, first.buffer, first.number, last);
  const auto actual = call(trial, inputs, kBefore);
  if (!actual) return std::nullopt;
  return Effect{first, specimen.change(output, specimen.expected(), specimen.expected_for(inputs)),
                specimen.change(output, trial.actual, *actual)};
}

std::uint64_t Laboratory::end_of_run(const Cell& output, const Cell& first, long double times) {
  const Specimen& specimen = *small().specimen;
  const auto counts_all = [&](std::uint64_t last) {
    const auto seen = effect(output, first, last);
    if (!seen) return false;
    const long double product = specimen.wrapped(output, times * seen->expected);
    return same_change(specimen, output, product, seen->actual, std::abs(seen->expected));
  };
  // Binary search: the run continues up to `low`, and not up to `high`.
  std::uint64_t low = first.number;
  std::uint64_t high = specimen.numbers(first.buffer);
  if (high > low + 1 && counts_all(high - 1)) return high - 1;
  while (low + 1 < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    (counts_all(middle) ? low : high) = middle;
  }
  return low;
}

std::uint64_t Laboratory::end_of_run(const Cell& first) {
  const Specimen& specimen = *small().specimen;
  const Dependence* only = nullptr;
  for (const Dependence& dependence : dependences_->of_wrong) {
    if (dependence.differing.empty() || dependence.differing.back().input != first) continue;
    if (only != nullptr) return first.number;
    only = &dependence;
  }
  if (only == nullptr) return first.number;
  const auto times = times_of(specimen, only->output, only->differing.back());
  return times ? end_of_run(only->output, first, *times) : first.number;
}

std::vector<Run> Laboratory::runs(const Cell& output, const std::vector<Cell>& cells, long double times) {
  std::vector<Run> found;
  for (const Cell& cell : cells) {
    if (!found.empty() && cell.number <= found.back().last) continue;
    if (!found.empty() && cell.number == found.back().last + 1) {
      found.back().last = cell.number;
    } else {
      found.push_back({cell, cell.number, times});
    }
    if (!dependences().each_alone) found.back().last = end_of_run(output, cell, times);
  }
  return found;
}

std::optional<long double> times_of(const Specimen& specimen, const Cell& output, const Effect& effect) {
  // Highest count that is looked for where products of whole numbers may have wrapped around: all threads of
  // a block.
  constexpr long double kMostOften = 1024;
  if (effect.missing()) return 0;
  if (effect.expected == 0) return std::nullopt;
  const auto fits = [&](long double often) {
    const long double product = specimen.wrapped(output, often * effect.expected);
    return Laboratory::same_change(specimen, output, product, effect.actual, std::abs(product));
  };
  if (const long double often = std::round(effect.actual / effect.expected); often >= 2 && fits(often))
    return often;
  // Of a type of few bits, some count fits each change.
  const Number number = specimen.type(output);
  const bool wide =
      number == Number::i32 || number == Number::u32 || number == Number::i64 || number == Number::u64;
  if (!wide) return std::nullopt;
  for (long double often = 2; often <= kMostOften; ++often) {
    if (fits(often)) return often;
  }
  return std::nullopt;
}

}  // namespace warpmark::plain
