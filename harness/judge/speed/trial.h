// One measurement of the check `fast`: rounds of timed calls until the result is decided, and evidence
// whether to trust them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "harness/judge/speed/pair_timer.h"
#include "harness/measure/decision.h"

namespace warpmark::judge {

// Times the naive kernel in a worker process that never loads student code: its undisturbed time, and the
// noise of the machine.
class Reference {
 public:
  static tl::expected<Reference, Cause> make(const GradingContext& bench, const CaseData& data,
                                             const CourseKernels& course);

  // Measures the naive kernel against itself as if it were a student's kernel, in rounds of four calls, until
  // the confidence interval of their ratio is narrow enough or a limit is reached.
  tl::expected<void, Cause> control();
  // Measures the time of the naive kernel again, and nothing else.
  tl::expected<void, Cause> time();
  // Returns by how many milliseconds the judge process's clock exceeds the CUDA event time of a call. More
  // than the cost of a launch means that another process uses the GPU.
  tl::expected<double, Cause> beyond_events();

  [[nodiscard]] const std::optional<measure::Interval>& interval() const { return interval_; }
  [[nodiscard]] bool is_quiet() const { return measure::is_quiet(interval_, control_width()); }
  [[nodiscard]] double control_width() const { return width_; }
  [[nodiscard]] bool host() const { return host_; }
  // Returns the last measured time of the naive kernel in milliseconds.
  [[nodiscard]] double naive_ms() const { return naive_ms_; }
  [[nodiscard]] double seconds_of_others() const { return seconds_of_others_(); }
  [[nodiscard]] double cores_at_once(unsigned threads) const { return cores_at_once_(threads); }
  [[nodiscard]] WorkerClient& worker() { return watch_.worker(); }
  [[nodiscard]] Conditions conditions();

 private:
  Reference(PairTimer watch, Engine engine, const GradingContext& bench)
      : watch_(std::move(watch)),
        seconds_of_others_(bench.seconds_of_others),
        cores_at_once_(bench.cores_at_once),
        host_(is_host(engine)),
        width_(host_ ? measure::kHostControlWidth : measure::kControlWidth) {}
  PairTimer watch_;
  std::function<double()> seconds_of_others_;
  std::function<double(unsigned)> cores_at_once_;
  bool host_;  // true: plain C++ code is timed, not a kernel
  double width_;
  std::optional<measure::Interval> interval_;
  double naive_ms_ = 0;
};

// Result of comparing the judge process's clock with the CUDA event times of a student's worker process.
enum class Clocks {
  not_compared,
  agree,
  // the clock and the event times differ, but so they do in the reference worker process, without student
  // code
  disturbed,
  hidden  // only the student's clocks disagree, in every attempt: time is hidden
};

// Reason not to trust a measurement; `none`: its verdict holds.
enum class Doubt {
  none,
  naive_is_not_quiet,  // the naive kernel's time varies too much
  naive_differs,  // the naive kernel's time differs between the student's and the reference worker process
  naive_is_not_as_calibrated,
  clocks_are_disturbed,
  cores_were_taken,  // C++ code is too slow only because other processes used the cores
  // C++ code is too slow only because the machine grants less than one core per thread.
  cores_are_not_whole
};

struct Trial {
  std::vector<measure::Round> rounds;
  measure::Look look;
  std::optional<measure::Interval> reference_interval;
  bool host = false;               // true: plain C++ code was timed, not a kernel
  const char* baseline = nullptr;  // what it was timed against, for messages; null: as `host` says
  double control_width = measure::kControlWidth;
  double naive_before_ms = 0;
  double naive_after_ms = 0;
  // naive kernel: milliseconds by which the judge process's clock exceeds the CUDA event times, minus the
  // same difference for a request without a call; 0 if not compared
  double naive_excess_ms = 0;
  // student's kernel: excess of the judge's clock over CUDA event times, minus the same for the naive kernel
  double student_excess_ms = 0;
  // reference worker process (without student code): largest excess of the judge's clock for one call
  double reference_beyond_ms = 0;
  Clocks clocks = Clocks::not_compared;
  // Processor time, in cores, that other processes took while plain C++ code was timed; 1: all of one core.
  double cores_taken = 0;
  // For multithreaded C++ code: its number of threads, and the number of cores' worth of work that as many
  // threads of the judge process got done concurrently between the rounds.
  unsigned threads = 1;
  double cores_had = 1;
};

using Decide = std::function<measure::Look(std::span<const measure::Round>)>;

// Times the naive and the student's kernel alternately until `decide` returns a decision, and the naive
// kernel in the reference worker process before and after. `threads` is the number of threads of plain C++
// code.
tl::expected<Trial, Cause> try_version(PairTimer& watch, Reference& reference, const Decide& decide,
                                       unsigned threads = 1);

// Decides whether to trust a measurement. `required`: required speedups, ascending; may be empty.
// `calibrated_ms`: the naive kernel's time on this GPU model; 0 if unknown.
Doubt doubt_about(const Trial& trial, std::span<const double> required, double calibrated_ms);
// Returns a message that explains why a measurement is not trusted, with its numbers and the remedy. Not for
// Doubt::none.
std::string reason_of(Doubt doubt, const Trial& trial, double calibrated_ms);

}  // namespace warpmark::judge
