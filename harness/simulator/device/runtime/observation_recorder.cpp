#include "harness/simulator/device/runtime/observation_recorder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/counters.h"
#include "harness/wire/codec.h"
#include "harness/wire/one_order_line.h"

namespace warpmark::simulator {
namespace {

// Size limit in bytes of the journal, the file to which a simulated program's launches, transfers and
// findings are written. Beyond it, launches and transfers are dropped and equal findings are written once.
// Programs with hundreds of thousands of launches reach it.
constexpr std::size_t kMostWritten = std::size_t{48} << 20;

// Limits on a message to the judge process: its number of launches and of transfers and, kMostToSend, its
// bytes. They leave room for findings and for escaped characters.
constexpr std::size_t kMostLaunchesAndCopies = wire::kMostLaunches - 1;
// limit on the number of launches and transfers recorded in one call of a graded function
constexpr std::size_t kMostInACall = 40'000;
constexpr std::size_t kMostToSend = wire::kFrameLimit * 3 / 4;
// Estimated size in bytes of a launch's record in a message to the judge process, without the kernel's
// name.
constexpr std::size_t kBytesOfALaunch = 100;
constexpr std::size_t kBytesOfACopy = 100;
constexpr std::size_t kBytesOfAFrame = 20;

wire::Size size_of(Dim3 size) {
  return {size.x, size.y, size.z};
}

double mean_lanes(const Work& work) {
  return work.instructions == 0
             ? 0
             : static_cast<double>(work.active_lanes) / static_cast<double>(work.instructions);
}

wire::Counters counters_of(const Work& work) {
  namespace n = counter;
  wire::Counters counters;
  const auto set = [&](std::string_view name, std::uint64_t value) {
    counters.set(name, static_cast<double>(value));
  };
  set(n::kLoadRequests, work.loads.requests);
  set(n::kLoadSectors, work.loads.sectors);
  set(n::kStoreRequests, work.stores.requests);
  set(n::kStoreSectors, work.stores.sectors);
  set(n::kSharedLoads, work.loads.shared_requests);
  set(n::kLoadWavefronts, work.loads.wavefronts);
  set(n::kLoadConflicts, work.loads.conflicts);
  set(n::kSharedStores, work.stores.shared_requests);
  set(n::kStoreWavefronts, work.stores.wavefronts);
  set(n::kStoreConflicts, work.stores.conflicts);
  set(n::kInstructions, work.instructions);
  counters.set(n::kActiveLanes, mean_lanes(work));
  set(n::kDivergentBranches, work.divergent_branches);
  set(n::kBarriers, work.barriers);
  set(n::kGlobalAtomics, work.global_atomics);
  set(n::kSameAddressAtomics, work.same_address_atomics);
  set(n::kSharedAtomics, work.shared_atomics);
  set(n::kShuffles, work.shuffles);
  return counters;
}

// Converts the performance counters of a source line to the form in which an annotated source listing shows
// them.
wire::CountedLine counted_line(const LineWork& line) {
  const Work& work = line.work;
  return {.file = line.file,
          .line = line.line,
          .instructions = work.instructions,
          .active_lanes = mean_lanes(work),
          .requests = work.loads.requests + work.stores.requests,
          .sectors = work.loads.sectors + work.stores.sectors,
          .shared_requests = work.loads.shared_requests + work.stores.shared_requests,
          .conflicts = work.loads.conflicts + work.stores.conflicts,
          .atomics = work.global_atomics,
          .shared_atomics = work.shared_atomics,
          .barriers = work.barriers,
          .costly = line.costly};
}

}  // namespace

void ObservationRecorder::launched(std::string_view kernel, Dim3 grid, Dim3 block, std::uint64_t shared_bytes,
                                   bool of_library) {
  seen_.launches.push_back({.kernel = std::string(kernel),
                            .grid = size_of(grid),
                            .block = size_of(block),
                            .shared_bytes = shared_bytes,
                            .work = {},
                            .when = {},
                            .device = device_,
                            .of_library = of_library});
  ++in_call_;
  to_send_ += kernel.size() + kBytesOfALaunch;
}

void ObservationRecorder::counted(const LaunchWork& work) {
  wire::CountedWork& counted = seen_.launches.back().work.emplace();
  counted.counters = counters_of(work.total);
  counted.other_requests = work.total.other_requests;
  counted.other_sectors = work.total.other_sectors;
  counted.of_warps = {work.of_warps.sectors, work.of_warps.instructions};
  counted.of_blocks = {work.of_blocks.sectors, work.of_blocks.instructions};
  counted.longest_warp = work.longest_warp;
  counted.stored_values = work.total.stored_values;
  counted.real_operations = work.total.real_operations;
  for (const LineWork& line : work.lines) counted.lines.push_back(counted_line(line));
}

void ObservationRecorder::found(Finding finding) {
  if (known_.insert(wire::key_of(finding)).second) seen_.findings.push_back(std::move(finding));
}

void ObservationRecorder::found(CauseKind kind, std::string_view kernel, std::string_view message) {
  found(kind, kernel, message, call_site());
}

void ObservationRecorder::found(CauseKind kind, std::string_view kernel, std::string_view message,
                                const CallSite& site) {
  found({.kind = kind,
         .kernel = std::string(kernel),
         .file = {},
         .message = std::string(message),
         .frames = site.frames});
}

void ObservationRecorder::noted(std::string_view kernel, std::string_view message) {
  seen_.notes.push_back({std::string(kernel), std::string(message)});
}

void ObservationRecorder::transferred(wire::Direction direction, std::size_t bytes, wire::TransferKind kind) {
  transferred(direction, bytes, kind, call_site());
}

void ObservationRecorder::transferred(wire::Direction direction, std::size_t bytes, wire::TransferKind kind,
                                      const CallSite& site) {
  seen_.transfers.push_back({.direction = direction,
                             .kind = kind,
                             .bytes = bytes,
                             .launches_before = seen_.launches.size(),
                             .when = {},
                             .frames = site.frames,
                             .device = device_,
                             .from_device = {}});
  ++in_call_;
  to_send_ += kBytesOfACopy + site.frames.size() * kBytesOfAFrame;
}

void ObservationRecorder::copied(wire::Direction direction, std::size_t bytes, Route route) {
  transferred(direction, bytes, wire::TransferKind::copy);
  seen_.transfers.back().device = route.device;
  seen_.transfers.back().from_device = route.from;
}

void ObservationRecorder::passed_beside(std::size_t bytes) {
  constexpr std::size_t kMostBeside = std::size_t{64} << 10;
  constexpr std::size_t kRecordedAtOnce = std::size_t{16} << 10;
  beside_ += bytes;
  if (beside_ <= kMostBeside) return;
  beside_unrecorded_ += bytes;
  if (beside_unrecorded_ < kRecordedAtOnce) return;
  transferred(wire::Direction::host_to_device, std::exchange(beside_unrecorded_, 0),
              wire::TransferKind::argument);
}

void ObservationRecorder::handed_over(wire::Handover handover) {
  constexpr std::size_t kBytesOfAValue = 18;
  to_send_ += handover.what.size() + kBytesOfALaunch +
              (handover.values.size() + handover.frames.size()) * kBytesOfAValue;
  if (!seen_.handovers) seen_.handovers.emplace();
  seen_.handovers->push_back(std::move(handover));
}

bool ObservationRecorder::is_full() const {
  return descriptor_ < 0 && (to_send_ > kMostToSend || (calls_ != 0 && in_call_ >= kMostInACall) ||
                             seen_.launches.size() >= kMostLaunchesAndCopies ||
                             seen_.transfers.size() >= kMostLaunchesAndCopies);
}

void ObservationRecorder::mark() {
  if (marks_++ == 0) before_ = std::exchange(seen_, {});
}

wire::DeviceReply ObservationRecorder::take() {
  known_.clear();
  wire::DeviceReply taken;
  to_send_ = 0;
  beside_ = 0;
  beside_unrecorded_ = 0;
  taken.marks = std::exchange(marks_, 0);
  taken.calls = std::exchange(calls_, 0);
  taken.before = std::exchange(before_, {});
  taken.observed = std::exchange(seen_, {});
  if (taken.marks == 0) std::swap(taken.before, taken.observed);
  return taken;
}

std::string ObservationRecorder::drain() {
  known_.clear();
  to_send_ = 0;
  return wire::encode(std::exchange(seen_, {}));
}

void ObservationRecorder::flush() {
  if (descriptor_ < 0 || seen_ == wire::Observation{}) return;
  if (written_ > kMostWritten) {
    seen_.launches.clear();
    seen_.transfers.clear();
    std::erase_if(seen_.notes, [&](const wire::Note& note) {
      return !late_notes_.insert(note.kernel + '\n' + note.message).second;
    });
    if (seen_.findings.empty() && seen_.notes.empty()) return;
  }
  if (written_seen_.value != seen_) written_seen_ = {seen_, wire::encode(seen_)};
  if (written_ <= kMostWritten) known_.clear();
  to_send_ = 0;
  seen_ = {};
  write(written_seen_.line);
}

void ObservationRecorder::running(std::string_view kernel, Dim3 grid, Dim3 block) {
  if (descriptor_ < 0 || written_ > kMostWritten) return;
  wire::Running now{{.kernel = std::string(kernel),
                     .grid = size_of(grid),
                     .block = size_of(block),
                     .work = {},
                     .when = {}}};
  if (written_running_.line.empty() || written_running_.value != now) {
    written_running_.line = wire::encode(now);
    written_running_.value = std::move(now);
  }
  write(written_running_.line);
}

void ObservationRecorder::say_one_order() {
  if (descriptor_ >= 0) write(std::string(wire::kOneOrderLine));
}

void ObservationRecorder::say_uncompared() {
  if (descriptor_ >= 0) write(std::string(wire::kUncomparedLine));
}

void ObservationRecorder::say_rest_unchecked(std::string_view kernel, std::uint64_t checked) {
  if (std::exchange(rest_unchecked_, true)) return;
  noted(kernel, fmt::format("{:.1e} warp instructions were checked, as many as its share of the time allows, "
                            "up to a launch of {}: what comes after ran unchecked, as -O2 code, but for the "
                            "first blocks of other kernels. Give the program a smaller input, or allow more "
                            "time (--timeout SECONDS)",
                            static_cast<double>(checked), kernel));
  if (descriptor_ >= 0) write(std::string(wire::kRestUncheckedLine));
}

void ObservationRecorder::write(const std::string& line) {
  const std::string whole = line + '\n';
  for (std::size_t done = 0; done < whole.size();) {
    const ssize_t count = ::write(descriptor_, whole.data() + done, whole.size() - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
  written_ += whole.size();
}

}  // namespace warpmark::simulator
