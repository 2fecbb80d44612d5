// Explains a wrong answer by experiments with the version that gave it.
#pragma once

#include <chrono>
#include <optional>

#include "harness/judge/cases/case_runner.h"

namespace warpmark::judge {

// Limits of the experiments; each is one call with an input of equal or smaller size.
struct ExperimentLimits {
  std::chrono::milliseconds call;       // per call
  std::chrono::milliseconds all{4000};  // all calls together
  std::size_t most_calls = 320;
};

// A loaded version that can be called repeatedly.
class TriedVersion {
 public:
  virtual ~TriedVersion() = default;
  virtual WorkerClient& worker() = 0;
  virtual const Loaded& loaded() = 0;
  // Starts a fresh worker after a call that broke the device context. If it returns false, the version must
  // not be called again.
  virtual bool renew() = 0;
};

// Returns a more precise cause for a wrong or missing answer: which elements are wrong, whether and where
// they are read, by which launches, at the smallest size that shows it. Returns nullopt if the experiments
// add nothing.
std::optional<Cause> explain_wrong_answer(TriedVersion& version, const Assignment& assignment,
                                          const Case& which, const Cause& cause, const Blame& blame,
                                          const ExperimentLimits& limits);

}  // namespace warpmark::judge
