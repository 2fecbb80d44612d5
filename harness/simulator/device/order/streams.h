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
  // True if this clock is component-wise >= `other`: all work complete in `other` is complete in this clock.
  [[nodiscard]] bool holds(const Clock& other) const;

 private:
  std::vector<std::uint64_t> counts_;
};

// A host thread that makes runtime calls. own_default_stream: its default stream is the per-thread one.
struct HostThread {
  std::uint32_t number = 0;
  bool own_default_stream = false;
};

// Position of a launch, copy or memset in the happens-before order: the index (slot) of its stream, its
// number in that stream, and the vector clock of all work before it.
struct Stamp {
  std::size_t slot = 0;
  std::uint64_t count = 0;
  Clock before;  // vector clock of all stream work that happens before this launch, copy or memset

  [[nodiscard]] bool is_over_in(const Clock& clock) const { return clock.at(slot) >= count; }
  [[nodiscard]] bool is_before(const Stamp& later) const { return is_over_in(later.before); }
};

class Streams {
 public:
  Streams();

  // Sets the host thread to which the runtime calls reported from now on belong.
  void called_by(const HostThread& thread) { thread_ = thread; }
  // Sets the number of devices. Each device has its own legacy default stream; those of different devices are
  // unordered.
  void have_devices(int count);
  void on_device(int device) { device_ = static_cast<std::size_t>(device); }
  void created(cudaStream_t stream, bool blocking);
  // Marks the stream as destroyed. Work that was enqueued before still completes.
  void destroyed(cudaStream_t stream);

  // Returns the index of the stream's component in vector clocks (its slot).
  [[nodiscard]] std::size_t slot_of(cudaStream_t stream);
  // Enqueues a launch, copy or memset on the stream and returns its position in the happens-before order.
  Stamp queue(cudaStream_t stream);
  // Returns the clock of an observer that has waited for all work on the stream (cudaStreamSynchronize).
  [[nodiscard]] Clock end_of(cudaStream_t stream);
  // Implements cudaEventRecord: returns the vector clock at the event's completion.
  Clock record(cudaStream_t stream);
  // Implements cudaStreamWaitEvent: work enqueued on `stream` from now on happens after `clock`.
  void wait(cudaStream_t stream, const Clock& clock);
  // Joins the legacy default streams of two devices: later work on the blocking streams of either device
  // happens after all work enqueued so far on the blocking streams of both.
  void meet(int one, int other);

  void host_waits_for(const Clock& clock) { host_.join(clock); }
  void host_waits_for(const Stamp& stamp);
  void host_waits_for_device(int device);
  void host_waits_for_all();
  [[nodiscard]] const Clock& host() const { return host_; }

  // False if all work on the streams created so far is totally ordered.
  [[nodiscard]] bool can_be_unordered() const { return blocking_ > 1 || non_blocking_ > 0 || devices_ > 1; }
  [[nodiscard]] bool is_legacy(cudaStream_t stream) const {
    return stream == cudaStreamLegacy || (stream == nullptr && !thread_.own_default_stream);
  }

 private:
  struct Slot {
    std::uint64_t count = 0;
    Clock end;  // vector clock at the completion of all work on the stream
    std::size_t device = 0;
    bool blocking = true;
    bool gone = false;
  };
  // Returns the vector clock of all work that must complete before the stream's next launch or copy can
  // start: earlier work of the stream itself and, by the rules of the legacy default stream, of other
  // streams. Work that the host has waited for is not included.
  [[nodiscard]] Clock begin_of(std::size_t slot) const;
  std::size_t add_slot(bool blocking);
  [[nodiscard]] bool is_legacy_slot(std::size_t slot) const { return legacy_[slots_[slot].device] == slot; }

  std::vector<Slot> slots_;
  std::map<cudaStream_t, std::size_t> known_;
  // Vector-clock slots of the per-thread default streams, keyed by host thread and device.
  std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> own_;
  std::vector<std::size_t> legacy_{0};  // vector-clock slots of the legacy default streams, indexed by device
  std::size_t devices_ = 1;
  std::size_t device_ = 0;  // index of the current device (cudaSetDevice)
  HostThread thread_;
  Clock host_;
  std::size_t blocking_ = 0;  // number of blocking streams ever created, without the legacy default stream
  std::size_t non_blocking_ = 0;  // number of non-blocking streams ever created
};

}  // namespace warpmark::simulator
