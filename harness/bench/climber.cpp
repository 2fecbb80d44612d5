#include "harness/bench/climber.h"

#include <utility>

#include <fmt/format.h>

#include "harness/measure/samples.h"

namespace warpmark::bench {
namespace {

// In seconds; shorter calls are repeated until the clock resolves them.
constexpr double kShortestSample = 50e-6;
constexpr std::size_t kMostCalls = 10'000;

// Times a CPU baseline: repeats calls for at least kShortestSample and checks the output of the last one.
class HostTimer {
 public:
  HostTimer(const HostVersion& version, std::optional<Input>& input, std::function<double()> now)
      : version_(version), input_(input), now_(std::move(now)) {}

  tl::expected<double, Cause> operator()() {
    std::vector<std::vector<std::byte>> own;  // memory that the baseline writes, one entry per buffer
    const auto buffers = buffers_for_a_call(own);
    const auto scalars = input_->problem->scalars();
    const double begin = now_();
    std::size_t calls = 0;
    double seconds = 0;
    do {
      version_.run(input_->which.type, buffers, scalars);
      ++calls;
      seconds = now_() - begin;
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
  // Returns the buffers for a call: inputs in place, and copies, owned by `own`, of the buffers that the
  // baseline may write.
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
  std::function<double()> now_;
};

}  // namespace

void Climber::give_up(std::string why) {
  samples.clear();
  out = std::move(why);
}

void Climber::take(bool keep, const std::function<double()>& now) {
  if (!climbs()) return;
  const double begin = now();
  const auto milliseconds = time();
  if (!milliseconds) {
    give_up(fmt::format("{}: {}", name_of(milliseconds.error().kind), milliseconds.error().message));
  } else if (keep) {
    samples.push_back(*milliseconds);
    total_seconds += now() - begin;
    seconds = total_seconds / static_cast<double>(samples.size());
  }
}

void Climber::record(std::uint64_t n, const std::string& lacking) {
  LadderTime result;
  result.n = n;
  result.note = out.empty() ? lacking : out;
  result.samples = samples.size();
  if (!samples.empty()) {
    calls.add(n, seconds);
    result.median_ms = measure::median(samples);
    if (const auto interval = measure::sign_test_interval(samples)) {
      result.low_ms = interval->low;
      result.high_ms = interval->high;
    }
  }
  series.times.push_back(std::move(result));
  samples.clear();
  total_seconds = 0;
}

std::vector<Climber> climbers_of(std::span<const HostVersion> cpu, const std::vector<Candidate>& candidates,
                                 const Timers& timers, std::optional<Input>& input,
                                 const std::function<double()>& now) {
  std::vector<Climber> climbers;
  for (const HostVersion& version : cpu) {
    const std::string_view way = version.threaded ? kThreads : kOneCore;
    climbers.push_back({{std::string(version.name), true, {}, std::string(way), 0},
                        nullptr,
                        HostTimer(version, input, now)});
  }
  for (const Candidate& candidate : candidates) {
    LadderTimer* const timer = timers.of(candidate);
    if (timer == nullptr) continue;
    Climber climber{{candidate.version, candidate.engine == Engine::host, {}, candidate.way, candidate.ranks},
                    timer};
    climber.out = candidate.obstacle;
    if (candidate.runner) climber.time = [timer, runner = *candidate.runner] { return timer->time(runner); };
    climbers.push_back(std::move(climber));
  }
  return climbers;
}

}  // namespace warpmark::bench
