// The built-in classes of data: how the elements of an input are drawn from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assignments/plain/element.h"
#include "harness/base/error.h"

namespace warpmark::plain {

// Range of values that a generated input may contain. Integers are low + [0, span]; reals are in [real_low,
// real_high].
struct Range {
  std::int64_t low = 0;
  std::uint64_t span = 0;
  double real_low = 0;
  double real_high = 0;
};

// Parameters from which one buffer is generated: the same ones always give the same elements, on every
// machine.
struct Drawing {
  std::string_view data_class;
  Number number = Number::i32;
  std::uint64_t count = 0;  // numbers in the buffer: its elements times the components of each (float4: 4)
  Range range;
  double sum_below = 0x1p24;  // data class `exact`: limit on the sum of magnitudes
  std::uint64_t seed = 0;
  std::uint64_t row = 0;  // data class `exact`: row length if the limit is per row; 0: one limit for all
};

// Returns the name of a built-in data class with static storage duration, or nullopt if the class is not
// built in: the course's data.cpp generates it.
std::optional<std::string_view> built_in_class(std::string_view data_class);
// Returns the names of the built-in data classes, for an error message.
std::string known_classes();
// Returns true if the data class can only be drawn for floating-point numbers.
bool needs_reals(std::string_view data_class);
// Returns true if the data class gives offsets of segments, which ascend from 0.
bool is_offsets(std::string_view data_class);
// Returns true if the data class orders its elements (as sorted data are), which vector types such as float4
// do not allow.
bool is_ordered(std::string_view data_class);

// Fills `target` with numbers of the drawing's data class. Fails if no such numbers exist: offsets that
// exceed their type, or a limit on the sum that cannot be kept. The message begins with the data class.
Result<void> fill(const Drawing& drawing, std::span<std::byte> target);

// A changed number: its index, and its bits before and after.
struct Change {
  std::uint64_t index = 0;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

// Replaces the number at `index` by one outside the range that its buffer was drawn from, but within `outer`:
// below that range if `low`, else above it.
Change redraw_beyond(const Drawing& drawing, const Range& outer, bool low, std::uint64_t index,
                     std::uint64_t bits, std::span<std::byte> contents);

// Changes one or two numbers of `contents`, chosen by `seed`, so that they still belong to the data class.
// Returns the changes in order; none if nothing can change.
std::vector<Change> redraw(const Drawing& drawing, std::uint64_t seed, std::span<std::byte> contents);

}  // namespace warpmark::plain
