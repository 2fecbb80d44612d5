// What a program left undone on the host: allocations it never freed, errors it never read. Reported when
// the program exits, and only on request (startup.cpp).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <cuda_runtime_api.h>

#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/order/streams.h"
#include "harness/simulator/runtime/call_site.h"
#include "harness/simulator/runtime/journal.h"

namespace warpmark::simulator {

class HostNotes {
 public:
  void begin() { on_ = true; }

  // Around the call of a version: only leaks count, those of that call. kept: what it returned, which is the
  // caller's from now on; 0: nothing.
  void begin_call();
  void end_call(const std::vector<Allocation>& allocations, Address kept, Journal& journal);

  // The runtime function at hand handed out this memory, or takes it back.
  void allocated(Address begin);
  void freed(Address begin);
  // The code that is called now was given it, and has not allocated it.
  [[nodiscard]] bool was_given(Address begin) const { return in_call_ && given_.contains(begin); }
  // Where the last call freed this memory, or else allocated it; null when it did neither.
  [[nodiscard]] const CallSite* last_site(Address begin) const;
  // It launches a kernel.
  void launching(std::string kernel);
  // It printed; launched(): the work that it was.
  void printed(std::string_view kernel);
  void launched(const Stamp& work);
  // Why it is going to fail. False where no notes are wanted: the caller reports it, then.
  bool because(std::string reason);
  // It failed. told: a finding reports it already.
  void failed(cudaError_t error, bool told);
  // The program asked for the last error.
  void looked() { unlooked_.reset(); }
  // The runtime function at hand answered with an error of an earlier launch.
  void answered();

  // What is left undone, by a program that exits with that status. waited: what the host has waited for.
  void tell(int status, const std::vector<Allocation>& allocations, const Clock& waited,
            Journal& journal) const;
  // Everything is over: cudaDeviceReset.
  void all_is_over() { prints_.clear(); }

 private:
  struct Allocated {
    std::size_t number = 0;  // counted from 1 over the whole program
    CallSite site;
  };
  struct Unlooked {
    cudaError_t error = cudaSuccess;
    std::string kernel;  // empty: not a launch
    std::string reason;  // empty: the error says it all
    CallSite site;
  };

  struct Print {
    std::string kernel;
    CallSite site;
    Stamp work;
  };

  void tell_prints(const Clock& waited, Journal& journal) const;
  void tell_leaks(const std::vector<Allocation>& allocations, Journal& journal) const;

  bool on_ = false;
  bool in_call_ = false;
  std::size_t allocation_count_ = 0;
  std::map<Address, Allocated> allocated_;
  std::map<Address, CallSite> freed_;    // in the last call
  std::set<Address> given_;              // allocated by the caller itself
  std::string kernel_;                   // of the last launch
  std::string printing_;                 // the kernel that printed in the launch at hand
  std::map<std::size_t, Print> prints_;  // the last one of each stream
  std::string reason_;                   // of the next failure
  std::optional<Unlooked> unlooked_;
};

}  // namespace warpmark::simulator
