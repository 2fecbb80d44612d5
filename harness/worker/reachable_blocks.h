// Leak detection: finds the heap blocks that a library can still reach after a call, for example through a
// static container. Such blocks are not leaks.
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

// Returns the blocks that no chain of pointers leads to from the globals of the library that contains `code`.
// As in LeakSanitizer, every aligned word that looks like an address counts as a pointer.
std::vector<HeapBlock> out_of_reach(std::vector<HeapBlock> blocks, std::uint64_t code);

}  // namespace warpmark
