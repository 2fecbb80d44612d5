// Decides whether state left by earlier calls causes a wrong result. A race also gives results that differ
// from call to call, so earlier calls are blamed only if the same call is reproducibly right in a fresh
// worker process and wrong after them. The simulator runs blocks one after the other for this test, so that a
// race has no effect; a GPU repeats the test several times.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/checks/version_worker.h"

namespace warpmark::judge {

class EarlierCalls {
 public:
  // EarlierCalls keeps references to its constructor's arguments, which must outlive the object.
  EarlierCalls(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
               wire::RunMode mode = {});

  enum class Reason {
    earlier_calls,
    // cause of a wrong result: the call itself, as it fails alone in a fresh worker process, too
    the_call_itself,
    // cause of a wrong result: the order of blocks and warps in which the call was made
    the_order,
    chance,  // cause of a wrong result: chance (such as a race), as a replay of the same calls succeeds
  };
  struct Look {
    Reason reason;
    std::vector<Cause> causes;  // defects found when a student's call runs alone in a fresh process
  };

  // Examines a test case that failed after the test cases `before` had run in the same worker process.
  [[nodiscard]] Look look(const std::vector<VersionWorker::Asked>& before, const Case& which) const;
  // Examines a failed second call, made with the run mode `second`, on the buffers of the test case `first`,
  // whose first call was right.
  [[nodiscard]] Look look_at_second(const Case& first, const wire::RunMode& second = {}) const;

 private:
  // Runs the test case alone in a fresh worker process and returns the defects found.
  [[nodiscard]] std::vector<Cause> alone(const Case& which) const;
  [[nodiscard]] bool wrong_after(const std::vector<VersionWorker::Asked>& before, const Case& which) const;
  [[nodiscard]] bool wrong_again(const Case& first, const wire::RunMode& second) const;

  const GradingContext& bench_;
  const std::string& version_;
  const BuiltTypes& built_;
  wire::RunMode mode_;
  int times_;  // how often each replay of a student's calls is run; all must agree
};

// Rewrites a wrong result that state left by earlier calls is the reason of.
Cause left_by_earlier_calls(Cause wrong, const Blame& blame);

// Rewrites the failure of a second call on the same pointers, given that state left by the first call is the
// reason. same_answer: both calls gave the same.
Cause left_by_first_call(const GradingContext& bench, Cause failure, bool same_answer, const Blame& blame);

}  // namespace warpmark::judge
