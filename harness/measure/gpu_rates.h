// Predicts how long a kernel takes on a GPU from the GPU's measured rates and the kernel's counted work; pure
// functions.
#pragma once

#include <string>

namespace warpmark::measure {

// Rates of one GPU, measured by a probe. All are above 0.
struct GpuRates {
  double read_gb_per_s = 0;  // 10^9 bytes per second read from device memory, coalesced 16-byte loads
  double ginstructions = 0;  // 10^9 warp instructions per second, all multiprocessors, no memory access
  double gatomics = 0;       // 10^9 atomics per second on one address, one lane of each warp
  double launch_us = 0;      // microseconds from one empty kernel to the next in the same stream
  bool operator==(const GpuRates&) const = default;
};

// Work of one call of a kernel file, counted by the simulator. Amounts are summed over its launches.
struct Demand {
  double sectors = 0;       // 32-byte sectors that warps load from and store to global memory
  double instructions = 0;  // warp instructions
  double wavefronts = 0;    // passes of warps through shared memory, bank conflicts included
  double atomics = 0;       // atomics on global memory, those of one warp on the same address counted once
  double launches = 0;
  bool operator==(const Demand&) const = default;
};

// Multiplies all amounts that grow with the input; the number of launches stays.
Demand scaled(Demand demand, double factor);

// Share of the summed rates that the course's solutions reach at least; predicted_ms() divides by it. On an
// H200 the 18 modelled versions of `reduction` reach 0.70 (v16_warp_shuffle) to 3.8 (v02_atomic_per_thread,
// whose repeated sectors come from L1): times of `warpmark calibrate`, 2026-11-21,
// tests/judge/predicted_test.cpp. The rest is a margin for GPUs that hide latency less well.
inline constexpr double kReached = 0.5;

// Returns an upper estimate in milliseconds of the time of one call. Roofline model (Williams, Waterman,
// Patterson: CACM 52(4), 2009) with the terms added instead of their maximum taken, since a block's barriers
// keep loads and arithmetic from overlapping fully:
//   (32 sectors / read rate + instructions / instruction rate + wavefronts / (instruction rate / 4)
//    + atomics / atomic rate + launches x launch time) / kReached
// Shared memory serves one wavefront per clock and multiprocessor, a quarter of the four warp instructions
// (CUDA C++ Programming Guide, compute capabilities 7.x to 12.x: four schedulers, 32 banks of 4 bytes).
double predicted_ms(const GpuRates& rates, const Demand& demand);

// Largest relative difference between the two passes of a probe, and between two probes of an undisturbed
// GPU.
inline constexpr double kProbeTolerance = 0.05;
// The same for the launch time: microseconds, which the host's load affects.
inline constexpr double kLaunchTolerance = 0.25;

// Returns which rate differs between two passes of a probe by more than its tolerance, with both values;
// empty if none does.
std::string disagreement(const GpuRates& one, const GpuRates& other);

// Returns the rates as text: "936 GB/s, 1120 G instructions/s, 1.31 G atomics/s, 2.1 us per launch".
std::string to_text(const GpuRates& rates);

}  // namespace warpmark::measure
