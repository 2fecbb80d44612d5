// Recognisers that look for kinds of inputs without which the outputs are right.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/plain/recognisers.h"

namespace warpmark::plain::look {
namespace {

// A kind of inputs, and what replaces it.
struct Special {
  std::string_view mistake;
  std::string_view inputs;  // in a message: "without NaN among the inputs"
  std::string_view remedy;
  // Returns what replaces a value; nullopt: it stays. `seen`: how many equal values came before.
  std::optional<long double> (*replaced)(long double value, std::size_t seen);
  bool reals_alone = false;
};

constexpr std::array kSpecials{
    Special{
        "nan", "without NaN among the inputs",
        "every comparison with NaN is false; ask value != value before one",
        [](long double value, std::size_t) { return std::isnan(value) ? std::optional(1.0L) : std::nullopt; },
        true},
    // Before infinities, which are equal to each other.
    Special{"ties", "where no two inputs are equal", "decide by their positions what happens to equal values",
            [](long double value, std::size_t seen) {
              const long double other = std::isinf(value) ? 0 : value;
              return seen == 0 ? std::nullopt : std::optional(other + static_cast<long double>(seen));
            }},
    Special{
        "infinity", "without infinities among the inputs",
        "an infinity is greater than every number with which a search may begin",
        [](long double value, std::size_t) { return std::isinf(value) ? std::optional(1.0L) : std::nullopt; },
        true},
    Special{"negative_zero", "with 0 for -0 among the inputs", "-0 and 0 are equal, but their bits are not",
            [](long double value, std::size_t) {
              return value == 0 && std::signbit(value) ? std::optional(0.0L) : std::nullopt;
            },
            true},
    Special{"precision", "where all inputs are whole numbers",
            "a fraction is lost on the way: a variable or the shared memory has a type without fractions or "
            "with too few digits, or whole numbers are divided",
            [](long double value, std::size_t) {
              return std::isfinite(value) && value != std::trunc(value)
                         ? std::optional(
                               std::copysign(1 + std::fmod(std::trunc(std::abs(value) * 4096), 7.0L), value))
                         : std::nullopt;
            },
            true},
    Special{"signedness", "without negative inputs",
            "a search that begins with 0, a type without a sign or a shift treats negative values otherwise",
            [](long double value, std::size_t) { return value < 0 ? std::optional(-value) : std::nullopt; }},
    Special{"integer_width", "where all inputs are small",
            "an intermediate value is too large for its type and wraps around or is rounded",
            [](long double value, std::size_t) {
              return std::abs(value) > 7 ? std::optional(std::copysign(
                                               1 + std::fmod(std::trunc(std::abs(value)), 7.0L), value))
                                         : std::nullopt;
            }},
};

// Fewest numbers of inputs whose whole values say something about fractions: of two or three, others may
// matter.
constexpr std::size_t kFewestWhole = 5;

// Replaces the inputs of a kind, as far as the contract allows. Returns nullopt if there are none.
std::optional<Contents> without(const Specimen& specimen, const Special& special) {
  std::size_t replaced = 0;
  std::map<std::pair<std::size_t, long double>, std::size_t> seen;
  Contents inputs = specimen.with_values([&](const Cell& cell, long double value) {
    if (special.reals_alone && !specimen.is_real(cell)) return std::optional<long double>();
    const std::size_t before = std::isnan(value) ? 0 : seen[{cell.buffer, value}]++;
    const auto other = special.replaced(value, before);
    replaced += other ? 1 : 0;
    return other;
  });
  const std::size_t fewest = special.mistake == "precision" ? kFewestWhole : 1;
  return replaced >= fewest ? std::optional(std::move(inputs)) : std::nullopt;
}

// Returns true if all outputs are those expected, within rounding.
bool is_right(const Specimen& specimen, const Contents& expected, const Contents& actual) {
  return std::ranges::all_of(specimen.outputs(), [&](const Cell& cell) {
    const long double change = specimen.change(cell, expected, actual);
    return Laboratory::same_change(specimen, cell, change, 0, std::abs(specimen.value(expected, cell)));
  });
}

}  // namespace

namespace {

constexpr std::size_t kMostTrials = 6;

std::optional<Recognised> right_without(Laboratory& laboratory, std::span<const Special> specials) {
  // The smallest trials first. Of one, the outputs may be right by chance: what was wrong need not matter to
  // the other values.
  std::vector<const Trial*> trials{&laboratory.small()};
  for (const Trial& trial : laboratory.trials()) {
    if (&trial != trials.front() && trials.size() < kMostTrials) trials.push_back(&trial);
  }
  for (const Special& special : specials) {
    const Trial* shown = nullptr;
    for (const Trial* trial : trials) {
      const auto inputs = without(*trial->specimen, special);
      if (!inputs) continue;
      const auto actual = laboratory.call(*trial, *inputs, Laboratory::kBefore);
      if (!actual || !is_right(*trial->specimen, trial->specimen->expected_for(*inputs), *actual)) {
        shown = nullptr;
        break;
      }
      if (shown == nullptr) shown = trial;
    }
    if (shown == nullptr) continue;
    const Cell& wrong = shown->wrong.front();
    Recognised found{.trial = shown,
                     .wrong = wrong,
                     .what = fmt::format("{} is right {}: {}", shown->specimen->name(wrong), special.inputs,
                                         special.remedy),
                     .written = wrong,
                     .store_at_fault = special.mistake != "precision",
                     .mistake = special.mistake};
    if (special.mistake == "precision") found.types = {"int", "float"};
    return found;
  }
  return std::nullopt;
}

// Inputs without the kinds before this one leave other mistakes visible.
constexpr std::size_t kTellingSpecials = 6;

}  // namespace

std::optional<Recognised> special_values(Laboratory& laboratory) {
  return right_without(laboratory, std::span(kSpecials).first(kTellingSpecials));
}

std::optional<Recognised> large_values(Laboratory& laboratory) {
  return right_without(laboratory, std::span(kSpecials).subspan(kTellingSpecials));
}

}  // namespace warpmark::plain::look
