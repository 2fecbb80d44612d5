#include "harness/bench/ladder.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fnmatch.h>

#include "harness/assignments/random.h"
#include "harness/bench/bench.h"
#include "harness/bench/plan.h"
#include "harness/judge/checks/version_checks.h"
#include "harness/measure/samples.h"

namespace warpmark::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kShortestSample = 50e-6;  // seconds; below it a CPU's call is too short for one reading
constexpr std::size_t kMostCalls = 10'000;

// One contender on its way up the sizes.
struct Climber {
  LadderSeries series;
  LadderTimer* timer;                                 // null: a sum on the CPU, which no worker makes
  std::function<tl::expected<double, Cause>()> time;  // milliseconds of one call on the present input
  std::string out;                                    // why it is asked no more
  std::vector<double> samples;                        // at the present size

  void give_up(std::string why) {
    samples.clear();
    out = std::move(why);
  }
};

std::string text_of(const Cause& cause) {
  return fmt::format("{}: {}", name_of(cause.kind), cause.message);
}

// Calls of one CPU sum: so many in a row that the clock can tell, the answer of the last compared.
class HostTimer {
 public:
  HostTimer(const HostVersion& version, std::optional<Input>& input) : version_(version), input_(input) {}

  tl::expected<double, Cause> operator()() {
    std::vector<std::vector<std::byte>> own;  // what the version writes, one a buffer
    const auto buffers = buffers_for_a_call(own);
    const auto scalars = input_->problem->scalars();
    const auto begin = Clock::now();
    std::size_t calls = 0;
    double seconds = 0;
    do {
      version_.run(input_->which.type, buffers, scalars);
      ++calls;
      seconds = judge::seconds_since(begin);
    } while (seconds < kShortestSample && calls < kMostCalls);
    for (const std::size_t answer : input_->buffers.answers()) {
      const auto mismatch = input_->problem->check(answer, buffers[answer]);
      if (!mismatch) continue;
      return tl::unexpected(
          make_cause(CauseKind::wrong_when_timed,
                     fmt::format("{} instead of {}", mismatch->actual, mismatch->expected)));
    }
    return seconds * 1e3 / static_cast<double>(calls);
  }

 private:
  // The input where it lies, and memory of the version's own for all that it may write.
  [[nodiscard]] std::vector<std::span<std::byte>> buffers_for_a_call(
      std::vector<std::vector<std::byte>>& own) const {
    std::vector<std::span<std::byte>> buffers;
    for (auto& region : input_->buffers.regions()) {
      auto contents = region.image.bytes().subspan(region.data_begin, region.spec.bytes);
      if (region.spec.role == Role::scratch) contents = {};
      if (region.spec.role == Role::output || region.spec.role == Role::in_out) {
        contents = own.emplace_back(contents.begin(), contents.end());
      }
      buffers.push_back(contents);
    }
    return buffers;
  }

  HostVersion version_;
  std::optional<Input>& input_;
};

void take(Climber& climber, bool keep) {
  if (!climber.out.empty()) return;
  const auto time = climber.time();
  if (!time) {
    climber.give_up(text_of(time.error()));
  } else if (keep) {
    climber.samples.push_back(*time);
  }
}

void add_work(const Work& needed, std::uint64_t n, LadderRun& run) {
  run.work.push_back({n, needed.bytes, needed.operations});
  if (needed.operations > 0) run.precision = kPrecisions[needed.doubles ? 1 : 0];
}

double amount_of(const LadderWork& work) {
  return work.operations > 0 ? work.operations : static_cast<double>(work.n);
}

bool anybody_left(const std::vector<Climber>& climbers) {
  return std::ranges::any_of(climbers, [](const Climber& climber) { return climber.out.empty(); });
}

// What is known of the last size rules out the next one.
void drop_the_hopeless(Climber& climber, const std::vector<LadderWork>& work) {
  if (!climber.out.empty() || climber.series.times.empty() || work.size() < 2) return;
  const double expected =
      predicted_ms(climber.series.times.back().median_ms, amount_of(work.end()[-2]), amount_of(work.back()));
  if (expected > kHopelessMs) {
    climber.give_up(fmt::format("skipped: a call would take about {:.0f} ms", expected));
  }
}

LadderTime result_of(const Climber& climber, std::uint64_t n) {
  LadderTime time;
  time.n = n;
  time.note = climber.out;
  time.samples = climber.samples.size();
  if (climber.samples.empty()) return time;
  time.median_ms = measure::median(climber.samples);
  if (const auto interval = measure::sign_test_interval(climber.samples)) {
    time.low_ms = interval->low;
    time.high_ms = interval->high;
  }
  return time;
}

// One round to warm up, one to see what a round costs, then as many as fit.
void measure_at(std::vector<Climber*> climbers, double seconds) {
  for (Climber* climber : climbers) take(*climber, false);
  const auto begin = Clock::now();
  for (Climber* climber : climbers) take(*climber, true);
  const std::size_t rounds = rounds_within(seconds, judge::seconds_since(begin));
  for (std::size_t round = 1; round < rounds; ++round) {
    for (const std::size_t which : order_of_round(climbers.size(), round)) take(*climbers[which], true);
  }
}

}  // namespace

LadderRun run_ladder(const LadderPlan& plan, const Assignment& assignment, std::span<const HostVersion> cpu,
                     const std::vector<Candidate>& candidates, const Timers& timers,
                     const std::function<void(const std::string&)>& progress) {
  std::optional<Input> input;
  std::vector<Climber> climbers;
  for (const HostVersion& version : cpu) {
    const std::string_view way = version.threaded ? kThreads : kOneCore;
    climbers.push_back({{std::string(version.name), true, {}, std::string(way), 0},
                        nullptr,
                        HostTimer(version, input),
                        "",
                        {}});
  }
  for (const Candidate& candidate : candidates) {
    LadderTimer* const timer = timers.of(candidate);
    if (timer == nullptr) continue;
    Climber climber{{candidate.version, candidate.engine == Engine::host, {}, candidate.way, candidate.ranks},
                    timer,
                    nullptr,
                    candidate.obstacle,
                    {}};
    if (candidate.runner) climber.time = [=] { return timer->time(*candidate.runner); };
    climbers.push_back(std::move(climber));
  }
  // Each in turns of its own: they share nothing but the machine. Sums on the CPU come with the host's.
  std::vector<LadderTimer*> all_timers = timers.crews;
  if (timers.gpu != nullptr) all_timers.insert(all_timers.begin(), timers.gpu);
  all_timers.insert(all_timers.begin(), timers.host);
  LadderRun run;
  const std::string data = assignment.data_classes(plan.type).front();
  for (const std::uint64_t n : plan.sizes) {
    const Case which{plan.type, data, n, 0, mix(n)};
    for (Climber& climber : climbers) climber.samples.clear();
    std::string lacking;
    if (n * assignment.value_bytes(plan.type) > plan.largest_bytes) {
      lacking = "skipped: the input does not fit into this machine's memory";
    } else if (anybody_left(climbers)) {
      auto problem = assignment.make(which);
      add_work(problem->work(), n, run);
      for (Climber& climber : climbers) drop_the_hopeless(climber, run.work);
      input.reset();
      if (anybody_left(climbers))
        input.emplace(which, std::move(problem), timers.gpu != nullptr ? Engine::gpu : Engine::host);
    }
    for (LadderTimer* const timer : all_timers) {
      std::vector<Climber*> running;
      for (Climber& climber : climbers) {
        const bool its_turn = climber.timer == timer || (climber.timer == nullptr && timer == timers.host);
        if (its_turn && climber.out.empty() && lacking.empty()) running.push_back(&climber);
      }
      if (running.empty()) continue;
      // Only now: the other ones' calls have changed the data.
      if (const auto put = timer != nullptr ? timer->put(*input) : tl::expected<void, Cause>(); !put) {
        for (Climber* climber : running) climber->give_up("skipped: " + put.error().message);
      } else {
        measure_at(std::move(running), plan.seconds_a_size / static_cast<double>(all_timers.size()));
      }
    }
    for (Climber& climber : climbers) {
      LadderTime time = result_of(climber, n);
      if (time.note.empty()) time.note = lacking;
      climber.series.times.push_back(std::move(time));
    }
    progress(fmt::format("measured {} values", n));
  }
  run.series.reserve(climbers.size());
  for (Climber& climber : climbers) run.series.push_back(std::move(climber.series));
  return run;
}

namespace {

// What versions could not be asked here.
void note_missing(const Stage& stage, Ladder& ladder) {
  for (const Candidate& candidate : stage.candidates) {
    const std::string& why = candidate.engine == Engine::host ? stage.no_host : stage.no_gpu;
    const bool known =
        std::ranges::find(ladder.missing, candidate.way, &LadderMissing::way) != ladder.missing.end();
    if (!why.empty() && !known) ladder.missing.push_back({candidate.way, why});
  }
}

}  // namespace

Result<Ladder> measure_ladder(const judge::Installation& installation, const LadderOptions& options) {
  const auto start = Clock::now();
  const auto wanted = [&](std::string_view name) {
    return ::fnmatch(options.versions.c_str(), std::string(name).c_str(), 0) == 0;
  };
  const std::vector<std::string> types(options.type.empty() ? 0 : 1, options.type);
  auto stage = set_stage(installation, {options.submission, wanted, types, options.cache, options.progress});
  if (!stage) return tl::unexpected(stage.error());
  const std::string& type = stage->types.front();
  const LadderPowers powers = stage->assignment->ladder_powers();
  const auto sizes = powers_of_two(options.from.value_or(powers.from), options.to.value_or(powers.to));
  if (!sizes) return tl::unexpected(sizes.error());
  std::vector<HostVersion> cpu;
  for (const HostVersion& version : stage->assignment->host_versions()) {
    if (wanted(version.name)) cpu.push_back(version);
  }
  if (stage->candidates.empty() && cpu.empty()) {
    return fail(fmt::format("--versions {} selects no version of {} and no sum on the CPU", options.versions,
                            stage->course.assignment));
  }
  if (!stage->no_gpu.empty()) {
    options.progress(fmt::format("only the CPU is measured: {}", stage->no_gpu));
    if (cpu.empty() && !stage->host_timer)
      return fail(fmt::format("nothing can be measured: {}", stage->no_gpu));
  }
  LadderPlan plan{*sizes, type, 0, largest_input_bytes()};
  plan.seconds_a_size = options.seconds / static_cast<double>(plan.sizes.size());

  Ladder ladder;
  ladder.assignment = stage->course.assignment;
  ladder.submission = stage->submission;
  ladder.type = type;
  ladder.value_bytes = stage->assignment->value_bytes(type);
  ladder.confidence = measure::kConfidence;
  LadderRun run =
      run_ladder(plan, *stage->assignment, cpu, stage->candidates, stage->timers(), options.progress);
  ladder.series = std::move(run.series);
  ladder.work = std::move(run.work);
  ladder.precision = std::move(run.precision);
  ladder.setting = stage->setting;
  if (ladder.precision == kPrecisions[0]) ladder.setting.peak_gflops = stage->peak_gflops.single_precision;
  if (ladder.precision == kPrecisions[1]) ladder.setting.peak_gflops = stage->peak_gflops.double_precision;
  note_missing(*stage, ladder);
  if (stage->timer) ladder.setting.l2_bytes = stage->timer->l2_bytes();
  ladder.setting.tool_version = WARPMARK_VERSION;
  ladder.setting.seconds = judge::seconds_since(start);
  ladder.add_rates();
  return ladder;
}

}  // namespace warpmark::bench
