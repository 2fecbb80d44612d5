// Theoretical peak rates of a GPU, to which measured times are compared.
#pragma once

#include <cstdint>

namespace warpmark::measure {

// Peak rate in 10^9 floating-point operations per second: every FP lane of every multiprocessor at the
// highest clock, a fused multiply-add counted as two. 0: not known for this compute capability (90 for 9.0).
struct PeakGflops {
  double single_precision = 0;
  double double_precision = 0;
};
PeakGflops peak_gflops(std::uint64_t capability, std::uint64_t multiprocessors, double clock_hz);

// Returns the roofline bound in milliseconds: the larger of the memory's and the arithmetic's minimum time,
// since the two overlap. A peak of 0 is unknown and ignored; returns 0 if both are.
double bound_ms(double bytes, double gb_per_s, double operations, double gflops);

}  // namespace warpmark::measure
