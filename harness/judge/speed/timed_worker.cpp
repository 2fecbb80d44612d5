#include "harness/judge/speed/timed_worker.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "harness/assignments/random.h"
#include "harness/judge/rules/plan.h"
#include "harness/judge/workers/causes.h"

namespace warpmark::judge {
namespace {

constexpr std::uint64_t kSweepFactor = 2;                      // the sweep buffer's size over L2's
constexpr std::uint64_t kLeastSweep = std::uint64_t{1} << 20;  // bytes

constexpr std::size_t kPoisonedPlaces = 24;  // of an answer, besides its first bytes

// Eight bytes, or as many as there are, as the judge first made them.
wire::Patch first_contents(const Buffers::Region& region, std::size_t offset) {
  wire::Patch patch{{region.spec.name, region.data_begin + offset, 0}, 0};
  patch.where.bytes = std::min(region.spec.bytes - offset, sizeof patch.value);
  std::memcpy(&patch.value, region.image.bytes().data() + patch.where.offset, patch.where.bytes);
  return patch;
}

}  // namespace

std::vector<wire::Patch> poison_of(const Buffers::Region& answer, std::uint64_t seed) {
  std::vector<wire::Patch> patches{first_contents(answer, 0)};
  const std::size_t words = answer.spec.bytes / sizeof patches[0].value;
  for (std::size_t k = 0; k < kPoisonedPlaces && words > kPoisonedPlaces; ++k)
    patches.push_back(first_contents(answer, random_below(seed, k, words) * sizeof patches[0].value));
  return patches;
}

TimedWorker::TimedWorker(WorkerClient client, std::chrono::milliseconds limit)
    : client_(std::move(client)), limit_(limit), seed_(seed_from_the_system()) {}

// Each part of each turn begins with another byte than before: what nobody writes is not taken for an answer.
std::span<const std::byte> TimedWorker::room_for(const std::vector<std::size_t>& parts, std::size_t turns) {
  const std::size_t bytes = turns * std::accumulate(parts.begin(), parts.end(), std::size_t{0});
  if (read_back_.size() < bytes) {
    read_back_ = SharedMemory(bytes);
    read_back_.seal_size();
  }
  auto rest = read_back_.bytes().first(bytes);
  for (std::size_t turn = 0; turn < turns; ++turn) {
    for (const std::size_t part : parts) {
      if (part > 0) rest.front() = ~rest.front();
      rest = rest.subspan(part);
    }
  }
  return std::as_const(read_back_).bytes().first(bytes);
}

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
  std::vector<std::size_t> parts;  // bytes of each answer
  for (const std::size_t answer : answers) {
    const auto& output = regions[answer];
    const auto poison = poison_of(output, random_bits(seed_, ++calls_));
    request.patches.insert(request.patches.end(), poison.begin(), poison.end());
    request.reads.push_back({output.spec.name, output.data_begin, output.spec.bytes});
    parts.push_back(output.spec.bytes);
  }
  const auto read_back = room_for(parts, calls.turns);

  Timed timed;
  const double begin = clock_ms();
  const auto reply = client_.ask(request, {read_back_.fd()}, limit_);
  timed.judge_ms = clock_ms() - begin;
  if (!reply) return tl::unexpected(reply.error());
  if (auto causes = causes_of(reply->observed, reply->failure, {}); !causes.empty())
    return tl::unexpected(causes.front());
  const std::size_t turn_bytes = read_back.size() / std::max<std::size_t>(calls.turns, 1);
  for (std::size_t turn = calls.turns - calls.calls; turn < calls.turns; ++turn) {
    auto rest = read_back.subspan(turn * turn_bytes, turn_bytes);
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
