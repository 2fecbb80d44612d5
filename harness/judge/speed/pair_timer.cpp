#include "harness/judge/speed/pair_timer.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/base/parallel.h"
#include "harness/judge/speed/fitting.h"

namespace warpmark::judge {
namespace {

constexpr std::size_t kPatches = 8;          // number of input elements changed before every timed call
constexpr std::uint64_t kChangesAhead = 64;  // a measurement has some 60 to 300 calls
// Size in bytes of the chunks in which the input is read back from the GPU and verified.
constexpr std::size_t kReadAtATime = std::size_t{32} << 20;
// Limits on the inputs that are made at once, one per core, for timed calls that each get a new one.
constexpr std::size_t kMostAhead = 8;
constexpr std::size_t kMostBytesAhead = std::size_t{512} << 20;
// Number of repetitions within one request when the judge process's clock is compared with CUDA events.
constexpr std::size_t kTurns = 4;

std::string name_of_copy(const std::string& buffer, std::size_t copy) {
  return copy == 0 ? buffer : fmt::format("{}.{}", buffer, copy);
}

// Creates the test case's buffers in the worker process, and copies of the input at further addresses.
tl::expected<void, Cause> send(TimedWorker& worker, const Buffers& buffers, std::chrono::milliseconds limit) {
  auto sent = worker.send(buffers, limit);
  const std::string& name = buffers.regions().at(*buffers.patched()).spec.name;
  for (std::size_t copy = 1; sent && copy < kInputCopies; ++copy) {
    sent = worker.client()
               .ask(wire::Copy{name, name_of_copy(name, copy)}, {}, limit)
               .map([](const auto& /*reply*/) {});
  }
  return sent;
}

}  // namespace

PairTimer::PairTimer(const GradingContext& bench, const CaseData& data, const CourseKernels& course,
                     Process process)
    : bench_(&bench), data_(&data), course_(&course), input_(data.buffers.patched().value()) {
  processes_.push_back(std::move(process));
}

// Starts a worker process that holds the test case's buffers and kInputCopies copies of the input, but no
// code that is timed.
tl::expected<PairTimer::Process, Cause> PairTimer::start(const GradingContext& bench, const CaseData& data,
                                                         const CourseKernels& course) {
  if (!data.buffers.patched()) {
    return tl::unexpected(make_cause(CauseKind::internal,
                                     "the assignment marks no buffer as patched, and a timed call needs data "
                                     "that changes"));
  }
  const auto limit = bench.course.rubric.limits.call;
  auto worker = TimedWorker::start(bench.installation, course.sweep, limit, course.naive.engine, bench.shape);
  if (!worker) return tl::unexpected(worker.error());
  if (auto sent = send(*worker, data.buffers, limit); !sent) return tl::unexpected(sent.error());
  const auto& input = data.buffers.regions().at(*data.buffers.patched());
  return Process{std::move(*worker), data.problem->clone(), PrivateView(input.image),
                 std::vector<std::vector<Patch>>(input.spec.role == Role::in_out ? 1 : kInputCopies)};
}

tl::expected<PairTimer, Cause> PairTimer::make(const GradingContext& bench, const CaseData& data,
                                               const CourseKernels& course) {
  auto process = start(bench, data, course);
  if (!process) return tl::unexpected(process.error());
  PairTimer watch(bench, data, course, std::move(*process));
  const std::string& type = data.which.type;
  const bool host = is_host(course.naive.engine);
  const std::string& naive_name = host ? bench.course.rubric.host.naive : bench.course.rubric.naive;
  const std::string& name = course.is_solution() ? course.function : naive_name;
  auto naive = load_course(watch.worker(), course.naive.versions.at(type).library,
                           course.naive.adapters.at(type), "naive", name, bench.course.rubric.limits.call);
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

tl::expected<void, Cause> PairTimer::load_student(const BuiltTypes& built, const std::string& version) {
  const std::string& type = data_->which.type;
  if (course_->is_solution()) {
    auto process = start(*bench_, *data_, *course_);
    if (!process) return tl::unexpected(process.error());
    processes_.push_back(std::move(*process));
  }
  auto student = load(processes_.back().worker.client(), built.versions.at(type).library,
                      built.adapters.at(type), "student", version, false, bench_->course.rubric.limits.call);
  if (!student) return tl::unexpected(student.error());
  student_ = *student;
  return {};
}

void PairTimer::make_changes_ahead(const CaseData& data) {
  if (!data.buffers.patched()) return;
  const auto& input = data.buffers.regions().at(*data.buffers.patched());
  const auto problem = data.problem->clone();
  PrivateView contents(input.image);
  const auto values = contents.bytes().subspan(input.data_begin, input.spec.bytes);
  for (std::uint64_t call = 1; call <= kChangesAhead; ++call)
    problem->patch(random_bits(data.which.seed, call), kPatches, values);
}

void PairTimer::move() {
  copy_ = random_below(mix(data_->which.seed), ++moves_, kInputCopies);
}

// Changes some elements of a worker process's input data. Returns these writes and all earlier ones that the
// process's copy of the input now in use has not received yet.
std::vector<Patch> PairTimer::next_patches(Process& process) {
  if (process.outstanding.empty()) return {};  // its inputs are renewed as a whole
  const std::uint64_t draw = random_bits(data_->which.seed, ++calls_);
  const auto& input = this->input();
  const auto values = process.contents.bytes().subspan(input.data_begin, input.spec.bytes);
  for (const Patch& patch : process.problem->patch(draw, kPatches, values)) {
    for (auto& missed : process.outstanding) missed.push_back(patch);
  }
  return std::exchange(process.outstanding[copy_ % process.outstanding.size()], {});
}

// Returns an input that no call has had.
CaseData PairTimer::next_inputs() {
  if (fresh_.empty()) {
    const std::size_t affordable = kMostBytesAhead / std::max<std::size_t>(data_->buffers.bytes(), 1);
    const std::size_t cores = std::thread::hardware_concurrency();
    std::vector<std::optional<CaseData>> made(
        std::clamp<std::size_t>(std::min(affordable, cores), 1, kMostAhead));
    in_parallel(made.size(), static_cast<unsigned>(made.size()), [&](std::size_t i) {
      Case other = data_->which;
      other.seed = random_bits(other.seed, calls_ + 1 + i);
      made[i].emplace(bench_->assignment, other, course_->naive.engine);
    });
    calls_ += made.size();
    for (auto& each : made) fresh_.push_back(*std::move(each));
  }
  CaseData next = std::move(fresh_.back());
  fresh_.pop_back();
  return next;
}

tl::expected<void, Cause> PairTimer::renew(Process& process) {
  CaseData fresh = next_inputs();
  auto sent = send(process.worker, fresh.buffers, bench_->course.rubric.limits.call);
  if (!sent) return sent;
  process.problem = std::move(fresh.problem);
  process.contents = PrivateView(fresh.buffers.regions()[input_].image);
  process.outstanding.clear();
  process.renewed = std::move(fresh.buffers);
  return {};
}

Cause PairTimer::wrong_answer(Arm arm, const Mismatch& mismatch) const {
  Cause cause;
  cause.kind = CauseKind::wrong_when_timed;
  cause.message = arm == Arm::naive
                      ? "the course's naive kernel, called in turns with this version, gave a wrong answer: "
                        "the version changes data that is not its own"
                      : mismatch.what + " in a timed call, on data that had just changed";
  // A wrong result of the naive kernel in a process without student code is an internal error.
  const bool alone = processes_.size() > 1 ? arm == Arm::naive : student_.library == naive_.library;
  if (alone) {
    cause.kind = CauseKind::internal;
    cause.message = "the course's naive kernel gave a wrong answer: " + mismatch.what;
  }
  cause.expected = mismatch.expected;
  cause.actual = mismatch.actual;
  return cause;
}

tl::expected<Timed, Cause> PairTimer::call(Arm arm, std::size_t turns, std::size_t calls) {
  const std::string copy = name_of_copy(input().spec.name, copy_);
  Process& process = process_of(arm);
  const Buffers& buffers = process.renewed ? *process.renewed : data_->buffers;
  const Loaded& version = arm == Arm::naive ? naive_ : student_;
  // A request without a call first lets the GPU change to this process, outside of the timed request: with
  // two processes in turns, requests took 0.08 to 0.11 ms more by the judge process's clock than by events
  // (H100, 2026-11-26).
  const std::ptrdiff_t index = &process - processes_.data();
  if (std::exchange(last_, index) != index) {
    const auto changed = process.worker.call(version, *process.problem, buffers,
                                             {copy, next_patches(process), true, 1, 0}, bench_->clock_ms);
    if (!changed) return tl::unexpected(changed.error());
  }
  auto timed = process.worker.call(version, *process.problem, buffers,
                                   {copy, next_patches(process), true, turns, calls}, bench_->clock_ms);
  if (timed && timed->wrong) return tl::unexpected(wrong_answer(arm, *timed->wrong));
  return timed;
}

tl::expected<measure::TimedCall, Cause> PairTimer::time(Arm arm) {
  if (arm == Arm::student && is_host(course_->naive.engine)) {
    if (auto renewed = renew(process_of(arm)); !renewed) return tl::unexpected(renewed.error());
  }
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

// Checks only the copy of the input that the student's kernel used last, which has received all input
// changes. That suffices: the copy was drawn at random, and every copy was used many times.
tl::expected<void, Cause> PairTimer::input_is_untouched() {
  if (input().spec.role == Role::in_out)
    return {};  // the call may write it, and every call's answer is compared
  const std::string name = name_of_copy(input().spec.name, copy_);
  Process& process = process_of(Arm::student);
  const auto expected = std::as_const(process.contents).bytes();
  SharedMemory back(std::min(kReadAtATime, expected.size()));
  back.seal_size();
  for (std::size_t at = 0; at < expected.size(); at += back.size()) {
    const std::size_t bytes = std::min(back.size(), expected.size() - at);
    const auto read = process.worker.client().ask(wire::Read{{{name, at, bytes}}}, {back.fd()},
                                                  bench_->course.rubric.limits.call);
    if (!read) return tl::unexpected(read.error());
    if (std::memcmp(back.bytes().data(), expected.data() + at, bytes) == 0) continue;
    return tl::unexpected(make_cause(CauseKind::input_changed, "the input was changed in a timed call"));
  }
  return {};
}

}  // namespace warpmark::judge
