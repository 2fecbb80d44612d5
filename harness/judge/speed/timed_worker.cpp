#include "harness/judge/speed/timed_worker.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/assignments/random.h"
#include "harness/judge/rules/plan.h"
#include "harness/judge/workers/causes.h"

namespace warpmark::judge {
namespace {

// Size of the buffer that evicts the L2 cache, as a multiple of the cache's size.
constexpr std::uint64_t kSweepFactor = 2;
// Minimum size of the buffer that evicts the L2 cache, in bytes.
constexpr std::uint64_t kLeastSweep = std::uint64_t{1} << 20;

// number of 8-byte words overwritten with NaN patterns per output buffer before a call, besides its first
constexpr std::size_t kPoisonedPlaces = 24;

// Of an output buffer larger than this, most calls read back only randomly drawn ranges, if the assignment
// can check parts of an output: copying and comparing all of it takes far longer than the call, with a
// varying time.
constexpr std::size_t kLargeAnswer = std::size_t{32} << 20;
constexpr std::size_t kPiece = 4096;  // bytes per range of an output buffer that is read back
// alignment in bytes of a range that is read back, within its output buffer
constexpr std::size_t kPieceAlignment = 8;
// Number of randomly drawn ranges read back per output buffer, besides those around the words overwritten
// before the call.
constexpr std::size_t kPieces = 64;
constexpr std::uint64_t kAllOfItEvery = 24;  // every n-th timed call reads back whole output buffers

// Returns a write that restores an output buffer's initial contents at `offset`: eight bytes, or as many as
// are left in the buffer.
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

namespace {

using Piece = AnswerPiece;

// Returns the ranges of the worker process's buffers that hold the given pieces of the answer. `called`: the
// data of the call's buffers, as the function got them.
std::vector<wire::View> views_of(const std::vector<Piece>& pieces, const std::vector<wire::View>& called) {
  std::vector<wire::View> views;
  views.reserve(pieces.size());
  for (const Piece& piece : pieces) {
    const wire::View& data = called[piece.answer];
    views.push_back({data.buffer, data.offset + piece.offset, piece.bytes});
  }
  return views;
}

std::vector<Piece> all_of(const std::vector<std::size_t>& answers, const Buffers& buffers) {
  std::vector<Piece> pieces;
  for (const std::size_t answer : answers)
    pieces.push_back({answer, 0, buffers.regions()[answer].spec.bytes});
  return pieces;
}

// Returns the ranges of an output buffer that are read back after a timed call: those around `poison`, the
// words overwritten before the call, and further ranges drawn from the seed.
std::vector<Piece> drawn_from(std::size_t answer, const Buffers::Region& region,
                              const std::vector<wire::Patch>& poison, std::uint64_t seed) {
  std::vector<Piece> pieces;
  const std::size_t last = region.spec.bytes - kPiece;
  const auto add = [&](std::size_t offset) {
    pieces.push_back({answer, std::min(offset, last) / kPieceAlignment * kPieceAlignment, kPiece});
  };
  for (const wire::Patch& patch : poison) add(patch.where.offset - region.data_begin);
  for (std::size_t k = 0; k < kPieces; ++k) add(random_below(seed, k, last));
  return pieces;
}

// Compares ranges of the output buffers with the expected output, after each of the last `calls` of `turns`
// repetitions of a timed call; returns the first mismatch.
std::optional<Mismatch> wrong_in(std::span<const std::byte> read_back, const std::vector<Piece>& pieces,
                                 std::size_t turns, std::size_t calls, const Problem& problem,
                                 const Buffers& buffers) {
  const std::size_t turn_bytes = read_back.size() / std::max<std::size_t>(turns, 1);
  for (std::size_t turn = turns - calls; turn < turns; ++turn) {
    auto rest = read_back.subspan(turn * turn_bytes, turn_bytes);
    for (const Piece& piece : pieces) {
      const auto bytes = rest.first(piece.bytes);
      const bool all = piece.bytes == buffers.regions()[piece.answer].spec.bytes;
      auto wrong =
          all ? problem.check(piece.answer, bytes) : problem.check_part(piece.answer, piece.offset, bytes);
      if (wrong) return wrong;
      rest = rest.subspan(piece.bytes);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string name_of_original(const std::string& buffer) {
  return buffer + ".original";
}

TimedWorker::TimedWorker(WorkerClient client, std::chrono::milliseconds limit)
    : client_(std::move(client)), limit_(limit), seed_(seed_from_the_system()) {}

// Inverts the first byte of each range in the memory for output that is read back, so that a range which the
// worker process does not write differs from the previous call's result.
std::span<const std::byte> TimedWorker::room_for(const std::vector<AnswerPiece>& pieces, std::size_t turns,
                                                 SharedMemory& memory) {
  std::size_t bytes = 0;
  for (const AnswerPiece& piece : pieces) bytes += turns * piece.bytes;
  if (memory.size() < bytes) {
    memory = SharedMemory(bytes);
    memory.seal_size();
  }
  auto rest = memory.bytes().first(bytes);
  for (std::size_t turn = 0; turn < turns; ++turn) {
    for (const AnswerPiece& piece : pieces) {
      if (piece.bytes > 0) rest.front() = ~rest.front();
      rest = rest.subspan(piece.bytes);
    }
  }
  return std::as_const(memory).bytes().first(bytes);
}

tl::expected<TimedWorker, Cause> TimedWorker::start(const Installation& installation,
                                                    const std::filesystem::path& sweep,
                                                    std::chrono::milliseconds limit, Engine engine,
                                                    const WorkerShape& shape) {
  WorkerShape of_timed = shape;
  of_timed.timed = true;
  auto client = WorkerClient::start(installation, engine, false, limit, of_timed);
  if (!client) return tl::unexpected(client.error());
  if (const auto loaded = client->ask(wire::Load{"sweep", sweep.string()}, {}, limit); !loaded)
    return tl::unexpected(loaded.error());
  const std::uint64_t bytes = std::max(client->hello().l2_bytes * kSweepFactor, kLeastSweep);
  if (const auto zeros = client->ask(wire::Zeros{"sweep", bytes}, {}, limit); !zeros)
    return tl::unexpected(zeros.error());
  return TimedWorker(std::move(*client), limit);
}

tl::expected<void, Cause> TimedWorker::send(const Buffers& buffers, std::chrono::milliseconds limit) {
  if (auto sent = buffers.send(client_, limit); !sent) return sent;
  for (const Buffers::Region& region : buffers.regions()) {
    if (region.spec.role != Role::in_out) continue;
    const std::string& name = region.spec.name;
    if (const auto kept = client_.ask(wire::Copy{name, name_of_original(name)}, {}, limit); !kept)
      return tl::unexpected(kept.error());
  }
  return {};
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
                     .restores = {},
                     .sweep = calls.sweep,
                     .reads = {},
                     .turns = calls.turns,
                     .calls = calls.calls};
  if (const auto patched = buffers.patched()) {
    std::string& buffer = request.buffers.at(*patched).buffer;
    if (!calls.input.empty()) buffer = calls.input;
    const bool restored = regions[*patched].spec.role == Role::in_out;
    const std::string target = restored ? name_of_original(regions[*patched].spec.name) : buffer;
    for (const Patch& patch : calls.patches)
      request.patches.push_back(
          {{target, regions[*patched].data_begin + patch.offset, patch.bytes}, patch.value});
  }
  std::vector<Piece> pieces = all_of(answers, buffers);
  std::vector<Piece> drawn;
  for (const std::size_t answer : answers) {
    const auto& region = regions[answer];
    const std::uint64_t seed = random_bits(seed_, ++calls_);
    std::vector<wire::Patch> poison;
    if (region.spec.role == Role::in_out) {
      request.restores.push_back({name_of_original(region.spec.name), request.buffers[answer]});
    } else {
      poison = poison_of(region, seed);
    }
    request.patches.insert(request.patches.end(), poison.begin(), poison.end());
    if (region.spec.bytes <= kLargeAnswer || !problem.checks_parts(answer)) continue;
    const auto more = drawn_from(answer, region, poison, mix(seed));
    drawn.insert(drawn.end(), more.begin(), more.end());
  }
  // Randomly drawn ranges of large outputs are read after the worker process's reply to the timed call:
  // student code cannot know them in advance, and the transfer is not timed.
  const bool later = !drawn.empty();
  const bool in_part = later && calls_ % kAllOfItEvery != 0;
  if (in_part) {
    for (const Piece& piece : all_of(answers, buffers)) {
      const bool in_pieces = std::ranges::find(drawn, piece.answer, &Piece::answer) != drawn.end();
      if (!in_pieces) drawn.push_back(piece);
    }
    pieces = std::move(drawn);
  }
  // An output that is read back after the worker process's reply to a timed request holds only the results of
  // the last repetition of the call.
  const std::size_t turns = later ? 1 : calls.turns;
  SharedMemory& memory = in_part ? read_back_in_part_ : read_back_;
  const auto read_back = room_for(pieces, turns, memory);
  if (!later) request.reads = views_of(pieces, request.buffers);

  Timed timed;
  const double begin = clock_ms();
  const auto reply = later ? client_.ask(request, {}, limit_) : client_.ask(request, {memory.fd()}, limit_);
  timed.judge_ms = clock_ms() - begin;
  if (!reply) return tl::unexpected(reply.error());
  if (auto causes = causes_of(reply->observed, reply->failure, {}); !causes.empty())
    return tl::unexpected(causes.front());
  if (later && calls.calls > 0) {
    const auto read = client_.ask(wire::Read{views_of(pieces, request.buffers)}, {memory.fd()}, limit_);
    if (!read) return tl::unexpected(read.error());
  }
  timed.wrong = wrong_in(read_back, pieces, turns, std::min(calls.calls, turns), problem, buffers);
  if (timed.wrong) return timed;
  auto times = times_of(*reply, calls.calls);
  if (!times) return tl::unexpected(times.error());
  timed.event_ms = std::move(*times);
  return timed;
}

}  // namespace warpmark::judge
