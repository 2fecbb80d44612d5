// The access shadow: finds races and reads of what nobody wrote, from each access of a block's warps.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>

#include "harness/simulator/machine.h"
#include "harness/simulator/watch.h"

namespace warpmark::simulator {

class Block;

// What one block's accesses show. A host thread's blocks use it one after the other.
class BlockShadow {
 public:
  explicit BlockShadow(Block& block) : block_(block) {}

  void start() {}  // the next block begins
  void touch(const Context& context, const Touch& touch);

 private:
  void find_same_word_stores(const Context& context, const Touch& touch);
  void report(Finding::Kind kind, const Touch& touch, std::uint32_t other_location, std::string message);

  Block& block_;
  std::set<std::tuple<Finding::Kind, std::uint32_t, std::uint32_t>> reported_;  // by this host thread
};

}  // namespace warpmark::simulator
