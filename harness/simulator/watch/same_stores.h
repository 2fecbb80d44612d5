// Words of shared memory to which several threads have stored the same value since the last block barrier. A
// thread that is among them may read the word without a race: the value does not depend on the order of the
// stores.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

class SameStores {
 public:
  void clear() { threads_.clear(); }
  [[nodiscard]] bool empty() const { return threads_.empty(); }
  // True if several threads have stored the same value at exactly this address.
  [[nodiscard]] bool knows(Address address) const { return threads_.contains(address); }
  [[nodiscard]] bool has(Address address, std::uint32_t thread) const {
    const auto found = threads_.find(address);
    return found != threads_.end() && (found->second[thread / kLanes] >> (thread % kLanes) & 1) != 0;
  }
  void add(Address address, std::uint32_t thread) {
    threads_[address][thread / kLanes] |= 1U << (thread % kLanes);
  }
  // Forgets that several threads stored the same value to the bytes [address, address + width), because these
  // bytes get a different value.
  void forget(Address address, unsigned width) {
    constexpr Address kWidest = 16;
    const auto first = threads_.lower_bound(address < kWidest ? 0 : address - kWidest + 1);
    threads_.erase(first, threads_.lower_bound(address + width));
  }

 private:
  static constexpr std::size_t kWarps = 32;  // maximum number of warps in a thread block
  std::map<Address, std::array<std::uint32_t, kWarps>> threads_;
};

}  // namespace warpmark::simulator
