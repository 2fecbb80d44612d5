// Calls that are timed: the naive kernel and one version in one worker, on data that changes before every
// call.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/base/file.h"
#include "harness/judge/cases/case_runner.h"
#include "harness/judge/checks/version_checks.h"
#include "harness/judge/workers/libraries.h"
#include "harness/judge/workers/worker_client.h"
#include "harness/measure/clocks.h"

namespace warpmark::judge {

enum class Arm { naive, student };

class Stopwatch {
 public:
  // A worker with all but the submission: the course's kernels and the data, at several addresses. Nothing is
  // timed yet, so several of them can be made side by side. What is named is used as long as this lives.
  static tl::expected<Stopwatch, Cause> make(const Bench& bench, const CaseData& data,
                                             const CourseKernels& course);
  // What the buffers of one take of the device's memory, without L2's.
  [[nodiscard]] static std::size_t device_bytes(const CaseData& data);

  // Until this is called both arms are the naive kernel.
  tl::expected<void, Cause> load_student(const BuiltTypes& built, const std::string& version);

  // Goes on with the data at another address, drawn among a few. The calls of one round share theirs, so that
  // it is no part of what sets them apart.
  void move();
  // One call, or why it does not count. A wrong answer is `wrong_when_timed`: the same version was right when
  // it was checked.
  tl::expected<measure::TimedCall, Cause> time(Arm arm);
  // Milliseconds of a request, by the judge's clock, that does the same but calls nothing.
  tl::expected<double, Cause> time_nothing();
  // Two requests that differ only in the number of calls of the naive kernel between the same sweeps.
  tl::expected<measure::ClockPair, Cause> compare_clocks();
  // Whether the input still holds, to the byte, what the judge put there.
  tl::expected<void, Cause> input_is_untouched();

  [[nodiscard]] WorkerClient& worker() { return worker_; }

 private:
  struct Timed {
    std::vector<double> event_ms;  // of each call
    double judge_ms = 0;           // of the whole request
  };
  Stopwatch(const Bench& bench, const CaseData& data, WorkerClient worker);
  tl::expected<void, Cause> ask(const nlohmann::json& request, const std::vector<int>& descriptors = {});
  tl::expected<Timed, Cause> call(Arm arm, std::size_t turns, std::size_t calls);
  nlohmann::json next_patches();
  [[nodiscard]] const Buffers::Region& input() const { return data_->buffers.regions()[input_]; }
  [[nodiscard]] Cause wrong_answer(Arm arm, const Mismatch& mismatch) const;

  const Bench* bench_;
  const CaseData* data_;
  WorkerClient worker_;
  Loaded naive_;
  Loaded student_;
  std::unique_ptr<Problem> problem_;
  std::size_t input_;                            // index of the patched buffer
  PrivateView contents_;                         // of the input as the device holds it
  std::vector<std::vector<Patch>> outstanding_;  // what each copy of the input has not been told yet
  std::size_t copy_ = 0;                         // the one that calls get
  std::uint64_t calls_ = 0;
  std::uint64_t moves_ = 0;
};

}  // namespace warpmark::judge
