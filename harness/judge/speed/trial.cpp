#include "harness/judge/speed/trial.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/judge/speed/conditions.h"

namespace warpmark::judge {
namespace {

constexpr std::size_t kWarmUps = 2;  // number of warm-up calls of each kernel before timing begins
// Limit on the number of rounds (four calls each) in which the naive kernel is measured against itself.
constexpr std::size_t kMostControlRounds = 48;
constexpr std::size_t kReferenceCalls = 9;  // number of calls whose median is the naive kernel's time
constexpr std::size_t kClockPairs = 5;
// maximum number of comparisons of CUDA event times with the judge process's clock before student code is
// blamed for a difference
constexpr std::size_t kClockTries = 3;

constexpr std::size_t kMostControlRoundsOnHost = 24;
// Limit in seconds on measuring the naive code against itself, tested every kLookEvery rounds.
constexpr double kControlSecondsOnHost = 10;

// Number of rounds (four timed calls each) between two measurements of the available cores. At most
// kHopelessAfter, so that every verdict includes such a measurement.
constexpr std::size_t kRoundsALookAtCores = 3;
// OpenMP threads may spin for some milliseconds after their work; wait until they sleep.
constexpr std::chrono::milliseconds kThreadsSpin{50};

const char* not_quiet(bool host) {
  return host
             ? "something else uses the machine's cores; grade again when nothing else runs on it (`top` "
               "shows what does)"
             : "something else uses the GPU, or its clocks changed; grade again when nothing else runs on it "
               "(`nvidia-smi` shows what does)";
}

tl::expected<void, Cause> warm_up(PairTimer& watch) {
  for (std::size_t i = 0; i < kWarmUps; ++i) {
    for (const Arm arm : {Arm::naive, Arm::student}) {
      if (auto time = watch.time(arm); !time) return tl::unexpected(time.error());
    }
  }
  return {};
}

struct Samples {
  std::vector<measure::Round> rounds;
  std::vector<measure::TimedCall> naive;
  std::vector<measure::TimedCall> student;
  std::vector<double> nothing_ms;  // durations in milliseconds of requests that call no kernel
};

// Times one round: the naive and the student's kernel alternately, twice each. An uncounted call before it
// absorbs the cost of the input's new address; it is the student's, so that each call of the round follows
// one of the other kernel.
tl::expected<void, Cause> take_round(PairTimer& watch, Samples& samples) {
  watch.move();
  if (auto moved = watch.time(Arm::student); !moved) return tl::unexpected(moved.error());
  measure::Round round;
  for (std::size_t turn = 0; turn < 2; ++turn) {
    for (const Arm arm : {Arm::naive, Arm::student}) {
      const auto call = watch.time(arm);
      if (!call) return tl::unexpected(call.error());
      (arm == Arm::naive ? round.naive_ms : round.student_ms)[turn] = call->event_ms;
      (arm == Arm::naive ? samples.naive : samples.student).push_back(*call);
    }
  }
  const auto nothing = watch.time_nothing();
  if (!nothing) return tl::unexpected(nothing.error());
  samples.nothing_ms.push_back(*nothing);
  samples.rounds.push_back(round);
  return {};
}

tl::expected<measure::Look, Cause> take_rounds(PairTimer& watch, const Decide& decide, Samples& samples) {
  for (;;) {
    if (auto taken = take_round(watch, samples); !taken) return tl::unexpected(taken.error());
    const measure::Look look = decide(samples.rounds);
    if (look.decision != measure::Decision::more_rounds) return look;
  }
}

// Returns the milliseconds by which the judge process's clock differs from the CUDA event times, if beyond
// the tolerance; else 0.
double apart(const Trial& trial) {
  if (!measure::clocks_agree(trial.naive_excess_ms, measure::naive_median_ms(trial.rounds)))
    return trial.naive_excess_ms;
  if (!measure::clocks_agree(trial.student_excess_ms, measure::student_median_ms(trial.rounds)))
    return trial.student_excess_ms;
  return 0;
}

// Compares the judge process's clock with the CUDA event times, first over the calls that decided the result.
// If they differ, another process may be using the GPU, which the reference worker process (without student
// code) would show as well. Student code is blamed only if the difference occurs in every attempt and not in
// the reference.
tl::expected<void, Cause> compare_clocks(PairTimer& watch, Reference& reference, Samples samples,
                                         Trial& trial) {
  for (std::size_t i = 0; i < kClockTries; ++i) {
    if (i > 0) {
      samples = {};
      while (samples.rounds.size() < measure::kLookEvery) {
        if (auto taken = take_round(watch, samples); !taken) return tl::unexpected(taken.error());
      }
    }
    const double naive_ms = measure::beyond_events_ms(samples.naive);
    trial.naive_excess_ms = naive_ms - measure::median(samples.nothing_ms);
    trial.student_excess_ms = measure::beyond_events_ms(samples.student) - naive_ms;
    trial.clocks = Clocks::agree;
    const double apart_ms = apart(trial);
    if (apart_ms == 0) return {};
    const auto alone = reference.beyond_events();
    if (!alone) return tl::unexpected(alone.error());
    if (std::abs(*alone) > std::abs(trial.reference_beyond_ms)) trial.reference_beyond_ms = *alone;
    trial.clocks = Clocks::disturbed;
    if (measure::machine_explains(apart_ms, trial.reference_beyond_ms)) return {};
    trial.clocks = Clocks::hidden;
  }
  return {};
}

}  // namespace

tl::expected<Reference, Cause> Reference::make(const GradingContext& bench, const CaseData& data,
                                               const CourseKernels& course) {
  auto watch = PairTimer::make(bench, data, course);
  if (!watch) return tl::unexpected(watch.error());
  if (auto warm = warm_up(*watch); !warm) return tl::unexpected(warm.error());
  return Reference(std::move(*watch), course.naive.engine, bench);
}

tl::expected<void, Cause> Reference::control() {
  Samples samples;
  const auto start = std::chrono::steady_clock::now();
  const auto until_quiet = [&](std::span<const measure::Round> all) {
    if (all.size() % measure::kLookEvery != 0) return measure::Look{};
    // Compares only calls at the same position in each round of four calls: on an H200, the kernel called
    // first was always slower.
    interval_ = measure::sign_test_interval(measure::naive_against_itself(all));
    const bool late = host_ && seconds_since(start) > kControlSecondsOnHost;
    const bool enough =
        is_quiet() || late || all.size() >= (host_ ? kMostControlRoundsOnHost : kMostControlRounds);
    return measure::Look{enough ? measure::Decision::passed : measure::Decision::more_rounds,
                         measure::Ground::interval};
  };
  if (auto taken = take_rounds(watch_, until_quiet, samples); !taken) return tl::unexpected(taken.error());
  naive_ms_ = measure::naive_median_ms(samples.rounds);
  return {};
}

tl::expected<void, Cause> Reference::time() {
  std::vector<double> event_ms;
  watch_.move();
  for (std::size_t i = 0; i <= kReferenceCalls; ++i) {
    const auto call = watch_.time(Arm::naive);
    if (!call) return tl::unexpected(call.error());
    // skip the first call's time: it includes the cost of the input's new address
    if (i > 0) event_ms.push_back(call->event_ms);
  }
  naive_ms_ = measure::median(std::move(event_ms));
  return {};
}

tl::expected<double, Cause> Reference::beyond_events() {
  std::vector<measure::ClockPair> pairs;
  for (std::size_t i = 0; i < kClockPairs; ++i) {
    const auto pair = watch_.compare_clocks();
    if (!pair) return tl::unexpected(pair.error());
    pairs.push_back(*pair);
  }
  return measure::beyond_events_ms(pairs);
}

// The reference worker process is the harness's only process on the GPU at this moment.
Conditions Reference::conditions() {
  return conditions_of(worker());
}

tl::expected<Trial, Cause> try_version(PairTimer& watch, Reference& reference, const Decide& decide,
                                       unsigned threads) {
  Trial trial;
  trial.threads = threads;
  trial.host = reference.host();
  trial.control_width = reference.control_width();
  if (!reference.is_quiet()) {
    if (auto quiet = reference.control(); !quiet) return tl::unexpected(quiet.error());
  }
  trial.reference_interval = reference.interval();
  trial.naive_before_ms = reference.naive_ms();
  // Plain C++ code is not timed if the naive code's times are noisy: timing would take far longer and prove
  // nothing.
  if (trial.host && !reference.is_quiet())
    return tl::unexpected(make_cause(CauseKind::noise, reason_of(Doubt::naive_is_not_quiet, trial, 0)));
  if (auto warm = warm_up(watch); !warm) return tl::unexpected(warm.error());
  Samples samples;
  const double taken_before = reference.seconds_of_others();
  const auto start = std::chrono::steady_clock::now();
  std::vector<double> cores_had;
  const Decide look_at_cores_too = [&](std::span<const measure::Round> rounds) {
    if (threads > 1 && rounds.size() % kRoundsALookAtCores == 0) {
      std::this_thread::sleep_for(kThreadsSpin);
      cores_had.push_back(reference.cores_at_once(threads));
    }
    return decide(rounds);
  };
  auto look = take_rounds(watch, look_at_cores_too, samples);
  if (!look) return tl::unexpected(look.error());
  if (trial.host) trial.cores_taken = (reference.seconds_of_others() - taken_before) / seconds_since(start);
  if (!cores_had.empty()) trial.cores_had = measure::median(std::move(cores_had));
  trial.look = *look;
  trial.rounds = samples.rounds;
  if (look->ground != measure::Ground::hopeless) {
    if (auto compared = compare_clocks(watch, reference, std::move(samples), trial); !compared)
      return tl::unexpected(compared.error());
  }
  if (auto after = reference.time(); !after) return tl::unexpected(after.error());
  trial.naive_after_ms = reference.naive_ms();
  return trial;
}

namespace {

double speedup_of(const Trial& trial) {
  return std::exp(measure::median(measure::log_ratios(trial.rounds)));
}

// Returns how many of the `required` speedups the measurement reached.
std::size_t reached_of(const Trial& trial, std::span<const double> required) {
  return std::min(trial.look.reached, required.size());
}

// Returns true if the naive kernel's time in the process with student code differs from its time without
// student code so much that the verdict may be wrong. For plain C++ code, only if the time without student
// code yields another verdict: a sequential program is often a third faster or slower beside threads than
// alone (clocks, caches, memory placement; 16 cores of a server, 2026-11-23).
bool naive_differs(const Trial& trial, std::span<const double> required, double beside_ms, double alone_ms) {
  if (measure::agree(beside_ms, alone_ms)) return false;
  const double alone = speedup_of(trial) * alone_ms / beside_ms;
  const auto reached_alone =
      std::ranges::count_if(required, [&](double speedup) { return alone >= speedup; });
  return !trial.host || static_cast<std::size_t>(reached_alone) != reached_of(trial, required);
}

}  // namespace

Doubt doubt_about(const Trial& trial, std::span<const double> required, double calibrated_ms) {
  if (!measure::is_quiet(trial.reference_interval, trial.control_width)) return Doubt::naive_is_not_quiet;
  if (trial.clocks == Clocks::disturbed) return Doubt::clocks_are_disturbed;
  // Student code that hides time (works on after its call) causes the noise in the other times itself, so the
  // measurement counts.
  if (trial.clocks == Clocks::hidden) return Doubt::none;
  if (trial.look.decision == measure::Decision::noise) return Doubt::naive_is_not_quiet;
  const double naive_ms = measure::naive_median_ms(trial.rounds);
  if (naive_differs(trial, required, naive_ms, trial.naive_before_ms) ||
      naive_differs(trial, required, naive_ms, trial.naive_after_ms)) {
    return Doubt::naive_differs;
  }
  if (calibrated_ms > 0 && !measure::agree(naive_ms, calibrated_ms)) {
    return Doubt::naive_is_not_as_calibrated;
  }
  const std::size_t reached = reached_of(trial, required);
  if (reached == required.size()) return Doubt::none;
  if (measure::others_explain(trial.cores_taken, speedup_of(trial), required[reached]))
    return Doubt::cores_were_taken;
  if (measure::cores_explain(trial.cores_had, trial.threads, speedup_of(trial), required[reached]))
    return Doubt::cores_are_not_whole;
  return Doubt::none;
}

std::string reason_of(Doubt doubt, const Trial& trial, double calibrated_ms) {
  const char* naive = trial.baseline != nullptr ? trial.baseline
                      : trial.host              ? "sequential version"
                                                : "naive kernel";
  const double naive_ms = trial.rounds.empty() ? 0 : measure::naive_median_ms(trial.rounds);
  const auto told = [&](double other_ms, const char* where) {
    return fmt::format("the {} took {:.4g} ms beside this version and {:.4g} ms {}: {}", naive, naive_ms,
                       other_ms, where, not_quiet(trial.host));
  };
  if (doubt == Doubt::naive_differs) {
    const auto apart = [&](double alone_ms) { return std::abs(std::log(naive_ms / alone_ms)); };
    const bool before = apart(trial.naive_before_ms) >= apart(trial.naive_after_ms);
    return told(before ? trial.naive_before_ms : trial.naive_after_ms, "in a worker without a submission");
  }
  if (doubt == Doubt::naive_is_not_as_calibrated) {
    return told(calibrated_ms, "when this model of GPU was calibrated or probed") +
           "; if it stays so, `warpmark calibrate` measures this GPU anew, or without calibration `warpmark "
           "doctor`";
  }
  if (doubt == Doubt::clocks_are_disturbed) {
    return fmt::format(
        "in a worker without a submission a call of the {} takes {:.4g} ms more by the grader's "
        "clock than by its events: {}",
        naive, trial.reference_beyond_ms, not_quiet(trial.host));
  }
  if (doubt == Doubt::cores_were_taken) {
    return fmt::format(
        "{:.2f} times as fast as the {}, but other processes took {:.0f} % of a core's time meanwhile, and "
        "threads wait for the slowest one: {}",
        speedup_of(trial), naive, 100 * trial.cores_taken, not_quiet(trial.host));
  }
  if (doubt == Doubt::cores_are_not_whole) {
    return fmt::format(
        "{:.2f} times as fast as the {}, but {} test threads of the grader did the work of only {:.2f} cores "
        "at once: something else uses the machine's cores, they are slower together than one alone, or some "
        "are hyperthreads of one core (see `lscpu`); grade again when nothing else runs on it, or on a "
        "machine with {} physical cores",
        speedup_of(trial), naive, trial.threads, trial.cores_had, trial.threads);
  }
  const bool reference = !measure::is_quiet(trial.reference_interval, trial.control_width);
  const auto interval = reference ? trial.reference_interval
                                  : measure::sign_test_interval(measure::naive_against_itself(trial.rounds));
  return fmt::format(
      "the {}, measured against itself {}, came out between {:.4f} and {:.4f} times as fast, "
      "where a quiet machine gives 1 to within {:g} %: {}",
      naive, reference ? "without a submission" : "beside this version",
      interval ? std::exp(interval->low) : 0, interval ? std::exp(interval->high) : 0,
      100 * trial.control_width, not_quiet(trial.host));
}

}  // namespace warpmark::judge
