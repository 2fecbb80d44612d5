// Notes what a program neglected on the host: leaked allocations, unread errors, unsynchronised printf.
// Reported when the program exits, if begin() was called (startup.cpp).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <cuda_runtime_api.h>

#include "harness/simulator/both/allocation.h"
#include "harness/simulator/both/call_site.h"
#include "harness/simulator/device/order/streams.h"
#include "harness/simulator/device/runtime/observation_recorder.h"

namespace warpmark::simulator {

class HostNotes {
 public:
  void begin() { on_ = true; }

  // Bracket the call of a graded version: only allocations made in the call count as leaks. kept: the memory
  // that the version returned, owned by the caller from then on; 0 if none.
  void begin_call();
  void end_call(const std::vector<Allocation>& allocations, Address kept, ObservationRecorder& recorder);

  // The current runtime function allocated or freed the memory that begins there.
  void allocated(Address begin);
  void freed(Address begin);
  // True during a call if the memory was handed to the version: allocated by its caller, or kept from an
  // earlier call.
  [[nodiscard]] bool was_given(Address begin) const { return in_call_ && given_.contains(begin); }
  // Returns where the last call freed this memory, or else allocated it; null if it did neither.
  [[nodiscard]] const CallSite* last_site(Address begin) const;
  // Called before a kernel launch.
  void launching(std::string kernel);
  // The kernel of the current launch called printf. launched(): the stamp of the current launch.
  void printed(std::string_view kernel);
  void launched(const Stamp& work);
  // Sets the reason for the error that the current function is going to return. Returns false if notes are
  // off; then the caller reports the reason itself.
  bool because(std::string reason);
  // The current function failed. told: a finding reports the failure already.
  void failed(cudaError_t error, bool told);
  // The program asked for the last error.
  void looked() { unlooked_.reset(); }
  // The current function returned the error of an earlier launch.
  void answered();

  // Reports all notes when the program exits. status: its exit status. waited: what the host has waited for.
  void tell(int status, const std::vector<Allocation>& allocations, const Clock& waited,
            ObservationRecorder& recorder) const;
  // cudaDeviceReset: all work is complete, so all printf output has appeared.
  void all_is_over() { prints_.clear(); }

 private:
  struct Allocated {
    std::size_t number = 0;  // counted from 1 over the whole program
    CallSite site;
  };
  struct Unlooked {
    cudaError_t error = cudaSuccess;
    std::string kernel;  // empty if the failed function was not a launch
    std::string reason;  // empty if the error code is explanation enough
    CallSite site;
  };

  struct Print {
    std::string kernel;
    CallSite site;
    Stamp work;
  };

  void tell_prints(const Clock& waited, ObservationRecorder& recorder) const;
  void tell_leaks(const std::vector<Allocation>& allocations, ObservationRecorder& recorder) const;

  bool on_ = false;
  bool in_call_ = false;
  std::size_t allocation_count_ = 0;
  std::map<Address, Allocated> allocated_;
  std::map<Address, CallSite> freed_;    // by the last call
  std::set<Address> given_;              // allocated by the caller before the call
  std::string kernel_;                   // the last kernel launched
  std::string printing_;                 // the kernel that called printf in the current launch
  std::map<std::size_t, Print> prints_;  // the last printing launch of each stream
  std::string reason_;                   // for the next failure
  std::optional<Unlooked> unlooked_;
};

}  // namespace warpmark::simulator
