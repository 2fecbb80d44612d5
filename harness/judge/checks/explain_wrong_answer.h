// Explains a wrong result by experiments: further calls of the student's function with chosen inputs.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "harness/judge/cases/case_runner.h"

namespace warpmark::judge {

// Limits on the experiments that explain a wrong result. Each experiment calls the student's function once,
// with an input of equal or smaller size.
struct ExperimentLimits {
  std::chrono::milliseconds call;  // time limit per call of the student's function
  // Time limit for all experimental calls of the student's function together.
  std::chrono::milliseconds all{2500};
  std::size_t most_calls = 320;
  // Input sizes that the assignment allows and that experiments may try, smallest first.
  std::vector<Size> sizes = {};
};

// A student's function, loaded in a worker process, that can be called repeatedly.
class TriedVersion {
 public:
  virtual ~TriedVersion() = default;
  virtual WorkerClient& worker() = 0;
  virtual const Loaded& loaded() = 0;
  // Starts a fresh worker process after a call that left the device context unusable. If it returns false,
  // the function must not be called again.
  virtual bool renew() = 0;
};

// Returns a more precise failure reason for a wrong or missing result: which input elements are lost or
// counted twice, which lines and launches read them, at the smallest input size that shows the defect.
// Returns nullopt if the experiments add nothing.
std::optional<Cause> explain_wrong_answer(TriedVersion& version, const Assignment& assignment,
                                          const Case& which, const Cause& cause, const Blame& blame,
                                          const ExperimentLimits& limits);

}  // namespace warpmark::judge
