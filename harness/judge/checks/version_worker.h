// Runs one version on one engine, call by call. Starts a worker on demand, and a fresh one after a call that
// spoiled the old one.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/cases/case_runner.h"
#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

class VersionWorker {
 public:
  // All arguments must outlive this object.
  VersionWorker(const GradingContext& bench, const std::string& version, const BuiltTypes& built);

  // Has the worker allocate and fill the buffers of a test case and call the student's function once. Returns
  // how the call ended and what was observed.
  CallResult run(const Case& which, const wire::RunMode& mode = {});
  // Calls again on the buffers of the last run(), with other values in them. That run must have been right.
  CallResult run_again(const wire::RunMode& mode = {});

  // Calls `count` times in one request, on the buffers of the last run() with other values in them.
  CallResult run_often(std::uint64_t count);

  // Returns the case of run_again(), as one that can be run on its own.
  [[nodiscard]] Case with_other_values(const Case& which) const;
  // Explains the wrong answer of the last run(), see explain_wrong_answer(). The experiments are not part of
  // asked(), so the worker is replaced afterwards.
  std::optional<Cause> explain(const Case& which, const Cause& cause);

  // Returns the number of SMs of the current worker's device; 0 without a worker.
  [[nodiscard]] std::uint64_t multiprocessors() const;
  // A case that the current worker has run.
  struct Asked {
    Case which;
    bool again = false;  // followed by run_again()
  };
  [[nodiscard]] const std::vector<Asked>& asked() const { return asked_; }
  // Discards the worker; the next case starts a fresh one.
  void replace();
  // Returns false if more calls are pointless: the worker does not start or load, a call timed out or looped
  // endlessly, MPI ranks deadlocked, or several fresh workers in succession revealed nothing new.
  [[nodiscard]] bool can_go_on() const;
  // Reports that a new cause was found, which justifies another fresh worker.
  void was_of_use() { spoiled_in_vain_ = 0; }
  [[nodiscard]] const Blame& blame() const { return blame_; }

 private:
  class Tried;
  [[nodiscard]] std::chrono::milliseconds limit() const;
  std::optional<Cause> prepare(const std::string& type);
  // Ask(mode, limit) -> CallResult makes one call within the remaining time.
  template <class Ask>
  CallResult timed(wire::RunMode mode, Ask ask);
  CallResult after_call(CallResult result, std::chrono::milliseconds limit,
                        std::chrono::steady_clock::duration took);

  const GradingContext& bench_;
  const std::string& version_;
  const BuiltTypes& built_;
  Blame blame_;
  std::optional<WorkerClient> worker_;
  std::map<std::string, Loaded> loaded_;
  std::vector<Asked> asked_;
  std::shared_ptr<const CaseData> last_;
  bool useless_ = false;
  bool never_ends_ = false;
  std::size_t spoiled_in_vain_ = 0;
};

}  // namespace warpmark::judge
