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

// The values that may be drawn. Integers are low + [0, span]; reals are in [real_low, real_high].
struct Range {
  std::int64_t low = 0;
  std::uint64_t span = 0;
  double real_low = 0;
  double real_high = 0;
};

// One buffer's data: the same description always gives the same elements, on every machine.
struct Drawing {
  std::string_view data_class;
  Number number = Number::i32;
  std::uint64_t count = 0;  // of numbers: elements times components
  Range range;
  double sum_below = 0x1p24;  // class `exact`: see BufferRule
  std::uint64_t seed = 0;
  std::uint64_t row = 0;  // class `exact`: numbers whose magnitudes sum below the limit; 0: all
};

// Returns the class's name, which lasts, or nullopt if data.cpp makes the class.
std::optional<std::string_view> built_in_class(std::string_view data_class);
// Returns the built-in classes, for a message.
std::string known_classes();
// Returns true if the class needs floating-point numbers.
bool needs_reals(std::string_view data_class);
// Returns true if the class gives the elements an order, so that vector types cannot have it.
bool is_ordered(std::string_view data_class);
// Returns true if redraw() knows the class.
bool can_be_patched(std::string_view data_class);

// Writes `count` numbers to target. Fails if no such data exist: offsets that do not fit, an exact sum that
// must be too large. The message begins with the class.
Result<void> fill(const Drawing& drawing, std::span<std::byte> target);

// A changed number: its index, and its bits before and after.
struct Change {
  std::uint64_t index = 0;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

// Changes the number at `index` so that it is beyond the range of the drawing: from outer's least value to
// just below the range's (low), or from just above the range's largest to outer's.
Change redraw_beyond(const Drawing& drawing, const Range& outer, bool low, std::uint64_t index,
                     std::uint64_t bits, std::span<std::byte> contents);

// Changes one or two numbers of `contents`, chosen by `seed`, so that they remain data of the class. Returns
// the changes in order; none if nothing can change.
std::vector<Change> redraw(const Drawing& drawing, std::uint64_t seed, std::span<std::byte> contents);

}  // namespace warpmark::plain
