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

// Timed calls write values beyond those of the original input (`patch_low`, `patch_high`), each a new extreme
// or equal to one. Only if the place of an extreme itself was changed, the next one must be searched.
extern "C" void update(const value_t* values, std::size_t n, Extremes* extremes, Workspace work,
                       std::size_t index, value_t, cudaStream_t stream) {
  if (extremes->least_at == index || extremes->greatest_at == index || extremes->least_at == n) {
    expected(values, n, extremes, work, stream);
    return;
  }
  const value_t value = values[index];
  if (value < extremes->least || (value == extremes->least && index < extremes->least_at)) {
    extremes->least = value;
    extremes->least_at = index;
  }
  if (value > extremes->greatest || (value == extremes->greatest && index < extremes->greatest_at)) {
    extremes->greatest = value;
    extremes->greatest_at = index;
  }
}
