// Recognisers of right values that stand, or were taken, elsewhere: in another buffer, at another position of
// an equal value, in another column.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "harness/assignments/plain/recognisers.h"
#include "harness/assignments/plain/wrong_output.h"

namespace warpmark::plain::look {
namespace {

std::uint64_t launches_of(const std::vector<std::string>& kernels, const std::string& kernel) {
  return static_cast<std::uint64_t>(std::ranges::count(kernels, kernel));
}

// Fewest different numbers of launches that show that odd and even ones take turns.
constexpr std::size_t kFewestTurns = 3;

// Returns true if the outputs are wrong exactly after an odd, or an even, number of launches of a kernel.
bool takes_turns(const Laboratory& laboratory, const std::string& kernel, bool wrong_if_odd) {
  std::set<std::uint64_t> counts;
  for (const Tried& each : laboratory.all_tried()) {
    const std::uint64_t count = launches_of(each.kernels, kernel);
    if (each.is_wrong != (count > 0 && (count % 2 == 1) == wrong_if_odd)) return false;
    counts.insert(count);
  }
  return counts.size() >= kFewestTurns;
}

// Returns the kernel of which an odd number of launches makes the outputs wrong, and an even number does not,
// or the other way round; empty if there is none. `odd`: which number is wrong.
std::string kernel_of_turns(const Laboratory& laboratory, bool& odd) {
  std::set<std::string> kernels;
  for (const Tried& each : laboratory.all_tried()) kernels.insert(each.kernels.begin(), each.kernels.end());
  for (const std::string& kernel : kernels) {
    for (const bool wrong_if_odd : {true, false}) {
      odd = wrong_if_odd;
      if (takes_turns(laboratory, kernel, wrong_if_odd)) return kernel;
    }
  }
  return {};
}

// Where a buffer other than the outputs holds what an output should.
struct Held {
  Cell first;
  bool as_positions = false;  // it holds the positions of the numbers in an input
};

// Returns true if a buffer's numbers from `first` on are the expected ones.
bool holds(const Specimen& specimen, const Contents& actual, const Output& output, const Cell& first) {
  for (std::uint64_t k = 0; k < output.size(); ++k) {
    if (!same_value(specimen.value(actual, {first.buffer, first.number + k}), output.expected[k]))
      return false;
  }
  return true;
}

// Returns true if the low 32 bits of a buffer's numbers are positions of the expected ones in an input.
bool holds_positions(const Specimen& specimen, const Contents& actual, const Output& output,
                     const Cell& first, std::size_t input) {
  for (std::uint64_t k = 0; k < output.size(); ++k) {
    std::uint32_t position = 0;
    const auto [offset, bytes] = specimen.place({first.buffer, first.number + k});
    if (bytes < sizeof position) return false;
    std::copy_n(actual[first.buffer].data() + offset, sizeof position,
                reinterpret_cast<std::byte*>(&position));
    if (position >= specimen.numbers(input) ||
        !same_value(specimen.value(specimen.inputs(), {input, position}), output.expected[k]))
      return false;
  }
  return true;
}

std::optional<Held> held_elsewhere(const Trial& trial) {
  const Specimen& specimen = *trial.specimen;
  const Output output = first_wrong_output(trial);
  if (std::set(output.expected.begin(), output.expected.end()).size() < kFewest) return std::nullopt;
  for (std::size_t buffer = 0; buffer < trial.actual.size(); ++buffer) {
    const bool known = buffer != output.buffer && !trial.actual[buffer].empty();
    if (!known || specimen.numbers(buffer) < output.size() || specimen.is_input(buffer)) continue;
    for (std::uint64_t k = 0; k + output.size() <= specimen.numbers(buffer); ++k) {
      const Cell first{buffer, k};
      if (holds(specimen, trial.actual, output, first)) return Held{first, false};
      for (std::size_t input = 0; input < trial.actual.size(); ++input) {
        if (specimen.is_input(input) && holds_positions(specimen, trial.actual, output, first, input))
          return Held{first, true};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

// The result is in another buffer, as after an odd number of rounds with two buffers that take turns.
std::optional<Recognised> other_half(Laboratory& laboratory) {
  bool odd = false;
  const std::string kernel = kernel_of_turns(laboratory, odd);
  for (const Trial& trial : laboratory.trials()) {
    const auto held = held_elsewhere(trial);
    if (!held) continue;
    const Specimen& specimen = *trial.specimen;
    const Cell& wrong = trial.wrong.front();
    std::string what = fmt::format(
        "{} does not hold the result, but {} does, from {} on{}", specimen.spec().buffers[wrong.buffer].name,
        specimen.spec().buffers[held->first.buffer].name, specimen.name(held->first),
        held->as_positions ? " (as positions of the right numbers)" : "");
    if (!kernel.empty()) {
      what += fmt::format(
          ". In all sizes tried it is right after an {} number of launches of {} and wrong "
          "after an {} one, here after {}",
          odd ? "even" : "odd", kernel, odd ? "odd" : "even", launches_of(trial.kernels, kernel));
    }
    return Recognised{
        .trial = &trial, .wrong = wrong, .what = std::move(what), .written = wrong, .store_at_fault = true};
  }
  if (kernel.empty()) return std::nullopt;
  const Trial& trial = laboratory.trials().front();
  const Cell& wrong = trial.wrong.front();
  return Recognised{
      .trial = &trial,
      .wrong = wrong,
      .what =
          fmt::format("the outputs are right after an {} number of launches of {} and wrong after an {} one, "
                      "in all {} sizes tried: the result is taken from the wrong one of two buffers that "
                      "take turns",
                      odd ? "even" : "odd", kernel, odd ? "odd" : "even", laboratory.all_tried().size()),
      .written = wrong,
      .store_at_fault = true};
}

namespace {

// A wrong number that is a position in an input, beside the right one.
struct Positions {
  std::size_t input = 0;
  std::uint64_t wanted = 0, found = 0;
};

// Returns the numbers as positions in the first input that is long enough for both; nullopt: they are none.
std::optional<Positions> positions_of(const Trial& trial, const Cell& cell) {
  const Specimen& specimen = *trial.specimen;
  if (specimen.is_real(cell)) return std::nullopt;
  const long double wanted = specimen.value(specimen.expected(), cell);
  const long double found = specimen.value(trial.actual, cell);
  for (std::size_t input = 0; input < specimen.inputs().size(); ++input) {
    const auto count = static_cast<long double>(specimen.is_input(input) ? specimen.numbers(input) : 0);
    if (wanted < 0 || found < 0 || wanted >= count || found >= count) continue;
    return Positions{input, static_cast<std::uint64_t>(wanted), static_cast<std::uint64_t>(found)};
  }
  return std::nullopt;
}

long double value_at(const Trial& trial, const Positions& positions, std::uint64_t position) {
  return trial.specimen->value(trial.specimen->inputs(), {positions.input, position});
}

// Fewest wrong positions that belong to equal values, over all trials, so that it is no chance.
constexpr std::size_t kFewestTies = 2;

}  // namespace

// Each wrong number is the position of a value that equals the one whose position is expected.
std::optional<Recognised> position_of_equal(Laboratory& laboratory) {
  std::size_t count = 0;
  bool always_last = true;
  bool always_first = true;
  for (const Trial& trial : laboratory.trials()) {
    for (const Cell& cell : trial.wrong) {
      const auto at = positions_of(trial, cell);
      if (!at) return std::nullopt;
      const long double value = value_at(trial, *at, at->wanted);
      if (!same_value(value, value_at(trial, *at, at->found))) return std::nullopt;
      ++count;
      for (std::uint64_t k = 0; k < trial.specimen->numbers(at->input); ++k) {
        if (!same_value(value_at(trial, *at, k), value)) continue;
        always_last = always_last && k <= at->found;
        always_first = always_first && k >= at->wanted;
      }
    }
  }
  const bool distinct = count >= kFewestTies;
  if (!distinct) return std::nullopt;
  const Trial& trial = laboratory.trials().front();
  const Specimen& specimen = *trial.specimen;
  const Cell& cell = trial.wrong.front();
  const auto at = *positions_of(trial, cell);
  const Cell found{at.input, at.found};
  const Cell wanted{at.input, at.wanted};
  const std::string_view note = specimen.note(cell);
  return Recognised{.trial = &trial,
                    .wrong = cell,
                    .what = fmt::format(
                        "{} is {}, but {} equals {}: the value is right, and the position is that of {}. {}",
                        specimen.name(cell), at.found, specimen.name(found), specimen.name(wanted),
                        always_last ? "the last equal one" : "another equal one",
                        !note.empty()  ? fmt::format("The contract: {}", note)
                        : always_first ? "That of the first is expected"
                                       : "Another one is expected"),
                    .written = cell,
                    .store_at_fault = true};
}

// A value is right, and the position beside it is that of another value.
std::optional<Recognised> mixed_members(Laboratory& laboratory) {
  const Trial* shown = nullptr;
  for (const Trial& trial : laboratory.trials()) {
    const Specimen& specimen = *trial.specimen;
    for (const Cell& cell : trial.wrong) {
      const auto at = positions_of(trial, cell);
      if (!at) return std::nullopt;
      const auto beside = specimen.value_beside(cell);
      if (!beside || std::ranges::binary_search(trial.wrong, *beside)) return std::nullopt;
      const long double value = specimen.value(trial.actual, *beside);
      if (!same_value(value, value_at(trial, *at, at->wanted)) ||
          same_value(value, value_at(trial, *at, at->found)))
        return std::nullopt;
      if (shown == nullptr) shown = &trial;
    }
  }
  if (shown == nullptr) return std::nullopt;
  const Specimen& specimen = *shown->specimen;
  const Cell& cell = shown->wrong.front();
  const auto at = *positions_of(*shown, cell);
  const Cell found{at.input, at.found};
  const Cell beside = *specimen.value_beside(cell);
  return Recognised{
      .trial = shown,
      .wrong = cell,
      .what = fmt::format("{} is right ({}), but {} is {}, and {} is {}: the position does not belong to the "
                          "value beside it",
                          specimen.name(beside), specimen.text(shown->actual, beside), specimen.name(cell),
                          at.found, specimen.name(found), specimen.text(specimen.inputs(), found)),
      .written = cell,
      .store_at_fault = true};
}

// Numbers that belong to equal keys have changed their order: right numbers, each among those of its key.
std::optional<Recognised> unstable(Laboratory& laboratory) {
  const Trial* shown = nullptr;
  std::size_t by = 0;
  for (const Trial& trial : laboratory.trials()) {
    const Specimen& specimen = *trial.specimen;
    const Output output = first_wrong_output(trial);
    if (output.wrong.size() != trial.wrong.size() || output.size() < 2) return std::nullopt;
    bool grouped = false;
    for (std::size_t keys = 0; keys < trial.actual.size() && !grouped; ++keys) {
      const bool beside = keys != output.buffer && !trial.actual[keys].empty() &&
                          specimen.numbers(keys) == output.size() &&
                          specimen.spec().buffers[keys].role != Role::scratch;
      if (!beside) continue;
      // The numbers by their keys, as they are and as they should be.
      std::map<long double, std::multiset<long double>> actual;
      std::map<long double, std::multiset<long double>> expected;
      for (std::uint64_t k = 0; k < output.size(); ++k) {
        const long double key = specimen.value(specimen.expected(), {keys, k});
        actual[key].insert(output.actual[k]);
        expected[key].insert(output.expected[k]);
      }
      grouped = actual == expected && actual.size() > 1;
      by = keys;
    }
    if (!grouped) return std::nullopt;
    if (shown == nullptr) shown = &trial;
  }
  const Specimen& specimen = *shown->specimen;
  const Cell& cell = shown->wrong.front();
  const Cell key{by, cell.number};
  return Recognised{
      .trial = shown,
      .wrong = cell,
      .what = fmt::format(
          "{} and further numbers stand among those of equal {} ({}), but not in their order: "
          "the order of equal ones has to stay as it was",
          specimen.name(cell), specimen.spec().buffers[by].name, specimen.text(specimen.expected(), key)),
      .written = cell,
      .store_at_fault = true};
}

namespace {

// Fewest rows and columns that show where the numbers of each column came from.
constexpr std::uint64_t kFewestRows = 2;
constexpr std::uint64_t kFewestColumns = 8;

// Returns for each column the only one whose expected numbers it holds in all rows; empty if one has none, or
// several.
std::vector<std::uint64_t> origins_of_columns(const Output& output, std::uint64_t columns) {
  const auto holds_those_of = [&](std::uint64_t column, std::uint64_t other) {
    for (std::uint64_t first = 0; first < output.size(); first += columns) {
      if (!same_value(output.actual[first + column], output.expected[first + other])) return false;
    }
    return true;
  };
  std::vector<std::uint64_t> origins;
  for (std::uint64_t column = 0; column < columns; ++column) {
    std::vector<std::uint64_t> possible;
    for (std::uint64_t other = 0; other < columns; ++other) {
      if (holds_those_of(column, other)) possible.push_back(other);
    }
    if (possible.size() != 1) return {};
    origins.push_back(possible.front());
  }
  return origins;
}

}  // namespace

// The numbers of each row stand in wrong columns of it, the same in all rows.
std::optional<Recognised> permuted(Laboratory& laboratory) {
  for (const Trial* trial : laboratory.with_full_tiles()) {
    const Specimen& specimen = *trial->specimen;
    const Output output = first_wrong_output(*trial);
    const std::uint64_t columns = specimen.row(output.buffer);
    if (columns < kFewestColumns || output.size() < kFewestRows * columns) continue;
    const auto from = origins_of_columns(output, columns);
    if (from.empty() || std::set(from.begin(), from.end()).size() != columns) continue;
    const std::uint64_t wrong = trial->wrong.front().number;
    const std::uint64_t column = wrong % columns;
    const Cell origin{output.buffer, wrong - column + from[column]};
    std::string others;
    for (std::uint64_t k = column; k < columns && others.size() < 80; ++k) {
      if (from[k] != k) others += fmt::format("{} of {}, ", k, from[k]);
    }
    return Recognised{
        .trial = trial,
        .wrong = trial->wrong.front(),
        .what = fmt::format("{} holds what was computed for {}, and so in each row: column {}and so "
                            "on: results are stored by another index than that by which they were "
                            "computed",
                            specimen.name(trial->wrong.front()), specimen.name(origin), others),
        .written = trial->wrong.front(),
        .store_at_fault = true};
  }
  return std::nullopt;
}

}  // namespace warpmark::plain::look
