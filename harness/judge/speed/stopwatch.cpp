#include "harness/judge/speed/stopwatch.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/cases/causes.h"

namespace warpmark::judge {
namespace {

using nlohmann::json;

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
      input_(data.buffers.patched().value()),
      contents_(data.buffers.regions().at(input_).image),
      outstanding_(kCopies) {}

tl::expected<Stopwatch, Cause> Stopwatch::make(const Bench& bench, const CaseData& data,
                                               const CourseKernels& course) {
  if (!data.buffers.patched()) {
    return tl::unexpected(make_cause(CauseKind::internal,
                                     "the assignment marks no buffer as patched, and a timed call needs data "
                                     "that changes"));
  }
  const auto limit = bench.rubric.limits.call;
  auto worker = WorkerClient::start(bench.installation, Engine::gpu, false, limit);
  if (!worker) return tl::unexpected(worker.error());
  const auto l2_bytes = worker->hello().value("l2_bytes", std::size_t{0});
  Stopwatch watch(bench, data, std::move(*worker));
  const std::string& type = data.which.type;
  auto ready = watch.ask({{"do", "load"}, {"library", "sweep"}, {"path", course.sweep.string()}});
  if (ready) {
    ready = watch.ask(
        {{"do", "zeros"}, {"buffer", "sweep"}, {"bytes", std::max(l2_bytes * kSweepFactor, kLeastSweep)}});
  }
  if (ready) ready = data.buffers.send(watch.worker_, limit);
  const std::string& input = watch.input().spec.name;
  for (std::size_t copy = 1; ready && copy < kCopies; ++copy) {
    ready = watch.ask({{"do", "copy"}, {"from", input}, {"to", name_of_copy(input, copy)}});
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
  const auto input = data.buffers.patched();
  const std::size_t bytes = input ? data.buffers.regions().at(*input).image.size() : 0;
  return (kCopies - 1) * bytes + data.buffers.bytes();
}

tl::expected<void, Cause> Stopwatch::load_student(const BuiltTypes& built, const std::string& version) {
  const std::string& type = data_->which.type;
  auto student = load(worker_, built.versions.at(type).library, built.adapters.at(type), "student", version,
                      false, bench_->rubric.limits.call);
  if (!student) return tl::unexpected(student.error());
  student_ = *student;
  return {};
}

tl::expected<void, Cause> Stopwatch::ask(const json& request, const std::vector<int>& descriptors) {
  auto reply = worker_.ask(request, descriptors, bench_->rubric.limits.call);
  if (!reply) return tl::unexpected(reply.error());
  return {};
}

void Stopwatch::move() {
  copy_ = random_below(mix(data_->which.seed), ++moves_, kCopies);
}

// Changes the data, and tells the copy that is called next all that it has missed.
json Stopwatch::next_patches() {
  const std::uint64_t draw = random_bits(data_->which.seed, ++calls_);
  const auto& input = this->input();
  const auto values = contents_.bytes().subspan(input.data_begin, input.spec.bytes);
  for (const Patch& patch : problem_->patch(draw, kPatches, values)) {
    for (auto& missed : outstanding_) missed.push_back(patch);
  }
  json patches = json::array();
  for (const Patch& patch : outstanding_[copy_]) {
    patches.push_back(
        {name_of_copy(input.spec.name, copy_), input.data_begin + patch.offset, patch.bytes, patch.value});
  }
  outstanding_[copy_].clear();
  for (const std::size_t answer : data_->buffers.answers()) {
    const auto& output = data_->buffers.regions()[answer];
    std::uint64_t poison = 0;
    const std::size_t bytes = std::min(output.spec.bytes, sizeof poison);
    std::memcpy(&poison, output.image.bytes().data() + output.data_begin, bytes);
    patches.push_back({output.spec.name, output.data_begin, bytes, poison});
  }
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
  const json patches = next_patches();
  json views = data_->buffers.views();
  views.at(input_).front() = name_of_copy(input().spec.name, copy_);
  json reads = json::array();
  std::size_t answer_bytes = 0;
  for (const std::size_t answer : data_->buffers.answers()) {
    const auto& output = data_->buffers.regions()[answer];
    reads.push_back({output.spec.name, output.data_begin, output.spec.bytes});
    answer_bytes += output.spec.bytes;
  }
  SharedMemory answers(turns * answer_bytes);
  answers.seal_size();
  const Loaded& version = arm == Arm::naive ? naive_ : student_;
  const json request{{"do", "call"},
                     {"library", version.library},
                     {"function", version.function},
                     {"adapter", version.adapter},
                     {"buffers", views},
                     {"scalars", problem_->scalars()},
                     {"checking", false},
                     {"schedule", 0},
                     {"host_readable", false},
                     {"patches", patches},
                     {"sweep", true},
                     {"turns", turns},
                     {"calls", calls},
                     {"reads", reads}};
  const double begin = bench_->clock_ms();
  auto reply = worker_.ask(request, {answers.fd()}, bench_->rubric.limits.call);
  const double end = bench_->clock_ms();
  if (!reply) return tl::unexpected(reply.error());
  if (auto causes = causes_of(*reply, {}); !causes.empty()) return tl::unexpected(causes.front());
  for (std::size_t turn = turns - calls; turn < turns; ++turn) {
    auto rest = std::as_const(answers).bytes().subspan(turn * answer_bytes, answer_bytes);
    for (const std::size_t answer : data_->buffers.answers()) {
      const std::size_t bytes = data_->buffers.regions()[answer].spec.bytes;
      const auto mismatch = problem_->check(answer, rest.first(bytes));
      if (mismatch) return tl::unexpected(wrong_answer(arm, *mismatch));
      rest = rest.subspan(bytes);
    }
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
  const std::string name = name_of_copy(input().spec.name, copy_);
  const auto expected = std::as_const(contents_).bytes();
  SharedMemory back(std::min(kReadAtATime, expected.size()));
  back.seal_size();
  for (std::size_t at = 0; at < expected.size(); at += back.size()) {
    const std::size_t bytes = std::min(back.size(), expected.size() - at);
    if (auto read = ask({{"do", "read"}, {"reads", {{name, at, bytes}}}}, {back.fd()}); !read) return read;
    if (std::memcmp(back.bytes().data(), expected.data() + at, bytes) == 0) continue;
    return tl::unexpected(make_cause(CauseKind::input_changed, "the input was changed in a timed call"));
  }
  return {};
}

}  // namespace warpmark::judge
