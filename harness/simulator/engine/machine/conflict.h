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
  bool reads = false;  // data race with at least one read
  // Data race between a write and a pure read: the reading thread does not store to the word that it reads,
  // i.e. the read is not part of a read-modify-write.
  bool reads_other = false;
  bool both_write = false;   // data race of two writes, atomic updates included
  bool atomic = false;       // data race with at least one atomic access
  bool other_known = false;  // data race whose second access has a known source line
  bool all_warps = false;    // data race found in several warps of a block
  bool barriers = false;     // the program contains block barriers, e.g. __syncthreads()
  bool elements = false;     // data race found at several array elements
};

}  // namespace warpmark::simulator
