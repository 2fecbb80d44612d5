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
  std::string only = "*";  // glob over check ids; see Selection
  unsigned cores = 0;      // cores for host versions; 0: all that this process may use
};

struct CalibratedSpeedup {
  double threshold = 0;  // replaces VersionRule::speedup
  Span reference;        // speedups that the course's solution reached
};

// Measurements of the grading GPU's model.
struct Calibration {
  std::string source;   // description of the thresholds' source; empty: the rubric's defaults
  double naive_ms = 0;  // the naive kernel's time at Course::timed_size; 0: not known
  std::map<std::string, CalibratedSpeedup> versions;
};

struct Course {
  Rubric rubric;  // as the assignment states it
  Focus focus;
  std::string only = "*";
  unsigned cores = 1;
  std::uint64_t timed_size = 0;  // values of `fast`: the calibration's, else the rubric's fast.size
  Calibration calibration;

  // Returns the threshold of `fast`: of a host version its efficiency times the cores or ranks, of a CUDA
  // version the calibrated speedup or, without one, the rubric's.
  [[nodiscard]] double required_speedup(const VersionRule& version) const;
  // Thresholds apply to timed_size only. If the user asks for another size, returns the cause that replaces
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
