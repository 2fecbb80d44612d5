// The measurement behind one `fast` check: rounds until they decide, and what tells whether to believe them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "harness/judge/speed/pair_timer.h"
#include "harness/measure/decision.h"

namespace warpmark::judge {

// The naive kernel in a worker that never loads a submission: what it costs where no submission can slow it
// down, and how quiet the machine is.
class Reference {
 public:
  static tl::expected<Reference, Cause> make(const GradingContext& bench, const CaseData& data,
                                             const CourseKernels& course);

  // Naive against naive by the same rounds as a version, more of them while they are not quiet.
  tl::expected<void, Cause> control();
  // Takes the naive kernel's time anew.
  tl::expected<void, Cause> time();
  // Milliseconds of a call alone by the judge's clock beyond its events: more than a launch takes where
  // something else uses the GPU.
  tl::expected<double, Cause> beyond_events();

  [[nodiscard]] const std::optional<measure::Interval>& interval() const { return interval_; }
  [[nodiscard]] bool is_quiet() const { return measure::is_quiet(interval_, control_width()); }
  [[nodiscard]] double control_width() const { return width_; }
  [[nodiscard]] bool host() const { return host_; }
  [[nodiscard]] double naive_ms() const { return naive_ms_; }  // when it was last taken
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
  bool host_;  // threads are timed, not kernels
  double width_;
  std::optional<measure::Interval> interval_;
  double naive_ms_ = 0;
};

// What the judge's own clock says of the times that the events of a version's worker give.
enum class Clocks {
  not_compared,
  agree,
  disturbed,  // they do not agree, and neither do those of the reference
  hidden      // they never agreed, however often those of the reference did
};

// Why a trial proves nothing, or that it proves what its rounds say.
enum class Doubt {
  none,
  naive_is_not_quiet,  // in the rounds, or in the reference
  naive_differs,       // from the reference, before or after
  naive_is_not_as_calibrated,
  clocks_are_disturbed,
  cores_were_taken,    // a version in C++ is too slow, and would not be, had others not used the cores
  cores_are_not_whole  // the same, had its threads a core each, which the judge's own have not, either
};

struct Trial {
  std::vector<measure::Round> rounds;
  measure::Look look;
  std::optional<measure::Interval> reference_interval;
  bool host = false;  // threads were timed, not kernels
  double control_width = measure::kControlWidth;
  double naive_before_ms = 0;
  double naive_after_ms = 0;
  // What requests take by the judge's clock beyond their events. In ms; 0 where not compared.
  double naive_excess_ms = 0;      // of the naive kernel, over requests that call nothing
  double student_excess_ms = 0;    // of the version, over the naive kernel beside it
  double reference_beyond_ms = 0;  // of a call in the reference, the most that was seen
  Clocks clocks = Clocks::not_compared;
  // What others took of the cores while the rounds of a version in C++ were made: 1 is all of one core's
  // time.
  double cores_taken = 0;
  // Of a version in C++ with several threads: how many, and as many cores' work threads of the judge's own
  // got done at once between the rounds.
  unsigned threads = 1;
  double cores_had = 1;
};

using Decide = std::function<measure::Look(std::span<const measure::Round>)>;

// Rounds until `decide` has seen enough, between two looks at the reference. threads: of a version in C++.
tl::expected<Trial, Cause> try_version(PairTimer& watch, Reference& reference, const Decide& decide,
                                       unsigned threads = 1);

// threshold: the speedup that is asked. calibrated_ms: the naive kernel's time on this model of GPU; 0 if it
// is not known.
Doubt doubt_about(const Trial& trial, double threshold, double calibrated_ms);
// The doubt in words, with its figures and what to do. Not for Doubt::none.
std::string reason_of(Doubt doubt, const Trial& trial, double calibrated_ms);

}  // namespace warpmark::judge
