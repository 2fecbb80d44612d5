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
  bool reads = false;        // one of them reads
  bool both_write = false;   // atomic updates included
  bool atomic = false;       // one of them is an atomic operation
  bool other_known = false;  // the other's line is
};

}  // namespace warpmark::simulator
