// Sequential reference search for minimum, maximum and their first positions. Nothing is rounded, so answers
// are compared with ==.
#include <limits>

#include "extremes.h"

extern "C" extremes_fn expected;
extern "C" void expected(const value_t* values, std::size_t n, Extremes* extremes, Workspace, cudaStream_t) {
  using Limits = std::numeric_limits<value_t>;
  Extremes found{Limits::has_infinity ? Limits::infinity() : Limits::max(),
                 Limits::has_infinity ? -Limits::infinity() : Limits::lowest(), n, n};
  for (std::size_t i = 0; i < n; ++i) {
    const value_t value = values[i];
    if (value != value) continue;
    if (found.least_at == n || value < found.least) {
      found.least = value;
      found.least_at = i;
    }
    if (found.greatest_at == n || value > found.greatest) {
      found.greatest = value;
      found.greatest_at = i;
    }
  }
  *extremes = found;
}
