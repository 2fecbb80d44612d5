#include "tests/judge/fake_device.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

namespace warpmark::fake {
namespace {

std::vector<std::byte> contents_of(int fd) {
  struct stat status {};
  ::fstat(fd, &status);
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  if (::pread(fd, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) bytes.clear();
  return bytes;
}

template <class T>
T load(const std::byte* from, std::size_t index) {
  T value;
  std::memcpy(&value, from + index * sizeof value, sizeof value);
  return value;
}

template <class T>
T sum_of(const std::byte* values, std::uint64_t n, std::int64_t extra) {
  if constexpr (std::is_same_v<T, float>) {
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) sum += static_cast<double>(load<float>(values, i));
    return static_cast<float>(sum + static_cast<double>(extra));
  } else {
    std::uint32_t sum = static_cast<std::uint32_t>(extra);
    for (std::uint64_t i = 0; i < n; ++i) sum += load<std::uint32_t>(values, i);
    return static_cast<T>(sum);
  }
}

// Of the fake clock, for what surrounds a call and for what its events leave out of it.
constexpr double kTurnMs = 0.1;
constexpr double kLaunchMs = 0.015;

// "time:2.5" -> "2.5"
std::string argument_of(const std::string& behaviour) {
  const std::size_t colon = behaviour.find(':');
  return colon == std::string::npos ? "" : behaviour.substr(colon + 1);
}

}  // namespace

wire::Reply Device::answer(const wire::Request& request, const std::vector<UniqueFd>& descriptors) {
  const int fd = descriptors.empty() ? -1 : descriptors.front().get();
  const wire::Observation before = observed();
  wire::Reply reply =
      std::visit([&](const auto& asked) -> wire::Reply { return handle(asked, fd); }, request);
  wire::Seen& seen = wire::seen_in(reply);
  seen.before = before;
  if (!seen.observed.events) seen.observed = observed();
  if (std::exchange(late_, false)) sent(5000);
  return reply;
}

std::string Device::distorted(std::string bytes) {
  if (!distortion_) return bytes;
  const auto& [text, other] = *distortion_;
  if (const std::size_t at = bytes.find(text); at != std::string::npos) {
    bytes.replace(at, text.size(), other);
    distortion_.reset();
  }
  return bytes;
}

wire::HelloReply Device::handle(const wire::Hello& /*request*/, int /*fd*/) {
  wire::HelloReply reply;
  reply.engine = engine_;
  reply.devices = 1;
  reply.device = "fake";
  reply.l2_bytes = 4096;
  reply.multiprocessors = 1;
  reply.clock_hz = 1e9;
  reply.free_bytes = std::uint64_t{1} << 33;
  return reply;
}

wire::LoadReply Device::handle(const wire::Load& request, int /*fd*/) {
  wire::LoadReply reply;
  const std::string name = std::filesystem::path(request.path).filename();
  if (name == "not_loadable") {
    reply.not_loaded = "undefined symbol: helper";
    return reply;
  }
  libraries_[request.library] = name;
  if (name == "at_load") sent(5000);
  return reply;
}

wire::FillReply Device::handle(const wire::Fill& request, int fd) {
  buffers_[request.buffer] = contents_of(fd);
  undefined_[request.buffer] = {request.buffer, request.undefined_offset, request.undefined_bytes};
  return {};
}

wire::ZerosReply Device::handle(const wire::Zeros& request, int /*fd*/) {
  buffers_[request.buffer] = std::vector<std::byte>(request.bytes);
  return {};
}

wire::CopyReply Device::handle(const wire::Copy& request, int /*fd*/) {
  buffers_[request.to] = buffers_.at(request.from);
  return {};
}

wire::ConditionsReply Device::handle(const wire::ReadConditions& /*request*/, int /*fd*/) {
  wire::ConditionsReply reply;
  reply.processes = 3;
  reply.sm_mhz = 1980;
  reply.throttled_by = {"power limit"};
  return reply;
}

wire::CanaryReply Device::handle(const wire::Canary& request, int /*fd*/) {
  sent(request.bytes);
  return {};
}

wire::ReadReply Device::handle(const wire::Read& request, int fd) {
  write_reads(request.reads, fd);
  return {};
}

std::byte* Device::at(const wire::View& view, std::size_t index) {
  return buffers_.at(view.buffer).data() + view.offset + index;
}

void Device::sent(std::size_t bytes, wire::TransferKind kind, std::size_t count) {
  if (!recording_) return;
  wire::AuditEvent event;
  event.transfer = {wire::Direction::host_to_device, kind, bytes};
  event.count = count;
  events_.push_back(event);
}

wire::Observation Device::observed() {
  wire::Observation seen;
  seen.findings = std::exchange(findings_, {});
  seen.launches = std::exchange(launches_, {});
  seen.events = std::exchange(events_, {});
  return seen;
}

// As the program that starts ranks does when each waits for another one.
void Device::end_as_ranks_that_wait() {
  constexpr int kLastWords = 4;
  constexpr double kPatienceMs = 5000;
  if (clock_ms_ != nullptr) *clock_ms_ += kPatienceMs;
  const wire::RanksFailure failure{
      wire::RanksEnd::deadlock, 2, {{0, "waits in MPI_Recv for rank 1", 0}}, "look for a send"};
  const std::string line = wire::encode(wire::JournalLine(failure)) + "\n";
  ::_exit(::write(kLastWords, line.data(), line.size()) < 0 ? 9 : 1);
}

wire::CallReply Device::handle(const wire::Call& request, int reads) {
  const std::string behaviour = libraries_.at(request.library);
  wire::CallReply reply;
  for (std::size_t turn = 0; turn < request.turns; ++turn) {
    for (const wire::Patch& patch : request.patches)
      std::memcpy(at(patch.where), &patch.value, patch.where.bytes);
    for (const wire::Restore& restore : request.restores)
      std::memcpy(at(restore.to), at({restore.from, restore.to.offset, restore.to.bytes}), restore.to.bytes);
    if (turn + request.calls >= request.turns) {
      if (behaviour == "crashes") ::raise(SIGSEGV);
      while (behaviour == "never_ends") ::pause();
      if (behaviour == "ranks_wait") end_as_ranks_that_wait();
      faulted_ = faulted_ || (behaviour == "small_sizes_fault" && request.scalars.at(0) <= 3);
      if (behaviour == "cuda_error" || faulted_) {
        reply.failure.cuda_error = {"cudaErrorInvalidConfiguration", "too many", "launch"};
        return reply;
      }
      if (behaviour == "throws") {
        reply.failure.threw = "std::bad_alloc";
        return reply;
      }
      if (behaviour != "on_the_cpu") {
        wire::AuditEvent event;
        event.launch = {behaviour};
        events_.push_back(event);
        launches_.push_back(
            {.kernel = behaviour, .grid = {2, 1, 1}, .block = {128, 1, 1}, .work = {}, .when = {}});
        if (request.mode.count_work) launches_.back().work.emplace();
      }
      compute(request, behaviour);
      const Duration took = duration_of(behaviour, request.scalars.at(0));
      if (clock_ms_ != nullptr) *clock_ms_ += took.clock_ms + kLaunchMs;
      reply.event_ms.push_back(took.event_ms);
    }
    if (clock_ms_ != nullptr) *clock_ms_ += kTurnMs;
    write_reads(request.reads, reads, turn);
  }
  return reply;
}

Device::Duration Device::duration_of(const std::string& behaviour, std::uint64_t n) {
  if (behaviour.starts_with("a_value:")) {
    const double time = std::stod(argument_of(behaviour)) * static_cast<double>(n);
    return {time, time};
  }
  if (behaviour.starts_with("time:")) {
    constexpr double kReplaced = 12345.5;
    const std::string argument = argument_of(behaviour);
    char* end = nullptr;
    const double time = std::strtod(argument.c_str(), &end);
    if (*end == '\0') return {time, time};
    distortion_ = {"12345.5", argument};
    return {kReplaced, 1.0};
  }
  const std::size_t second = behaviour.rfind(':');
  const std::size_t first = behaviour.find(':');
  if (first == std::string::npos || first == second) return {1.0, 1.0};
  const std::string name = behaviour.substr(0, first);
  const double one = std::stod(behaviour.substr(first + 1));
  const double other = std::stod(behaviour.substr(second + 1));
  const int count = timed_[behaviour]++;
  const bool accompanied = libraries_.contains("student");
  if (name == "hidden" || (name == "hidden_beside" && accompanied)) return {one, other};
  double time = one;
  if (name == "swings") time = count / 3 % 2 == 0 ? one * other : one / other;
  if (name == "swings_beside" && accompanied) time = count % 2 == 0 ? one * other : one / other;
  if (name == "beside" && accompanied) time = other;
  if (name == "borrows" && !libraries_.contains("naive")) time = other;
  if (name == "once" && accompanied && count < 50) time = other;
  return {time, time};
}

// Line 7 reads these values, in a function that line 20 calls; with `again` line 9 reads them.
void Device::reads(const wire::Call& request, std::uint64_t first, std::uint64_t end, bool again) {
  const wire::View& values = request.buffers.at(0);
  const wire::View& undefined = undefined_[values.buffer];
  const std::uint64_t from = std::max(values.offset + first * 4, undefined.offset);
  const std::uint64_t to = std::min(values.offset + end * 4, undefined.offset + undefined.bytes);
  if (!request.mode.check_accesses || from >= to) return;
  findings_.push_back({.kind = CauseKind::uninitialised_read,
                       .kernel = {},
                       .file = "v.cu",
                       .line = again ? 9 : 7,
                       .message = "read",
                       .callers = again ? "" : ", called from v.cu:20"});
}

void Device::compute(const wire::Call& request, const std::string& behaviour) {
  const std::vector<wire::View>& views = request.buffers;
  const bool floats = libraries_.at(request.adapter) == "float";
  std::byte* values = at(views.at(0));
  const std::uint64_t n = request.scalars.at(0);

  if (behaviour == "never_writes") return;
  if (behaviour == "copied" || behaviour == "nine_tenths") {
    const std::size_t bytes = views.at(0).bytes;
    std::memcpy(at(views.at(1)), values, behaviour == "copied" ? bytes : bytes / 10 * 9);
    return;
  }
  if (behaviour == "increments") {
    auto* const bytes = static_cast<unsigned char*>(static_cast<void*>(at(views.at(0))));
    for (std::size_t i = 0; i < views.at(0).bytes; ++i) ++bytes[i];
    return;
  }
  if (behaviour.starts_with("finding:")) {
    wire::Finding finding{.kernel = {}, .file = "v.cu", .line = 2, .message = "found", .frames = {}};
    if (const auto kind = cause_kind_from(argument_of(behaviour));
        kind && rule_of(*kind).source == Source::engine) {
      finding.kind = *kind;
    } else {
      distortion_ = {"\"unsupported\"", "\"" + argument_of(behaviour) + "\""};
    }
    findings_.push_back(finding);
  }
  if (behaviour == "bounds_and_race" || behaviour == "race_by_schedule") {
    wire::Finding finding{.kernel = {}, .file = "v.cu", .line = 2, .message = "found", .frames = {}};
    finding.kind =
        n % 256 == 0 || behaviour == "race_by_schedule" ? CauseKind::race : CauseKind::out_of_bounds;
    findings_.push_back(finding);
  }
  if (behaviour == "early_exit") {
    for (const auto& [kind, line] :
         {std::pair{CauseKind::early_exit, 5}, {CauseKind::uninitialised_read, 7}}) {
      wire::Finding finding{.kernel = {}, .file = "v.cu", .line = line, .message = "found", .frames = {}};
      finding.kind = kind;
      findings_.push_back(finding);
    }
  }
  if (behaviour == "zero_or_crash" && n == 33) ::raise(SIGSEGV);
  if (behaviour == "copies") sent(n * 4);
  if (behaviour == "pieces") sent(n * 4, wire::TransferKind::copy, 40);
  if (behaviour == "mapped") sent(n * 4, wire::TransferKind::mapped);
  if (behaviour == "pages") sent(n * 4, wire::TransferKind::managed);
  late_ = behaviour == "late";
  std::int64_t extra = 0;
  if (behaviour.ends_with("by_schedule") && request.mode.schedule != 0) extra = 1;
  if (behaviour == "by_optimiser" && !request.mode.checking) extra = 1;
  if (behaviour == "by_sweep" && request.sweep) extra = 1;
  if (behaviour == "limited" && request.mode.launch_seconds == 0) extra = 1;
  if (behaviour == "by_the_clock") extra = ++clock_;
  if (behaviour == "races" && !request.mode.one_at_a_time) extra = clock_++;
  if (behaviour == "odd_first" && n > 0) extra = std::to_integer<int>(*values) & 1;
  if (behaviour == "wrong_at_33" && n == 33) extra = 1;
  if (behaviour == "filled") extra = 0x01010101;
  const bool last_lost = behaviour == "last_lost" || behaviour == "small_sizes_fault";
  const bool hundred = behaviour == "first_hundred" && n > 100;
  reads(request, 0, behaviour == "half" ? n / 2 : hundred ? 100 : n, false);
  if (behaviour == "first_twice" && n > 100) {
    reads(request, 0, 1, true);
    extra = load<std::int32_t>(values, 0);
  }
  if (first_n_ == 0) first_n_ = n;
  const std::uint64_t counted = behaviour == "half"        ? n / 2
                                : behaviour == "kept_grid" ? std::min(n, first_n_)
                                : last_lost && n > 0       ? n - 1
                                : hundred                  ? 100
                                                           : n;
  std::uint32_t bits = 0;
  if (floats) {
    const auto sum = sum_of<float>(values, counted, extra);
    std::memcpy(&bits, &sum, sizeof bits);
  } else {
    bits = sum_of<std::uint32_t>(values, counted, extra);
  }
  if (behaviour == "zero" || behaviour == "zero_or_crash") bits = 0;
  const auto [earlier, is_first] = sums_by_size_.try_emplace(n, bits);
  if (behaviour == "kept_by_size") bits = earlier->second;
  if (behaviour == "adds_up" && !is_first) bits = earlier->second += bits;
  if (behaviour == "replays") {
    bits = static_cast<std::uint32_t>(first_sums_.try_emplace("sum", bits).first->second);
  }
  if (behaviour == "repairs") {  // right as long as few values change from call to call
    const std::vector<std::byte> now(values, values + n * sizeof bits);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < std::min(now.size(), repaired_.size()); ++i)
      changed += now[i] != repaired_[i] ? 1 : 0;
    if (changed > 64 * sizeof bits) bits ^= 1;
    repaired_ = now;
  }
  std::memcpy(at(views.at(1)), &bits, sizeof bits);

  if (behaviour == "turns_input" &&
      n > 2) {  // each call exchanges other neighbours, so that nothing is undone
    std::byte* pair = values + turned_++ % (n - 1) * sizeof bits;
    std::swap_ranges(pair, pair + sizeof bits, pair + sizeof bits);
  }
  if (behaviour == "changes_input" && n > 0) *values ^= std::byte{1};
  if (behaviour == "before") at(views.at(1))[-1] ^= std::byte{1};
  if (behaviour == "past") at(views.at(1))[4] ^= std::byte{1};
  if (behaviour == "past_workspace") at(views.at(2), views.at(2).bytes)[0] ^= std::byte{1};
}

wire::UploadReply Device::handle(const wire::Upload& request, int values) {
  const std::string behaviour = libraries_.at(request.library);
  wire::UploadReply reply;
  if (behaviour == "throws") {
    reply.failure.threw = "std::bad_alloc";
    return reply;
  }
  auto data = contents_of(values);
  recording_ = behaviour != "unseen";
  if (behaviour != "short" && behaviour != "null" && behaviour != "unregistered" && behaviour != "host") {
    sent(data.size());
  }
  if (behaviour == "twice") sent(data.size());
  if (behaviour == "short") {
    sent(data.size() / 2);
    std::fill(data.begin() + static_cast<std::ptrdiff_t>(data.size() / 2), data.end(), std::byte{0});
  }
  if (behaviour == "other") data.back() ^= std::byte{1};
  reply.memory = behaviour == "null"           ? wire::Memory::null
                 : behaviour == "unregistered" ? wire::Memory::unregistered
                 : behaviour == "host"         ? wire::Memory::host
                 : behaviour == "managed"      ? wire::Memory::managed
                 : behaviour == "freed"        ? wire::Memory::freed
                                               : wire::Memory::device;
  if (behaviour == "odd") distortion_ = {"\"device\"", "[1,2]"};
  buffers_[request.as] = std::move(data);
  return reply;
}

void Device::write_reads(const std::vector<wire::View>& reads, int fd, std::size_t turn) const {
  off_t position = 0;
  for (const wire::View& view : reads) position += static_cast<off_t>(turn * view.bytes);
  for (const wire::View& view : reads) {
    const auto& buffer = buffers_.at(view.buffer);
    if (::pwrite(fd, buffer.data() + view.offset, view.bytes, position) != static_cast<ssize_t>(view.bytes))
      return;
    position += static_cast<off_t>(view.bytes);
  }
}

}  // namespace warpmark::fake
