// What a grading has found so far, and the grade that it becomes.
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
  // The command that shows a cause of a check again.
  using Again = std::function<std::string(const CheckKey&, const Cause&)>;
  explicit Outcomes(Again again) : again_(std::move(again)) {}

  // Keeps what a check found, from any thread.
  void record(const CheckKey& key, Engine engine, CheckOutcome found);
  // Puts a measurement in proportion to the one before it and to the device's peaks (0: not known), that of
  // arithmetic in the precision in which its operations are counted.
  void add(Measurement measurement, double peak_gb_per_s, double peak_gflops);
  void set_timing(Timing timing) { timing_ = std::move(timing); }
  // What crossed to the device and what was launched during the audit of the upload.
  void set_traffic(std::vector<Transfer> transfers, std::vector<Launch> launches);

  // The causes of a check; nullptr when it was not recorded. Not while other threads record.
  [[nodiscard]] const std::vector<Cause>* causes_of(const CheckKey& key) const;

  // The grade of all that is selected, without its time. What was recorded is moved into it.
  Grade assemble(const Course& course, const Submission& submission, const Engines& engines, Engine main);

 private:
  struct Recorded {
    CheckOutcome found;
    Engine engine;
  };
  void add_result(Grade& grade, const CheckKey& key, double worth) const;

  Again again_;
  std::mutex mutex_;  // of recorded_ while versions are checked side by side
  std::map<CheckKey, Recorded> recorded_;
  std::vector<Measurement> measurements_;
  double peak_gflops_ = 0;  // that a measurement was held against
  std::vector<Transfer> transfers_;
  std::vector<Launch> launches_;
  std::optional<Timing> timing_;
};

}  // namespace warpmark::judge
