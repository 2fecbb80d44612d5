// What is ordered before what among streams, events and the host.
//
// Theory of operation. Each stream counts its work. A clock says for each stream how much of its work is
// over; work carries the clock that its stream had when it was queued. Work A is ordered before work B when
// B's clock holds A's count. Streams take over clocks: of the host when work is queued, of an event that they
// wait for, and of the default stream by its rules (the legacy default stream waits for all blocking streams
// of its device, and they for it). The host has one clock: what one of its threads has waited for is over for
// all of them, because how threads of the host synchronise is not seen.
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
  // Whether all that is over in `other` is over here.
  [[nodiscard]] bool holds(const Clock& other) const;

 private:
  std::vector<std::uint64_t> counts_;
};

// The thread of the host that makes a call, and whether the default stream is one of its own for each thread.
struct HostThread {
  std::uint32_t number = 0;
  bool own_default_stream = false;
};

// A piece of work on a stream.
struct Stamp {
  std::size_t slot = 0;
  std::uint64_t count = 0;
  Clock before;  // what is over when it begins

  [[nodiscard]] bool is_over_in(const Clock& clock) const { return clock.at(slot) >= count; }
  [[nodiscard]] bool is_before(const Stamp& later) const { return is_over_in(later.before); }
};

class Streams {
 public:
  Streams();

  // Who calls from here on.
  void called_by(const HostThread& thread) { thread_ = thread; }
  // Each device has a legacy default stream of its own, and none waits for another's.
  void have_devices(int count);
  void on_device(int device) { device_ = static_cast<std::size_t>(device); }
  void created(cudaStream_t stream, bool blocking);
  // Its work goes on; nothing can be queued behind it.
  void destroyed(cudaStream_t stream);

  // How stamps and clocks number it.
  [[nodiscard]] std::size_t slot_of(cudaStream_t stream);
  // The next work of a stream begins.
  Stamp queue(cudaStream_t stream);
  // What is over for one that waits for all of a stream's work.
  [[nodiscard]] Clock end_of(cudaStream_t stream);
  // An event is recorded there: what is over once it is reached.
  Clock record(cudaStream_t stream);
  // What is queued there from now on waits for what is over in the clock.
  void wait(cudaStream_t stream, const Clock& clock);
  // What both devices' blocking streams have queued is over for what they queue from now on.
  void meet(int one, int other);

  void host_waits_for(const Clock& clock) { host_.join(clock); }
  void host_waits_for(const Stamp& stamp);
  void host_waits_for_device(int device);
  void host_waits_for_all();
  [[nodiscard]] const Clock& host() const { return host_; }

  // Whether there can be two pieces of work that nothing orders.
  [[nodiscard]] bool can_be_unordered() const { return blocking_ > 1 || non_blocking_ > 0 || devices_ > 1; }
  [[nodiscard]] bool is_legacy(cudaStream_t stream) const {
    return stream == cudaStreamLegacy || (stream == nullptr && !thread_.own_default_stream);
  }

 private:
  struct Slot {
    std::uint64_t count = 0;
    Clock end;  // what is over when all its work is
    std::size_t device = 0;
    bool blocking = true;
    bool gone = false;
  };
  // What its next work waits for, but for the host.
  [[nodiscard]] Clock begin_of(std::size_t slot) const;
  std::size_t add_slot(bool blocking);
  [[nodiscard]] bool is_legacy_slot(std::size_t slot) const { return legacy_[slots_[slot].device] == slot; }

  std::vector<Slot> slots_;
  std::map<cudaStream_t, std::size_t> known_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> own_;  // default streams by thread and device
  std::vector<std::size_t> legacy_{0};                                // by device
  std::size_t devices_ = 1;
  std::size_t device_ = 0;  // that is chosen
  HostThread thread_;
  Clock host_;
  std::size_t blocking_ = 0;      // beside the legacy default stream, ever
  std::size_t non_blocking_ = 0;  // likewise
};

}  // namespace warpmark::simulator
