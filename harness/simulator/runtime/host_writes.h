// What a call of a version wrote into device memory from the host and no kernel has written over since: how
// the device knows an answer that the CPU computed.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>

#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/runtime/call_site.h"

namespace warpmark::simulator {

class HostWrites {
 public:
  // Between the two of them writes are noted; what was noted stays until the next call.
  void begin_call();
  void end_call() { in_call_ = false; }

  // The host wrote these bytes. Zeros, and one value in every word of several, are a beginning and no answer.
  void written(Address to, std::span<const std::byte> bytes);
  // Bytes moved on the device: where they are now they are still the host's.
  void moved(Address to, Address from, std::size_t bytes);
  // Something else wrote there.
  void forget(Address begin, std::size_t bytes);
  // A kernel is about to run. Of one whose accesses are not looked at nobody knows where it writes.
  void launching(const DeviceMemory& memory, bool looked_at);

  // Where the program wrote what stands in at least half of a copy's words in this memory; empty where it
  // wrote none.
  [[nodiscard]] std::optional<CallSite> in(Address begin, std::size_t bytes,
                                           const DeviceMemory& memory) const;

 private:
  struct Write {
    std::size_t bytes = 0;
    CallSite site;
  };
  bool in_call_ = false;
  std::map<Address, Write> writes_;  // by their begin; none overlap
};

}  // namespace warpmark::simulator
