// Changes to a buffer's numbers before timed calls, so that an earlier answer is wrong for the next call.
// Every function changes `contents` and returns the changes in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/assignments/plain/classes.h"

namespace warpmark::plain {

// Redraws a number of the buffer `count` times; the new values still belong to the data class from which the
// buffer was drawn.
std::vector<Change> change_some(const Drawing& drawing, std::uint64_t seed, std::size_t count,
                                std::span<std::byte> contents);

struct Sides {
  bool low = false;
  bool high = false;
};
// Overwrites `count` numbers of a buffer with values outside the range it was drawn from, but within `outer`:
// alternately below and above if both sides are given. The buffer is divided into `count` equal parts; each
// gets one change.
std::vector<Change> change_beyond(const Drawing& drawing, const Range& outer, Sides sides, std::size_t count,
                                  std::span<std::byte> contents);

// Copies `count` numbers at random positions from `other` to `contents`, which is as long; copies all if
// there are no more than `count`.
std::vector<Change> change_to(std::span<const std::byte> other, std::size_t number_bytes, std::uint64_t seed,
                              std::size_t count, std::span<std::byte> contents);

}  // namespace warpmark::plain
