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
  bool reads = false;  // at least one of the race's accesses is a read
  // The race is between a write and a pure read: the reading thread does not store to the word that it
  // reads, i.e. the read is not part of a read-modify-write.
  bool reads_other = false;
  bool both_write = false;   // both accesses of the race write, atomic updates included
  bool atomic = false;       // at least one of the race's accesses is atomic
  bool other_known = false;  // the source line of the race's second access is known
  bool all_warps = false;    // the race was found in several warps of a block
  bool is_volatile = false;  // at least one of the race's accesses is to a volatile variable
  bool barriers = false;     // the racing kernel's program contains block barriers, e.g. __syncthreads()
  bool elements = false;     // the race was found at several elements of the array
};

}  // namespace warpmark::simulator
