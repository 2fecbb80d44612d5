#include "harness/simulator/engine/memory/padding.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpmark::simulator {
namespace {

constexpr std::size_t kMostLayouts = 8;  // maximum number of structure layouts recorded per allocation

// Detects runs of uninitialised bytes (holes) that recur with a period, as the padding in an array of
// structures does, with at most 16 holes per structure. Structures that were copied as a whole have no holes.
class Rhythm {
 public:
  void add(std::size_t first, std::size_t end) {
    for (std::size_t k = 1; k <= kMost && k <= count_; ++k) {
      const Hole& before = last_[(count_ - k) % kMost];
      if (count_ == k) period_[k - 1] = first - before.first;
      if (first - before.first != period_[k - 1] || end - first != before.bytes) period_[k - 1] = kNone;
    }
    last_[count_++ % kMost] = {first, end - first};
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  // True if the runs of uninitialised bytes recur in at least a third of the structures that fit into
  // `bytes`.
  [[nodiscard]] bool fills(std::size_t bytes) const {
    // A run of uninitialised bytes counts as structure padding only if it recurs in at least one of kMany
    // array elements.
    constexpr std::size_t kMany = 3;
    for (std::size_t k = 1; k <= kMost && k < count_; ++k) {
      const std::size_t period = period_[k - 1];
      if (period != kNone && bytes % period == 0 && kMany * count_ >= k * (bytes / period)) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kMost = 16;
  static constexpr std::size_t kNone = 0;
  struct Hole {
    std::size_t first, bytes;
  };
  std::array<Hole, kMost> last_{};
  // period_[k] is the distance in bytes from each run of uninitialised bytes to the (k + 1)-th run before it;
  // kNone if that distance varies.
  std::array<std::size_t, kMost> period_{};
  std::size_t count_ = 0;
};

// True if the runs of uninitialised bytes in the range have the sizes, alignments and periodic distances of
// structure padding.
bool look_like_padding(std::size_t offset, std::size_t bytes, const DefinedBytes& defined) {
  constexpr std::size_t kMostAligned = 16;
  // Ranges of at most this many bytes are taken for one structure, with any number of runs of padding.
  constexpr std::size_t kSmallStructure = 256;
  // Ranges of at most this many bytes are taken for one structure if they have at most kFew runs of padding;
  // otherwise the runs must recur.
  constexpr std::size_t kLargeStructure = 4096;
  constexpr std::size_t kFew = 4;
  Rhythm rhythm;
  bool fits = true;
  defined.each_hole(offset, bytes, [&](std::size_t first, std::size_t end) {
    // Smallest alignment of the next structure member that requires this much padding before it.
    const std::size_t behind = std::bit_ceil(end - first + 1);
    fits = first != 0 && behind <= kMostAligned && (offset + end) % behind == 0;
    rhythm.add(first, end);
    return fits;
  });
  if (!fits) return false;
  return bytes <= kSmallStructure || (bytes <= kLargeStructure && rhythm.count() <= kFew) ||
         rhythm.fills(bytes);
}

}  // namespace

void Padding::note(std::size_t allocation, std::size_t place, const ElementLayout& layout) {
  // The pointee of a char* or void* says nothing about the structure layout.
  if (layout.bytes <= 1) return;
  std::vector<Elements>& known = by_allocation_[allocation];
  const bool is_new = std::ranges::none_of(known, [&](const Elements& each) {
    return each.layout == layout && (place - each.place) % layout.bytes == 0;
  });
  if (is_new && known.size() < kMostLayouts) known.push_back({place, layout});
}

bool Padding::Elements::is_padding(std::size_t at) const {
  const std::size_t size = layout.bytes;
  return layout.padding[at >= place ? (at - place) % size : (size - (place - at) % size) % size];
}

bool Padding::is_known(std::size_t allocation, std::size_t offset, std::size_t bytes) const {
  const auto known = by_allocation_.find(allocation);
  return known != by_allocation_.end() && std::ranges::any_of(known->second, [&](const Elements& each) {
           for (std::size_t at = offset; at < offset + bytes; ++at) {
             if (!each.is_padding(at)) return false;
           }
           return true;
         });
}

bool Padding::covers(std::size_t allocation, std::size_t offset, std::size_t bytes,
                     const DefinedBytes& defined) const {
  const auto known = by_allocation_.find(allocation);
  if (known == by_allocation_.end()) return look_like_padding(offset, bytes, defined);
  bool all = true;
  defined.each_hole(offset, bytes, [&](std::size_t first, std::size_t end) {
    for (std::size_t at = first; all && at < end; ++at) {
      all = std::ranges::any_of(known->second,
                                [&](const Elements& each) { return each.is_padding(offset + at); });
    }
    return all;
  });
  return all;
}

}  // namespace warpmark::simulator
