// Recognisers of right numbers in the wrong order: they say which order it is.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "harness/assignments/plain/recognisers.h"
#include "harness/assignments/plain/wrong_output.h"

namespace warpmark::plain::look {
namespace {

// The bits of a number as a number without a sign, of which the ascending order is another one.
std::uint64_t bits_of(Number number, long double value) {
  std::uint64_t bits = 0;
  with_number(number, [&]<class T>() {
    if constexpr (sizeof(T) == 4)
      bits = std::bit_cast<std::uint32_t>(static_cast<T>(value));
    else if constexpr (sizeof(T) == 8)
      bits = std::bit_cast<std::uint64_t>(static_cast<T>(value));
    else
      bits = static_cast<std::uint64_t>(value);
  });
  return bits;
}

// An order that is not the asked one: numbers come by their keys.
struct Order {
  std::string_view text;  // behind "in the wrong order, "
  // Returns the key by which a number comes.
  long double (*key)(Number number, long double value);
};

template <int kBits>
long double lowest_bits(Number number, long double value) {
  return static_cast<long double>(bits_of(number, value) & ((std::uint64_t{1} << kBits) - 1));
}
// Whole numbers without their lowest bits.
template <int kBits>
long double highest_bits(Number number, long double value) {
  return number == Number::f32 || number == Number::f64 ? value : std::floor(std::ldexp(value, -kBits));
}
long double magnitude(Number /*number*/, long double value) {
  return std::abs(value);
}
long double without_a_sign(Number number, long double value) {
  return static_cast<long double>(bits_of(number, value));
}
long double as_an_int(Number number, long double value) {
  return number == Number::f32 ? std::bit_cast<std::int32_t>(static_cast<float>(value)) : value;
}
long double without_a_fraction(Number /*number*/, long double value) {
  return std::trunc(value);
}

constexpr std::string_view kMoreBits = "the steps over the other bits are missing, or lose the order before";
constexpr std::array kOrders{
    Order{"descending for ascending: the comparison is the wrong way round",
          [](Number, long double value) { return -value; }},
    Order{"by their magnitude: the sign is lost", magnitude},
    Order{"that of their bits as numbers without a sign, so that negative ones come last: flip the sign bit "
          "(and all bits of a negative float) first",
          without_a_sign},
    Order{"that of their bits as an int, so that negative floats come the wrong way round: flip all bits of "
          "a negative float",
          as_an_int},
    Order{"by their whole parts alone: the fraction is lost", without_a_fraction},
    Order{"by all but their lowest 8 bits: ", highest_bits<8>},
    Order{"by all but their lowest 16 bits: ", highest_bits<16>},
    Order{"by their lowest 24 bits alone: ", lowest_bits<24>},
    Order{"by their lowest 16 bits alone: ", lowest_bits<16>},
    Order{"by their lowest 8 bits alone: ", lowest_bits<8>},
    Order{"by their lowest 4 bits alone: ", lowest_bits<4>},
};

bool is_sorted_by(const Output& output, const Order& order) {
  const Number number = output.specimen().type({output.buffer, 0});
  const auto key = [&](long double value) { return order.key(number, value); };
  return std::ranges::is_sorted(output.actual, {}, key);
}

// Returns the name of an input that the output equals number by number; empty if there is none.
std::string input_in_this_order(const Output& output, bool backwards) {
  const Specimen& specimen = output.specimen();
  for (std::size_t buffer = 0; buffer < specimen.inputs().size(); ++buffer) {
    if (!specimen.is_input(buffer) || specimen.numbers(buffer) != output.size()) continue;
    std::vector<long double> values;
    for (std::uint64_t k = 0; k < output.size(); ++k)
      values.push_back(specimen.value(specimen.inputs(), {buffer, k}));
    if (backwards) std::ranges::reverse(values);
    if (std::ranges::equal(values, output.actual, same_value)) return specimen.spec().buffers[buffer].name;
  }
  return {};
}

// Returns the length of the ascending parts that the output consists of; 0 if it has no such parts.
std::uint64_t parts_of(const Output& output) {
  constexpr std::uint64_t kShortest = 4;
  std::uint64_t part = 0;
  for (std::uint64_t i = 1; i < output.size(); ++i) {
    if (output.actual[i] >= output.actual[i - 1]) continue;
    if (part == 0) part = i;
    if (i % part != 0) return 0;
  }
  return part >= kShortest ? part : 0;
}

// Names the order of an output's numbers, which should ascend; empty if it is none of those known.
std::string named_order(const Output& output) {
  if (const std::string input = input_in_this_order(output, false); !input.empty())
    return fmt::format(
        ", that of {}: nothing was moved, or they were sorted by something that has this order already, such "
        "as their positions",
        input);
  if (const std::string input = input_in_this_order(output, true); !input.empty())
    return fmt::format(", that of {} backwards", input);
  for (const Order& order : kOrders) {
    if (is_sorted_by(output, order))
      return fmt::format(", {}{}", order.text, order.text.ends_with(": ") ? kMoreBits : "");
  }
  if (const std::uint64_t part = parts_of(output); part != 0)
    return fmt::format(": sorted in parts of {}, which were not merged", part);
  return {};
}

bool is_permuted(const Trial& trial) {
  const Output output = first_wrong_output(trial);
  auto expected = output.expected;
  auto actual = output.actual;
  std::ranges::sort(expected);
  std::ranges::sort(actual);
  return !expected.empty() && expected == actual;
}

Recognised recognised(const Output& output, const std::string& order) {
  return {.trial = &output.trial,
          .wrong = output.wrong.front(),
          .what = fmt::format("{} has the right numbers in the wrong order{}",
                              output.specimen().spec().buffers[output.buffer].name, order),
          .written = output.wrong.front(),
          .store_at_fault = true};
}

}  // namespace

std::optional<Recognised> another_order(Laboratory& laboratory) {
  if (!std::ranges::all_of(laboratory.trials(), is_permuted)) return std::nullopt;
  // An order that few numbers have may be chance: the largest trial shows it.
  const Output output = first_wrong_output(laboratory.largest());
  if (output.size() < kFewest || !std::ranges::is_sorted(output.expected)) return std::nullopt;
  const std::string order = named_order(output);
  if (order.empty()) return std::nullopt;
  return recognised(output, order);
}

std::optional<Recognised> no_order(Laboratory& laboratory) {
  if (!std::ranges::all_of(laboratory.trials(), is_permuted)) return std::nullopt;
  for (const Trial* trial : by_survey(laboratory)) {
    const Output output = first_wrong_output(*trial);
    if (output.size() < kFewest) continue;
    return recognised(output, fmt::format(", from {} on", output.specimen().name(output.wrong.front())));
  }
  return std::nullopt;
}

}  // namespace warpmark::plain::look
