// The rules of one grading: the rubric as it applies to one submission on one machine with the user's
// options. Made once; nothing changes it afterwards.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/rules/plan.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/rules/thresholds.h"

namespace warpmark::judge {

struct CourseOptions {
  Focus focus;
  std::string only = "*";          // glob over check ids; see Selection
  std::vector<std::string> types;  // value types in place of the rubric's; empty: the rubric's
  unsigned cores = 0;              // of this machine, for host versions; 0: as many as it has
};

// What was measured on the model of GPU that grades.
struct Calibration {
  std::string source;                    // of the thresholds, in words; empty: they are the rubric's defaults
  double naive_ms = 0;                   // of the naive kernel at fast.size; 0: not known
  std::map<std::string, Span> versions;  // whose thresholds were measured, and what the reference reached
};

// The members of the rubric hold what applies: `types`, `fast.size` and the versions' `speedup` as resolved.
struct Course : Rubric {
  Focus focus;
  std::string only = "*";
  Calibration calibration;
  unsigned cores = 1;

  // Thresholds hold for fast.size. A user who asks for another size gets this cause in place of a verdict:
  // nothing is measured, and nothing passes or fails by a threshold for other data.
  [[nodiscard]] std::optional<Cause> obstacle_to_fast() const;
  // The most ranks of a version that have a core each; 0: it has none, or even the fewest are too many.
  [[nodiscard]] int timed_ranks(const VersionRule& version) const;
  // Likewise for host.size, and where there are too few cores.
  [[nodiscard]] std::optional<Cause> obstacle_to_host_fast(const VersionRule& version) const;
  // Likewise limits of work hold for work.size values of work.type.
  [[nodiscard]] std::optional<Cause> obstacle_to_work() const;
};

// A pure function of its arguments. rubric: with the versions of the submission alone, see rubric_for.
// thresholds: of the GPU that grades, if it was calibrated. They count
// where their value type is the rubric's; a rubric that wants its own thresholds (fast.calibrate = false)
// takes the naive kernel's time alone.
Course resolve(const Rubric& rubric, const std::optional<Thresholds>& thresholds = std::nullopt,
               const CourseOptions& options = {});

}  // namespace warpmark::judge
