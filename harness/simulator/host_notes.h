// What a program left undone on the host: allocations that nobody freed, errors that nobody looked at. Told
// when the program exits, and only where somebody asked for it (runtime_startup.cpp).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "harness/simulator/call_site.h"
#include "harness/simulator/journal.h"
#include "harness/simulator/memory.h"

namespace warpmark::simulator {

class HostNotes {
 public:
  void begin() { on_ = true; }

  // The runtime function at hand handed out this memory.
  void allocated(Address begin);
  // It found no room for so many bytes among what is allocated.
  void refused(std::size_t bytes, const std::vector<Allocation>& allocations, Journal& journal) const;
  // It launches a kernel.
  void launching(std::string kernel);
  // It failed.
  void failed(cudaError_t error);
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
    CallSite site;
  };

  void tell_leaks(const std::vector<Allocation>& allocations, Journal& journal) const;

  bool on_ = false;
  std::size_t allocation_count_ = 0;
  std::map<Address, Allocated> allocated_;
  std::string kernel_;  // of the last launch
  std::optional<Unlooked> unlooked_;
};

}  // namespace warpmark::simulator
