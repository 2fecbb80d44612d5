// A stable sort has exactly one right result, compared bit by bit.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sort.h"

namespace {

// Maps keys to unsigned numbers in the order of the sort; equal keys map to equal numbers.
std::uint32_t ordered(value_t key) {
  constexpr std::uint32_t kSign = 0x80000000U;
  if (key != key) return 0xffffffffU;
  if (key == 0) key = 0;  // -0 becomes +0: both are equal keys
  std::uint32_t bits = 0;
  std::memcpy(&bits, &key, sizeof key);
  return std::is_integral_v<value_t> || (bits & kSign) == 0 ? bits ^ kSign : ~bits;
}

}  // namespace

extern "C" sort_fn expected;
// Stable sort of the pairs on the CPU: the expected answer. Also leaves each pair's original index in the
// workspace, for messages.
extern "C" void expected(Pairs pairs, Workspace work, cudaStream_t) {
  unsigned long long* const order = work.data;
  for (std::size_t i = 0; i < pairs.n; ++i)
    order[i] = static_cast<unsigned long long>(ordered(pairs.keys[i])) << 32 | i;
  std::sort(order, order + pairs.n);
  for (std::size_t i = 0; i < pairs.n; ++i) {
    order[i] &= 0xffffffffU;
    pairs.sorted_keys[i] = pairs.keys[order[i]];
    if (pairs.values != nullptr) pairs.sorted_values[i] = pairs.values[order[i]];
  }
}
