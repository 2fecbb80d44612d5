// Describes a data race: two conflicting, unordered accesses to one word. Determines the remedy in the
// message.
#pragma once

#include <cstdint>
#include <string>

namespace warpmark::simulator {

struct Conflict {
  enum class Within : std::uint8_t { warp, block, grid };

  std::string array;  // source name of the memory, e.g. "shared" or "sum"
  bool shared = false;
  Within within = Within::block;
  bool reads = false;  // at least one of the two accesses is a read
  // The read is not part of a read-modify-write: its thread does not store to the word that it reads.
  bool reads_other = false;
  bool both_write = false;   // both accesses write; atomic updates count as writes
  bool atomic = false;       // at least one of the two accesses is atomic
  bool other_known = false;  // the source line of the second access is known
  bool all_warps = false;    // the same conflict occurred in more than one warp of a block
  bool barriers = false;     // the program contains block barriers
  bool elements = false;     // the same conflict occurred at more than one element of the array
};

}  // namespace warpmark::simulator
