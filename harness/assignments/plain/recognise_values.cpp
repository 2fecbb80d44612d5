// Recognisers that compare wrong outputs with the expected ones.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "harness/assignments/plain/recognisers.h"
#include "harness/assignments/plain/wrong_output.h"

namespace warpmark::plain::look {
namespace {

// Returns true if each actual number is the expected one of another place: that of number i is at from(i), or
// unknown if from(i) is out of range. At least kFewest numbers and one of those that are wrong must be known.
bool holds_those_of(const Output& output, const std::function<std::int64_t(std::int64_t)>& from) {
  const auto count = static_cast<std::int64_t>(output.size());
  std::size_t known = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t place = from(i);
    if (place < 0 || place >= count) continue;
    if (!same_value(output.actual[static_cast<std::size_t>(i)],
                    output.expected[static_cast<std::size_t>(place)]))
      return false;
    ++known;
  }
  return known >= kFewest && 2 * known > output.size() &&
         std::ranges::any_of(output.wrong, [&](const Cell& cell) {
           const std::int64_t place = from(static_cast<std::int64_t>(cell.number));
           return place >= 0 && place < count;
         });
}

// Describes the inputs that a wrong number uses in place of others, as far as they were tried; may be empty.
std::string exchanged_inputs(Laboratory& laboratory, const Trial& trial, const Cell& wrong) {
  if (&trial != &laboratory.small()) return {};
  for (const Dependence& dependence : laboratory.dependences().of_wrong) {
    if (dependence.output != wrong) continue;
    std::vector<Cell> used;
    std::vector<Cell> wanted;
    for (const Effect& effect : dependence.differing) {
      if (effect.missing()) wanted.push_back(effect.input);
      if (effect.extra()) used.push_back(effect.input);
    }
    if (used.empty() || wanted.empty()) return {};
    return fmt::format("; it uses {} and should use {}", names_of(*trial.specimen, used),
                       names_of(*trial.specimen, wanted));
  }
  return {};
}

// Describes outputs that stand in wrong places: the first wrong number whose place is known.
std::optional<Recognised> in_the_place_of(Laboratory& laboratory, const Output& output,
                                          const std::function<std::int64_t(std::int64_t)>& from,
                                          std::string_view how) {
  std::optional<Recognised> found;
  for (const Cell& cell : output.wrong) {
    const std::int64_t place = from(static_cast<std::int64_t>(cell.number));
    if (place < 0 || place >= static_cast<std::int64_t>(output.size())) continue;
    const Cell other{output.buffer, static_cast<std::uint64_t>(place)};
    // Preferably one of which the inputs show it, too.
    const std::string inputs = exchanged_inputs(laboratory, output.trial, cell);
    if (found && inputs.empty()) continue;
    found = Recognised{.trial = &output.trial,
                       .wrong = cell,
                       .what = fmt::format("{} holds the value of {}: {}{}", output.specimen().name(cell),
                                           output.specimen().name(other), how, inputs),
                       .written = cell};
    if (!inputs.empty()) break;
  }
  return found;
}

std::string amount(long double value) {
  return fmt::format("{:.6g}", static_cast<double>(value));
}

}  // namespace

std::optional<Recognised> transposed(Laboratory& laboratory) {
  for (const Trial* trial : by_survey(laboratory)) {
    const Output output = first_wrong_output(*trial);
    const auto columns = static_cast<std::int64_t>(trial->specimen->row(output.buffer));
    if (columns == 0 || output.size() == 0) continue;
    const std::int64_t rows = static_cast<std::int64_t>(output.size()) / columns;
    // As an array of columns x rows, the output is the transpose of the expected one.
    const auto from = [&](std::int64_t i) { return i % rows * columns + i / rows; };
    if (rows > 1 && columns > 1 && holds_those_of(output, from)) {
      auto found = in_the_place_of(laboratory, output, from, "row and column are swapped");
      if (found) found->store_at_fault = true;
      return found;
    }
  }
  return std::nullopt;
}

std::optional<Recognised> reversed(Laboratory& laboratory) {
  for (const Trial* trial : by_survey(laboratory)) {
    const Output output = first_wrong_output(*trial);
    const auto last = static_cast<std::int64_t>(output.size()) - 1;
    const auto from = [&](std::int64_t i) { return last - i; };
    if (holds_those_of(output, from))
      return in_the_place_of(laboratory, output, from, "the order is reversed");
  }
  return std::nullopt;
}

std::optional<Recognised> shifted(Laboratory& laboratory) {
  for (const Trial* trial : by_survey(laboratory)) {
    const Output output = first_wrong_output(*trial);
    const auto columns = static_cast<std::int64_t>(trial->specimen->row(output.buffer));
    for (const std::int64_t down : {0, -1, 1}) {
      for (const std::int64_t right : {0, -1, 1, -2, 2}) {
        if ((down == 0 && right == 0) || (columns == 0 && down != 0)) continue;
        // A neighbour beyond the edge of a row or of the output is not known.
        const auto from = [&](std::int64_t i) -> std::int64_t {
          const std::int64_t column = columns == 0 ? i : i % columns;
          const bool outside = column + right < 0 || (columns != 0 && column + right >= columns);
          return outside ? -1 : i + down * columns + right;
        };
        if (!holds_those_of(output, from)) continue;
        const std::int64_t by = right != 0 ? std::abs(right) : 1;
        return in_the_place_of(
            laboratory, output, from,
            fmt::format("all is shifted by {}{}", by == 1 ? "one" : "two",
                        columns == 0 ? "" : (right == 0 ? " row" : (by == 1 ? " column" : " columns"))));
      }
    }
  }
  return std::nullopt;
}

// All wrong numbers differ from the expected ones by the same amount.
std::optional<Recognised> constant(Laboratory& laboratory) {
  for (const Trial* trial : by_survey(laboratory)) {
    const Specimen& specimen = *trial->specimen;
    if (trial->wrong.size() < kFewest) continue;
    std::set<long double> expected;
    long double first = 0;
    bool all = true;
    for (const Cell& cell : trial->wrong) {
      const long double by = specimen.change(cell, specimen.expected(), trial->actual);
      if (cell == trial->wrong.front()) first = by;
      const long double magnitude = std::max(std::abs(specimen.value(specimen.expected(), cell)),
                                             std::abs(specimen.value(trial->actual, cell)));
      all = all && cell.buffer == trial->wrong.front().buffer &&
            Laboratory::same_change(specimen, cell, by, first, magnitude);
      expected.insert(specimen.value(specimen.expected(), cell));
    }
    if (!all || expected.size() < kFewest || std::isnan(first)) continue;
    const Cell& cell = trial->wrong.front();
    return Recognised{
        .trial = trial,
        .wrong = cell,
        .what = fmt::format(
            "{} is too {} by {}, and so {} further numbers", specimen.name(cell),
            first > 0 ? "large" : "small", amount(std::abs(first)),
            trial->wrong.size() - 1 == 1 ? "is 1 of the" : fmt::format("are {}", trial->wrong.size() - 1)),
        .written = cell,
        .store_at_fault = true};
  }
  return std::nullopt;
}

namespace {

// Returns the first wrong number of the trial with most wrong ones in which `made` turns the expected value
// of each wrong number, and at least `fewest` of them, into the actual one.
std::optional<Recognised> made_from_expected(
    const Laboratory& laboratory, std::size_t fewest,
    const std::function<std::optional<long double>(const Specimen&, const Cell&, long double)>& made,
    std::string_view how) {
  for (auto trial = laboratory.trials().rbegin(); trial != laboratory.trials().rend(); ++trial) {
    const Specimen& specimen = *trial->specimen;
    std::size_t changed = 0;
    bool all = true;
    for (const Cell& cell : trial->wrong) {
      const long double expected = specimen.value(specimen.expected(), cell);
      // NaN is made by no conversion: any NaN would seem to be made so.
      const auto value = std::isnan(expected) ? std::nullopt : made(specimen, cell, expected);
      all = all && value && same_value(*value, specimen.value(trial->actual, cell));
      changed += all ? 1 : 0;
    }
    if (!all || changed < fewest) continue;
    const Cell& cell = trial->wrong.front();
    return Recognised{.trial = &*trial,
                      .wrong = cell,
                      .what = fmt::format("{} is {}", specimen.name(cell), how),
                      .written = cell,
                      .store_at_fault = true};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Recognised> truncated(Laboratory& laboratory) {
  for (const auto& [cut, how] :
       {std::pair<long double (*)(long double), std::string_view>{
            [](long double value) { return std::trunc(value); },
            "the expected value without its fraction: a whole number stands between, in an int or a division "
            "of ints"},
        {[](long double value) { return std::nearbyint(value); },
         "the expected value, rounded to a whole number: an int stands between"}}) {
    auto found = made_from_expected(
        laboratory, 2,
        [&](const Specimen& specimen, const Cell& cell, long double expected) -> std::optional<long double> {
          if (!specimen.is_real(cell)) return std::nullopt;
          return cut(expected);
        },
        how);
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<Recognised> narrow(Laboratory& laboratory) {
  struct Width {
    int bits;
    bool is_signed;
  };
  for (const auto& [bits, is_signed] : {Width{8, true}, Width{8, false}, Width{16, true}, Width{16, false},
                                        Width{32, true}, Width{32, false}}) {
    const long double period = std::ldexp(1.0L, bits);
    auto found = made_from_expected(
        laboratory, 1,
        [&](const Specimen& specimen, const Cell& cell, long double expected) -> std::optional<long double> {
          if (specimen.is_real(cell)) return std::nullopt;
          long double low = std::fmod(expected, period);
          if (low < 0) low += period;
          if (is_signed && low >= period / 2) low -= period;
          return low;
        },
        fmt::format("what {} bits {}hold of the expected value: a variable or the shared memory between has "
                    "a type of {} bits",
                    bits, is_signed ? "" : "without a sign ", bits));
    if (!found) continue;
    if (bits == 8) found->types = {"char", "int8_t", "uint8_t"};
    if (bits == 16) found->types = {"short", "int16_t", "uint16_t"};
    return found;
  }
  auto found = made_from_expected(
      laboratory, 1,
      [&](const Specimen& specimen, const Cell& cell, long double expected) -> std::optional<long double> {
        if (specimen.type(cell) == Number::f32) return std::nullopt;
        return static_cast<long double>(static_cast<float>(expected));
      },
      "the expected value, rounded to the 24 bits of a float");
  if (found) found->types = {"float"};
  return found;
}

std::optional<Recognised> negated(Laboratory& laboratory) {
  return made_from_expected(
      laboratory, 2,
      [](const Specimen& /*specimen*/, const Cell& /*cell*/, long double expected) {
        return std::optional(-expected);
      },
      "the expected value with the other sign: the operands of a subtraction stand the other way round, or a "
      "minus is missing");
}

}  // namespace warpmark::plain::look
