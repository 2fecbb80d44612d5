#include "harness/simulator/device/order/order.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/device/runtime/observation_recorder.h"

namespace warpmark::simulator {
namespace {

// Maximum number of pending launches, copies and memsets that the race detector compares new stream work
// with; beyond it the oldest is dropped, and races with it are missed.
constexpr std::size_t kMostPending = 2048;

bool same_bytes(const DeviceWork& one, const DeviceWork& other) {
  return one.stamp.slot == other.stamp.slot && one.name == other.name && one.footprint == other.footprint;
}

// Returns the source location for a message, " (a.cu:12)"; empty if unknown.
std::string place_of(const DeviceWork& work, std::uint32_t place) {
  const std::string& at = work.footprint.places.at(place);
  return at.empty() ? "" : fmt::format(" ({})", at);
}

// Returns, for the message about a race between two launches or copies, the phrase for the earlier one's
// stream, seen from the later one's stream: "another stream", "the default stream", ...
std::string_view stream_of(const DeviceWork& earlier, const DeviceWork& work) {
  if (!earlier.default_stream) return "another stream";
  return work.default_stream ? "the default stream of another device" : "the default stream";
}

std::string_view does(bool writes) {
  return writes ? "writes" : "reads";
}

}  // namespace

Order::Wanted Order::recorded(bool checked) const {
  if (checked || quiet_) return wanted();
  return host_memory_ ? Wanted::host_memory : Wanted::nothing;
}

Order::Wanted Order::wanted() const {
  if (quiet_) return Wanted::nothing;
  if (record_all_ || streams.can_be_unordered()) return Wanted::all;
  return host_memory_ ? Wanted::host_memory : Wanted::nothing;
}

void Order::recorded(cudaEvent_t event, cudaStream_t stream) {
  events_[event] = streams.record(stream);
}

// cudaStreamWaitEvent on an event that was never recorded is a no-op, as in CUDA.
void Order::wait(cudaStream_t stream, cudaEvent_t event) {
  const auto known = events_.find(event);
  if (known == events_.end()) return;
  streams.wait(stream, known->second);
  waiting_slots_.insert(streams.slot_of(stream));
}

Clock Order::end_of(cudaEvent_t event) const {
  const auto known = events_.find(event);
  return known == events_.end() ? Clock() : known->second;
}

bool Order::poll(const void* handle, const Clock& end) {
  if (!streams.host().holds(end)) {
    const auto [asked, is_new] = asked_.try_emplace(handle, end);
    if (is_new || !asked->second.holds(end)) {
      asked->second = end;
      return false;
    }
    streams.host_waits_for(end);
  }
  asked_.erase(handle);
  return true;
}

void Order::forget_what_is_over() {
  const auto before = pending_.size();
  std::erase_if(pending_, [&](const DeviceWork& work) { return work.stamp.is_over_in(streams.host()); });
  changed_ = changed_ || pending_.size() != before;
}

void Order::forget_all() {
  streams.host_waits_for_all();
  pending_.clear();
  events_.clear();
  changed_ = true;
}

void Order::queued(DeviceWork work, ObservationRecorder& recorder) {
  forget_what_is_over();
  passed_over_ = passed_over_ || !work.stamp.before.holds(passed_);
  // Compares a newly enqueued launch, copy or memset with all pending ones, latest first. Reports at most
  // one race per stream and kernel (or copy function) of the earlier work.
  std::set<std::pair<std::size_t, std::string>> told;
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 rejects std::ranges::reverse_view
  for (auto earlier = pending_.rbegin(); earlier != pending_.rend(); ++earlier) {
    if (earlier->stamp.is_before(work.stamp) || told.contains({earlier->stamp.slot, earlier->name})) continue;
    if (compare(*earlier, work, recorder)) told.emplace(earlier->stamp.slot, earlier->name);
  }
  keep(std::move(work));
}

// Keeps a launch, copy or memset, to compare later stream work with it. It replaces earlier work of the
// same stream that accesses the same ranges: whatever happens after the later work also happens after the
// earlier, so no race is missed.
void Order::keep(DeviceWork work) {
  const Footprint& bytes = work.footprint;
  if (bytes.reads.empty() && bytes.writes.empty() && bytes.updates.empty() && bytes.system_updates.empty())
    return;
  changed_ = true;
  const auto same = std::find_if(pending_.rbegin(), pending_.rend(),
                                 [&](const DeviceWork& each) { return same_bytes(each, work); });
  if (same != pending_.rend()) pending_.erase(std::next(same).base());
  pending_.push_back(std::move(work));
  if (pending_.size() > kMostPending) pending_.pop_front();
}

bool Order::compare(const DeviceWork& earlier, const DeviceWork& work, ObservationRecorder& recorder) const {
  const Footprint& one = earlier.footprint;
  const Footprint& other = work.footprint;
  struct Pair {
    const std::vector<Range>& one;
    bool one_writes;
    const std::vector<Range>& other;
    bool other_writes;
  };
  const std::array pairs{
      Pair{one.writes, true, other.reads, false},         Pair{one.writes, true, other.writes, true},
      Pair{one.writes, true, other.updates, true},        Pair{one.updates, true, other.reads, false},
      Pair{one.updates, true, other.writes, true},        Pair{one.reads, false, other.writes, true},
      Pair{one.reads, false, other.updates, true},        Pair{one.writes, true, other.system_updates, true},
      Pair{one.system_updates, true, other.reads, false}, Pair{one.system_updates, true, other.writes, true},
      Pair{one.reads, false, other.system_updates, true},
  };
  for (const Pair& pair : pairs) {
    if (const auto common = overlap(pair.one, pair.other)) {
      report(earlier, work, *common, pair.one_writes, pair.other_writes, recorder);
      return true;
    }
  }
  return false;
}

std::string Order::bytes_of(const Overlap& common) const {
  const auto allocation = memory_.find(common.begin());
  if (!allocation) return fmt::format("{} bytes of memory", common.end() - common.begin());
  const Address first = common.begin() - allocation->begin;
  return fmt::format("bytes {} to {} of an allocation of {}", first, common.end() - allocation->begin - 1,
                     allocation->bytes);
}

// Returns how to remove a race between two launches or copies on different streams, for the race's message.
std::string Order::advice(const DeviceWork& earlier, const DeviceWork& work) const {
  constexpr std::string_view kEvents =
      "record an event behind the first (cudaEventRecord) and let the stream of the second wait for it "
      "(cudaStreamWaitEvent), or queue both in one stream";
  if (earlier.default_stream && work.default_stream) {
    return fmt::format("The default streams of two devices do not wait for each other: {}", kEvents);
  }
  if (earlier.default_stream || work.default_stream) {
    return fmt::format(
        "A stream that was created with cudaStreamNonBlocking does not wait for the default stream, nor the "
        "default stream for it: {}",
        kEvents);
  }
  const bool event_behind = std::any_of(events_.begin(), events_.end(), [&](const auto& event) {
    return earlier.stamp.is_over_in(event.second);
  });
  if (event_behind) {
    return "An event was recorded behind the first, but the stream of the second does not wait for it: call "
           "cudaStreamWaitEvent before the second is queued";
  }
  if (waiting_slots_.contains(work.stamp.slot)) {
    return fmt::format(
        "The event that the stream of the second waits for was recorded before the first was queued, or in "
        "another stream: {}",
        kEvents);
  }
  std::string text(kEvents);
  text.front() = 'R';
  return text;
}

void Order::report(const DeviceWork& earlier, const DeviceWork& work, const Overlap& common,
                   bool earlier_writes, bool writes, ObservationRecorder& recorder) const {
  recorder.found(
      {.kind = CauseKind::race,
       .kernel = work.kernel,
       .file = {},
       .message = fmt::format("{} {} {}{}, which {} in {} {}{}; nothing orders the two. {}", work.name,
                              does(writes), bytes_of(common), place_of(work, common.other.place),
                              earlier.name, stream_of(earlier, work), does(earlier_writes),
                              place_of(earlier, common.one.place), advice(earlier, work)),
       .frames = work.site.frames,
       .other_frames = earlier.site.frames,
       .other_in_launch = !earlier.kernel.empty()});
}

}  // namespace warpmark::simulator
