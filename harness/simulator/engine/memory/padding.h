// Decides which uninitialised bytes of device memory are structure padding, which no program needs to set.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "harness/simulator/engine/memory/defined_bytes.h"

namespace warpmark::simulator {

// Size and padding of the type that a kernel's pointer parameter points to.
struct ElementLayout {
  std::size_t bytes = 0;
  std::vector<bool> padding;  // one flag per byte
  bool operator==(const ElementLayout&) const = default;
};

// Structure layouts in device memory, learnt from the kernels' pointers. Offsets are shadow offsets
// (Allocation::place).
class Padding {
 public:
  // Records that a kernel receives a pointer to elements at that offset in an allocation.
  void note(std::size_t allocation, std::size_t place, const ElementLayout& layout);
  void forget(std::size_t allocation) { by_allocation_.erase(allocation); }
  // True if all uninitialised bytes of the range may be padding. Without a known layout, they may be if they
  // precede an aligned member or the structure's end, and recur in many of the elements.
  [[nodiscard]] bool covers(std::size_t allocation, std::size_t offset, std::size_t bytes,
                            const DefinedBytes& defined) const;
  // True if some known layout has only padding in the range.
  [[nodiscard]] bool is_known(std::size_t allocation, std::size_t offset, std::size_t bytes) const;

 private:
  struct Elements {
    std::size_t place;  // offset of one element
    ElementLayout layout;
    [[nodiscard]] bool is_padding(std::size_t at) const;
  };
  std::map<std::size_t, std::vector<Elements>> by_allocation_;
};

}  // namespace warpmark::simulator
