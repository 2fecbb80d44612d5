#include "harness/bench/comparison.h"

#include <cmath>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/bench/bench.h"
#include "harness/bench/plan.h"
#include "harness/bench/stage.h"
#include "harness/judge/checks/version_checks.h"
#include "harness/measure/samples.h"

namespace warpmark::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Calls two kernels in the order first, second, second, first, mirrored in every second round. Thus a drift
// of the clock rate affects both alike, and each follows itself equally often.
tl::expected<measure::Round, Cause> round_of(const Duel& duel, std::size_t number) {
  measure::Round round;
  int taken[2] = {0, 0};
  for (const int arm : {0, 1, 1, 0}) {
    const bool first = (arm == 0) == (number % 2 == 0);
    auto time = (first ? duel.first : duel.second)();
    if (!time) return tl::unexpected(time.error());
    // Comparison of two kernels: measure::Round computes the ratio naive_ms / student_ms. The first kernel
    // takes the student's place, so that the ratio is the second kernel's time over the first's.
    (first ? round.student_ms : round.naive_ms)[taken[first ? 0 : 1]++] = *time;
  }
  return round;
}

}  // namespace

ComparedSize fight(const Duel& duel, double seconds) {
  ComparedSize result;
  std::vector<measure::Round> rounds;
  double cost = 0;
  // Round 0 of the comparison only warms up; round 1 is timed to predict how many rounds fit into the time
  // budget.
  for (std::size_t number = 0, wanted = kLeastRounds; number <= wanted; ++number) {
    const auto begin = Clock::now();
    const auto round = round_of(duel, number);
    if (!round) {
      result.note = fmt::format("{}: {}", name_of(round.error().kind), round.error().message);
      return result;
    }
    if (number == 0) continue;
    rounds.push_back(*round);
    if (number == 1) {
      cost = judge::seconds_since(begin);
      wanted = rounds_within(seconds, cost);
    }
  }
  const std::vector<double> ratios = measure::log_ratios(rounds);
  result.rounds = rounds.size();
  result.first_ms = measure::student_median_ms(rounds);
  result.second_ms = measure::naive_median_ms(rounds);
  result.ratio = std::exp(measure::median(ratios));
  if (const auto interval = measure::sign_test_interval(ratios)) {
    result.low = std::exp(interval->low);
    result.high = std::exp(interval->high);
  }
  return result;
}

Result<Comparison> measure_comparison(const judge::Installation& installation,
                                      const CompareOptions& options) {
  const auto start = Clock::now();
  const auto sizes = powers_of_two(options.from, options.to);
  if (!sizes) return tl::unexpected(sizes.error());
  if (options.first == options.second) {
    return fail(fmt::format("--compare {}: name two versions", options.first));
  }
  const auto wanted = [&](const std::string& name) {
    return name == options.first || name == options.second;
  };
  auto stage = set_stage(installation, {options.assignment, options.submission, wanted, options.types, false,
                                        options.cache, options.progress});
  if (!stage) return tl::unexpected(stage.error());
  if (!stage->timer) return fail(fmt::format("a comparison needs a GPU: {}", stage->no_gpu));

  Comparison comparison{stage->course.rubric.assignment,
                        options.first,
                        options.second,
                        measure::kConfidence,
                        stage->setting,
                        {}};
  const double seconds = options.seconds / static_cast<double>(sizes->size() * options.types.size() * 2);
  LadderTimer& timer = *stage->timer;
  for (const std::string& type : options.types) {
    const std::string data = stage->assignment->data_classes(type).front();
    const auto runner_of = [&](const std::string& version) -> Result<std::size_t> {
      for (const Candidate& candidate : stage->candidates) {
        if (candidate.version != version || candidate.type != type) continue;
        if (candidate.runner) return *candidate.runner;
        return fail(fmt::format("{} cannot be called: {}", version, candidate.obstacle));
      }
      return fail(fmt::format("{} has no version {}", stage->course.rubric.assignment, version));
    };
    const auto first = runner_of(options.first);
    const auto second = runner_of(options.second);
    if (!first) return tl::unexpected(first.error());
    if (!second) return tl::unexpected(second.error());
    const Duel duel{[&] { return timer.time(*first); }, [&] { return timer.time(*second); }};
    for (const std::uint64_t n : *sizes) {
      for (const bool aligned : {true, false}) {
        ComparedSize result;
        const std::uint64_t bytes = n * stage->assignment->value_bytes(type);
        if (bytes > largest_input_bytes()) {
          result.note = "skipped: the input does not fit into this machine's memory";
        } else {
          Case which = stage->assignment->case_of(type, data, stage->assignment->ladder_size(n), mix(n));
          if (!aligned) which.shift = stage->assignment->shifts().back();
          Input input(*stage->assignment, which, Engine::gpu);
          if (const auto put = timer.put(input); !put) {
            result.note = "skipped: " + put.error().message;
          } else {
            result = fight(duel, seconds);
          }
        }
        result.type = type;
        result.n = n;
        result.aligned = aligned;
        if (result.first_ms > 0) result.gb_per_s = static_cast<double>(bytes) / 1e6 / result.first_ms;
        comparison.sizes.push_back(std::move(result));
      }
      options.progress(fmt::format("compared {} values of {}", n, type));
    }
  }
  comparison.setting.l2_bytes = timer.l2_bytes();
  comparison.setting.tool_version = WARPMARK_VERSION;
  comparison.setting.seconds = judge::seconds_since(start);
  return comparison;
}

}  // namespace warpmark::bench
