#include "harness/judge/cases/buffers.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"

namespace warpmark::judge {
namespace {

// Number of guard bytes before and after every buffer, on a real GPU and for CPU-only code.
constexpr std::size_t kGuardBytes = 4096;
// Alignment in bytes of the scratch buffer, on which students may rely.
constexpr std::size_t kBufferAlignment = 256;

// Fills the bytes with quiet NaNs of random payload: read as floats they make every sum NaN, as ints they are
// large numbers. For small numbers every byte is random, so that none is the same in each call.
void poison(std::span<std::byte> bytes, std::uint64_t seed, bool small_numbers) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint32_t)) {
    const auto drawn = static_cast<std::uint32_t>(random_bits(seed, at));
    const std::uint32_t word = small_numbers ? drawn : 0x7fc00000u | (drawn & 0x3fffffu);
    std::memcpy(bytes.data() + at, &word, std::min(sizeof word, bytes.size() - at));
  }
}

// Size in bytes from which poison, random in 22 of 32 bits or more, equals no right answer by chance.
constexpr std::size_t kBytesBeyondChance = 8;

bool same(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

std::size_t first_difference(std::span<const std::byte> a, std::span<const std::byte> b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

}  // namespace

Buffers::Buffers(Problem& problem, Engine engine, std::uint64_t poison_seed)
    : guard_bytes_(engine == Engine::gpu || engine == Engine::host ? kGuardBytes : 0) {
  static_assert(kGuardBytes % kBufferAlignment == 0);
  const auto specs = problem.buffers();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const BufferSpec& spec = specs[i];
    const std::size_t begin = guard_bytes_ + spec.offset;
    Region region{spec, begin, SharedMemory(begin + spec.bytes + guard_bytes_)};
    const auto bytes = region.image.bytes();
    const auto data = bytes.subspan(begin, spec.bytes);
    const std::uint64_t seed = random_bits(poison_seed, i);
    poison(bytes.first(begin), seed, spec.small_numbers);
    poison(bytes.subspan(begin + spec.bytes), mix(seed), spec.small_numbers);
    if (spec.role == Role::input || spec.role == Role::in_out) {
      problem.fill(i, data);
    } else {
      poison(data, mix(mix(seed)), spec.small_numbers);
    }
    region.image.seal_contents();
    regions_.push_back(std::move(region));
  }
}

namespace {

// Returns the request that creates a buffer. Output and scratch are marked as uninitialised: the simulator
// reports reads of them, whatever bytes they hold.
wire::Fill fill(const Buffers::Region& region) {
  const bool undefined = region.spec.role == Role::output || region.spec.role == Role::scratch;
  return {.buffer = region.spec.name, .undefined = undefined, .on_host = region.spec.on_host};
}

}  // namespace

tl::expected<void, Cause> Buffers::send(WorkerClient& worker, std::chrono::milliseconds limit) const {
  for (const Region& region : regions_) {
    auto reply = worker.ask(fill(region), {region.image.fd()}, limit);
    if (!reply) return tl::unexpected(reply.error());
  }
  return {};
}

std::optional<std::size_t> Buffers::patched() const {
  return patched_buffer(specs());
}

std::vector<std::size_t> Buffers::answers() const {
  return answer_buffers(specs());
}

std::vector<BufferSpec> Buffers::specs() const {
  std::vector<BufferSpec> specs;
  specs.reserve(regions_.size());
  for (const Region& region : regions_) specs.push_back(region.spec);
  return specs;
}

std::vector<wire::View> Buffers::views() const {
  std::vector<wire::View> views;
  views.reserve(regions_.size());
  for (const Region& region : regions_)
    views.push_back({region.spec.name, region.data_begin, region.spec.bytes});
  return views;
}

// A scratch buffer has no expected contents, so only the guards before and after its data are read back.
std::vector<wire::View> Buffers::reads() const {
  std::vector<wire::View> reads;
  for (const Region& region : regions_) {
    const std::size_t size = region.image.size();
    if (region.spec.role != Role::scratch) {
      reads.push_back({region.spec.name, 0, size});
    } else {
      reads.push_back({region.spec.name, 0, region.data_begin});
      reads.push_back({region.spec.name, size - guard_bytes_, guard_bytes_});
    }
  }
  return reads;
}

std::size_t Buffers::read_bytes() const {
  std::size_t bytes = 0;
  for (const wire::View& read : reads()) bytes += read.bytes;
  return bytes;
}

std::size_t Buffers::bytes() const {
  std::size_t bytes = 0;
  for (const Region& region : regions_) bytes += region.image.size();
  return bytes;
}

namespace {

// Returns the cause for an output of which the call wrote some elements and not the one that is wrong;
// nullopt if it wrote that one, or if the assignment does not say where it is.
std::optional<Cause> unwritten_place(const Mismatch& mismatch, const std::string& buffer,
                                     std::span<const std::byte> data, std::span<const std::byte> sent) {
  if (!mismatch.place) return std::nullopt;
  const auto [offset, bytes, name] = *mismatch.place;
  const auto is_left = [&](std::size_t at) { return same(data.subspan(at, bytes), sent.subspan(at, bytes)); };
  if (!is_left(offset)) return std::nullopt;
  std::size_t left = 0;
  for (std::size_t at = 0; at + bytes <= data.size(); at += bytes) left += is_left(at) ? 1 : 0;
  Cause cause = make_cause(
      CauseKind::not_written,
      fmt::format("{} was not written: {} of the {} elements of `{}` were left as they were before the call; "
                  "look for a share of the work that nobody does, often the last, where a division has a "
                  "remainder",
                  name, left, data.size() / bytes, buffer));
  cause.expected = mismatch.expected;
  return cause;
}

}  // namespace

Buffers::Comparison Buffers::compare(const Problem& problem, CauseKind wrong_answer,
                                     std::span<const std::byte> read_back) const {
  Comparison result;
  std::vector<Cause>& causes = result.causes;
  const auto take = [&](std::size_t bytes) {
    const auto part = read_back.first(bytes);
    read_back = read_back.subspan(bytes);
    return part;
  };
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const Region& region = regions_[i];
    const BufferSpec& spec = region.spec;
    const auto image = region.image.bytes();
    const auto before = take(region.data_begin);
    const bool scratch = spec.role == Role::scratch;
    const auto data = take(scratch ? 0 : spec.bytes);
    const auto behind = take(guard_bytes_);
    if (!same(before, image.first(region.data_begin))) {
      const std::size_t at = region.data_begin - first_difference(before, image.first(region.data_begin));
      causes.push_back(make_cause(CauseKind::out_of_bounds_write,
                                  fmt::format("memory {} bytes before `{}` was written to", at, spec.name)));
    }
    if (const auto guard = image.subspan(region.data_begin + spec.bytes); !same(behind, guard)) {
      causes.push_back(make_cause(CauseKind::out_of_bounds_write,
                                  fmt::format("memory {} bytes past the end of `{}` was written to",
                                              first_difference(behind, guard), spec.name)));
    }
    if (scratch) continue;
    const auto sent = image.subspan(region.data_begin, spec.bytes);
    if (spec.role == Role::input) {
      if (!same(data, sent)) {
        causes.push_back(
            make_cause(CauseKind::input_changed, fmt::format("`{}` is read only, but its byte {} was changed",
                                                             spec.name, first_difference(data, sent))));
      }
    } else if (spec.bytes != 0) {
      result.answer.insert(result.answer.end(), data.begin(), data.end());
      const bool as_sent = spec.role == Role::output && same(data, sent);
      const bool untouched = as_sent && spec.bytes >= kBytesBeyondChance;
      const auto mismatch = untouched ? std::nullopt : problem.check(i, data);
      if (untouched || (as_sent && mismatch)) {
        causes.push_back(
            make_cause(CauseKind::not_written, fmt::format("nothing was written to `{}`", spec.name)));
      } else if (auto unwritten = mismatch && spec.role == Role::output
                                      ? unwritten_place(*mismatch, spec.name, data, sent)
                                      : std::nullopt) {
        causes.push_back(std::move(*unwritten));
      } else if (mismatch) {
        Cause cause = make_cause(wrong_answer, mismatch->what);
        cause.expected = mismatch->expected;
        cause.actual = mismatch->actual;
        causes.push_back(std::move(cause));
      }
    }
  }
  return result;
}

CaseData::CaseData(const Assignment& assignment, const Case& of, Engine engine)
    : CaseData(assignment, of, engine, mix(of.seed)) {}

CaseData::CaseData(const Assignment& assignment, const Case& of, Engine engine, std::uint64_t poison_seed)
    : which(of), problem(assignment.make(of)), buffers(*problem, engine, poison_seed) {}

CaseData CaseData::with_other_values(const Assignment& assignment, Engine engine, std::uint64_t draw) const {
  Case other = which;
  other.seed = random_bits(which.seed, which.n + draw);
  CaseData data(assignment, other, engine, mix(which.seed));
  const auto shape = [](const CaseData& of) {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const Buffers::Region& region : of.buffers.regions())
      places.emplace_back(region.data_begin, region.spec.bytes);
    return std::pair(std::move(places), of.problem->scalars());
  };
  if (shape(data) == shape(*this)) return data;
  return {assignment, which, engine, mix(which.seed)};
}

std::vector<wire::Patch> CaseData::patches() const {
  std::vector<wire::Patch> patches;
  for (const Buffers::Region& region : buffers.regions()) {
    if (region.spec.role == Role::scratch) continue;
    const auto data = region.image.bytes().subspan(region.data_begin, region.spec.bytes);
    for (std::size_t at = 0; at < data.size(); at += sizeof(wire::Patch::value)) {
      wire::Patch patch{{region.spec.name, region.data_begin + at, 0}, 0};
      patch.where.bytes = std::min(sizeof patch.value, data.size() - at);
      std::memcpy(&patch.value, data.data() + at, patch.where.bytes);
      patches.push_back(std::move(patch));
    }
  }
  return patches;
}

}  // namespace warpmark::judge
