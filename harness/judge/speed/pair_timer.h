// Times the naive kernel and a student's kernel alternately, on data that changes before every call: in the
// same worker process or, if the baseline is the course's own solution, in one process for each.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/base/file.h"
#include "harness/judge/cases/case_runner.h"
#include "harness/judge/checks/version_checks.h"
#include "harness/judge/speed/timed_worker.h"
#include "harness/judge/workers/libraries.h"
#include "harness/judge/workers/worker_client.h"
#include "harness/measure/clocks.h"

namespace warpmark::judge {

enum class Arm { naive, student };

class PairTimer {
 public:
  // Starts a worker process with the course's kernel and several copies of the input at different addresses,
  // but without student code. Times nothing, so several may be made concurrently. The PairTimer keeps
  // references to the arguments, which must outlive it.
  static tl::expected<PairTimer, Cause> make(const GradingContext& bench, const CaseData& data,
                                             const CourseKernels& course);
  // Loads the student's kernel. Until then the naive kernel takes its place. If the baseline is the course's
  // solution, starts a further worker process for the student's kernel, because student code could find and
  // call a library of its own process.
  tl::expected<void, Cause> load_student(const BuiltTypes& built, const std::string& version);

  // Makes the changes of the data, and the answers to them, that the first timed calls of every PairTimer for
  // this data will need, so that the GPU does not wait for them.
  static void make_changes_ahead(const CaseData& data);

  // Switches to a randomly drawn copy of the input at another address. All calls of one round (naive,
  // student, naive, student) use the same copy, so that the address does not affect the ratio of their times.
  void move();
  // Times one call of the naive or the student's kernel, or returns the reason why it does not count. A wrong
  // result is `wrong_when_timed`, because the kernel passed `correct`.
  tl::expected<measure::TimedCall, Cause> time(Arm arm);
  // Returns the milliseconds, by the judge process's clock, of a request like that of a timed call, but
  // without the call.
  tl::expected<double, Cause> time_nothing();
  // Makes two requests to compare the judge process's clock with CUDA event times. They have the same L2
  // evictions and differ only in the number of calls of the naive kernel.
  tl::expected<measure::ClockPair, Cause> compare_clocks();
  // Verifies that the input on the device is byte-identical to what the judge process put there, unless the
  // kernel may write it.
  tl::expected<void, Cause> input_is_untouched();

  // Returns the worker process that holds the course's kernel.
  [[nodiscard]] WorkerClient& worker() { return processes_.front().worker.client(); }

 private:
  // A worker process, and the state of the buffers that it holds.
  struct Process {
    TimedWorker worker;
    std::unique_ptr<Problem> problem;
    PrivateView contents;  // the input's current contents on the device
    // Per copy of the input: the changes of input elements that the worker process has not received yet. If
    // the input is in_out, all copies get their contents from one original, which receives the changes: one
    // entry.
    std::vector<std::vector<Patch>> outstanding;
    std::optional<Buffers> renewed = {};  // the buffers since renew(); nullopt before
  };
  static tl::expected<Process, Cause> start(const GradingContext& bench, const CaseData& data,
                                            const CourseKernels& course);
  PairTimer(const GradingContext& bench, const CaseData& data, const CourseKernels& course, Process process);
  tl::expected<Timed, Cause> call(Arm arm, std::size_t turns, std::size_t calls);
  std::vector<Patch> next_patches(Process& process);
  // Replaces all buffers by those of an input that no call had before, of a layout of its own if that follows
  // from the values. Student code on the host could keep its last input and answer and redo only what a few
  // patches changed, at the price of a comparison.
  tl::expected<void, Cause> renew(Process& process);
  CaseData next_inputs();
  [[nodiscard]] Process& process_of(Arm arm) {
    return arm == Arm::naive ? processes_.front() : processes_.back();
  }
  [[nodiscard]] const Buffers::Region& input() const { return data_->buffers.regions()[input_]; }
  [[nodiscard]] Cause wrong_answer(Arm arm, const Mismatch& mismatch) const;

  const GradingContext* bench_;
  const CaseData* data_;
  const CourseKernels* course_;
  // The first holds the course's kernel, the last one the student's; the same one unless the baseline is the
  // course's solution.
  std::vector<Process> processes_;
  Loaded naive_;
  Loaded student_;
  std::size_t input_;        // index of the buffer whose data changes before every call
  std::ptrdiff_t last_ = 0;  // index of the process that was called last
  std::size_t copy_ = 0;     // index of the copy of the input in use
  std::uint64_t calls_ = 0;
  std::uint64_t moves_ = 0;
  std::vector<CaseData> fresh_;  // inputs made ahead for next_inputs()
};

}  // namespace warpmark::judge
