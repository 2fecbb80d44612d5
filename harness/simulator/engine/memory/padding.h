// Decides which uninitialised bytes of device memory are structure padding, which no program needs to set.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "harness/simulator/engine/memory/defined_bytes.h"

namespace warpmark::simulator {

// Size and padding bytes of the pointee type of a kernel's pointer parameter.
struct ElementLayout {
  std::size_t bytes = 0;
  std::vector<bool> padding;  // indexed by byte offset in the structure: true if the byte is padding
  bool operator==(const ElementLayout&) const = default;
};

// Structure layouts in device memory, learnt from the types of kernels' pointer parameters. All offsets are
// offsets in the race detector's shadow (Allocation::place).
class Padding {
 public:
  // Records that a kernel takes a pointer, at shadow offset `place`, to structures with the given layout,
  // inside the allocation that starts at shadow offset `allocation`.
  void note(std::size_t allocation, std::size_t place, const ElementLayout& layout);
  void forget(std::size_t allocation) { by_allocation_.erase(allocation); }
  // True if all uninitialised bytes of the range may be padding. Without a recorded layout, bytes may be
  // padding if they precede an aligned member or the structure's end, and recur in many of the elements.
  [[nodiscard]] bool covers(std::size_t allocation, std::size_t offset, std::size_t bytes,
                            const DefinedBytes& defined) const;
  // True if, by some recorded layout, the range consists of padding only.
  [[nodiscard]] bool is_known(std::size_t allocation, std::size_t offset, std::size_t bytes) const;

 private:
  struct Elements {
    std::size_t place;  // offset, in the race detector's shadow, of any one structure of the array
    ElementLayout layout;
    [[nodiscard]] bool is_padding(std::size_t at) const;
  };
  std::map<std::size_t, std::vector<Elements>> by_allocation_;
};

}  // namespace warpmark::simulator
