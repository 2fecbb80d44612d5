// Memoises kernel launches: a launch is replayed, not run, if an equal launch began with the same memory
// contents. Benchmarks restore their data and launch the same kernels many times; a replay writes the
// remembered results to memory. Memory contents count as equal if the live allocations have the same sizes
// and bytes in the same order; their addresses may differ, unless some word may be a pointer.
//
// Theory of operation. Memory contents are compared by hashes (memory_contents.h). The time for hashing is
// limited to a share of the launches' run time, and to a smaller share if no launch recurs. The remembered
// result of a launch is the set of changed chunks of memory, up to a size limit. A replay of a
// nondeterministic kernel (races, order of atomics) gives the result of its first run.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/simulator/device/launch/launch.h"
#include "harness/simulator/device/launch/memory_contents.h"

namespace warpmark::simulator {

struct Footprint;

class RememberedLaunches {
 public:
  // Returns the outcome of a kernel launch: replays an equal remembered launch by writing its results to
  // memory, or else calls run(), which runs the launch. options.footprint, if not null, receives the ranges
  // that the launch accesses in both cases.
  Outcome outcome_of(const LaunchParameters& launch, const LaunchOptions& options, DeviceMemory& memory,
                     const std::function<Outcome()>& run);
  // Must be called when a launch bypassed the cache of remembered launches: drops the cached memory hashes,
  // because the kernel may have written anywhere.
  void another_ran() { contents_.kernel_ran(); }

 private:
  struct Change {
    std::size_t allocation;  // index of the changed allocation in the list of live allocations
    std::size_t offset;
    std::vector<std::byte> bytes;
  };
  struct Result {
    std::vector<Change> changes;
    std::vector<std::size_t> set;              // indices of allocations in which the launch initialised bytes
    std::vector<AllocationContents> contents;  // content hashes of all allocations after the launch
    Outcome outcome;
    // address ranges that the launch accessed; null if not requested
    std::shared_ptr<const Footprint> footprint;
    double seconds = 0;
    [[nodiscard]] std::size_t bytes() const;  // approximate memory use of a remembered launch
  };
  struct Known {
    double seconds = 0;  // duration of the launch's last run in seconds; 0: has not run
    // true: the launch's outcome depends on more than memory, so the launch is never replayed
    bool never = false;
    // launch results, keyed by the content hash of memory before the launch
    std::map<ContentHash, Result> results;
  };
  Outcome timed(Known& known, const LaunchParameters& launch, const std::function<Outcome()>& run);
  [[nodiscard]] bool is_affordable(const Known& known, const DeviceMemory& memory) const;
  // Returns the content hashes of memory. Adds the seconds that hashing takes to the total, spent_.
  std::vector<AllocationContents> look(const DeviceMemory& memory);
  // Replays a remembered result: writes it to memory and returns its outcome. `before` has the present
  // addresses of the allocations.
  Outcome again(const Result& result, const std::vector<AllocationContents>& before,
                const LaunchOptions& options, DeviceMemory& memory);
  void keep(Known& known, const ContentHash& before, Result result);
  void forget();

  MemoryContents contents_;
  // Remembered launches. The key holds kernel, launch configuration, options and arguments: all that
  // identifies a launch except the contents of memory.
  std::map<std::string, Known> known_;
  std::unordered_map<const Kernel*, double> seconds_;  // seconds that each kernel's last launch took
  // Total seconds of all launches, of which hashing may take a share; a replayed launch counts with the
  // seconds that its run took.
  double ran_ = 0;
  double spent_ = 0;  // total seconds spent on hashing memory
  std::size_t kept_bytes_ = 0;
  std::size_t looks_ = 0;
  std::size_t hits_ = 0;
};

}  // namespace warpmark::simulator
