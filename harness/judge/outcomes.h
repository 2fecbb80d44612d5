// Collects the outcomes of a grading's checks and assembles the grade from the outcomes.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/rules/check.h"
#include "harness/judge/rules/course.h"
#include "harness/judge/selection.h"
#include "harness/judge/workers/engines.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

class Outcomes {
 public:
  // Function that returns the command line with which a user reproduces a check's failure.
  using Again = std::function<std::string(const CheckKey&, const Cause&)>;
  explicit Outcomes(Again again) : again_(std::move(again)) {}

  // Stores the outcome of a check. Thread-safe.
  void record(const CheckKey& key, Engine engine, CheckOutcome found);
  // Stores that nothing but a GPU ran a version. Thread-safe.
  void add_unwatched(Unwatched version);
  // Stores a time measurement, and fills in its speedup over the previous measurement and its percentage of
  // the GPU's peaks. `peak_gflops` is for the precision in which the assignment counts its operations; a peak
  // of 0 is unknown.
  void add(Measurement measurement, double peak_gb_per_s, double peak_gflops);
  // Of several measurements, the conditions before the first and after the last are kept.
  void set_timing(Timing timing) {
    if (timing_) timing.before = std::move(timing_->before);
    if (timing_) timing.exclusive_seconds = timing_->exclusive_seconds;
    timing_ = std::move(timing);
  }
  // Adds seconds for which no other grading could use the GPU to the timing, if anything was timed.
  void add_exclusive(double seconds) {
    if (timing_) timing_->exclusive_seconds += seconds;
  }
  // Stores the transfers and kernel launches recorded in the upload audit.
  void set_traffic(std::vector<AuditedTransfer> transfers, std::vector<AuditedLaunch> launches);

  // The functions below read the outcomes: do not call them while other threads record.
  // Returns the reasons for a failed or undecided check (empty if passed), or nullptr if the check has no
  // outcome yet.
  [[nodiscard]] const std::vector<Cause>* causes_of(const CheckKey& key) const;
  // Returns the counters of a version's call, those of `work` before those of `clean`; nullptr if no call was
  // counted.
  [[nodiscard]] const Counted* counted(const std::string& version) const;
  // Adds a note to a check's stored outcome; does nothing if there is none.
  void add_note(const CheckKey& key, Cause note);

  // Assembles the grade of all selected checks, except its time stamps. Moves the stored measurements and
  // transfers into the grade.
  Grade assemble(const Course& course, const Submission& submission, const Engines& engines, Engine main);

 private:
  struct Recorded {
    CheckOutcome found;
    Engine engine;
  };
  void add_result(Grade& grade, const CheckKey& key, const Worth& worth, std::vector<PointPart> parts) const;

  Again again_;
  std::mutex mutex_;  // guards the recorded outcomes of checks that run concurrently
  std::map<CheckKey, Recorded> recorded_;
  std::vector<Measurement> measurements_;
  double peak_gflops_ = 0;  // GPU's peak rate in GFLOP/s, to which the last measurement was compared; 0: none
  std::vector<AuditedTransfer> transfers_;
  std::vector<AuditedLaunch> launches_;
  std::optional<Timing> timing_;
  std::vector<Unwatched> unwatched_;
};

// Applies the rules by which one check's result changes the points of others, to checks that settle() has
// settled, and sets the grade's score and exit status.
void settle_together(Grade& grade, const Rubric& rubric);

}  // namespace warpmark::judge
