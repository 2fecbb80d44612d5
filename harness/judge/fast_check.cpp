// fast: interleaved rounds of the naive kernel and the student's, in one worker, on data that changes before
// every call. Every timed call is a checked call.
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/case_runner.h"
#include "harness/judge/version_checks.h"
#include "harness/measure/speedup.h"

namespace warpmark::judge {
namespace {

using nlohmann::json;

constexpr std::size_t kPatches = 16;     // places changed before every timed call
constexpr std::size_t kWarmUps = 2;      // calls of each arm before the first round
constexpr std::size_t kSweepFactor = 2;  // the sweep buffer's size over L2's

enum class Arm { naive, student };

class Stopwatch {
 public:
  Stopwatch(const Bench& bench, WorkerClient& worker, const Loaded& naive, const Loaded& student,
            const Case& which)
      : bench_(bench),
        worker_(worker),
        naive_(naive),
        student_(student),
        which_(which),
        problem_(bench.assignment.make(which)),
        buffers_(*problem_, Engine::gpu, mix(which.seed)),
        limit_(bench.rubric.limits.call) {}

  tl::expected<void, Cause> prepare() { return buffers_.send(worker_, limit_); }

  // Milliseconds of one call, or why it does not count. The causes of a wrong answer are `wrong_when_timed`:
  // the same version was right when it was checked.
  tl::expected<double, Cause> time(Arm arm) {
    const std::uint64_t draw = random_bits(which_.seed, ++calls_);
    auto& input = buffers_.regions().front();
    const auto data = input.image.bytes().subspan(input.data_begin, input.spec.bytes);
    json patches = json::array();
    for (const Patch& patch : problem_->patch(draw, kPatches, data)) {
      patches.push_back({input.spec.name, input.data_begin + patch.offset, patch.bytes, patch.value});
    }
    const auto& output = buffers_.regions().at(1);
    std::uint64_t poison = 0;
    const std::size_t output_bytes = std::min(output.spec.bytes, sizeof poison);
    std::memcpy(&poison, output.image.bytes().data() + output.data_begin, output_bytes);
    patches.push_back({output.spec.name, output.data_begin, output_bytes, poison});

    SharedMemory answer(output.spec.bytes);
    answer.seal_size();
    const Loaded& version = arm == Arm::naive ? naive_ : student_;
    auto reply = worker_.ask({{"do", "call"},
                              {"library", version.library},
                              {"function", version.function},
                              {"adapter", version.adapter},
                              {"buffers", buffers_.views()},
                              {"scalars", problem_->scalars()},
                              {"checking", false},
                              {"schedule", 0},
                              {"host_readable", false},
                              {"patches", patches},
                              {"sweep", true},
                              {"reads", {{output.spec.name, output.data_begin, output.spec.bytes}}}},
                             {answer.fd()}, limit_);
    if (!reply) return tl::unexpected(reply.error());
    if (auto causes = causes_of(*reply, {}); !causes.empty()) return tl::unexpected(causes.front());
    if (const auto mismatch = problem_->check(1, answer.bytes())) {
      Cause cause;
      cause.kind = CauseKind::wrong_when_timed;
      cause.message =
          arm == Arm::naive
              ? "the course's naive kernel, called in turns with this version, gave a wrong answer: "
                "the version changes data that is not its own"
              : mismatch->what + " in a timed call, on data that had just changed";
      cause.expected = mismatch->expected;
      cause.actual = mismatch->actual;
      return tl::unexpected(cause);
    }
    const auto time = reply->find("event_ms");
    const double milliseconds = time != reply->end() && time->is_number() ? time->get<double>() : 0;
    if (!std::isfinite(milliseconds) || milliseconds <= 0) {
      Cause cause;
      cause.kind = CauseKind::tampering;
      cause.message = "the time of a call is not a positive number";
      return tl::unexpected(cause);
    }
    return milliseconds;
  }

  // Whether the input still holds, to the byte, what the judge put there.
  tl::expected<void, Cause> input_is_untouched() {
    const auto& input = buffers_.regions().front();
    SharedMemory back(input.image.size());
    back.seal_size();
    auto reply = worker_.ask({{"do", "read"}, {"reads", {{input.spec.name, 0, input.image.size()}}}},
                             {back.fd()}, limit_);
    if (!reply) return tl::unexpected(reply.error());
    if (std::memcmp(back.bytes().data(), input.image.bytes().data(), back.size()) == 0) return {};
    return tl::unexpected(make_cause(CauseKind::input_changed, "the input was changed in a timed call"));
  }

 private:
  const Bench& bench_;
  WorkerClient& worker_;
  const Loaded& naive_;
  const Loaded& student_;
  Case which_;
  std::unique_ptr<Problem> problem_;
  Buffers buffers_;
  std::chrono::milliseconds limit_;
  std::uint64_t calls_ = 0;
};

tl::expected<std::vector<measure::Round>, Cause> take_rounds(Stopwatch& stopwatch, std::uint64_t count) {
  using enum Arm;
  for (std::size_t i = 0; i < kWarmUps; ++i) {
    for (const Arm arm : {naive, student}) {
      if (auto time = stopwatch.time(arm); !time) return tl::unexpected(time.error());
    }
  }
  std::vector<measure::Round> rounds(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::array order =
        i % 2 == 0 ? std::array{naive, student, student, naive} : std::array{student, naive, naive, student};
    int taken[2] = {0, 0};
    for (const Arm arm : order) {
      auto time = stopwatch.time(arm);
      if (!time) return tl::unexpected(time.error());
      (arm == naive ? rounds[i].naive_ms : rounds[i].student_ms)[taken[static_cast<int>(arm)]++] = *time;
    }
  }
  return rounds;
}

Measurement measurement_of(const std::string& version, const Case& which,
                           const std::vector<measure::Round>& rounds, double threshold,
                           std::size_t value_bytes) {
  Measurement measurement;
  measurement.version = version;
  measurement.n = which.n;
  for (const measure::Round& round : rounds) {
    measurement.naive_ms.push_back((round.naive_ms[0] + round.naive_ms[1]) / 2);
    measurement.student_ms.push_back((round.student_ms[0] + round.student_ms[1]) / 2);
  }
  const measure::Estimate estimate = measure::estimate(rounds);
  measurement.naive_median_ms = estimate.naive_median_ms;
  measurement.student_median_ms = estimate.student_median_ms;
  measurement.speedup = estimate.speedup;
  measurement.threshold = threshold;
  measurement.gb_per_s = static_cast<double>(which.n * value_bytes) / 1e6 / estimate.student_median_ms;
  return measurement;
}

}  // namespace

FastOutcome check_fast(const Bench& bench, const VersionRule& rule, const BuiltTypes& built,
                       const BuiltTypes& naive, const std::filesystem::path& sweep) {
  const auto start = std::chrono::steady_clock::now();
  FastOutcome result;
  const std::string& type = bench.rubric.fast.type;
  const auto limit = bench.rubric.limits.call;
  Case which{type, bench.assignment.data_classes(type).front(),
             bench.focus.size.value_or(bench.rubric.fast.size), 0,
             bench.focus.seed.value_or(mix(bench.seed ^ mix(std::hash<std::string>{}(rule.name))))};
  const auto finish = [&](std::vector<Cause> causes) {
    for (Cause& cause : causes) {
      if (cause.file.empty()) cause.file = bench.submission.files.at(rule.name).name;
      cause.type = type;
      cause.n = which.n;
      cause.seed = fmt::format("{:#x}", which.seed);
    }
    result.outcome = {std::move(causes), seconds_since(start)};
    return std::move(result);
  };

  auto worker = WorkerClient::start(bench.installation, Engine::gpu, false, limit);
  if (!worker) return finish({worker.error()});
  const std::size_t l2_bytes = worker->hello().value("l2_bytes", std::size_t{0});
  SharedMemory zeros(std::max<std::size_t>(l2_bytes * kSweepFactor, std::size_t{1} << 20));
  zeros.seal_contents();
  const auto& library = built.versions.at(type);
  auto swept = worker->ask({{"do", "load"}, {"library", "sweep"}, {"path", sweep.string()}}, {}, limit);
  if (swept) swept = worker->ask({{"do", "fill"}, {"buffer", "sweep"}}, {zeros.fd()}, limit);
  if (!swept) return finish({swept.error()});
  auto course = load(*worker, naive.versions.at(type).library, naive.adapters.at(type), "naive",
                     bench.rubric.naive, false, limit);
  if (!course) {
    return finish({make_cause(CauseKind::internal, "the course's naive kernel: " + course.error().message,
                              bench.rubric.naive + ".cu")});
  }
  auto student = load(*worker, library.library, built.adapters.at(type), "student", rule.name, false, limit);
  if (!student) return finish({student.error()});

  Stopwatch stopwatch(bench, *worker, *course, *student, which);
  if (auto ready = stopwatch.prepare(); !ready) return finish({ready.error()});
  auto rounds = take_rounds(stopwatch, bench.rubric.fast.rounds);
  if (!rounds) return finish({rounds.error()});
  if (auto untouched = stopwatch.input_is_untouched(); !untouched) return finish({untouched.error()});

  result.measurement =
      measurement_of(rule.name, which, *rounds, rule.speedup, bench.assignment.value_bytes(type));
  const measure::Estimate estimate = measure::estimate(*rounds);
  if (measure::decide(estimate, rule.speedup) == measure::Decision::reached) return finish({});
  Cause cause;
  cause.kind = CauseKind::too_slow;
  cause.message = fmt::format(
      "{:.2f} times as fast as the naive kernel, and {:g} times is asked: {:.4f} ms against {:.4f} ms",
      estimate.speedup, rule.speedup, estimate.student_median_ms, estimate.naive_median_ms);
  cause.expected = fmt::format("{:g} times", rule.speedup);
  cause.actual = fmt::format("{:.2f} times", estimate.speedup);
  return finish({cause});
}

}  // namespace warpmark::judge
