#include "harness/judge/speed/stopwatch.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/cases/causes.h"

namespace warpmark::judge {
namespace {

constexpr std::size_t kPatches = 8;                          // places changed before every timed call
constexpr std::size_t kCopies = 3;                           // addresses at which the input lies
constexpr std::size_t kSweepFactor = 2;                      // the sweep buffer's size over L2's
constexpr std::size_t kLeastSweep = std::size_t{1} << 20;    // bytes
constexpr std::size_t kReadAtATime = std::size_t{32} << 20;  // bytes of the input read back
constexpr std::size_t kTurns = 4;                            // to compare clocks with

std::string name_of_copy(const std::string& buffer, std::size_t copy) {
  return copy == 0 ? buffer : fmt::format("{}.{}", buffer, copy);
}

}  // namespace

Stopwatch::Stopwatch(const Bench& bench, const CaseData& data, WorkerClient worker)
    : bench_(&bench),
      data_(&data),
      worker_(std::move(worker)),
      problem_(data.problem->clone()),
      contents_(data.buffers.regions().front().image),
      outstanding_(kCopies) {}

tl::expected<Stopwatch, Cause> Stopwatch::make(const Bench& bench, const CaseData& data,
                                               const CourseKernels& course) {
  const auto limit = bench.rubric.limits.call;
  auto worker = WorkerClient::start(bench.installation, Engine::gpu, false, limit);
  if (!worker) return tl::unexpected(worker.error());
  const std::uint64_t sweep_bytes =
      std::max<std::uint64_t>(worker->hello().l2_bytes * kSweepFactor, kLeastSweep);
  Stopwatch watch(bench, data, std::move(*worker));
  const std::string& type = data.which.type;
  const auto ask = [&](const auto& request) -> tl::expected<void, Cause> {
    return watch.worker_.ask(request, {}, limit).map([](const auto& /*reply*/) {});
  };
  auto ready = ask(wire::Load{"sweep", course.sweep.string()});
  if (ready) ready = ask(wire::Zeros{"sweep", sweep_bytes});
  if (ready) ready = data.buffers.send(watch.worker_, limit);
  const std::string& input = data.buffers.regions().front().spec.name;
  for (std::size_t copy = 1; ready && copy < kCopies; ++copy) {
    ready = ask(wire::Copy{input, name_of_copy(input, copy)});
  }
  if (!ready) return tl::unexpected(ready.error());
  auto naive = load_course(watch.worker_, course.naive.versions.at(type).library,
                           course.naive.adapters.at(type), "naive", bench.rubric.naive, limit);
  if (!naive) {
    return tl::unexpected(make_cause(CauseKind::internal,
                                     "the course's naive kernel: " + naive.error().message,
                                     bench.rubric.naive + ".cu"));
  }
  watch.naive_ = *naive;
  watch.student_ = *naive;
  return watch;
}

std::size_t Stopwatch::device_bytes(const CaseData& data) {
  return (kCopies - 1) * data.buffers.regions().front().image.size() + data.buffers.bytes();
}

tl::expected<void, Cause> Stopwatch::load_student(const BuiltTypes& built, const std::string& version) {
  const std::string& type = data_->which.type;
  auto student = load(worker_, built.versions.at(type).library, built.adapters.at(type), "student", version,
                      false, bench_->rubric.limits.call);
  if (!student) return tl::unexpected(student.error());
  student_ = *student;
  return {};
}

void Stopwatch::move() {
  copy_ = random_below(mix(data_->which.seed), ++moves_, kCopies);
}

// Changes the data, and tells the copy that is called next all that it has missed.
std::vector<wire::Patch> Stopwatch::next_patches() {
  const std::uint64_t draw = random_bits(data_->which.seed, ++calls_);
  const auto& input = data_->buffers.regions().front();
  const auto values = contents_.bytes().subspan(input.data_begin, input.spec.bytes);
  for (const Patch& patch : problem_->patch(draw, kPatches, values)) {
    for (auto& missed : outstanding_) missed.push_back(patch);
  }
  std::vector<wire::Patch> patches;
  for (const Patch& patch : outstanding_[copy_]) {
    patches.push_back(
        {{name_of_copy(input.spec.name, copy_), input.data_begin + patch.offset, patch.bytes}, patch.value});
  }
  outstanding_[copy_].clear();
  const auto& output = data_->buffers.regions().at(1);
  std::uint64_t poison = 0;
  const std::size_t bytes = std::min(output.spec.bytes, sizeof poison);
  std::memcpy(&poison, output.image.bytes().data() + output.data_begin, bytes);
  patches.push_back({{output.spec.name, output.data_begin, bytes}, poison});
  return patches;
}

Cause Stopwatch::wrong_answer(Arm arm, const Mismatch& mismatch) const {
  Cause cause;
  cause.kind = CauseKind::wrong_when_timed;
  cause.message = arm == Arm::naive
                      ? "the course's naive kernel, called in turns with this version, gave a wrong answer: "
                        "the version changes data that is not its own"
                      : mismatch.what + " in a timed call, on data that had just changed";
  // Where no submission was ever loaded, it cannot be to blame.
  if (student_.library == naive_.library) {
    cause.kind = CauseKind::internal;
    cause.message = "the course's naive kernel gave a wrong answer: " + mismatch.what;
  }
  cause.expected = mismatch.expected;
  cause.actual = mismatch.actual;
  return cause;
}

tl::expected<Stopwatch::Timed, Cause> Stopwatch::call(Arm arm, std::size_t turns, std::size_t calls) {
  const auto& output = data_->buffers.regions().at(1);
  auto views = data_->buffers.views();
  views.front().buffer = name_of_copy(data_->buffers.regions().front().spec.name, copy_);
  SharedMemory answers(turns * output.spec.bytes);
  answers.seal_size();
  const Loaded& version = arm == Arm::naive ? naive_ : student_;
  const wire::Call request{.library = version.library,
                           .function = version.function,
                           .adapter = version.adapter,
                           .buffers = std::move(views),
                           .scalars = problem_->scalars(),
                           .mode = {},
                           .patches = next_patches(),
                           .sweep = true,
                           .reads = {{output.spec.name, output.data_begin, output.spec.bytes}},
                           .turns = turns,
                           .calls = calls};
  const double begin = bench_->clock_ms();
  auto reply = worker_.ask(request, {answers.fd()}, bench_->rubric.limits.call);
  const double end = bench_->clock_ms();
  if (!reply) return tl::unexpected(reply.error());
  if (auto causes = causes_of(reply->observed, reply->failure, {}); !causes.empty())
    return tl::unexpected(causes.front());
  for (std::size_t turn = turns - calls; turn < turns; ++turn) {
    const auto answer = std::as_const(answers).bytes().subspan(turn * output.spec.bytes, output.spec.bytes);
    if (const auto mismatch = problem_->check(1, answer)) return tl::unexpected(wrong_answer(arm, *mismatch));
  }
  auto times = times_of(*reply, calls);
  if (!times) return tl::unexpected(times.error());
  return Timed{std::move(*times), end - begin};
}

tl::expected<measure::TimedCall, Cause> Stopwatch::time(Arm arm) {
  auto timed = call(arm, 1, 1);
  if (!timed) return tl::unexpected(timed.error());
  return measure::TimedCall{timed->event_ms.front(), timed->judge_ms};
}

tl::expected<double, Cause> Stopwatch::time_nothing() {
  auto timed = call(Arm::naive, 1, 0);
  if (!timed) return tl::unexpected(timed.error());
  return timed->judge_ms;
}

tl::expected<measure::ClockPair, Cause> Stopwatch::compare_clocks() {
  // The first one tells the copy what it has missed, so that the other two send equally many patches.
  move();
  if (auto moved = time(Arm::naive); !moved) return tl::unexpected(moved.error());
  const auto one = call(Arm::naive, kTurns, 1);
  if (!one) return tl::unexpected(one.error());
  const auto all = call(Arm::naive, kTurns, kTurns);
  if (!all) return tl::unexpected(all.error());
  double additional = 0;
  for (std::size_t i = 0; i + 1 < kTurns; ++i) additional += all->event_ms[i];
  return measure::ClockPair{one->judge_ms, all->judge_ms, additional, kTurns - 1};
}

// Of the copies the one that was used last, which has been told everything: it was drawn, and every copy was
// used many times.
tl::expected<void, Cause> Stopwatch::input_is_untouched() {
  const auto& input = data_->buffers.regions().front();
  const std::string name = name_of_copy(input.spec.name, copy_);
  const auto expected = std::as_const(contents_).bytes();
  SharedMemory back(std::min(kReadAtATime, expected.size()));
  back.seal_size();
  for (std::size_t at = 0; at < expected.size(); at += back.size()) {
    const std::size_t bytes = std::min(back.size(), expected.size() - at);
    const auto read = worker_.ask(wire::Read{{{name, at, bytes}}}, {back.fd()}, bench_->rubric.limits.call);
    if (!read) return tl::unexpected(read.error());
    if (std::memcmp(back.bytes().data(), expected.data() + at, bytes) == 0) continue;
    return tl::unexpected(make_cause(CauseKind::input_changed, "the input was changed in a timed call"));
  }
  return {};
}

}  // namespace warpmark::judge
