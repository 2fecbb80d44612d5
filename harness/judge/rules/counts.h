// The reference solution's work as the simulator counted it, from which required speedups are predicted on a
// GPU model that was not calibrated: one file per assignment, thresholds/counts.toml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "harness/assignments/home.h"
#include "harness/base/error.h"
#include "harness/judge/rules/rubric.h"
#include "harness/measure/gpu_rates.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

struct CountedVersion {
  std::uint64_t n = 0;  // elements of the input with which the work was counted
  measure::Demand demand;
};

// Counts of one assignment. A prediction multiplies them by the ratio of two inputs' elements, so they are
// meant for kernels whose work grows in proportion to the input.
struct ReferenceCounts {
  std::string type;  // element type
  std::map<std::string, CountedVersion> versions;
};

std::filesystem::path counts_file(const AssignmentHome& home);
// Extracts the counts of the timed element type from a grade of the reference solution on the simulator.
// Leaves out versions that use libraries (Thrust, CUB), which do other work on a GPU than on the simulator.
ReferenceCounts counts_from(const Grade& grade, const Rubric& rubric);
std::string to_toml(const ReferenceCounts& counts);
// Reads an assignment's counts; nullopt if it has none. Errors contain file, line and violated rule.
Result<std::optional<ReferenceCounts>> counts_of(const AssignmentHome& home);

}  // namespace warpmark::judge
