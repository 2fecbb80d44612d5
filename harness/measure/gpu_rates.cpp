#include "harness/measure/gpu_rates.h"

#include <cmath>

#include <fmt/format.h>

namespace warpmark::measure {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kInstructionsPerWavefront = 4;

// A rate of the probe: its place, tolerance and unit.
struct Row {
  double GpuRates::*value;
  double tolerance;
  const char* name;
  const char* unit;
};
constexpr Row kRows[] = {
    {&GpuRates::read_gb_per_s, kProbeTolerance, "memory bandwidth", "GB/s"},
    {&GpuRates::ginstructions, kProbeTolerance, "instruction rate", "G instructions/s"},
    {&GpuRates::gatomics, kProbeTolerance, "atomic rate", "G atomics/s"},
    {&GpuRates::launch_us, kLaunchTolerance, "launch time", "us per launch"},
};

}  // namespace

Demand scaled(Demand demand, double factor) {
  for (double* amount : {&demand.sectors, &demand.instructions, &demand.wavefronts, &demand.atomics})
    *amount *= factor;
  return demand;
}

double predicted_ms(const GpuRates& rates, const Demand& demand) {
  const double memory = kSectorBytes * demand.sectors / rates.read_gb_per_s;
  const double instructions =
      (demand.instructions + kInstructionsPerWavefront * demand.wavefronts) / rates.ginstructions;
  const double atomics = demand.atomics / rates.gatomics;
  const double nanoseconds = memory + instructions + atomics + 1e3 * demand.launches * rates.launch_us;
  return nanoseconds / kReached / 1e6;
}

std::string disagreement(const GpuRates& one, const GpuRates& other) {
  for (const Row& row : kRows) {
    const double first = one.*row.value;
    const double second = other.*row.value;
    if (!(std::abs(std::log(first / second)) > std::log(1 + row.tolerance))) continue;
    return fmt::format("the {} was {:.3g} and then {:.3g} {}", row.name, first, second, row.unit);
  }
  return {};
}

std::string to_text(const GpuRates& rates) {
  std::string text;
  for (const Row& row : kRows) {
    const double value = rates.*row.value;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value), row.unit);
  }
  return text;
}

}  // namespace warpmark::measure
