// Why an answer is wrong, by experiments with the version that gave it.
#pragma once

#include <chrono>
#include <optional>

#include "harness/judge/cases/case_runner.h"

namespace warpmark::judge {

// What experiments may cost: each is a call of the version with small or equal inputs.
struct ExperimentLimits {
  std::chrono::milliseconds call;       // of one call
  std::chrono::milliseconds all{4000};  // of all of them
  std::size_t most_calls = 320;
};

// A version that has been loaded, to be called as often as needed.
class TriedVersion {
 public:
  virtual ~TriedVersion() = default;
  virtual WorkerClient& worker() = 0;
  virtual const Loaded& loaded() = 0;
  // A fresh worker, after a call that broke the device. False when there is none: nothing else may be asked
  // then.
  virtual bool renew() = 0;
};

// The cause of a wrong or missing answer to a case, said better: which elements are wrong, whether and where
// they are read, with which launches, at the smallest size that shows it. Nothing when the experiments show
// no more than the cause says.
std::optional<Cause> explain_wrong_answer(TriedVersion& version, const Assignment& assignment,
                                          const Case& which, const Cause& cause, const Blame& blame,
                                          const ExperimentLimits& limits);

}  // namespace warpmark::judge
