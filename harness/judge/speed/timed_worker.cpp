#include "harness/judge/speed/timed_worker.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/judge/workers/causes.h"

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
                                                    std::chrono::milliseconds limit, Engine engine,
                                                    const WorkerShape& shape) {
  auto client = WorkerClient::start(installation, engine, false, limit, shape);
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
  const auto& regions = buffers.regions();
  const auto answers = buffers.answers();
  wire::Call request{.library = version.library,
                     .function = version.function,
                     .adapter = version.adapter,
                     .buffers = buffers.views(),
                     .scalars = problem.scalars(),
                     .mode = {},
                     .patches = {},
                     .sweep = calls.sweep,
                     .reads = {},
                     .turns = calls.turns,
                     .calls = calls.calls};
  if (const auto patched = buffers.patched()) {
    std::string& buffer = request.buffers.at(*patched).buffer;
    if (!calls.input.empty()) buffer = calls.input;
    for (const Patch& patch : calls.patches) {
      request.patches.push_back(
          {{buffer, regions[*patched].data_begin + patch.offset, patch.bytes}, patch.value});
    }
  }
  std::size_t answer_bytes = 0;  // of one turn
  for (const std::size_t answer : answers) {
    const auto& output = regions[answer];
    request.patches.push_back(poison_of(output));
    request.reads.push_back({output.spec.name, output.data_begin, output.spec.bytes});
    answer_bytes += output.spec.bytes;
  }
  SharedMemory read_back(calls.turns * answer_bytes);
  read_back.seal_size();

  Timed timed;
  const double begin = clock_ms();
  const auto reply = client_.ask(request, {read_back.fd()}, limit_);
  timed.judge_ms = clock_ms() - begin;
  if (!reply) return tl::unexpected(reply.error());
  if (auto causes = causes_of(reply->observed, reply->failure, {}); !causes.empty())
    return tl::unexpected(causes.front());
  for (std::size_t turn = calls.turns - calls.calls; turn < calls.turns; ++turn) {
    auto rest = std::as_const(read_back).bytes().subspan(turn * answer_bytes, answer_bytes);
    for (const std::size_t answer : answers) {
      const std::size_t bytes = regions[answer].spec.bytes;
      timed.wrong = problem.check(answer, rest.first(bytes));
      if (timed.wrong) return timed;
      rest = rest.subspan(bytes);
    }
  }
  auto times = times_of(*reply, calls.calls);
  if (!times) return tl::unexpected(times.error());
  timed.event_ms = std::move(*times);
  return timed;
}

}  // namespace warpmark::judge
