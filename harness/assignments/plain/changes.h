// Changes to a buffer's numbers before timed calls, so that an earlier answer is wrong for the next call.
// Every function changes `contents` and returns the changes in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/assignments/plain/classes.h"

namespace warpmark::plain {

// Redraws numbers `count` times, so that they remain data of the drawing's class.
std::vector<Change> change_some(const Drawing& drawing, std::uint64_t seed, std::size_t count,
                                std::span<std::byte> contents);

struct Sides {
  bool low = false;
  bool high = false;
};
// Writes `count` numbers that are beyond the drawing's range and within `outer`, on the given sides in turn:
// each in a part of the buffer of its own.
std::vector<Change> change_beyond(const Drawing& drawing, const Range& outer, Sides sides, std::size_t count,
                                  std::span<std::byte> contents);

// Takes `count` numbers over from `other`, which is as long, at drawn places; all of them if there are no
// more.
std::vector<Change> change_to(std::span<const std::byte> other, std::size_t number_bytes, std::uint64_t seed,
                              std::size_t count, std::span<std::byte> contents);

}  // namespace warpmark::plain
