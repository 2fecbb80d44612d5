// Happens-before checker for stream work: reports unordered accesses to the same memory by two streams, or by
// a stream and the host.
// | Theory of operation. Each launch, copy and memset is a work item on a stream. An enqueued item gets a
// stamp with a vector clock (streams.h), and its footprint (footprint.h) is compared with all unordered items
// of other streams. Items are dropped once the host has synchronised with them, because everything later
// happens after them. Until then the program's process watches the host memory that the items use
// (host_watch.h) and reports accesses to it.
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

// A launch, copy or memset that was enqueued on a stream.
struct DeviceWork {
  Stamp stamp;
  std::string name;    // name of the work in messages, such as "kernel fill" or "cudaMemcpyAsync"
  std::string kernel;  // kernel name, if the work is a launch; else empty
  bool default_stream = false;
  CallSite site;
  Footprint footprint;
  bool told = false;  // true: it has been reported that the host did not wait for this launch or copy
};

class Order {
 public:
  explicit Order(const DeviceMemory& memory) : memory_(memory) {}

  Streams streams;

  // Turns off race detection between streams: accesses are neither recorded nor reported. Stream and event
  // order is still tracked.
  void be_quiet() { quiet_ = true; }
  // Set of kernel accesses that have to be recorded: none, those to host-accessible memory, or all.
  enum class Wanted { nothing, host_memory, all };
  [[nodiscard]] Wanted wanted() const;
  // Returns the set of accesses that a launch records: wanted(), or, if its accesses are not checked, those
  // to host-accessible memory, which are counted as transfers.
  [[nodiscard]] Wanted recorded(bool checked) const;
  // Makes every launch record all its accesses, even if the program uses a single stream.
  void record_all() { record_all_ = true; }
  // Records a launch, copy or memset whose memory accesses were not all recorded, because a single stream
  // had ordered all work so far and no race was possible.
  void passed(const Stamp& stamp) { passed_.set(stamp.slot, stamp.count); }
  // True if a launch, copy or memset was unordered with earlier stream work whose accesses were not
  // recorded, so that a race between the two may have been missed.
  [[nodiscard]] bool has_passed_over() const { return passed_over_; }
  // Must be called when host memory that kernels can access is allocated or registered: from then on kernel
  // accesses to host memory have to be recorded.
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
  // Returns the vector clock at the event's completion; an empty clock if the event was never recorded.
  [[nodiscard]] Clock end_of(cudaEvent_t event) const;
  // Implements cudaStreamQuery and cudaEventQuery of the stream or event `handle`, whose work is complete at
  // `end`. The first query returns false (not ready), unless the host already synchronised with that work.
  // The second query returns true and counts as a synchronisation.
  bool poll(const void* handle, const Clock& end);

  // Adds enqueued work whose accessed ranges are known to the pending work, and reports its races with
  // unordered earlier work.
  void queued(DeviceWork work, ObservationRecorder& recorder);
  // Reports a missing synchronisation if a host access to [begin, end), or a call that frees this range,
  // conflicts with work that the host has not waited for.
  void host_accessed(HostAccess access, Address begin, Address end, const CallSite& site,
                     ObservationRecorder& recorder);
  // Implements cudaDeviceReset: all work counts as complete; pending work and events are dropped.
  void forget_all();

  // Returns the host memory to watch for all pending work, or nullopt if unchanged since the previous call.
  std::optional<std::vector<Watch>> changed_watches();

 private:
  void forget_what_is_over();
  void keep(DeviceWork work);
  // Reports the first race between two launches, copies or memsets that no synchronisation orders. Returns
  // true if there is one.
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
  // Per stream or event: vector clock of its work at the last query that returned "not ready".
  std::map<const void*, Clock> asked_;
  // vector-clock slots of the streams that cudaStreamWaitEvent made wait for an event
  std::set<std::size_t> waiting_slots_;
  // enqueued launches, copies and memsets that the host has not waited for, in call order
  std::deque<DeviceWork> pending_;
  bool quiet_ = false;
  std::vector<Watch> watches_;
  bool changed_ = false;
};

}  // namespace warpmark::simulator
