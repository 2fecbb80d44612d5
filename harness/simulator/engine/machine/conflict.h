// Describes two conflicting, unordered accesses to one word; used to choose the remedy in the message.
#pragma once

#include <cstdint>
#include <string>

namespace warpmark::simulator {

struct Conflict {
  enum class Within : std::uint8_t { warp, block, grid };

  std::string array;  // source name of the memory, e.g. "shared" or "sum"
  bool shared = false;
  Within within = Within::block;
  bool reads = false;  // one of the accesses reads
  // The read is of a word that its own line does not store to: a value that another thread computes.
  bool reads_other = false;
  bool both_write = false;   // atomic updates count as writes
  bool atomic = false;       // one of the accesses is atomic
  bool other_known = false;  // the source line of the other access is known
  bool all_warps = false;    // seen in more than one warp of a block
  bool barriers = false;     // the program contains block barriers
  bool elements = false;     // seen at more than one element of the array
};

}  // namespace warpmark::simulator
