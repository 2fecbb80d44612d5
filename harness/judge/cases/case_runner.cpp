#include "harness/judge/cases/case_runner.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "harness/assignments/random.h"

namespace warpmark::judge {
namespace {

constexpr std::uint64_t kMostPatched = 100'000;  // patches of one request, over all of its turns
constexpr std::size_t kGuardBytes = 4096;        // before and behind every buffer on a GPU
constexpr std::size_t kBufferAlignment = 256;    // what the contract promises of the workspace

// A quiet NaN with a payload of its own for every word: as a float it spoils every sum, as an int it is a
// large number.
void poison(std::span<std::byte> bytes, std::uint64_t seed) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint32_t)) {
    const auto word = static_cast<std::uint32_t>(0x7fc00000u | (random_bits(seed, at) & 0x3fffffu));
    std::memcpy(bytes.data() + at, &word, std::min(sizeof word, bytes.size() - at));
  }
}

bool same(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

// Adds what the causes need so that the case can be seen again.
void name_case(std::vector<Cause>& causes, const Case& which, const Blame& blame) {
  for (Cause& cause : causes) {
    cause.type = which.type;
    cause.n = which.n;
    cause.seed = fmt::format("{:#x}", which.seed);
    if (cause.file.empty() && blame.file != nullptr) cause.file = blame.file->name;
  }
}

std::size_t first_difference(std::span<const std::byte> a, std::span<const std::byte> b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

tl::expected<void, Cause> load_both(WorkerClient& worker, const Loaded& loaded,
                                    const std::filesystem::path& library,
                                    const std::filesystem::path& adapter, bool submission,
                                    std::chrono::milliseconds limit) {
  const auto load_one = [&](const std::string& as, const std::filesystem::path& path) {
    return worker.ask(wire::Load{as, path.string()}, {}, limit);
  };
  const auto why = [](const wire::LoadReply& reply) {
    return "the library cannot be loaded: " + *reply.not_loaded;
  };
  auto reply = load_one(loaded.adapter, adapter);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->not_loaded) return tl::unexpected(make_cause(CauseKind::internal, why(*reply)));
  if (submission) worker.holds_a_submission();
  reply = load_one(loaded.library, library);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->not_loaded) return tl::unexpected(make_cause(CauseKind::compile_error, why(*reply)));
  return {};
}

}  // namespace

tl::expected<Loaded, Cause> load(WorkerClient& worker, const std::filesystem::path& library,
                                 const std::filesystem::path& adapter, const std::string& name,
                                 const std::string& function, bool host_readable,
                                 std::chrono::milliseconds limit) {
  Loaded loaded{name, name + ".adapter", function, host_readable, library};
  if (auto done = load_both(worker, loaded, library, adapter, true, limit); !done)
    return tl::unexpected(done.error());
  return loaded;
}

tl::expected<Loaded, Cause> load_course(WorkerClient& worker, const std::filesystem::path& library,
                                        const std::filesystem::path& adapter, const std::string& name,
                                        const std::string& function, std::chrono::milliseconds limit) {
  Loaded loaded{name, name + ".adapter", function, false, library};
  if (auto done = load_both(worker, loaded, library, adapter, false, limit); !done)
    return tl::unexpected(done.error());
  return loaded;
}

Buffers::Buffers(Problem& problem, Engine engine, std::uint64_t poison_seed)
    : guard_bytes_(engine == Engine::gpu ? kGuardBytes : 0) {
  static_assert(kGuardBytes % kBufferAlignment == 0);
  const auto specs = problem.buffers();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const BufferSpec& spec = specs[i];
    const std::size_t begin = guard_bytes_ + spec.offset;
    Region region{spec, begin, SharedMemory(begin + spec.bytes + guard_bytes_)};
    const auto bytes = region.image.bytes();
    const auto data = bytes.subspan(begin, spec.bytes);
    const std::uint64_t seed = random_bits(poison_seed, i);
    poison(bytes.first(begin), seed);
    poison(bytes.subspan(begin + spec.bytes), mix(seed));
    if (spec.role == Role::input || spec.role == Role::in_out) {
      problem.fill(i, data);
    } else {
      poison(data, mix(mix(seed)));
    }
    region.image.seal_contents();
    regions_.push_back(std::move(region));
  }
}

namespace {

// To read uninitialised memory is a fault, whatever the worker filled it with.
wire::Fill fill(const Buffers::Region& region) {
  const bool undefined = region.spec.role == Role::output || region.spec.role == Role::scratch;
  return {region.spec.name, undefined};
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

// Of scratch only what lies around it comes back.
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
      if (spec.role == Role::output && same(data, sent)) {
        causes.push_back(
            make_cause(CauseKind::not_written, fmt::format("nothing was written to `{}`", spec.name)));
      } else if (const auto mismatch = problem.check(i, data)) {
        Cause cause = make_cause(wrong_answer, mismatch->what);
        cause.expected = mismatch->expected;
        cause.actual = mismatch->actual;
        causes.push_back(std::move(cause));
      }
    }
  }
  return result;
}

std::uint64_t look_after_ms(std::chrono::milliseconds limit) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(limit.count() * 9 / 10, 1));
}

void point_to_last_place(Cause& cause, const WorkerClient& worker, const Blame& blame) {
  const wire::Frames last = worker.last_frames();
  point_to_host_code(cause, last.frames, last.in_launch, blame);
  if (cause.kind != CauseKind::timed_out || cause.line == 0) return;
  cause.message += fmt::format("; when the time was nearly up, it was at line {}{}", cause.line,
                               last.in_launch ? ", in the launch of a kernel" : "");
}

namespace {

CauseKind wrong_answer_of(const Assignment& assignment) {
  return cause_kind_from(assignment.wrong_answer()).value_or(CauseKind::wrong_output);
}

// The bytes of all transfers, by what they were. An audited worker reports events in their place.
Traffic traffic_of(const wire::Observation& seen) {
  Traffic traffic;
  std::uint64_t copied = 0, mapped = 0, managed = 0;
  const auto add = [&](wire::Direction direction, wire::TransferKind kind, std::uint64_t bytes) {
    if (direction == wire::Direction::device_to_host) traffic.to_host += bytes;
    if (direction != wire::Direction::host_to_device) return;
    (kind == wire::TransferKind::mapped    ? mapped
     : kind == wire::TransferKind::managed ? managed
                                           : copied) += bytes;
  };
  for (const wire::Transfer& transfer : seen.transfers)
    add(transfer.direction, transfer.kind, transfer.bytes);
  if (seen.events) {
    for (const wire::Event& event : *seen.events) {
      if (event.transfer) add(event.transfer->direction, event.transfer->kind, event.transfer->bytes);
    }
  }
  traffic.host_memory = mapped + managed;
  traffic.from_host = copied + traffic.host_memory;
  if (traffic.host_memory > copied)
    traffic.kind = mapped >= managed ? CauseKind::zero_copy : CauseKind::managed_memory;
  return traffic;
}

// The same without what the harness read back and patched for itself.
Traffic traffic_of_call(const wire::Observation& seen, const Buffers& buffers,
                        const std::vector<wire::Patch>& patches) {
  Traffic traffic = traffic_of(seen);
  std::uint64_t patched = 0;
  for (const wire::Patch& patch : patches) patched += patch.where.bytes;
  traffic.to_host -= std::min<std::uint64_t>(traffic.to_host, buffers.read_bytes());
  traffic.from_host -= std::min(traffic.from_host - traffic.host_memory, seen.events ? patched : 0);
  for (const Buffers::Region& region : buffers.regions()) {
    if (region.spec.role == Role::input || region.spec.role == Role::in_out)
      traffic.input += region.spec.bytes;
  }
  return traffic;
}

}  // namespace

CallResult call_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                     const Case& which, const Problem& problem, const Buffers& buffers,
                     const wire::RunMode& mode, const Blame& file, std::chrono::milliseconds limit,
                     std::vector<wire::Patch> patches) {
  CallResult result;
  const Blame blame{file.file, file.submission, version.file};
  SharedMemory read_back(buffers.read_bytes());
  read_back.seal_size();
  const wire::Call call{.library = version.library,
                        .function = version.function,
                        .adapter = version.adapter,
                        .buffers = buffers.views(),
                        .scalars = problem.scalars(),
                        .mode = {.checking = mode.checking,
                                 .schedule = mode.schedule,
                                 .one_at_a_time = mode.one_at_a_time,
                                 .host_readable = version.host_readable,
                                 .check_accesses = mode.check_accesses,
                                 .count_work = mode.count_work},
                        .patches = patches,
                        .reads = buffers.reads(),
                        .look_after_ms = look_after_ms(limit)};
  auto reply = worker.ask(call, {read_back.fd()}, limit);
  if (!reply) {
    result.causes = {reply.error()};
    point_to_last_place(result.causes.front(), worker, blame);
    // What the device found stands, whatever became of the process.
    for (Cause& cause : causes_of(worker.last_seen(), {}, blame))
      (is_remark(cause.kind) ? result.remarks : result.causes).push_back(std::move(cause));
  } else {
    result.causes = causes_of(reply->observed, reply->failure, blame);
    if (worker.records_launches()) {
      result.kernels = reply->observed.kernels();
      result.traffic = traffic_of_call(reply->observed, buffers, patches);
    }
    result.launches = std::move(reply->observed.launches);
    const auto remarks = std::stable_partition(result.causes.begin(), result.causes.end(),
                                               [](const Cause& cause) { return !is_remark(cause.kind); });
    std::move(remarks, result.causes.end(), std::back_inserter(result.remarks));
    result.causes.erase(remarks, result.causes.end());
    if (result.causes.empty()) {
      auto compared = buffers.compare(problem, wrong_answer_of(assignment), read_back.bytes());
      result.causes = std::move(compared.causes);
      result.answer = std::move(compared.answer);
    }
    if (!result.causes.empty()) result.causes.front().printed = worker.printed();
  }
  name_case(result.causes, which, blame);
  name_case(result.remarks, which, blame);
  return result;
}

CallResult call_often(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                      const CaseData& data, std::uint64_t count, const Blame& file,
                      std::chrono::milliseconds limit) {
  CallResult result;
  const Blame blame{file.file, file.submission, version.file};
  const std::size_t bytes = data.buffers.read_bytes();
  auto patches = data.patches();
  count = std::clamp<std::uint64_t>(kMostPatched / (patches.size() + 1), 1, count);
  SharedMemory read_back(bytes * count);
  read_back.seal_size();
  const wire::Call call{.library = version.library,
                        .function = version.function,
                        .adapter = version.adapter,
                        .buffers = data.buffers.views(),
                        .scalars = data.problem->scalars(),
                        .mode = {.host_readable = version.host_readable},
                        .patches = std::move(patches),
                        .reads = data.buffers.reads(),
                        .turns = count,
                        .calls = count,
                        .look_after_ms = look_after_ms(limit)};
  auto reply = worker.ask(call, {read_back.fd()}, limit);
  if (!reply) {
    result.causes = {reply.error()};
    point_to_last_place(result.causes.front(), worker, blame);
  } else {
    result.causes = causes_of(reply->observed, reply->failure, blame);
    std::erase_if(result.causes, [](const Cause& cause) { return is_remark(cause.kind); });
    for (std::uint64_t turn = 0; turn < count && result.causes.empty(); ++turn) {
      result.causes = data.buffers
                          .compare(*data.problem, wrong_answer_of(assignment),
                                   std::span<const std::byte>(read_back.bytes()).subspan(turn * bytes, bytes))
                          .causes;
    }
  }
  name_case(result.causes, data.which, blame);
  return result;
}

CaseData::CaseData(const Assignment& assignment, const Case& of, Engine engine)
    : CaseData(assignment, of, engine, mix(of.seed)) {}

CaseData::CaseData(const Assignment& assignment, const Case& of, Engine engine, std::uint64_t poison_seed)
    : which(of), problem(assignment.make(of)), buffers(*problem, engine, poison_seed) {}

CaseData CaseData::with_other_values(const Assignment& assignment, Engine engine) const {
  Case other = which;
  other.seed = random_bits(which.seed, which.n);
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

CallResult run_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                    const CaseData& data, const wire::RunMode& mode, const Blame& blame,
                    std::chrono::milliseconds limit) {
  if (auto sent = data.buffers.send(worker, limit); !sent) {
    CallResult result;
    result.causes = {sent.error()};
    name_case(result.causes, data.which, blame);
    return result;
  }
  return call_case(worker, version, assignment, data.which, *data.problem, data.buffers, mode, blame, limit);
}

}  // namespace warpmark::judge
