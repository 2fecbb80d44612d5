// Shapes of loads and stores, and where their lanes' addresses are while code is emitted.
#pragma once

#include <array>
#include <cstdint>

#include <xbyak/xbyak.h>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator::native {

// Returns the vector register (8 to 11) that holds the addresses accessed by lanes 8 * eight to
// 8 * eight + 7.
inline Xbyak::Zmm addresses(unsigned eight) {
  return Xbyak::Zmm(static_cast<int>(8 + eight));
}
inline constexpr std::int32_t kFurthest = 1 << 30;

// Table of the lanes' byte offsets in a coalesced access: lane * bytes.
template <class T>
struct Steps {
  alignas(64) std::array<T, kLanes> distance{};
  explicit constexpr Steps(unsigned bytes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) distance[lane] = static_cast<T>(lane * bytes);
  }
};
inline constexpr std::array<Steps<std::uint64_t>, 5> kSteps{Steps<std::uint64_t>(1), Steps<std::uint64_t>(2),
                                                            Steps<std::uint64_t>(4), Steps<std::uint64_t>(8),
                                                            Steps<std::uint64_t>(16)};
inline constexpr std::array<Steps<std::uint32_t>, 2> kShortSteps{Steps<std::uint32_t>(8),
                                                                 Steps<std::uint32_t>(16)};

struct Shape {
  unsigned bytes = 0;      // bytes of one loaded or stored element in memory
  bool is_signed = false;  // a loaded element is sign-extended to the register
  unsigned wide = 0;       // bytes of the PTX register that holds one element
  unsigned count = 1;      // elements that each lane accesses, e.g. 2 for ld.v2

  [[nodiscard]] unsigned width() const { return bytes * count; }
};

}  // namespace warpmark::simulator::native
