#include "harness/bench/stopwatch.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/cases/causes.h"

namespace warpmark::bench {
namespace {

using nlohmann::json;

constexpr std::size_t kPatches = 16;            // places changed before every call
constexpr std::uint64_t kSweepFactor = 2;       // the sweep buffer's size over L2's
constexpr std::uint64_t kLeastSweep = 1 << 20;  // bytes

}  // namespace

std::uint64_t Input::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& region : buffers.regions()) {
    if (region.spec.role == Role::input || region.spec.role == Role::in_out) bytes += region.spec.bytes;
  }
  return bytes;
}

Stopwatch::Stopwatch(const judge::Installation& installation, std::filesystem::path sweep,
                     std::vector<Runner> runners, std::chrono::milliseconds limit)
    : installation_(installation), sweep_(std::move(sweep)), runners_(std::move(runners)), limit_(limit) {}

tl::expected<void, Cause> Stopwatch::start() {
  loaded_.clear();
  worker_.reset();
  auto worker = judge::WorkerClient::start(installation_, Engine::gpu, false, limit_);
  if (!worker) return tl::unexpected(worker.error());
  l2_bytes_ = worker->hello().value("l2_bytes", std::uint64_t{0});
  auto swept = worker->ask({{"do", "load"}, {"library", "sweep"}, {"path", sweep_.string()}}, {}, limit_);
  if (swept) {
    const std::uint64_t bytes = std::max(l2_bytes_ * kSweepFactor, kLeastSweep);
    swept = worker->ask({{"do", "zeros"}, {"buffer", "sweep"}, {"bytes", bytes}}, {}, limit_);
  }
  if (!swept) return tl::unexpected(swept.error());
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

json Stopwatch::next_patches() {
  auto& regions = input_->buffers.regions();
  json patches = json::array();
  if (const auto patched = input_->buffers.patched()) {
    auto& input = regions[*patched];
    const auto contents = input.image.bytes().subspan(input.data_begin, input.spec.bytes);
    const std::uint64_t draw = random_bits(input_->which.seed, ++calls_);
    for (const Patch& patch : input_->problem->patch(draw, kPatches, contents)) {
      patches.push_back({input.spec.name, input.data_begin + patch.offset, patch.bytes, patch.value});
    }
  }
  for (const std::size_t answer : input_->buffers.answers()) {
    const auto& output = regions[answer];
    std::uint64_t poison = 0;
    const std::size_t bytes = std::min(output.spec.bytes, sizeof poison);
    std::memcpy(&poison, std::as_const(output.image).bytes().data() + output.data_begin, bytes);
    patches.push_back({output.spec.name, output.data_begin, bytes, poison});
  }
  return patches;
}

tl::expected<double, Cause> Stopwatch::time(std::size_t runner) {
  if (input_ == nullptr) return tl::unexpected(make_cause(CauseKind::internal, "there is no input"));
  if (!worker_ || !worker_->alive()) {
    Input& input = *input_;
    if (auto again = put(input); !again) return tl::unexpected(again.error());
  }
  const json patches = next_patches();
  const auto& regions = input_->buffers.regions();
  const auto answers = input_->buffers.answers();
  json reads = json::array();
  std::size_t answer_bytes = 0;
  for (const std::size_t answer : answers) {
    reads.push_back({regions[answer].spec.name, regions[answer].data_begin, regions[answer].spec.bytes});
    answer_bytes += regions[answer].spec.bytes;
  }
  SharedMemory read_back(answer_bytes);
  read_back.seal_size();
  const judge::Loaded& version = loaded_.at(runner);
  const auto reply = worker_->ask({{"do", "call"},
                                   {"library", version.library},
                                   {"function", version.function},
                                   {"adapter", version.adapter},
                                   {"buffers", input_->buffers.views()},
                                   {"scalars", input_->problem->scalars()},
                                   {"checking", false},
                                   {"schedule", 0},
                                   {"host_readable", false},
                                   {"patches", patches},
                                   {"sweep", input_->bytes() > l2_bytes_},
                                   {"reads", reads}},
                                  {read_back.fd()}, limit_);
  if (!reply) return tl::unexpected(reply.error());
  if (const auto causes = judge::causes_of(*reply, {}); !causes.empty()) {
    worker_.reset();  // a CUDA error stays with the process
    return tl::unexpected(causes.front());
  }
  auto rest = std::as_const(read_back).bytes();
  for (const std::size_t answer : answers) {
    const auto mismatch = input_->problem->check(answer, rest.first(regions[answer].spec.bytes));
    if (mismatch) {
      return tl::unexpected(make_cause(
          CauseKind::wrong_when_timed,
          fmt::format("{}: {} instead of {}", mismatch->what, mismatch->actual, mismatch->expected)));
    }
    rest = rest.subspan(regions[answer].spec.bytes);
  }
  const auto times = judge::times_of(*reply, 1);
  if (!times) return tl::unexpected(times.error());
  return times->front();
}

}  // namespace warpmark::bench
