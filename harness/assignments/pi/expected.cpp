// The rectangles' area in extended precision, and what a sum in double may differ by. u is 2^-53.
#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "pi.h"

namespace {

using Wide = long double;

// Number of rectangles per chunk; a chunk's areas are summed sequentially.
constexpr std::size_t kPiece = 1 << 20;

// Number of rectangles from which the area is computed by a formula instead of a sum.
constexpr std::size_t kClosedFrom = std::size_t{1} << 22;

// Returns true if 1 + x * x rounds to 1 between the limits. The curve 4 / (1 + x * x) is then flat: every
// height is 4 and sums are exact in any order (see data.cpp), so the answer is compared with ==.
bool is_flat(const value_t* limits) {
  return 1 + limits[0] * limits[0] == 1 && 1 + limits[1] * limits[1] == 1;
}

Wide heights(Wide begin, Wide width, std::size_t first, std::size_t last) {
  Wide sum = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Wide x = begin + (static_cast<Wide>(i) + 0.5L) * width;
    sum += 4 / (1 + x * x);
  }
  return sum;
}

// Returns the rectangles' area by the Euler-Maclaurin formula for midpoints: the integral of f less
// width^2 / 24 times the difference of f's slopes at the limits; the next term is below 1e-20 of the area
// from kClosedFrom rectangles on. The integral of 4 / (1 + x^2) is a difference of arctangents, taken as one
// arctangent so that close limits lose no digits.
Wide closed_area(const value_t* limits, Wide width) {
  const Wide a = limits[0];
  const Wide b = limits[1];
  const auto slope = [](Wide x) { return -8 * x / ((1 + x * x) * (1 + x * x)); };
  return 4 * std::atan2(b - a, 1 + a * b) - width * width / 24 * (slope(b) - slope(a));
}

// Integrates in chunks of fixed size, summed separately and added in order, so that the result does not
// depend on the number of threads.
Wide area_of(const value_t* limits, std::size_t n) {
  if (n == 0) return 0;
  const Wide begin = limits[0];
  const Wide distance = static_cast<Wide>(limits[1]) - begin;
  if (is_flat(limits)) return 4 * distance;
  const Wide width = distance / static_cast<Wide>(n);
  if (n >= kClosedFrom) return closed_area(limits, width);
  std::vector<Wide> pieces((n + kPiece - 1) / kPiece);
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const auto add = [&](std::size_t share) {
    for (std::size_t p = share; p < pieces.size(); p += cores)
      pieces[p] = heights(begin, width, p * kPiece, std::min((p + 1) * kPiece, n));
  };
  if (pieces.size() == 1) {
    add(0);
  } else {
    std::vector<std::jthread> threads;
    for (std::size_t share = 0; share < cores; ++share) threads.emplace_back(add, share);
  }
  Wide sum = 0;
  for (const Wide piece : pieces) sum += piece;
  return width * sum;
}

}  // namespace

extern "C" area_fn expected;
extern "C" void expected(const value_t* limits, std::size_t n, value_t* area, Workspace, cudaStream_t) {
  *area = static_cast<value_t>(area_of(limits, n));
}

// |error| <= (n + 64) u S, where S is the sum of the rectangles' magnitudes: adding n values in any order
// costs less than n u S; a midpoint is known to 4 u, which the slope of f, at most 2.6, turns into less than
// 11 u of a height of at least 2; the height itself, the width and their product cost a few u more. Up to
// 2^25 rectangles, a single one exceeds this bound, so one left out is detected. All heights have the same
// sign, so S is the area's magnitude: at most 4 times the distance of the limits and, because f falls, at
// least 4 / (1 + x * x) of it at the farther one.
extern "C" area_fn tolerance;
extern "C" void tolerance(const value_t* limits, std::size_t n, value_t* area, Workspace, cudaStream_t) {
  const Wide magnitude = is_flat(limits) ? 0 : std::abs(area_of(limits, n));
  *area = static_cast<value_t>((static_cast<Wide>(n) + 64) * 0x1p-53L * magnitude);
}
