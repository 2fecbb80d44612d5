#include "harness/measure/peaks.h"

#include <algorithm>
#include <iterator>

namespace warpmark::measure {
namespace {

// Fused multiply-adds per clock and multiprocessor, by compute capability. CUDA C++ Programming Guide 13.0,
// table "Throughput of Native Arithmetic Instructions".
struct Lanes {
  std::uint64_t capability;
  double single_precision;
  double double_precision;
};
constexpr Lanes kLanes[] = {{75, 64, 2},  {80, 64, 32},  {86, 128, 2},   {87, 128, 2},
                            {89, 128, 2}, {90, 128, 64}, {100, 128, 64}, {120, 128, 2}};

}  // namespace

PeakGflops peak_gflops(std::uint64_t capability, std::uint64_t multiprocessors, double clock_hz) {
  const auto* lanes = std::ranges::find(kLanes, capability, &Lanes::capability);
  if (lanes == std::end(kLanes)) return {};
  const double each = 2 * static_cast<double>(multiprocessors) * clock_hz / 1e9;
  return {each * lanes->single_precision, each * lanes->double_precision};
}

double bound_ms(double bytes, double gb_per_s, double operations, double gflops) {
  const auto least = [](double amount, double rate) { return rate > 0 ? amount / 1e6 / rate : 0; };
  return std::max(least(bytes, gb_per_s), least(operations, gflops));
}

}  // namespace warpmark::measure
