// Decides whether a wrong answer is a consequence of earlier calls. A race also gives answers that differ
// from call to call, so earlier calls are blamed only if the same call is reproducibly right in a fresh
// worker and wrong after them. The simulator runs one block after the other for this, so that a race has no
// effect; a GPU repeats each several times.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/checks/version_worker.h"

namespace warpmark::judge {

class EarlierCalls {
 public:
  // All arguments must outlive this object.
  EarlierCalls(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
               wire::RunMode mode = {});

  enum class Reason {
    earlier_calls,
    the_call_itself,  // also wrong in a fresh worker
    chance,           // right when the same calls are repeated
  };
  struct Look {
    Reason reason;
    std::vector<Cause> causes;  // of the case alone, in a fresh worker
  };

  // Examines a case that was wrong after the cases `before` in the same worker.
  [[nodiscard]] Look look(const std::vector<VersionWorker::Asked>& before, const Case& which) const;
  // Examines a failure of VersionWorker::run_again() after a correct run() of `first`.
  [[nodiscard]] Look look_at_second(const Case& first) const;

 private:
  // Returns the causes of the case in a fresh worker.
  [[nodiscard]] std::vector<Cause> alone(const Case& which) const;
  [[nodiscard]] bool wrong_after(const std::vector<VersionWorker::Asked>& before, const Case& which) const;
  [[nodiscard]] bool wrong_again(const Case& first) const;

  const GradingContext& bench_;
  const std::string& version_;
  const BuiltTypes& built_;
  wire::RunMode mode_;
  int times_;  // how often each of the two results must be reproduced
};

}  // namespace warpmark::judge
