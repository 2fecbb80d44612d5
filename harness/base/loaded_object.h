// Where an executable or shared library of this process lies.
#pragma once

#include <cstdint>

namespace warpmark {

struct LoadedObject {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;    // 0: there is none
  std::uint64_t shift = 0;  // of its addresses against those that its file says

  [[nodiscard]] bool holds(std::uint64_t address) const { return address >= begin && address < end; }
};

// The one that holds the address; of 0 the executable.
LoadedObject loaded_object_at(std::uint64_t address);

}  // namespace warpmark
