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
  // Returns the outcome of an equal earlier launch if memory has not changed since then, else null: the
  // launch must run. with_footprint: only a launch with a recorded footprint qualifies, which is then passed
  // to options.footprint.
  [[nodiscard]] const Outcome* outcome_of(const LaunchParameters& launch, const LaunchOptions& options,
                                          const DeviceMemory& memory, bool with_footprint = false);
  // Records a launch that ran. `before` is memory.changes(), the count of changes, at the launch's start.
  void ran(const LaunchParameters& launch, const LaunchOptions& options, const Outcome& outcome,
           std::uint64_t before, const DeviceMemory& memory, bool with_footprint = false);

 private:
  struct Known {
    // its pointer `arguments` is null: Known::arguments holds copies of the argument values
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
