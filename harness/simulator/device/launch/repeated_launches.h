// Skips launches that have no effect: a launch that changed no memory need not run again on the same memory.
// Benchmarks launch one kernel hundreds of times on the same data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "harness/simulator/device/launch/launch.h"

namespace warpmark::simulator {

struct Footprint;

class RepeatedLaunches {
 public:
  // Returns the outcome of an equal earlier launch if memory has not changed since then; null if the launch
  // has to run. with_footprint: only an earlier launch whose accessed ranges were recorded qualifies; they
  // are then passed to options.footprint.
  [[nodiscard]] const Outcome* outcome_of(const LaunchParameters& launch, const LaunchOptions& options,
                                          const DeviceMemory& memory, bool with_footprint = false);
  // Remembers the outcome of a launch that has just run. `before` is the value that the change counter of
  // device memory had at the launch's start: equal to its present value if the launch changed no memory.
  void ran(const LaunchParameters& launch, const LaunchOptions& options, const Outcome& outcome,
           std::uint64_t before, const DeviceMemory& memory, bool with_footprint = false);

 private:
  struct Known {
    // Parameters of a kernel launch whose outcome is cached. The pointer to the argument values is null;
    // copies of the values are kept instead.
    LaunchParameters launch;
    LaunchOptions options;
    std::vector<std::byte> arguments;
    Outcome outcome;
    std::shared_ptr<const Footprint> footprint;  // memory accesses of the launch; null if not recorded
  };
  std::vector<Known> known_;
  // value of the counter DeviceMemory::changes() at which the remembered launches were valid; any change of
  // memory invalidates all
  std::uint64_t changes_ = 0;
};

}  // namespace warpmark::simulator
