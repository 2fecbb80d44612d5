// What a program left undone on the host: allocations it never freed, errors it never read. Reported when
// the program exits, and only on request (startup.cpp).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/runtime/call_site.h"
#include "harness/simulator/runtime/journal.h"

namespace warpmark::simulator {

class HostNotes {
 public:
  void begin() { on_ = true; }

  // The runtime function at hand handed out this memory.
  void allocated(Address begin);
  // It launches a kernel.
  void launching(std::string kernel);
  // Why it is going to fail. False where no notes are wanted: the caller reports it, then.
  bool because(std::string reason);
  // It failed. told: a finding reports it already.
  void failed(cudaError_t error, bool told);
  // The program asked for the last error.
  void looked() { unlooked_.reset(); }
  // The runtime function at hand answered with an error of an earlier launch.
  void answered();

  // What is left undone, by a program that exits with that status.
  void tell(int status, const std::vector<Allocation>& allocations, Journal& journal) const;

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

  void tell_leaks(const std::vector<Allocation>& allocations, Journal& journal) const;

  bool on_ = false;
  std::size_t allocation_count_ = 0;
  std::map<Address, Allocated> allocated_;
  std::string kernel_;  // of the last launch
  std::string reason_;  // of the next failure
  std::optional<Unlooked> unlooked_;
};

}  // namespace warpmark::simulator
