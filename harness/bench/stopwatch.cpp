#include "harness/bench/stopwatch.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/cases/causes.h"

namespace warpmark::bench {
namespace {

constexpr std::size_t kPatches = 16;            // places changed before every call
constexpr std::uint64_t kSweepFactor = 2;       // the sweep buffer's size over L2's
constexpr std::uint64_t kLeastSweep = 1 << 20;  // bytes

}  // namespace

std::span<std::byte> Input::data() {
  auto& region = buffers.regions().front();
  return region.image.bytes().subspan(region.data_begin, region.spec.bytes);
}

Stopwatch::Stopwatch(const judge::Installation& installation, std::filesystem::path sweep,
                     std::vector<Runner> runners, std::chrono::milliseconds limit)
    : installation_(installation), sweep_(std::move(sweep)), runners_(std::move(runners)), limit_(limit) {}

tl::expected<void, Cause> Stopwatch::start() {
  loaded_.clear();
  worker_.reset();
  auto worker = judge::WorkerClient::start(installation_, Engine::gpu, false, limit_);
  if (!worker) return tl::unexpected(worker.error());
  l2_bytes_ = worker->hello().l2_bytes;
  if (auto swept = worker->ask(wire::Load{"sweep", sweep_.string()}, {}, limit_); !swept)
    return tl::unexpected(swept.error());
  const std::uint64_t sweep_bytes = std::max(l2_bytes_ * kSweepFactor, kLeastSweep);
  if (auto zeros = worker->ask(wire::Zeros{"sweep", sweep_bytes}, {}, limit_); !zeros)
    return tl::unexpected(zeros.error());
  for (const Runner& runner : runners_) {
    auto loaded = judge::load(*worker, runner.library, runner.adapter, runner.function + "." + runner.type,
                              runner.function, false, limit_);
    if (!loaded) return tl::unexpected(loaded.error());
    loaded_.push_back(*loaded);
  }
  worker_ = std::move(*worker);
  return {};
}

tl::expected<void, Cause> Stopwatch::put(Input& input) {
  input_ = nullptr;
  if (!worker_ || !worker_->alive()) {
    if (auto started = start(); !started) return started;
  }
  if (auto sent = input.buffers.send(*worker_, limit_); !sent) return sent;
  input_ = &input;
  return {};
}

tl::expected<double, Cause> Stopwatch::time(std::size_t runner) {
  if (input_ == nullptr) return tl::unexpected(make_cause(CauseKind::internal, "there is no input"));
  if (!worker_ || !worker_->alive()) {
    Input& input = *input_;
    if (auto again = put(input); !again) return tl::unexpected(again.error());
  }
  auto& regions = input_->buffers.regions();
  const auto& values = regions.front();
  std::vector<wire::Patch> patches;
  for (const Patch& patch :
       input_->problem->patch(random_bits(input_->which.seed, ++calls_), kPatches, input_->data())) {
    patches.push_back({{values.spec.name, values.data_begin + patch.offset, patch.bytes}, patch.value});
  }
  const auto& output = regions.at(1);
  std::uint64_t poison = 0;
  const std::size_t poisoned = std::min(output.spec.bytes, sizeof poison);
  std::memcpy(&poison, output.image.bytes().data() + output.data_begin, poisoned);
  patches.push_back({{output.spec.name, output.data_begin, poisoned}, poison});

  SharedMemory answer(output.spec.bytes);
  answer.seal_size();
  const judge::Loaded& version = loaded_.at(runner);
  const auto reply =
      worker_->ask(wire::Call{.library = version.library,
                              .function = version.function,
                              .adapter = version.adapter,
                              .buffers = input_->buffers.views(),
                              .scalars = input_->problem->scalars(),
                              .mode = {},
                              .patches = std::move(patches),
                              .sweep = input_->bytes() > l2_bytes_,
                              .reads = {{output.spec.name, output.data_begin, output.spec.bytes}}},
                   {answer.fd()}, limit_);
  if (!reply) return tl::unexpected(reply.error());
  if (const auto causes = judge::causes_of(reply->observed, reply->failure, {}); !causes.empty()) {
    worker_.reset();  // a CUDA error stays with the process
    return tl::unexpected(causes.front());
  }
  if (const auto mismatch = input_->problem->check(1, answer.bytes())) {
    return tl::unexpected(make_cause(
        CauseKind::wrong_when_timed,
        fmt::format("{}: {} instead of {}", mismatch->what, mismatch->actual, mismatch->expected)));
  }
  const auto times = judge::times_of(*reply, 1);
  if (!times) return tl::unexpected(times.error());
  return times->front();
}

}  // namespace warpmark::bench
