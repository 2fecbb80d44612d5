// Exact for both types: a single addition has exactly one right result. CUDA's ints wrap around.
#include <type_traits>

#include "warmup.h"

extern "C" add_fn expected;
extern "C" void expected(value_t* values, std::size_t n, value_t p, cudaStream_t) {
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (std::is_integral_v<value_t>) {
      values[i] = static_cast<value_t>(static_cast<unsigned>(values[i]) + static_cast<unsigned>(p));
    } else {
      values[i] += p;
    }
  }
}
