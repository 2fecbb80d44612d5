// The measurement of one `fast` check: rounds until they decide, and evidence for or against trusting them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "harness/judge/speed/pair_timer.h"
#include "harness/measure/decision.h"

namespace warpmark::judge {

// Times the naive kernel in a worker that never loads a submission: its undisturbed time, and the noise of
// the machine.
class Reference {
 public:
  static tl::expected<Reference, Cause> make(const GradingContext& bench, const CaseData& data,
                                             const CourseKernels& course);

  // Measures naive against naive with the same rounds as a version; adds rounds until the control is quiet or
  // a limit is reached.
  tl::expected<void, Cause> control();
  // Measures the naive kernel's time again.
  tl::expected<void, Cause> time();
  // Returns a call's time beyond its events in milliseconds, by the judge's clock. It exceeds the cost of a
  // launch if something else uses the GPU.
  tl::expected<double, Cause> beyond_events();

  [[nodiscard]] const std::optional<measure::Interval>& interval() const { return interval_; }
  [[nodiscard]] bool is_quiet() const { return measure::is_quiet(interval_, control_width()); }
  [[nodiscard]] double control_width() const { return width_; }
  [[nodiscard]] bool host() const { return host_; }
  [[nodiscard]] double naive_ms() const { return naive_ms_; }  // as last measured
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
  bool host_;  // times C++ versions, not kernels
  double width_;
  std::optional<measure::Interval> interval_;
  double naive_ms_ = 0;
};

// Comparison of the judge's clock with the event times of a version's worker.
enum class Clocks {
  not_compared,
  agree,
  disturbed,  // they disagree, and so do the reference's
  hidden      // they disagree in every attempt, although the reference's agree
};

// Reason not to trust a trial; `none`: its verdict holds.
enum class Doubt {
  none,
  naive_is_not_quiet,  // in the rounds, or in the reference
  naive_differs,       // from the reference, before or after
  naive_is_not_as_calibrated,
  clocks_are_disturbed,
  cores_were_taken,  // a C++ version is too slow only because other processes used the cores
  // A C++ version is too slow only because the machine grants less than a core per thread.
  cores_are_not_whole
};

struct Trial {
  std::vector<measure::Round> rounds;
  measure::Look look;
  std::optional<measure::Interval> reference_interval;
  bool host = false;  // C++ versions were timed, not kernels
  double control_width = measure::kControlWidth;
  double naive_before_ms = 0;
  double naive_after_ms = 0;
  // Time of requests by the judge's clock beyond their events, in ms; 0 if not compared.
  double naive_excess_ms = 0;      // the naive kernel's, minus that of requests without a call
  double student_excess_ms = 0;    // the version's, minus the naive kernel's in the same worker
  double reference_beyond_ms = 0;  // of one call in the reference, the maximum observed
  Clocks clocks = Clocks::not_compared;
  // Processor time, in cores, that other processes took during the rounds of a C++ version; 1: all of one
  // core.
  double cores_taken = 0;
  // For a multithreaded C++ version: its number of threads, and how many cores' worth of work as many threads
  // of the judge got done at once between the rounds.
  unsigned threads = 1;
  double cores_had = 1;
};

using Decide = std::function<measure::Look(std::span<const measure::Round>)>;

// Takes rounds until `decide` returns a decision, with a check of the reference before and after. threads: of
// a C++ version.
tl::expected<Trial, Cause> try_version(PairTimer& watch, Reference& reference, const Decide& decide,
                                       unsigned threads = 1);

// threshold: required speedup. calibrated_ms: the naive kernel's time on this GPU model; 0 if unknown.
Doubt doubt_about(const Trial& trial, double threshold, double calibrated_ms);
// Returns the doubt as a message with its numbers and the remedy. Not for Doubt::none.
std::string reason_of(Doubt doubt, const Trial& trial, double calibrated_ms);

}  // namespace warpmark::judge
