// Records errors of the host code that show only at the program's end: leaked allocations, errors never read,
// kernel printf output never waited for. They are reported when the program exits, if begin() was called.
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

  // begin_call() and end_call() bracket one call of a graded function: only allocations made in the call
  // count as leaks. `kept` is the memory that the function returned, which its caller owns from then on; 0 if
  // none.
  void begin_call();
  void end_call(const std::vector<Allocation>& allocations, Address kept, ObservationRecorder& recorder);

  // allocated() and freed() record that the current runtime function allocated or freed the memory that
  // begins at `begin`.
  void allocated(Address begin);
  void freed(Address begin);
  // True during a call of a graded function if the memory belongs to the caller: allocated by the caller, or
  // returned by an earlier call.
  [[nodiscard]] bool was_given(Address begin) const { return in_call_ && given_.contains(begin); }
  // Returns the call site at which the last call of a graded function freed the memory that begins at
  // `begin`, or else allocated it; null if that call did neither.
  [[nodiscard]] const CallSite* last_site(Address begin) const;
  // Sets the name of the kernel to be launched next, for messages about a failure of that launch.
  void launching(std::string kernel);
  // printed() records that the kernel of the current launch called printf; launched() records the position of
  // that launch in the happens-before order.
  void printed(std::string_view kernel);
  void launched(const Stamp& work);
  // Stores an explanation of the CUDA error that the current runtime function is about to return, for the
  // report of an unchecked error. Returns false if unchecked errors are not recorded; the caller must then
  // report a finding at once.
  bool because(std::string reason);
  // Records that the current CUDA runtime function failed; the failure is an unchecked error until the
  // program reads it. `told`: a finding reports the failure already.
  void failed(cudaError_t error, bool told);
  // Notes that the program read the last error: the failure counts as checked.
  void looked() { unlooked_.reset(); }
  // Notes that the current runtime function returned the error of an earlier launch; the failure counts as
  // checked if the function is one that waits for kernels.
  void answered();

  // Reports leaks, unchecked errors and printf output never waited for, as findings, when the program exits
  // with `status`. `waited` is the vector clock of the work that the host has waited for.
  void tell(int status, const std::vector<Allocation>& allocations, const Clock& waited,
            ObservationRecorder& recorder) const;
  // Implements cudaDeviceReset: all work counts as complete, so that all printf output has appeared.
  void all_is_over() { prints_.clear(); }

 private:
  struct Allocated {
    std::size_t number = 0;  // ordinal of the allocation, counted from 1 over the whole program
    CallSite site;
  };
  struct Unlooked {
    cudaError_t error = cudaSuccess;
    std::string kernel;  // name of the kernel whose launch failed; empty if another function failed
    std::string reason;  // why the function failed; empty if the CUDA error code says it
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
  // call sites of the frees in the last call of a graded function, keyed by the begin address of the freed
  // memory
  std::map<Address, CallSite> freed_;
  // begin addresses of the memory that existed before the current call of a graded function
  std::set<Address> given_;
  std::string kernel_;    // name of the last kernel launched
  std::string printing_;  // name of the current launch's kernel if it called printf; else empty
  // last launch that printed on each stream, keyed by the stream's vector-clock slot
  std::map<std::size_t, Print> prints_;
  std::string reason_;  // why the current runtime function fails, for the report of an unchecked error
  std::optional<Unlooked> unlooked_;
};

}  // namespace warpmark::simulator
