#include "harness/judge/speed/pair_timer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"

namespace warpmark::judge {
namespace {

constexpr std::size_t kPatches = 8;  // number of input elements changed before every timed call
constexpr std::size_t kCopies = 3;   // number of copies of the input, at different addresses
// Size in bytes of the chunks in which the input is read back from the GPU and verified.
constexpr std::size_t kReadAtATime = std::size_t{32} << 20;
// Number of repetitions within one request when the judge process's clock is compared with CUDA events.
constexpr std::size_t kTurns = 4;

std::string name_of_copy(const std::string& buffer, std::size_t copy) {
  return copy == 0 ? buffer : fmt::format("{}.{}", buffer, copy);
}

}  // namespace

PairTimer::PairTimer(const GradingContext& bench, const CaseData& data, TimedWorker worker)
    : bench_(&bench),
      data_(&data),
      worker_(std::move(worker)),
      problem_(data.problem->clone()),
      input_(data.buffers.patched().value()),
      contents_(data.buffers.regions().at(input_).image),
      outstanding_(input().spec.role == Role::in_out ? 1 : kCopies) {}

tl::expected<PairTimer, Cause> PairTimer::make(const GradingContext& bench, const CaseData& data,
                                               const CourseKernels& course) {
  if (!data.buffers.patched()) {
    return tl::unexpected(make_cause(CauseKind::internal,
                                     "the assignment marks no buffer as patched, and a timed call needs data "
                                     "that changes"));
  }
  const auto limit = bench.course.rubric.limits.call;
  auto worker = TimedWorker::start(bench.installation, course.sweep, limit, course.naive.engine, bench.shape);
  if (!worker) return tl::unexpected(worker.error());
  PairTimer watch(bench, data, std::move(*worker));
  const std::string& type = data.which.type;
  auto ready = watch.worker_.send(data.buffers, limit);
  const std::string& input = watch.input().spec.name;
  for (std::size_t copy = 1; ready && copy < kCopies; ++copy) {
    ready = watch.worker()
                .ask(wire::Copy{input, name_of_copy(input, copy)}, {}, limit)
                .map([](const auto& /*reply*/) {});
  }
  if (!ready) return tl::unexpected(ready.error());
  const bool host = is_host(course.naive.engine);
  const std::string& naive_name = host ? bench.course.rubric.host.naive : bench.course.rubric.naive;
  const std::string& name = course.function.empty() ? naive_name : course.function;
  auto naive = load_course(watch.worker(), course.naive.versions.at(type).library,
                           course.naive.adapters.at(type), "naive", name, limit);
  if (!naive) {
    return tl::unexpected(
        make_cause(CauseKind::internal,
                   fmt::format("the course's {}: {}", host ? "sequential version" : "naive kernel",
                               naive.error().message),
                   bench.course.rubric.file_of(name)));
  }
  watch.naive_ = *naive;
  watch.student_ = *naive;
  return watch;
}

std::size_t PairTimer::device_bytes(const CaseData& data) {
  const auto input = data.buffers.patched();
  const std::size_t bytes = input ? data.buffers.regions().at(*input).image.size() : 0;
  std::size_t originals = 0;  // second copies of the in_out buffers, see TimedWorker::send()
  for (const auto& region : data.buffers.regions())
    originals += region.spec.role == Role::in_out ? region.image.size() : 0;
  return (kCopies - 1) * bytes + originals + data.buffers.bytes();
}

tl::expected<void, Cause> PairTimer::load_student(const BuiltTypes& built, const std::string& version) {
  const std::string& type = data_->which.type;
  auto student = load(worker(), built.versions.at(type).library, built.adapters.at(type), "student", version,
                      false, bench_->course.rubric.limits.call);
  if (!student) return tl::unexpected(student.error());
  student_ = *student;
  return {};
}

void PairTimer::move() {
  copy_ = random_below(mix(data_->which.seed), ++moves_, kCopies);
}

// Changes some elements of the input data. Returns these writes and all earlier ones that the worker
// process's copy of the input now in use has not received yet.
std::vector<Patch> PairTimer::next_patches() {
  const std::uint64_t draw = random_bits(data_->which.seed, ++calls_);
  const auto& input = this->input();
  const auto values = contents_.bytes().subspan(input.data_begin, input.spec.bytes);
  for (const Patch& patch : problem_->patch(draw, kPatches, values)) {
    for (auto& missed : outstanding_) missed.push_back(patch);
  }
  return std::exchange(outstanding_[copy_ % outstanding_.size()], {});
}

Cause PairTimer::wrong_answer(Arm arm, const Mismatch& mismatch) const {
  Cause cause;
  cause.kind = CauseKind::wrong_when_timed;
  cause.message = arm == Arm::naive
                      ? "the course's naive kernel, called in turns with this version, gave a wrong answer: "
                        "the version changes data that is not its own"
                      : mismatch.what + " in a timed call, on data that had just changed";
  // If no student code is loaded, both timed libraries are the naive kernel's, so a wrong result is the naive
  // kernel's: an internal error.
  if (student_.library == naive_.library) {
    cause.kind = CauseKind::internal;
    cause.message = "the course's naive kernel gave a wrong answer: " + mismatch.what;
  }
  cause.expected = mismatch.expected;
  cause.actual = mismatch.actual;
  return cause;
}

tl::expected<Timed, Cause> PairTimer::call(Arm arm, std::size_t turns, std::size_t calls) {
  const std::string copy = name_of_copy(input().spec.name, copy_);
  auto timed = worker_.call(arm == Arm::naive ? naive_ : student_, *problem_, data_->buffers,
                            {copy, next_patches(), true, turns, calls}, bench_->clock_ms);
  if (timed && timed->wrong) return tl::unexpected(wrong_answer(arm, *timed->wrong));
  return timed;
}

tl::expected<measure::TimedCall, Cause> PairTimer::time(Arm arm) {
  auto timed = call(arm, 1, 1);
  if (!timed) return tl::unexpected(timed.error());
  return measure::TimedCall{timed->event_ms.front(), timed->judge_ms};
}

tl::expected<double, Cause> PairTimer::time_nothing() {
  auto timed = call(Arm::naive, 1, 0);
  if (!timed) return tl::unexpected(timed.error());
  return timed->judge_ms;
}

tl::expected<measure::ClockPair, Cause> PairTimer::compare_clocks() {
  // One extra call of the naive kernel first sends all outstanding input changes to the worker process, so
  // that the two compared requests send equally many.
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

// Checks only the copy of the input used last, which has received all input changes. That suffices: the copy
// was drawn at random, and every copy was used many times.
tl::expected<void, Cause> PairTimer::input_is_untouched() {
  if (input().spec.role == Role::in_out)
    return {};  // the call may write it, and every call's answer is compared
  const std::string name = name_of_copy(input().spec.name, copy_);
  const auto expected = std::as_const(contents_).bytes();
  SharedMemory back(std::min(kReadAtATime, expected.size()));
  back.seal_size();
  for (std::size_t at = 0; at < expected.size(); at += back.size()) {
    const std::size_t bytes = std::min(back.size(), expected.size() - at);
    const auto read =
        worker().ask(wire::Read{{{name, at, bytes}}}, {back.fd()}, bench_->course.rubric.limits.call);
    if (!read) return tl::unexpected(read.error());
    if (std::memcmp(back.bytes().data(), expected.data() + at, bytes) == 0) continue;
    return tl::unexpected(make_cause(CauseKind::input_changed, "the input was changed in a timed call"));
  }
  return {};
}

}  // namespace warpmark::judge
