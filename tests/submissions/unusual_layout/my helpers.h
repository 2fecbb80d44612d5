#pragma once
#include <cstddef>

// The number of blocks of `threads` that n values need, at least one.
inline unsigned blocks_for(std::size_t n, unsigned threads) {
  return n == 0 ? 1 : static_cast<unsigned>((n + threads - 1) / threads);
}
