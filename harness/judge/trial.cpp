#include "harness/judge/trial.h"

#include <cmath>

#include <fmt/format.h>

#include "harness/judge/causes.h"

namespace warpmark::judge {
namespace {

using nlohmann::json;

constexpr std::size_t kWarmUps = 2;             // calls of each arm before the first round
constexpr std::size_t kMostControlRounds = 48;  // of the reference against itself
constexpr std::size_t kReferenceCalls = 9;      // whose median is the naive kernel's time
constexpr std::size_t kClockPairs = 5;          // of each arm
constexpr std::size_t kClockTries = 3;          // before a version is blamed for what its clocks say

constexpr const char* kNotQuiet =
    "something else uses the GPU, or its clocks changed; grade again when nothing else runs on it "
    "(`nvidia-smi` shows what does)";

tl::expected<void, Cause> warm_up(Stopwatch& watch) {
  for (std::size_t i = 0; i < kWarmUps; ++i) {
    for (const Arm arm : {Arm::naive, Arm::student}) {
      if (auto time = watch.time(arm); !time) return tl::unexpected(time.error());
    }
  }
  return {};
}

tl::expected<measure::Round, Cause> take_round(Stopwatch& watch) {
  watch.move();
  measure::Round round;
  for (std::size_t turn = 0; turn < 2; ++turn) {
    for (const Arm arm : {Arm::naive, Arm::student}) {
      auto time = watch.time(arm);
      if (!time) return tl::unexpected(time.error());
      (arm == Arm::naive ? round.naive_ms : round.student_ms)[turn] = *time;
    }
  }
  return round;
}

tl::expected<measure::Look, Cause> take_rounds(Stopwatch& watch, const Decide& decide,
                                               std::vector<measure::Round>& rounds) {
  for (;;) {
    auto round = take_round(watch);
    if (!round) return tl::unexpected(round.error());
    rounds.push_back(*round);
    const measure::Look look = decide(rounds);
    if (look.decision != measure::Decision::more_rounds) return look;
  }
}

tl::expected<double, Cause> beyond_events(Stopwatch& watch, Arm arm) {
  std::vector<measure::ClockPair> pairs;
  for (std::size_t i = 0; i < kClockPairs; ++i) {
    auto pair = watch.compare_clocks(arm);
    if (!pair) return tl::unexpected(pair.error());
    pairs.push_back(*pair);
  }
  return measure::beyond_events_ms(pairs);
}

// Milliseconds by which they are further apart than clocks may be; 0: they agree.
double apart(const Trial& trial) {
  if (!measure::naive_clock_agrees(trial.naive_beyond_ms, measure::naive_median_ms(trial.rounds)))
    return trial.naive_beyond_ms;
  const double student_ms = measure::student_median_ms(trial.rounds);
  if (!measure::clocks_agree(trial.student_beyond_ms, trial.naive_beyond_ms, student_ms))
    return trial.student_beyond_ms - trial.naive_beyond_ms;
  return 0;
}

// Once is enough where they agree. Where they do not, something else may use the GPU, which the reference
// sees as well: only what comes back, and only beside the version, is its doing.
tl::expected<void, Cause> compare_clocks(Stopwatch& watch, Reference& reference, Trial& trial) {
  for (std::size_t i = 0; i < kClockTries; ++i) {
    const auto naive = beyond_events(watch, Arm::naive);
    if (!naive) return tl::unexpected(naive.error());
    const auto student = beyond_events(watch, Arm::student);
    if (!student) return tl::unexpected(student.error());
    trial.naive_beyond_ms = *naive;
    trial.student_beyond_ms = *student;
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

std::optional<std::uint64_t> count_of(const json& object, const char* member) {
  const auto found = object.find(member);
  if (found == object.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<std::uint64_t>();
}

}  // namespace

tl::expected<Reference, Cause> Reference::make(const Bench& bench, const TimedData& data,
                                               const CourseKernels& course) {
  auto watch = Stopwatch::make(bench, data, course);
  if (!watch) return tl::unexpected(watch.error());
  if (auto warm = warm_up(*watch); !warm) return tl::unexpected(warm.error());
  return Reference(std::move(*watch));
}

tl::expected<void, Cause> Reference::control() {
  std::vector<measure::Round> rounds;
  const auto until_quiet = [&](std::span<const measure::Round> all) {
    if (all.size() % measure::kLookEvery != 0) return measure::Look{};
    interval_ = measure::sign_test_interval(measure::log_ratios(all));
    const bool enough = measure::is_quiet(interval_) || all.size() >= kMostControlRounds;
    return measure::Look{enough ? measure::Decision::passed : measure::Decision::more_rounds,
                         measure::Ground::interval};
  };
  if (auto taken = take_rounds(watch_, until_quiet, rounds); !taken) return tl::unexpected(taken.error());
  naive_ms_ = measure::naive_median_ms(rounds);
  return {};
}

tl::expected<void, Cause> Reference::time() {
  std::vector<double> samples;
  for (std::size_t i = 0; i < kReferenceCalls; ++i) {
    watch_.move();
    auto sample = watch_.time(Arm::naive);
    if (!sample) return tl::unexpected(sample.error());
    samples.push_back(*sample);
  }
  naive_ms_ = measure::median(std::move(samples));
  return {};
}

tl::expected<double, Cause> Reference::beyond_events() {
  return judge::beyond_events(watch_, Arm::naive);
}

Conditions Reference::conditions() {
  Conditions seen;
  const auto reply = worker().ask({{"do", "conditions"}}, {}, std::chrono::seconds(20));
  if (!reply) return seen;
  seen.driver = text_of(*reply, "driver");
  seen.sm_mhz = count_of(*reply, "sm_mhz");
  seen.memory_mhz = count_of(*reply, "memory_mhz");
  seen.celsius = count_of(*reply, "celsius");
  // The reference itself is one of them, and the only one of ours at this moment.
  if (const auto processes = count_of(*reply, "processes")) {
    seen.other_processes = *processes > 0 ? *processes - 1 : 0;
  }
  if (const auto reasons = reply->find("throttled_by"); reasons != reply->end() && reasons->is_array()) {
    for (const json& reason : *reasons) {
      if (reason.is_string()) seen.throttled_by.push_back(reason.get<std::string>());
    }
  }
  return seen;
}

tl::expected<Trial, Cause> try_version(Stopwatch& watch, Reference& reference, const Decide& decide) {
  Trial trial;
  if (!measure::is_quiet(reference.interval())) {
    if (auto quiet = reference.control(); !quiet) return tl::unexpected(quiet.error());
  }
  trial.reference_interval = reference.interval();
  trial.naive_before_ms = reference.naive_ms();
  if (auto warm = warm_up(watch); !warm) return tl::unexpected(warm.error());
  auto look = take_rounds(watch, decide, trial.rounds);
  if (!look) return tl::unexpected(look.error());
  trial.look = *look;
  if (look->ground != measure::Ground::hopeless) {
    if (auto compared = compare_clocks(watch, reference, trial); !compared)
      return tl::unexpected(compared.error());
  }
  if (auto after = reference.time(); !after) return tl::unexpected(after.error());
  trial.naive_after_ms = reference.naive_ms();
  return trial;
}

Doubt doubt_about(const Trial& trial, double calibrated_ms) {
  if (!measure::is_quiet(trial.reference_interval)) return Doubt::naive_is_not_quiet;
  if (trial.clocks == Clocks::disturbed) return Doubt::clocks_are_disturbed;
  // Time that is hidden is the version's doing, and work that goes on when it should be over makes the others
  // less quiet.
  if (trial.clocks == Clocks::hidden) return Doubt::none;
  if (trial.look.decision == measure::Decision::noise) return Doubt::naive_is_not_quiet;
  const double naive_ms = measure::naive_median_ms(trial.rounds);
  if (!measure::agree(naive_ms, trial.naive_before_ms) || !measure::agree(naive_ms, trial.naive_after_ms)) {
    return Doubt::naive_differs;
  }
  if (calibrated_ms > 0 && !measure::agree(naive_ms, calibrated_ms)) {
    return Doubt::naive_is_not_as_calibrated;
  }
  return Doubt::none;
}

std::string reason_of(Doubt doubt, const Trial& trial, double calibrated_ms) {
  const double naive_ms = measure::naive_median_ms(trial.rounds);
  const auto told = [&](double other_ms, const char* where) {
    return fmt::format("the naive kernel took {:.4g} ms beside this version and {:.4g} ms {}: {}", naive_ms,
                       other_ms, where, kNotQuiet);
  };
  if (doubt == Doubt::naive_differs) {
    const bool before = !measure::agree(naive_ms, trial.naive_before_ms);
    return told(before ? trial.naive_before_ms : trial.naive_after_ms, "in a worker without a submission");
  }
  if (doubt == Doubt::naive_is_not_as_calibrated) {
    return told(calibrated_ms, "when this model of GPU was calibrated") +
           "; if it stays so, `./warpmark calibrate` measures this GPU anew";
  }
  if (doubt == Doubt::clocks_are_disturbed) {
    return fmt::format(
        "in a worker without a submission a call of the naive kernel takes {:.4g} ms more by the grader's "
        "clock "
        "than by its events: {}",
        trial.reference_beyond_ms, kNotQuiet);
  }
  const bool reference = !measure::is_quiet(trial.reference_interval);
  const auto interval = reference ? trial.reference_interval
                                  : measure::sign_test_interval(measure::naive_against_itself(trial.rounds));
  return fmt::format(
      "the naive kernel, measured against itself {}, came out between {:.4f} and {:.4f} times as fast, "
      "where a quiet machine gives 1 to within 1 %: {}",
      reference ? "without a submission" : "beside this version", interval ? std::exp(interval->low) : 0,
      interval ? std::exp(interval->high) : 0, kNotQuiet);
}

}  // namespace warpmark::judge
