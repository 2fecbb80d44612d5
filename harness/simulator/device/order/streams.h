// Happens-before order of streams, events and the host, tracked by vector clocks.
// | Theory of operation. Each stream numbers its work. A clock gives, per stream, the number of work items
// that are complete; each work item carries the clock that its stream had when the item was enqueued. Work A
// happens before work B if B's clock contains A's number. A stream joins other clocks into its own: the
// host's when work is enqueued, an event's in cudaStreamWaitEvent, and those of default-stream
// synchronisation (the legacy default stream waits for all blocking streams of its device, and they for it).
// All host threads share one clock, so a synchronisation by one thread counts for all of them: how host
// threads synchronise among themselves is not observed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

namespace warpmark::simulator {

class Clock {
 public:
  [[nodiscard]] std::uint64_t at(std::size_t slot) const { return slot < counts_.size() ? counts_[slot] : 0; }
  void set(std::size_t slot, std::uint64_t count);
  void join(const Clock& other);
  // True if everything complete in `other` is complete here, too (component-wise >=).
  [[nodiscard]] bool holds(const Clock& other) const;

 private:
  std::vector<std::uint64_t> counts_;
};

// The calling host thread, and whether it uses the per-thread default stream.
struct HostThread {
  std::uint32_t number = 0;
  bool own_default_stream = false;
};

// A work item's position: its stream's slot and its number there, and the work that happens before it.
struct Stamp {
  std::size_t slot = 0;
  std::uint64_t count = 0;
  Clock before;  // work that is complete when this item begins

  [[nodiscard]] bool is_over_in(const Clock& clock) const { return clock.at(slot) >= count; }
  [[nodiscard]] bool is_before(const Stamp& later) const { return is_over_in(later.before); }
};

class Streams {
 public:
  Streams();

  // Sets the host thread that the following calls come from.
  void called_by(const HostThread& thread) { thread_ = thread; }
  // Each device has its own legacy default stream; those of different devices are not ordered.
  void have_devices(int count);
  void on_device(int device) { device_ = static_cast<std::size_t>(device); }
  void created(cudaStream_t stream, bool blocking);
  // Work already enqueued goes on; no more can be enqueued.
  void destroyed(cudaStream_t stream);

  // The index of the stream in clocks and stamps.
  [[nodiscard]] std::size_t slot_of(cudaStream_t stream);
  // Enqueues a work item and returns its stamp.
  Stamp queue(cudaStream_t stream);
  // Returns the clock of something that has waited for all of the stream's work (cudaStreamSynchronize).
  [[nodiscard]] Clock end_of(cudaStream_t stream);
  // cudaEventRecord: returns the clock that holds when the event completes.
  Clock record(cudaStream_t stream);
  // cudaStreamWaitEvent: work enqueued on the stream from now on happens after `clock`.
  void wait(cudaStream_t stream, const Clock& clock);
  // Joins the legacy default streams of two devices: later work on the blocking streams of either device
  // happens after all work enqueued so far on the blocking streams of both.
  void meet(int one, int other);

  void host_waits_for(const Clock& clock) { host_.join(clock); }
  void host_waits_for(const Stamp& stamp);
  void host_waits_for_device(int device);
  void host_waits_for_all();
  [[nodiscard]] const Clock& host() const { return host_; }

  // False if the streams created so far cannot hold two unordered work items.
  [[nodiscard]] bool can_be_unordered() const { return blocking_ > 1 || non_blocking_ > 0 || devices_ > 1; }
  [[nodiscard]] bool is_legacy(cudaStream_t stream) const {
    return stream == cudaStreamLegacy || (stream == nullptr && !thread_.own_default_stream);
  }

 private:
  struct Slot {
    std::uint64_t count = 0;
    Clock end;  // clock when all of the stream's work is complete
    std::size_t device = 0;
    bool blocking = true;
    bool gone = false;
  };
  // The clock that the slot's next work item starts with, without the host's.
  [[nodiscard]] Clock begin_of(std::size_t slot) const;
  std::size_t add_slot(bool blocking);
  [[nodiscard]] bool is_legacy_slot(std::size_t slot) const { return legacy_[slots_[slot].device] == slot; }

  std::vector<Slot> slots_;
  std::map<cudaStream_t, std::size_t> known_;
  // per-thread default streams, by thread and device
  std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> own_;
  std::vector<std::size_t> legacy_{0};  // legacy default streams, by device
  std::size_t devices_ = 1;
  std::size_t device_ = 0;  // the current device (cudaSetDevice)
  HostThread thread_;
  Clock host_;
  std::size_t blocking_ = 0;  // number of blocking streams ever created, without the legacy default stream
  std::size_t non_blocking_ = 0;  // number of non-blocking streams ever created
};

}  // namespace warpmark::simulator
