#include "harness/assignments/plain/changes.h"

#include <algorithm>
#include <cstring>

#include "harness/assignments/random.h"

namespace warpmark::plain {

std::vector<Change> change_some(const Drawing& drawing, std::uint64_t seed, std::size_t count,
                                std::span<std::byte> contents) {
  std::vector<Change> all;
  for (std::size_t k = 0; k < count; ++k) {
    for (const Change& change : redraw(drawing, random_bits(seed, k), contents)) all.push_back(change);
  }
  return all;
}

std::vector<Change> change_beyond(const Drawing& drawing, const Range& outer, Sides sides, std::size_t count,
                                  std::span<std::byte> contents) {
  std::vector<Change> all;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t begin = drawing.count * k / count;
    const std::uint64_t end = std::max(drawing.count * (k + 1) / count, begin + 1);
    const std::uint64_t index = begin + random_below(drawing.seed, 2 * k, end - begin);
    const bool low = sides.low && (k % 2 == 0 || !sides.high);
    all.push_back(redraw_beyond(drawing, outer, low, index, random_bits(drawing.seed, 2 * k + 1), contents));
  }
  return all;
}

std::vector<Change> change_to(std::span<const std::byte> other, std::size_t number_bytes, std::uint64_t seed,
                              std::size_t count, std::span<std::byte> contents) {
  const std::uint64_t numbers = contents.size() / number_bytes;
  std::vector<Change> all;
  for (std::uint64_t k = 0; k < std::min<std::uint64_t>(count, numbers); ++k) {
    Change change{numbers <= count ? k : random_below(seed, k, numbers)};
    std::byte* const at = contents.data() + change.index * number_bytes;
    std::memcpy(&change.before, at, number_bytes);
    std::memcpy(&change.after, other.data() + change.index * number_bytes, number_bytes);
    std::memcpy(at, &change.after, number_bytes);
    if (change.after != change.before) all.push_back(change);
  }
  return all;
}

}  // namespace warpmark::plain
