// Which unset bytes of device memory are the padding of structures, and so nobody's to set.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "harness/simulator/memory/defined_bytes.h"

namespace warpmark::simulator {

// What a pointer points to.
struct ElementLayout {
  std::size_t bytes = 0;
  std::vector<bool> padding;  // by byte
  bool operator==(const ElementLayout&) const = default;
};

// The layouts of what lies in memory, as kernels' pointers there have them. Places are those of the shadow.
class Padding {
 public:
  // A kernel gets a pointer to elements at that place of an allocation.
  void note(std::size_t allocation, std::size_t place, const ElementLayout& layout);
  void forget(std::size_t allocation) { by_allocation_.erase(allocation); }
  // Whether all unset bytes of a range may be padding. Where no layout is known they may if they lie before
  // an aligned member, or before the end, in many of the elements.
  [[nodiscard]] bool covers(std::size_t allocation, std::size_t offset, std::size_t bytes,
                            const DefinedBytes& defined) const;
  // Whether a layout that is known has nothing but padding there.
  [[nodiscard]] bool is_known(std::size_t allocation, std::size_t offset, std::size_t bytes) const;

 private:
  struct Elements {
    std::size_t place;  // of one of them
    ElementLayout layout;
    [[nodiscard]] bool is_padding(std::size_t at) const;
  };
  std::map<std::size_t, std::vector<Elements>> by_allocation_;
};

}  // namespace warpmark::simulator
