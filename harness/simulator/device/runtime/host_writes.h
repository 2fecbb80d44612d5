// Tracks device memory that the host wrote during a call of a graded function and that no kernel has
// overwritten, to find results that were computed on the CPU.
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
  // Host writes are tracked from the begin of a graded function's call until the judge has fetched what there
  // is to report, whatever the program says about the call's end. Their records are kept until the next
  // begin_call().
  void begin_call();
  void reported() { in_call_ = false; }

  // Records that the host wrote `bytes` to address `to`. All zeros, or one 4-byte word that is repeated at
  // least three times, count as initialisation and not as a result; what a copy takes from the latter may be
  // a result.
  void written(Address to, std::span<const std::byte> bytes);
  // Records a device-to-device copy: copied bytes that the host had written count as written by the host at
  // the target, too.
  void moved(Address to, Address from, std::size_t bytes);
  // Drops the records of host writes to a range that something other than the host (a copy, a library
  // routine) has overwritten.
  void forget(Address begin, std::size_t bytes);
  // Updates the records of host writes before a kernel launch: drops those of memory that kernels have
  // overwritten. If the launch is not checked (looked_at is false), its writes will be unknown, so all
  // records are dropped.
  void launching(const DeviceMemory& memory, bool looked_at);

  // Returns the call site of a tracked host write of which at least half of the words are unchanged and lie
  // in the given range; nullopt if there is none.
  [[nodiscard]] std::optional<CallSite> in(Address begin, std::size_t bytes,
                                           const DeviceMemory& memory) const;

 private:
  struct Write {
    std::size_t bytes = 0;
    CallSite site;
    bool is_fill = false;  // one repeated word, which initialises
  };
  bool in_call_ = false;
  // tracked host writes, keyed by begin address; the written ranges do not overlap
  std::map<Address, Write> writes_;
};

}  // namespace warpmark::simulator
