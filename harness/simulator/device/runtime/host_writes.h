// Tracks device memory that the host wrote during a call of a graded version and that no kernel has
// overwritten: this reveals a result that was computed on the CPU.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>

#include "harness/simulator/both/call_site.h"
#include "harness/simulator/engine/memory/device_memory.h"

namespace warpmark::simulator {

class HostWrites {
 public:
  // Writes between the two are tracked; the records are kept until the next begin_call().
  void begin_call();
  void end_call() { in_call_ = false; }

  // The host wrote these bytes. All zeros, or one repeated 4-byte value, count as initialisation and are not
  // tracked.
  void written(Address to, std::span<const std::byte> bytes);
  // Device-to-device copy: the copied bytes still count as written by the host.
  void moved(Address to, Address from, std::size_t bytes);
  // Something other than the host wrote there.
  void forget(Address begin, std::size_t bytes);
  // Called before a launch. If its accesses are not checked, its writes are unknown, so all records are
  // dropped.
  void launching(const DeviceMemory& memory, bool looked_at);

  // Returns where the program made a host write of which at least half of the words are unchanged in this
  // memory; nullopt if there is none.
  [[nodiscard]] std::optional<CallSite> in(Address begin, std::size_t bytes,
                                           const DeviceMemory& memory) const;

 private:
  struct Write {
    std::size_t bytes = 0;
    CallSite site;
  };
  bool in_call_ = false;
  std::map<Address, Write> writes_;  // by begin address; the ranges do not overlap
};

}  // namespace warpmark::simulator
