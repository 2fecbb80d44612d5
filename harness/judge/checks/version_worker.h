// Calls one student's function repeatedly on one engine (GPU, simulator or CPU). Starts a worker process on
// demand, and a fresh one after a call that left the old one unusable. On the simulator every call is
// watched: its memory accesses are checked, whatever the given run mode says, unless smaller inputs show that
// it would take too long; then its work is not counted, either.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/judge/cases/case_runner.h"
#include "harness/judge/checks/explain_wrong_answer.h"
#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

class VersionWorker {
 public:
  // VersionWorker keeps references to its constructor's arguments, which must outlive the object.
  VersionWorker(const GradingContext& bench, const std::string& version, const BuiltTypes& built);

  // Allocates and fills the buffers of a test case in the worker process and calls the student's function
  // once. Returns the comparison with the expected output and the observed findings.
  CallResult run(const Case& which, const wire::RunMode& mode = {});
  // Calls the student's function again on the buffers of the last run(), which called it once with the right
  // result, after filling the buffers with other input data.
  CallResult run_again(const wire::RunMode& mode = {});

  // Calls the student's function `count` times in one request, on the buffers of the last run(), which are
  // filled with other input data before.
  CallResult run_often(std::uint64_t count);

  // Repeats the call of run() whose work was counted, with the faults that `mode` names. The worker process
  // must have made that call: see has_counted().
  CallResult run_with_faults(const Case& which, wire::RunMode mode);
  // True if the current worker process has made a call whose work was counted.
  [[nodiscard]] bool has_counted() const { return has_counted_; }

  // Returns the test case with the input data that run_again() uses, to be run on its own.
  [[nodiscard]] Case with_other_values(const Case& which) const;
  // Explains the wrong result of the last run() by further calls; see explain_wrong_answer(). An error that
  // ended the call is explained by changes of the source alone; see explain_by_changes(). The worker
  // process is replaced afterwards, because asked(), the list of its calls, does not contain those calls.
  // With `demands`, too.
  std::optional<Cause> explain(const Case& which, const Cause& cause, const Demands& demands = {});

  // Returns the number of SMs of the current worker process's device; 0 if there is no process.
  [[nodiscard]] std::uint64_t multiprocessors() const;
  // A test case that the current worker process has run.
  struct Asked {
    Case which;
    bool again = false;  // true: a second call on the same buffers, by run_again()
  };
  [[nodiscard]] const std::vector<Asked>& asked() const { return asked_; }
  // Ends the worker process; the next call starts a fresh one.
  void replace();
  // Returns false if more calls of the student's function are pointless: the worker process does not start or
  // cannot load the student's library, a call timed out or looped endlessly, MPI ranks deadlocked, or several
  // successive processes became unusable without showing a new defect.
  [[nodiscard]] bool can_go_on() const;
  // Records that the last failure was a new defect, which justifies another fresh worker process.
  void was_of_use() { spoiled_in_vain_ = 0; }
  [[nodiscard]] const Blame& blame() const { return blame_; }
  // Returns the distinct remarks (such as races) of all calls so far, in all worker processes.
  [[nodiscard]] const std::vector<Cause>& remarks() const { return remarks_; }

 private:
  class Tried;
  [[nodiscard]] std::chrono::milliseconds limit() const;
  std::optional<Cause> prepare(const std::string& type);
  // Returns true if the next call, watched, is expected to use up a good part of its time limit.
  [[nodiscard]] bool takes_too_long_watched(std::chrono::milliseconds limit) const;
  // Calls `ask`, which sends one call of the student's function to the worker process. Passes it the run mode
  // and the time limit that remains for the kernel file.
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
  std::vector<Cause> remarks_;
  // seconds and input elements of the slowest watched call
  std::pair<double, std::uint64_t> slowest_watched_{};
  std::shared_ptr<const CaseData> last_;
  bool has_counted_ = false;
  KnownChange known_change_;  // survives replace()
  bool useless_ = false;
  bool never_ends_ = false;
  std::size_t spoiled_in_vain_ = 0;
};

}  // namespace warpmark::judge
