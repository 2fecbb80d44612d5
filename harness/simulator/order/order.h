// Order between host and device: finds work of two streams, and of a stream and the host, that uses the same
// memory and that nothing orders.
//
// Theory of operation. Each launch, copy and memset is work on a stream: it gets a stamp when it is queued
// (streams.h), and is held against all work of other streams that may not be over when it begins, by the
// bytes that both use (footprint.h). Work is forgotten once the host has waited for it, because whatever
// comes then comes after it. Until then the program's process watches the memory of the host that it uses
// (watch.h), and says which accesses there were.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/order/footprint.h"
#include "harness/simulator/order/streams.h"
#include "harness/simulator/order/watch.h"
#include "harness/simulator/runtime/call_site.h"

namespace warpmark::simulator {

class Journal;

// Work that was queued, in the words of a message.
struct DeviceWork {
  Stamp stamp;
  std::string name;    // "kernel fill", "cudaMemcpyAsync"
  std::string kernel;  // of a launch, else empty
  bool default_stream = false;
  CallSite site;
  Footprint footprint;
  bool told = false;  // that the host does not wait for it
};

class Order {
 public:
  explicit Order(const DeviceMemory& memory) : memory_(memory) {}

  Streams streams;

  // Nothing is looked for from now on; what waits for what is kept.
  void be_quiet() { quiet_ = true; }
  // What of a kernel's accesses has to be recorded.
  enum class Wanted { nothing, host_memory, all };
  [[nodiscard]] Wanted wanted() const;
  // Every launch's accesses are recorded, whatever streams there are.
  void record_all() { record_all_ = true; }
  // Work whose accesses were not all recorded, because one stream ordered everything.
  void passed(const Stamp& stamp) { passed_.set(stamp.slot, stamp.count); }
  // Whether later work of another stream did not wait for such.
  [[nodiscard]] bool has_passed_over() const { return passed_over_; }
  // Memory that the host reaches as well was allocated or registered.
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
  // What is over once it is reached: nothing, for an event that was never recorded.
  [[nodiscard]] Clock end_of(cudaEvent_t event) const;
  // The host asks whether a stream or event has come to an end. The first time the answer is no, unless it
  // has waited for that before; the second time it is yes, and then it has.
  bool poll(const void* handle, const Clock& end);

  // The work is queued and its bytes are known: finds what it does not wait for.
  void queued(DeviceWork work, Journal& journal);
  // An access of the host, or a call that frees the memory [begin, end).
  void host_accessed(HostAccess access, Address begin, Address end, const CallSite& site, Journal& journal);
  // Everything is over and nothing is known any more: cudaDeviceReset.
  void forget_all();

  // Of the work that the host has not waited for; empty where that has not changed since it was last asked.
  std::optional<std::vector<Watch>> changed_watches();

 private:
  void forget_what_is_over();
  void keep(DeviceWork work);
  // True when the finding is about this pair; then one is enough.
  bool compare(const DeviceWork& earlier, const DeviceWork& work, Journal& journal) const;
  void report(const DeviceWork& earlier, const DeviceWork& work, const Overlap& common, bool earlier_writes,
              bool writes, Journal& journal) const;
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
  std::map<const void*, Clock> asked_;   // by poll()
  std::set<std::size_t> waiting_slots_;  // whose streams have waited for an event
  std::deque<DeviceWork> pending_;       // that the host has not waited for, in the order of the calls
  bool quiet_ = false;
  std::vector<Watch> watches_;
  bool changed_ = false;
};

}  // namespace warpmark::simulator
