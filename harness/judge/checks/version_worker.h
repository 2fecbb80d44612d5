// One version on one engine, call by call: a worker is started when a case needs one, and a fresh one after a
// call that spoiled it.
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
  // All of them are used as long as this lives.
  VersionWorker(const GradingContext& bench, const std::string& version, const BuiltTypes& built);

  // Makes the buffers of a case and calls.
  CallResult run(const Case& which, const wire::RunMode& mode = {});
  // Once more on the buffers of the last run(), with other values in them. That call must have been right.
  CallResult run_again(const wire::RunMode& mode = {});

  // So many times in one request, on the buffers of the last run() with other values in them.
  CallResult run_often(std::uint64_t count);

  // The case of run_again(), to be asked on its own.
  [[nodiscard]] Case with_other_values(const Case& which) const;
  // The cause of the wrong answer that the last run() gave, said better; see explain_wrong_answer(). What was
  // asked for that is no part of asked(): the next case gets a fresh worker.
  std::optional<Cause> explain(const Case& which, const Cause& cause);

  // Of the present worker's device; 0 without one.
  [[nodiscard]] std::uint64_t multiprocessors() const;
  // What the present worker was asked so far.
  struct Asked {
    Case which;
    bool again = false;  // and run_again() after it
  };
  [[nodiscard]] const std::vector<Asked>& asked() const { return asked_; }
  // The next case gets a fresh worker.
  void replace();
  // Whether more can be asked: the worker starts and loads, no call came to its time limit or to an endless
  // loop, no ranks waited for each other for ever, and fresh workers were of use.
  [[nodiscard]] bool can_go_on() const;
  // A new cause was found: worth another fresh worker.
  void was_of_use() { spoiled_in_vain_ = 0; }
  [[nodiscard]] const Blame& blame() const { return blame_; }

 private:
  class Tried;
  [[nodiscard]] std::chrono::milliseconds limit() const;
  std::optional<Cause> prepare(const std::string& type);
  // ask(mode, limit) -> CallResult: one call, with the limits of the time that is left.
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
