// Recognisers that follow one number of the outputs over all trials.
#include <algorithm>
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

// A value with which a search may begin.
struct Beginning {
  long double value;
  std::vector<std::string> written_as;  // Explanation::written_as
  std::string_view is = {};             // what a message says of it; empty: nothing
};

constexpr std::string_view kSmallestPositive =
    "the smallest positive number of its type, not the least: that is numeric_limits<>::lowest()";

const std::vector<Beginning>& beginnings() {
  static const std::vector<Beginning> kBeginnings{
      {0, {}},
      {1, {}},
      {-1, {}},
      {std::numeric_limits<std::int32_t>::max(), {"INT_MAX", "max"}},
      {std::numeric_limits<std::int32_t>::min(), {"INT_MIN", "min", "lowest"}},
      {std::numeric_limits<std::uint32_t>::max(), {"UINT_MAX", "max"}},
      {std::numeric_limits<float>::max(), {"FLT_MAX", "max"}, "the greatest finite number"},
      {-std::numeric_limits<float>::max(), {"FLT_MAX", "lowest"}, "the least finite number"},
      {std::numeric_limits<float>::min(), {"FLT_MIN", "min"}, kSmallestPositive},
      {std::numeric_limits<double>::max(), {"DBL_MAX", "max"}, "the greatest finite number"},
      {-std::numeric_limits<double>::max(), {"DBL_MAX", "lowest"}, "the least finite number"},
      {std::numeric_limits<double>::min(), {"DBL_MIN", "min"}, kSmallestPositive},
      {std::numeric_limits<long double>::infinity(), {"INFINITY", "infinity"}},
      {-std::numeric_limits<long double>::infinity(), {"INFINITY", "infinity"}},
  };
  return kBeginnings;
}

// Returns the beginning that a value is; null if it is none.
const Beginning* beginning_of(long double value) {
  const auto found = std::ranges::find(beginnings(), value, &Beginning::value);
  return found == beginnings().end() ? nullptr : &*found;
}

bool is_a_beginning(long double value) {
  return beginning_of(value) != nullptr;
}

// Returns the first `kMostOutputs` numbers of the outputs.
std::span<const Cell> some_outputs(const Laboratory& laboratory) {
  const std::vector<Cell>& outputs = laboratory.trials().front().specimen->outputs();
  return std::span(outputs).first(std::min(outputs.size(), kMostOutputs));
}

// Returns true if a number is wrong in a trial and holds a value with which computations begin, and which is
// none of the inputs.
bool holds_a_beginning(const Trial& trial, const Cell& cell) {
  if (!std::ranges::binary_search(trial.wrong, cell)) return false;
  const long double value = trial.specimen->value(trial.actual, cell);
  return is_a_beginning(value) && !occurs(trial, cell, value);
}

bool has_values(const Specimen& specimen) {
  for (std::size_t buffer = 0; buffer < specimen.inputs().size(); ++buffer) {
    if (specimen.is_input(buffer) && specimen.numbers(buffer) > 0) return true;
  }
  return false;
}

// Returns true if a number that holds a beginning is right where the inputs have the other sign.
bool is_right_with_other_signs(Laboratory& laboratory, const Trial& trial, const Cell& cell) {
  const Specimen& specimen = *trial.specimen;
  const Contents inputs = with_other_signs(specimen);
  const Contents expected = specimen.expected_for(inputs);
  const auto actual = laboratory.call(trial, inputs, Laboratory::kBefore);
  return actual && !same_value(specimen.value(expected, cell), specimen.value(trial.actual, cell)) &&
         Laboratory::same_change(specimen, cell, specimen.change(cell, expected, *actual), 0,
                                 std::abs(specimen.value(expected, cell)));
}

// Adds what a beginning is, and how the source may write it.
void add_beginning(Recognised& found, long double value) {
  const Beginning* beginning = beginning_of(value);
  if (beginning == nullptr) return;
  found.written_as = beginning->written_as;
  if (!beginning->is.empty())
    found.what += fmt::format(". {} is {}", found.trial->specimen->text(found.trial->actual, found.wrong),
                              beginning->is);
}

// Returns the outputs that hold a beginning although there are no values at all, the smallest positive number
// first: it is wrong for other inputs, too.
std::vector<Cell> beginnings_of_nothing(const Laboratory& laboratory) {
  const Trial& trial = laboratory.trials().front();
  std::vector<Cell> cells;
  if (has_values(*trial.specimen)) return cells;
  for (const Cell& cell : some_outputs(laboratory)) {
    if (holds_a_beginning(trial, cell)) cells.push_back(cell);
  }
  std::ranges::stable_partition(cells, [&](const Cell& cell) {
    return beginning_of(trial.specimen->value(trial.actual, cell))->is == kSmallestPositive;
  });
  return cells;
}

// "without any values, extremes.least is 0 and should be inf"; empty if there are no such outputs.
std::string text_of_nothing(const Laboratory& laboratory) {
  const Trial& trial = laboratory.trials().front();
  const Specimen& specimen = *trial.specimen;
  std::string text;
  for (const Cell& cell : beginnings_of_nothing(laboratory))
    text += fmt::format("{}{} is {} and should be {}", text.empty() ? "without any values, " : ", ",
                        specimen.name(cell), specimen.text(trial.actual, cell),
                        specimen.text(specimen.expected(), cell));
  return text;
}

}  // namespace

// A number is that with which its computation begins, and right where the inputs have the other sign.
std::optional<Recognised> not_neutral(Laboratory& laboratory) {
  for (const Cell& cell : some_outputs(laboratory)) {
    const auto trial = std::ranges::find_if(laboratory.trials(), [&](const Trial& each) {
      return has_values(*each.specimen) && holds_a_beginning(each, cell);
    });
    if (trial == laboratory.trials().end() || !is_right_with_other_signs(laboratory, *trial, cell)) continue;
    const Specimen& specimen = *trial->specimen;
    const long double begins = specimen.value(trial->actual, cell);
    const bool greater = begins > specimen.value(specimen.expected(), cell);
    Recognised found{
        .trial = &*trial,
        .wrong = cell,
        .what = fmt::format("{0} is {1}, which is none of the values; with the other sign for all values it "
                            "is right. The computation begins with {1}, which is {2} than all values here, "
                            "so that none of them takes its place",
                            specimen.name(cell), specimen.text(trial->actual, cell),
                            greater ? "greater" : "less"),
        .written = cell,
        .store_at_fault = true};
    add_beginning(found, begins);
    if (const std::string nothing = text_of_nothing(laboratory); !nothing.empty())
      found.what += ". And " + nothing;
    return found;
  }
  return std::nullopt;
}

// Without any values, numbers are those with which their computations begin, and others are expected.
std::optional<Recognised> of_nothing(Laboratory& laboratory) {
  const auto cells = beginnings_of_nothing(laboratory);
  if (cells.empty()) return std::nullopt;
  const Trial& trial = laboratory.trials().front();
  Recognised found{
      .trial = &trial,
      .wrong = cells.front(),
      .what = fmt::format("{}: that is what the computation begins with", text_of_nothing(laboratory)),
      .written = cells.front(),
      .store_at_fault = true};
  add_beginning(found, trial.specimen->value(trial.actual, cells.front()));
  return found;
}

// One output is the same number wherever it is wrong, and none of its inputs is that number.
std::optional<Recognised> begins_with(Laboratory& laboratory) {
  for (const Cell& cell : some_outputs(laboratory)) {
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
    Recognised found{
        .trial = shown,
        .wrong = cell,
        .what = fmt::format("{} is {} for each of the {} inputs for which it is wrong, and none of their "
                            "values is: the computation begins with it, and no value takes its place",
                            specimen.name(cell), specimen.text(shown->actual, cell), wrong),
        .written = cell,
        .store_at_fault = true};
    add_beginning(found, *actual.begin());
    return found;
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
