// Finds versions whose host code knows the data: calls with equally shaped inputs of other values must give
// kernels the same grids, arguments and bytes, until something that differs has been copied to the host.
#pragma once

#include <optional>
#include <vector>

#include "harness/judge/checks/version_worker.h"

namespace warpmark::judge {

// First handover of a call that differs from that of another call, although nothing before it explains that.
struct Unexplained {
  std::size_t number = 0;  // position in both calls' handovers
  // position in Handover::values of the first difference; nullopt: only one of the calls has the handover
  std::optional<std::size_t> value;
};
std::optional<Unexplained> unexplained(const std::vector<wire::Handover>& first,
                                       const std::vector<wire::Handover>& second);

// Compares some of the calls of the check `correct` on the simulator; on other engines, none.
class HostKnowledge {
 public:
  HostKnowledge(const GradingContext& bench, const std::string& version, const BuiltTypes& built)
      : bench_(bench), version_(version), built_(built) {}  // keeps references to its arguments

  // Chooses cases by the grading's seed, and inserts behind each a case of the same shape with other values.
  void plan(std::vector<Case>& cases);
  // Returns true if the call's handovers are to be recorded.
  [[nodiscard]] bool wants(const Case& which) const;
  // Returns a defect if `which` completes a pair and its call shows that the host knows the data. `asked`:
  // the calls of its worker process, with itself last.
  std::optional<Cause> look(const Case& which, const CallResult& result,
                            const std::vector<VersionWorker::Asked>& asked);

 private:
  using Handovers = std::vector<wire::Handover>;
  struct Pair {
    Case first;
    Case second;
  };
  std::optional<Handovers> after(const std::vector<VersionWorker::Asked>& before, const Case& which);
  std::optional<Cause> compare(const Pair& pair, const std::vector<VersionWorker::Asked>& before);

  const GradingContext& bench_;
  const std::string& version_;
  const BuiltTypes& built_;
  std::vector<Pair> pairs_;
  std::optional<Handovers> of_first_;  // of the pair whose first call was the last one
};

}  // namespace warpmark::judge
