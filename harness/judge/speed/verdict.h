// The verdict of the check `fast` on times that have been taken: of kernels, of plain C++ code or of whole
// programs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/speed/trial.h"

namespace warpmark::judge {

struct FastOutcome {
  CheckOutcome outcome;
  std::optional<Measurement> measurement;
};

// What is required of the code that was timed, and what is known of its input.
struct Asked {
  const VersionRule& rule;
  // Speedups over the baseline that the rubric requires, one for each step of points; at least one.
  const std::vector<double>& required_speedups;
  std::uint64_t n = 0;  // size of the timed input; 0 for a program's test case
  Work work = {};
  double least_ms = 0;       // lower bound of one call, from the L2 bandwidth; 0: unknown
  double calibrated_ms = 0;  // time of the naive kernel on this GPU model; 0: unknown
};

// Converts the times to a measurement with its verdict; adds a failure reason unless the required speedup is
// reached.
FastOutcome judged(const Course& course, const Asked& asked, const Trial& trial);
// Returns true if the machine was too noisy for a verdict.
bool is_noise(const FastOutcome& found);

// Returns the ratios of which the arguments are the logarithms.
std::optional<Span> factors(const std::optional<measure::Interval>& logarithms);

}  // namespace warpmark::judge
