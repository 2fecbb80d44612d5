// Whether a wrong answer follows from the calls before it. A race, too, gives answers that differ from call
// to call: earlier calls are the reason only where the same call is right in a fresh worker and wrong after
// them, whenever that is tried. On the simulator blocks run one after the other meanwhile, so that races
// decide nothing; a GPU is asked several times.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/checks/version_worker.h"

namespace warpmark::judge {

class EarlierCalls {
 public:
  // All of them are used as long as this lives.
  EarlierCalls(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
               wire::RunMode mode = {});

  enum class Reason {
    earlier_calls,
    the_call_itself,  // it is wrong in a fresh worker, too
    chance,           // it is right after the same calls
  };
  struct Look {
    Reason reason;
    std::vector<Cause> causes;  // of the call itself, in a fresh worker
  };

  // Of a case that was wrong after others in the same worker.
  [[nodiscard]] Look look(const std::vector<VersionWorker::Asked>& before, const Case& which) const;
  // Of VersionWorker::run_again() after this case, which was right.
  [[nodiscard]] Look look_at_second(const Case& first) const;

 private:
  // A fresh worker's causes.
  [[nodiscard]] std::vector<Cause> alone(const Case& which) const;
  [[nodiscard]] bool wrong_after(const std::vector<VersionWorker::Asked>& before, const Case& which) const;
  [[nodiscard]] bool wrong_again(const Case& first) const;

  const GradingContext& bench_;
  const std::string& version_;
  const BuiltTypes& built_;
  wire::RunMode mode_;
  int times_;  // that each of the two must be seen
};

}  // namespace warpmark::judge
