// The rules of one grading: the rubric, resolved for one submission, machine and set of options. Immutable
// once made.
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
  std::vector<std::string> types;  // replaces the rubric's value types; empty: the rubric's
  unsigned cores = 0;              // cores for host versions; 0: all that this process may use
};

// Measurements of the grading GPU's model.
struct Calibration {
  std::string source;   // description of the thresholds' source; empty: the rubric's defaults
  double naive_ms = 0;  // the naive kernel's time at fast.size; 0: not known
  std::map<std::string, Span> versions;  // versions with a measured threshold, and the reference's speedups
};

// The inherited members `types`, `fast.size` and the versions' `speedup` hold the resolved values.
struct Course : Rubric {
  Focus focus;
  std::string only = "*";
  Calibration calibration;
  unsigned cores = 1;

  // Thresholds apply to fast.size only. If the user asks for another size, returns the cause that replaces
  // the verdict; nothing is measured.
  [[nodiscard]] std::optional<Cause> obstacle_to_fast() const;
  // Returns the largest of the version's numbers of ranks that leaves a core per rank; 0 if it has no ranks,
  // or none fits.
  [[nodiscard]] int timed_ranks(const VersionRule& version) const;
  // The same for host.size; also returns a cause if there are too few cores.
  [[nodiscard]] std::optional<Cause> obstacle_to_host_fast(const VersionRule& version) const;
  // The same for limits of `work`, which apply to work.size values of work.type.
  [[nodiscard]] std::optional<Cause> obstacle_to_work() const;
};

// Resolves the rules; a pure function of its arguments. rubric: reduced to the submission's versions, see
// rubric_for(). thresholds: of the grading GPU's model, if it was calibrated. They apply only if their value
// type is the rubric's; if the rubric keeps its own thresholds (fast.calibrate = false), only the naive
// kernel's time is used.
Course resolve(const Rubric& rubric, const std::optional<Thresholds>& thresholds = std::nullopt,
               const CourseOptions& options = {});

}  // namespace warpmark::judge
