// CPU baselines for the assignment `extremes` (minimum, maximum and their positions): one single-threaded,
// one on all cores. Benchmarks compare GPU versions with them.
#include <limits>

#include "extremes.h"

extern "C" {
extremes_fn cpu_one_thread;
extremes_fn cpu_threads;
}

namespace {

Extremes nothing(std::size_t n) {
  using Limits = std::numeric_limits<value_t>;
  if constexpr (Limits::has_infinity) return {Limits::infinity(), -Limits::infinity(), n, n};
  return {Limits::max(), Limits::min(), n, n};
}

// Processes values in order, so that the first of equal values wins. A NaN compares neither less nor greater.
Extremes extremes_of(const value_t* values, std::size_t begin, std::size_t end, std::size_t n) {
  Extremes found = nothing(n);
  for (std::size_t i = begin; i < end; ++i) {
    // A value equal to the initial one (infinity or the largest int) becomes the minimum only if no value was
    // found before.
    if (values[i] < found.least || (found.least_at == n && values[i] == found.least)) {
      found.least = values[i];
      found.least_at = i;
    }
    if (values[i] > found.greatest || (found.greatest_at == n && values[i] == found.greatest)) {
      found.greatest = values[i];
      found.greatest_at = i;
    }
  }
  return found;
}

// Merges the minima and maxima of two parts of an array. Either part may come first, so ties compare
// positions.
void take(Extremes& all, const Extremes& other, std::size_t n) {
  if (other.least_at != n && (all.least_at == n || other.least < all.least ||
                              (other.least == all.least && other.least_at < all.least_at))) {
    all.least = other.least;
    all.least_at = other.least_at;
  }
  if (other.greatest_at != n && (all.greatest_at == n || other.greatest > all.greatest ||
                                 (other.greatest == all.greatest && other.greatest_at < all.greatest_at))) {
    all.greatest = other.greatest;
    all.greatest_at = other.greatest_at;
  }
}

}  // namespace

extern "C" void cpu_one_thread(const value_t* values, std::size_t n, Extremes* extremes, Workspace,
                               cudaStream_t) {
  *extremes = extremes_of(values, 0, n, n);
}

extern "C" void cpu_threads(const value_t* values, std::size_t n, Extremes* extremes, Workspace,
                            cudaStream_t) {
  constexpr std::size_t kPiece = 1 << 16;
  const std::size_t pieces = (n + kPiece - 1) / kPiece;
  Extremes all = nothing(n);
#pragma omp parallel
  {
    Extremes own = nothing(n);
#pragma omp for nowait
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const std::size_t end = (piece + 1) * kPiece < n ? (piece + 1) * kPiece : n;
      take(own, extremes_of(values, piece * kPiece, end, n), n);
    }
#pragma omp critical
    take(all, own, n);
  }
  *extremes = all;
}
