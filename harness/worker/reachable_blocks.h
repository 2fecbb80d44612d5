// Finds the heap blocks that a library can still reach after a call, such as those of a static container:
// these are not leaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpmark {

struct HeapBlock {
  std::uint64_t address = 0;
  std::size_t bytes = 0;

  bool operator<(const HeapBlock& other) const { return address < other.address; }
};

// Returns the blocks that are unreachable from the globals of the library that holds `code`, directly or
// through other blocks. Only aligned words are followed. As conservative as LeakSanitizer: any word that
// looks like an address counts as a pointer.
std::vector<HeapBlock> out_of_reach(std::vector<HeapBlock> blocks, std::uint64_t code);

}  // namespace warpmark
