// What is known of two accesses to one word that nothing orders.
#pragma once

#include <cstdint>
#include <string>

namespace warpmark::simulator {

struct Conflict {
  enum class Within : std::uint8_t { warp, block, grid };

  std::string array;  // what the kernel calls the memory: "shared", "sum"
  bool shared = false;
  Within within = Within::block;
  bool reads = false;  // one of them reads
  bool reads_other =
      false;                // ... a word that its line does not store to itself: what another thread computes
  bool both_write = false;  // atomic updates included
  bool atomic = false;      // one of them is an atomic operation
  bool other_known = false;  // the other's line is
  bool all_warps = false;    // seen in more than one warp of a block
  bool barriers = false;     // the program has barriers of a block
  bool elements = false;     // seen at more than one element of the array
};

}  // namespace warpmark::simulator
