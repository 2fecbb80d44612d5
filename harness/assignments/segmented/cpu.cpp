// CPU baselines for the sums of segments, single-threaded and on all cores; benchmarks compare GPU versions
// with them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <omp.h>

#include "segmented.h"

extern "C" {
segmented_fn cpu_one_thread;
segmented_fn cpu_threads;
}

namespace {

// Accumulator for sums of segments: unsigned for int, because it may wrap around; double for float, because a
// float sum would lose digits.
using Sum = std::conditional_t<std::is_integral_v<value_t>, std::uint32_t, double>;

Sum sum_of(const value_t* values, std::size_t begin, std::size_t end) {
  Sum sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = begin; i < end; ++i) sum += static_cast<Sum>(values[i]);
  return sum;
}

struct Piece {
  std::size_t segment = 0;
  Sum sum = 0;
};
// Partial sums of segments that cross the start or end of a thread's share.
using Ends = std::array<Piece, 2>;

// A thread's share of the segmented sum: adds the values with indices begin to end - 1. Writes the sums of
// segments that lie within this range; returns the partial sums of segments that cross its ends.
Ends add_share(const Segments& input, value_t* sums, std::size_t begin, std::size_t end) {
  Ends pieces;
  if (begin == end) return pieces;
  const unsigned* offsets = input.offsets;
  const unsigned* next =
      std::upper_bound(offsets, offsets + input.segments + 1, static_cast<unsigned>(begin));
  auto segment = static_cast<std::size_t>(next - offsets) - 1;
  for (std::size_t i = begin; i < end; ++segment) {
    const std::size_t stop = std::min<std::size_t>(offsets[segment + 1], end);
    const Sum sum = sum_of(input.values, i, stop);
    const bool whole = offsets[segment] >= begin && offsets[segment + 1] <= end;
    if (whole) sums[segment] = static_cast<value_t>(sum);
    if (!whole) pieces[i == begin ? 0 : 1] = {segment, sum};
    i = stop;
  }
  return pieces;
}

}  // namespace

extern "C" void cpu_one_thread(Segments input, value_t* sums, Workspace, cudaStream_t) {
  for (std::size_t s = 0; s < input.segments; ++s)
    sums[s] = static_cast<value_t>(sum_of(input.values, input.offsets[s], input.offsets[s + 1]));
}

// Splits the values evenly, so that a huge segment is shared by several threads.
extern "C" void cpu_threads(Segments input, value_t* sums, Workspace, cudaStream_t) {
  const auto shares = static_cast<std::size_t>(omp_get_max_threads());
  std::vector<Ends> pieces(shares);
  std::fill(sums, sums + input.segments, value_t{});
#pragma omp parallel for schedule(static, 1)
  for (std::size_t share = 0; share < shares; ++share)
    pieces[share] = add_share(input, sums, input.n * share / shares, input.n * (share + 1) / shares);
  std::size_t last = input.segments;
  Sum sum = 0;
  for (const Ends& ends : pieces) {
    for (const Piece& piece : ends) {
      if (piece.sum == 0) continue;
      sum = (piece.segment == last ? sum : 0) + piece.sum;
      last = piece.segment;
      sums[last] = static_cast<value_t>(sum);
    }
  }
}
