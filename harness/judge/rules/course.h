// Grading rules of one run: the assignment's rubric combined with the machine (GPU, cores) and the user's
// command-line options. Immutable once made.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/rules/plan.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/rules/thresholds.h"

namespace warpmark::judge {

// What the grading GPU's memory and state mean for the check `fast`.
struct SpeedConditions {
  // Input size that fits into the GPU's free memory; nullopt: the usual one does.
  std::optional<Size> size = std::nullopt;
  std::string smaller_size = {};  // why the size is not the usual one, for display
  // Reason not to run `fast`: the probe that its thresholds need was disturbed, or no input fits.
  std::optional<Cause> obstacle = std::nullopt;
};

struct CourseOptions {
  Focus focus;
  std::string only = "*";  // glob over check ids
  unsigned cores = 0;      // cores that CPU-only code may use; 0: all that this process may use
  SpeedConditions speed = {};
};

struct CalibratedSpeedup {
  double threshold = 0;  // the required speedup that replaces the rubric's
  Span reference;        // lowest and highest speedup measured for the reference solution
};

// Measurements made earlier on the same GPU model as the one that grades, or what a probe of it predicts.
struct Calibration {
  // GPU, date, driver and CUDA version of the measurement, or a probe's rates; empty: the rubric's default
  // thresholds apply
  std::string source;
  bool probed = false;  // true: predicted from a probe; the reference solution was not measured on this GPU
  double naive_ms = 0;  // the naive kernel's time in milliseconds at Course::timed_size; 0: unknown
  std::map<std::string, CalibratedSpeedup> versions;
};

struct Course {
  Rubric rubric;  // the assignment's rubric as read from the file, without the user's options
  Focus focus;
  std::string only = "*";
  unsigned cores = 1;
  // input size with which `fast` measures: the calibration's, else the rubric's fast.size
  Size timed_size = 0;
  Calibration calibration;
  SpeedConditions speed = {};

  // Returns the required speedups over the baseline, one for each step of points of the check `fast`.
  // CPU-only code: required efficiency times the cores or MPI ranks used. CUDA code: the rubric's speedups
  // or, after calibration, these multiplied by one factor, so that the last one without bonus equals the
  // calibrated speedup.
  [[nodiscard]] std::vector<double> required_speeds(const VersionRule& version) const;
  // Returns those parts of a check's points that a student can earn separately (such as speeds), all marked
  // as not reached; empty if the check earns all of its points or none.
  [[nodiscard]] std::vector<PointPart> parts_of(const VersionRule& version, Check check) const;
  // Returns the reason not to run `fast`: that of SpeedConditions, or the user requests an input size other
  // than timed_size, for which no threshold is known.
  [[nodiscard]] std::optional<Cause> obstacle_to_fast() const;
  // Returns the largest of the MPI rank counts in the rubric for which this machine has one core per rank; 0
  // if the rubric has none or none fits.
  [[nodiscard]] int timed_ranks(const VersionRule& version) const;
  // Returns the reason not to run `fast` for CPU-only code: the user requests an input size other than
  // host.size, for which no threshold is known, or the machine has too few cores.
  [[nodiscard]] std::optional<Cause> obstacle_to_host_fast(const VersionRule& version) const;
  // Returns the reason not to run the check `work` if the user requests an input type or size other than
  // work.type and work.size, the only ones for which limits are known.
  [[nodiscard]] std::optional<Cause> obstacle_to_work() const;
};

// Combines a rubric, calibrated thresholds and the user's options into the grading rules of one run; a pure
// function of its arguments. `rubric` lists only the submission's kernel files (see rubric_for()).
// `thresholds` are those measured on the grading GPU's model, or predicted from a probe, if any; they are
// ignored unless their element type is the rubric's and their size, for measured ones, the one that fits into
// the GPU. With fast.calibrate = false, only their time of the naive kernel is used.
Course resolve(const Rubric& rubric, const std::optional<Thresholds>& thresholds = std::nullopt,
               const CourseOptions& options = {});

}  // namespace warpmark::judge
