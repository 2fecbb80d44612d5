#include "harness/judge/speed/timed_worker.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/judge/cases/causes.h"

namespace warpmark::judge {
namespace {

constexpr std::uint64_t kSweepFactor = 2;                      // the sweep buffer's size over L2's
constexpr std::uint64_t kLeastSweep = std::uint64_t{1} << 20;  // bytes

// The output's first bytes as they were when the judge poisoned it.
wire::Patch poison_of(const Buffers::Region& output) {
  wire::Patch patch{{output.spec.name, output.data_begin, 0}, 0};
  patch.where.bytes = std::min(output.spec.bytes, sizeof patch.value);
  std::memcpy(&patch.value, output.image.bytes().data() + output.data_begin, patch.where.bytes);
  return patch;
}

}  // namespace

tl::expected<TimedWorker, Cause> TimedWorker::start(const Installation& installation,
                                                    const std::filesystem::path& sweep,
                                                    std::chrono::milliseconds limit) {
  auto client = WorkerClient::start(installation, Engine::gpu, false, limit);
  if (!client) return tl::unexpected(client.error());
  if (const auto loaded = client->ask(wire::Load{"sweep", sweep.string()}, {}, limit); !loaded)
    return tl::unexpected(loaded.error());
  const std::uint64_t bytes = std::max(client->hello().l2_bytes * kSweepFactor, kLeastSweep);
  if (const auto zeros = client->ask(wire::Zeros{"sweep", bytes}, {}, limit); !zeros)
    return tl::unexpected(zeros.error());
  return TimedWorker(std::move(*client), limit);
}

tl::expected<Timed, Cause> TimedWorker::call(const Loaded& version, const Problem& problem,
                                             const Buffers& buffers, const TimedCalls& calls,
                                             const std::function<double()>& clock_ms) {
  const auto& input = buffers.regions().front();
  const auto& output = buffers.regions().at(1);
  wire::Call request{.library = version.library,
                     .function = version.function,
                     .adapter = version.adapter,
                     .buffers = buffers.views(),
                     .scalars = problem.scalars(),
                     .mode = {},
                     .patches = {},
                     .sweep = calls.sweep,
                     .reads = {{output.spec.name, output.data_begin, output.spec.bytes}},
                     .turns = calls.turns,
                     .calls = calls.calls};
  if (!calls.input.empty()) request.buffers.front().buffer = calls.input;
  for (const Patch& patch : calls.patches) {
    request.patches.push_back(
        {{request.buffers.front().buffer, input.data_begin + patch.offset, patch.bytes}, patch.value});
  }
  request.patches.push_back(poison_of(output));
  SharedMemory answers(calls.turns * output.spec.bytes);
  answers.seal_size();

  Timed timed;
  const double begin = clock_ms();
  const auto reply = client_.ask(request, {answers.fd()}, limit_);
  timed.judge_ms = clock_ms() - begin;
  if (!reply) return tl::unexpected(reply.error());
  if (auto causes = causes_of(reply->observed, reply->failure, {}); !causes.empty())
    return tl::unexpected(causes.front());
  for (std::size_t turn = calls.turns - calls.calls; turn < calls.turns; ++turn) {
    const auto answer = std::as_const(answers).bytes().subspan(turn * output.spec.bytes, output.spec.bytes);
    timed.wrong = problem.check(1, answer);
    if (timed.wrong) return timed;
  }
  auto times = times_of(*reply, calls.calls);
  if (!times) return tl::unexpected(times.error());
  timed.event_ms = std::move(*times);
  return timed;
}

}  // namespace warpmark::judge
