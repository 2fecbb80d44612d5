// One version on one engine, call by call: a worker is started when a case needs one, and a fresh one after a
// call that spoiled it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

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

  // The cause of the wrong answer that the last run() gave, said better; see explain_wrong_answer().
  std::optional<Cause> explain(const Case& which, const Cause& cause);

  // The next case gets a fresh worker.
  void replace();
  // Whether no case of this type was run in this worker before the next one.
  [[nodiscard]] bool is_fresh(const std::string& type) const { return !used_.contains(type); }
  // Whether more can be asked: the worker starts and loads, no call came to its time limit or to an endless
  // loop, and fresh workers were of use.
  [[nodiscard]] bool can_go_on() const;
  // Whether small inputs may take any way: of a library that the simulator runs on the host no kernel is
  // known.
  [[nodiscard]] bool host_readable(const std::string& type) const;
  // A new cause was found: worth another fresh worker.
  void was_of_use() { spoiled_in_vain_ = 0; }
  [[nodiscard]] const Blame& blame() const { return blame_; }

 private:
  [[nodiscard]] std::chrono::milliseconds limit() const;
  std::optional<Cause> prepare(const std::string& type);
  CallResult after_call(CallResult result, std::chrono::milliseconds limit);

  const GradingContext& bench_;
  const std::string& version_;
  const BuiltTypes& built_;
  Blame blame_;
  std::optional<WorkerClient> worker_;
  std::map<std::string, Loaded> loaded_;
  std::map<std::string, bool> used_;
  std::shared_ptr<const CaseData> last_;
  bool useless_ = false;
  bool never_ends_ = false;
  std::size_t spoiled_in_vain_ = 0;
};

}  // namespace warpmark::judge
