// Replays launches instead of running them again if an equal launch began with the same memory contents.
// Benchmarks restore their data and launch the same kernels many times; a replay writes the remembered
// results to memory. Memory counts as the same if the allocations have the same sizes and contents in the
// same order, at any addresses, unless the contents may be addresses.
//
// Theory of operation. Memory contents are compared by hashes (memory_contents.h). The time for hashing is
// limited to a share of the launches' run time, and to a smaller one if no launch recurs. The remembered
// result of a launch is the set of changed pieces, up to a size limit. Kernels with nondeterministic results
// (races, order of atomics) keep the result of their first run.
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
  // Returns the outcome of the launch: that of an equal earlier launch, after writing its results to memory,
  // or else that of run(). options.footprint, if any, receives the launch's footprint in both cases.
  Outcome outcome_of(const LaunchParameters& launch, const LaunchOptions& options, DeviceMemory& memory,
                     const std::function<Outcome()>& run);
  // A launch ran without going through outcome_of().
  void another_ran() { contents_.kernel_ran(); }

 private:
  struct Change {
    std::size_t allocation;  // index among the live allocations
    std::size_t offset;
    std::vector<std::byte> bytes;
  };
  struct Result {
    std::vector<Change> changes;
    std::vector<std::size_t> set;              // indices of allocations in which it initialised bytes
    std::vector<AllocationContents> contents;  // hashes after the launch
    Outcome outcome;
    std::shared_ptr<const Footprint> footprint;  // null if none was requested
    double seconds = 0;
    [[nodiscard]] std::size_t bytes() const;  // approximate size in memory
  };
  struct Known {
    double seconds = 0;                     // duration of the last run; 0: never run
    bool never = false;                     // its outcome does not depend on memory alone
    std::map<ContentHash, Result> results;  // keyed by the hash of memory before the launch
  };
  Outcome timed(Known& known, const LaunchParameters& launch, const std::function<Outcome()>& run);
  [[nodiscard]] bool is_affordable(const Known& known, const DeviceMemory& memory) const;
  // Hashes memory, and adds the time to spent_.
  std::vector<AllocationContents> look(const DeviceMemory& memory);
  // Replays the result; `before` gives the present addresses of the allocations.
  Outcome again(const Result& result, const std::vector<AllocationContents>& before,
                const LaunchOptions& options, DeviceMemory& memory);
  void keep(Known& known, const ContentHash& before, Result result);
  void forget();

  MemoryContents contents_;
  // Keyed by everything that identifies a launch except memory.
  std::map<std::string, Known> known_;
  std::unordered_map<const Kernel*, double> seconds_;  // duration of each kernel's last launch
  // Seconds that launches took, or would have taken without replay.
  double ran_ = 0;
  double spent_ = 0;  // seconds spent on hashing memory
  std::size_t kept_bytes_ = 0;
  std::size_t looks_ = 0;
  std::size_t hits_ = 0;
};

}  // namespace warpmark::simulator
