// Recognisers that follow one number of the outputs over all trials.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <span>

#include <fmt/format.h>

#include "harness/assignments/plain/recognisers.h"
#include "harness/assignments/plain/wrong_output.h"

namespace warpmark::plain::look {
namespace {

// Most outputs of which each is compared over all trials.
constexpr std::size_t kMostOutputs = 16;

// Returns true if one of the inputs, or the expected output, holds the value.
bool occurs(const Trial& trial, const Cell& cell, long double value) {
  const Specimen& specimen = *trial.specimen;
  if (same_value(specimen.value(specimen.expected(), cell), value)) return true;
  for (std::size_t buffer = 0; buffer < specimen.inputs().size(); ++buffer) {
    if (!specimen.is_input(buffer)) continue;
    for (std::uint64_t k = 0; k < specimen.numbers(buffer); ++k) {
      if (same_value(specimen.value(specimen.inputs(), {buffer, k}), value)) return true;
    }
  }
  return false;
}

// Values with which searches and sums begin.
bool is_a_beginning(long double value) {
  static const std::array<long double, 8> kBeginnings{0,
                                                      1,
                                                      -1,
                                                      std::numeric_limits<std::int32_t>::max(),
                                                      std::numeric_limits<std::int32_t>::min(),
                                                      std::numeric_limits<std::uint32_t>::max(),
                                                      std::numeric_limits<float>::max(),
                                                      -std::numeric_limits<float>::max()};
  return std::isinf(value) || std::ranges::find(kBeginnings, value) != kBeginnings.end();
}

// Returns the smallest trial in which a number is wrong and holds a value with which computations begin, and
// which is none of the inputs; null if there is none.
const Trial* with_a_beginning(const Laboratory& laboratory, const Cell& cell) {
  for (const Trial& trial : laboratory.trials()) {
    if (!std::ranges::binary_search(trial.wrong, cell)) continue;
    const long double value = trial.specimen->value(trial.actual, cell);
    if (is_a_beginning(value) && !occurs(trial, cell, value)) return &trial;
  }
  return nullptr;
}

}  // namespace

// A number is that with which its computation begins, and right where the inputs have the other sign.
std::optional<Recognised> not_neutral(Laboratory& laboratory) {
  const std::vector<Cell>& outputs = laboratory.trials().front().specimen->outputs();
  for (const Cell& cell : std::span(outputs).first(std::min(outputs.size(), kMostOutputs))) {
    const Trial* trial = with_a_beginning(laboratory, cell);
    if (trial == nullptr) continue;
    const Specimen& specimen = *trial->specimen;
    const Contents inputs = with_other_signs(specimen);
    const Contents expected = specimen.expected_for(inputs);
    const auto actual = laboratory.call(*trial, inputs, Laboratory::kBefore);
    const long double begins = specimen.value(trial->actual, cell);
    if (!actual || same_value(specimen.value(expected, cell), begins) ||
        !Laboratory::same_change(specimen, cell, specimen.change(cell, expected, *actual), 0,
                                 std::abs(specimen.value(expected, cell))))
      continue;
    const bool greater = begins > specimen.value(specimen.expected(), cell);
    return Recognised{
        .trial = trial,
        .wrong = cell,
        .what = fmt::format("{0} is {1}, which is none of the values; with the other sign for all values it "
                            "is right. The computation begins with {1}, which is {2} than all values here, "
                            "so that none of them takes its place",
                            specimen.name(cell), specimen.text(trial->actual, cell),
                            greater ? "greater" : "less"),
        .written = cell,
        .store_at_fault = true};
  }
  return std::nullopt;
}

// One output is the same number wherever it is wrong, and none of its inputs is that number.
std::optional<Recognised> begins_with(Laboratory& laboratory) {
  const std::vector<Cell>& outputs = laboratory.trials().front().specimen->outputs();
  for (const Cell& cell : std::span(outputs).first(std::min(outputs.size(), kMostOutputs))) {
    const Trial* shown = nullptr;
    std::set<long double> actual;
    std::set<long double> expected;
    std::size_t wrong = 0;
    std::size_t occurring = 0;
    for (const Trial& trial : laboratory.trials()) {
      if (!std::ranges::binary_search(trial.wrong, cell)) continue;
      ++wrong;
      const long double value = trial.specimen->value(trial.actual, cell);
      if (shown == nullptr) shown = &trial;
      actual.insert(value);
      expected.insert(trial.specimen->value(trial.specimen->expected(), cell));
      occurring += !is_a_beginning(value) || occurs(trial, cell, value) ? 1 : 0;
    }
    const bool all = shown != nullptr && actual.size() == 1 && expected.size() > 1 && occurring == 0;
    if (!all) continue;
    const Specimen& specimen = *shown->specimen;
    return Recognised{
        .trial = shown,
        .wrong = cell,
        .what = fmt::format("{} is {} for each of the {} inputs for which it is wrong, and none of their "
                            "values is: the computation begins with it, and no value takes its place",
                            specimen.name(cell), specimen.text(shown->actual, cell), wrong),
        .written = cell,
        .store_at_fault = true};
  }
  return std::nullopt;
}

// One output always holds what another one should.
std::optional<Recognised> another_output(Laboratory& laboratory) {
  const Trial& first = laboratory.trials().front();
  const Cell& cell = first.wrong.front();
  if (laboratory.trials().size() < 2 || first.specimen->outputs().size() > kFewest) return std::nullopt;
  for (const Cell& other : first.specimen->outputs()) {
    if (other == cell) continue;
    std::set<long double> values;
    const bool copies = std::ranges::all_of(laboratory.trials(), [&](const Trial& trial) {
      const long double value = trial.specimen->value(trial.actual, cell);
      values.insert(value);
      return same_value(value, trial.specimen->value(trial.specimen->expected(), other));
    });
    if (!copies || values.size() < 2) continue;
    const Specimen& specimen = *laboratory.largest().specimen;
    return Recognised{
        .trial = &laboratory.largest(),
        .wrong = cell,
        .what = fmt::format("{} holds what {} should hold, and so in all {} inputs that give a wrong one",
                            specimen.name(cell), specimen.name(other), laboratory.trials().size()),
        .written = cell,
        .store_at_fault = true};
  }
  return std::nullopt;
}

// Each wrong number is the expected one less the beginning of its block: 44 for 300 where blocks have 256.
std::optional<Recognised> within_a_block(Laboratory& laboratory) {
  std::uint64_t block = 0;
  std::uint64_t largest = 0;
  std::set<std::uint64_t> differences;
  for (const Trial& trial : laboratory.trials()) {
    const Specimen& specimen = *trial.specimen;
    for (const Cell& cell : trial.wrong) {
      const long double expected = specimen.value(specimen.expected(), cell);
      const long double actual = specimen.value(trial.actual, cell);
      if (specimen.is_real(cell) || actual < 0 || actual >= expected) return std::nullopt;
      const auto difference = static_cast<std::uint64_t>(expected - actual);
      block = std::gcd(block, difference);
      largest = std::max(largest, static_cast<std::uint64_t>(actual));
      differences.insert(difference);
    }
  }
  if (differences.size() < 2 || block < 2 || largest >= block) return std::nullopt;
  const Trial& trial = laboratory.largest();
  const Specimen& specimen = *trial.specimen;
  const Cell& cell = trial.wrong.front();
  const auto number = static_cast<std::uint64_t>(specimen.value(specimen.expected(), cell));
  return Recognised{
      .trial = &trial,
      .wrong = cell,
      .what =
          fmt::format("{} counts from the beginning of its block or tile of {}: it is {} and should be "
                      "{} more, and so with all that are wrong",
                      specimen.name(cell), block, specimen.text(trial.actual, cell), number / block * block),
      .written = cell,
      .store_at_fault = true};
}

}  // namespace warpmark::plain::look
