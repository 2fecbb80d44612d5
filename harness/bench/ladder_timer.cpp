#include "harness/bench/ladder_timer.h"

#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/checks/version_checks.h"

namespace warpmark::bench {
namespace {

// Number of input values changed before every timed call, so that a version cannot return a remembered
// result.
constexpr std::size_t kPatches = 16;

}  // namespace

std::uint64_t Input::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& region : buffers.regions()) {
    if (region.spec.role == Role::input || region.spec.role == Role::in_out) bytes += region.spec.bytes;
  }
  return bytes;
}

LadderTimer::LadderTimer(const judge::Installation& installation, std::filesystem::path sweep,
                         std::vector<Runner> runners, std::chrono::milliseconds limit, Engine engine,
                         judge::WorkerShape shape)
    : installation_(installation),
      sweep_(std::move(sweep)),
      runners_(std::move(runners)),
      limit_(limit),
      call_limit_(limit),
      engine_(engine),
      shape_(std::move(shape)) {}

tl::expected<void, Cause> LadderTimer::start() {
  loaded_.clear();
  worker_.reset();
  auto worker = judge::TimedWorker::start(installation_, sweep_, limit_, engine_, shape_);
  if (!worker) return tl::unexpected(worker.error());
  l2_bytes_ = worker->client().hello().l2_bytes;
  for (const Runner& runner : runners_) {
    auto loaded = judge::load(worker->client(), runner.library, runner.adapter,
                              runner.function + "." + runner.type, runner.function, false, limit_);
    if (!loaded) return tl::unexpected(loaded.error());
    loaded_.push_back(*loaded);
  }
  worker_ = std::move(*worker);
  return {};
}

tl::expected<void, Cause> LadderTimer::ready() {
  if (worker_ && worker_->client().alive()) return {};
  return start();
}

tl::expected<void, Cause> LadderTimer::put(Input& input) {
  input_ = nullptr;
  if (auto started = ready(); !started) return started;
  if (auto sent = worker_->send(input.buffers, limit_); !sent) return sent;
  input_ = &input;
  return {};
}

tl::expected<double, Cause> LadderTimer::time(std::size_t runner) {
  if (input_ == nullptr) return tl::unexpected(make_cause(CauseKind::internal, "there is no input"));
  if (!worker_ || !worker_->client().alive()) {
    Input& input = *input_;
    if (auto again = put(input); !again) return tl::unexpected(again.error());
  }
  std::vector<Patch> patches;
  if (const auto patched = input_->buffers.patched()) {
    auto& region = input_->buffers.regions()[*patched];
    patches = input_->problem->patch(random_bits(input_->which.seed, ++calls_), kPatches,
                                     region.image.bytes().subspan(region.data_begin, region.spec.bytes));
  }
  worker_->wait_for(call_limit_);
  const auto timed =
      worker_->call(loaded_.at(runner), *input_->problem, input_->buffers,
                    {{}, std::move(patches), input_->bytes() > l2_bytes_}, judge::monotonic_ms);
  if (!timed) {
    worker_.reset();  // a CUDA error is sticky: it persists for the process
    return tl::unexpected(timed.error());
  }
  if (timed->wrong) {
    return tl::unexpected(
        make_cause(CauseKind::wrong_when_timed, fmt::format("{}: {} instead of {}", timed->wrong->what,
                                                            timed->wrong->actual, timed->wrong->expected)));
  }
  return timed->event_ms.front();
}

}  // namespace warpmark::bench
