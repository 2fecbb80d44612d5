// The most that a GPU can do in a second, by its data sheet: what a time is held against.
#pragma once

#include <cstdint>

namespace warpmark::measure {

// 10^9 floating-point operations a second with every lane of every multiprocessor at the highest clock, a
// fused multiply-add counted as two. 0: not known for this compute capability (90 for 9.0).
struct PeakGflops {
  double single_precision = 0;
  double double_precision = 0;
};
PeakGflops peak_gflops(std::uint64_t capability, std::uint64_t multiprocessors, double clock_hz);

// The least time in milliseconds for so many bytes of memory and so many operations, which overlap. A peak of
// 0 is not known and binds nothing; 0: neither is known.
double bound_ms(double bytes, double gb_per_s, double operations, double gflops);

}  // namespace warpmark::measure
