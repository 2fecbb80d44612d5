// Happens-before checker for stream work: reports accesses to the same memory by two streams, or by a stream
// and the host, that are unordered.
// | Theory of operation. Each launch, copy and memset is work on a stream. When it is enqueued, it gets a
// stamp with a vector clock (streams.h) and its footprint (footprint.h) is compared with all unordered work
// of other streams. Work is dropped once the host has synchronised with it, because everything later happens
// after it. Until then the program's process watches the host memory that the work uses (watch.h) and reports
// the accesses made to it.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/simulator/both/call_site.h"
#include "harness/simulator/both/host_watch.h"
#include "harness/simulator/device/order/streams.h"
#include "harness/simulator/engine/memory/device_memory.h"
#include "harness/simulator/watch/footprint.h"

namespace warpmark::simulator {

class ObservationRecorder;

// A piece of enqueued work, with the names used in messages.
struct DeviceWork {
  Stamp stamp;
  std::string name;    // "kernel fill", "cudaMemcpyAsync"
  std::string kernel;  // the kernel's name for a launch, else empty
  bool default_stream = false;
  CallSite site;
  Footprint footprint;
  bool told = false;  // a missing host synchronisation was already reported for this work
};

class Order {
 public:
  explicit Order(const DeviceMemory& memory) : memory_(memory) {}

  Streams streams;

  // Stops recording and reporting accesses; the order of streams and events is still tracked.
  void be_quiet() { quiet_ = true; }
  // Which of a kernel's accesses have to be recorded.
  enum class Wanted { nothing, host_memory, all };
  [[nodiscard]] Wanted wanted() const;
  // Records all accesses of every launch, even if the program uses a single stream.
  void record_all() { record_all_ = true; }
  // Notes work that was not fully recorded because a single stream ordered everything at the time.
  void passed(const Stamp& stamp) { passed_.set(stamp.slot, stamp.count); }
  // True if later work was unordered with incompletely recorded work, so that a race may have been missed.
  [[nodiscard]] bool has_passed_over() const { return passed_over_; }
  // Notes that memory accessible to both host and device was allocated or registered.
  void host_memory_allocated() { host_memory_ = true; }

  void recorded(cudaEvent_t event, cudaStream_t stream);
  void destroyed(cudaEvent_t event) {
    events_.erase(event);
    asked_.erase(event);
  }
  void destroyed(cudaStream_t stream) {
    streams.destroyed(stream);
    asked_.erase(stream);
  }
  void wait(cudaStream_t stream, cudaEvent_t event);
  // Returns the clock that holds once the event has completed; empty for an event that was never recorded.
  [[nodiscard]] Clock end_of(cudaEvent_t event) const;
  // cudaStreamQuery, cudaEventQuery: the first query answers false ("not ready"), unless the host has already
  // synchronised with `end`. The second query of the same handle answers true and counts as a
  // synchronisation.
  bool poll(const void* handle, const Clock& end);

  // Called when work has been enqueued and its footprint is known: reports races with unordered earlier work.
  void queued(DeviceWork work, ObservationRecorder& recorder);
  // Checks a host access to [begin, end), or a call that frees it, against work the host has not waited for.
  void host_accessed(HostAccess access, Address begin, Address end, const CallSite& site,
                     ObservationRecorder& recorder);
  // cudaDeviceReset: all work counts as complete; pending work and events are dropped.
  void forget_all();

  // Returns the host memory to watch for all pending work, or nullopt if unchanged since the last call.
  std::optional<std::vector<Watch>> changed_watches();

 private:
  void forget_what_is_over();
  void keep(DeviceWork work);
  // Reports the first race between two pieces of work that are unordered. Returns true if there is one: the
  // caller then compares this pair no further.
  bool compare(const DeviceWork& earlier, const DeviceWork& work, ObservationRecorder& recorder) const;
  void report(const DeviceWork& earlier, const DeviceWork& work, const Overlap& common, bool earlier_writes,
              bool writes, ObservationRecorder& recorder) const;
  [[nodiscard]] std::string bytes_of(const Overlap& common) const;
  [[nodiscard]] std::string advice(const DeviceWork& earlier, const DeviceWork& work) const;
  void add_watches(const std::vector<Range>& ranges, bool readable, bool atomic,
                   std::vector<Watch>& to) const;

  const DeviceMemory& memory_;
  bool host_memory_ = false;
  bool record_all_ = false;
  Clock passed_;
  bool passed_over_ = false;
  std::map<cudaEvent_t, Clock> events_;
  std::map<const void*, Clock> asked_;   // clock at the last query that answered "not ready"
  std::set<std::size_t> waiting_slots_;  // slots of streams that called cudaStreamWaitEvent
  std::deque<DeviceWork> pending_;       // work that the host has not waited for, in call order
  bool quiet_ = false;
  std::vector<Watch> watches_;
  bool changed_ = false;
};

}  // namespace warpmark::simulator
