// Skips launches that would have no effect: benchmarks launch one kernel hundreds of times on the same data,
// and a launch that changed no byte of memory does the same again.
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
  // Returns the outcome of an equal earlier launch if memory has not changed since it began, else null: the
  // launch must run. with_footprint: only an outcome with a recorded footprint counts, which is then passed
  // to options.footprint.
  [[nodiscard]] const Outcome* outcome_of(const LaunchParameters& launch, const LaunchOptions& options,
                                          const DeviceMemory& memory, bool with_footprint = false);
  // Records a launch that ran. before: memory.changes() when it began.
  void ran(const LaunchParameters& launch, const LaunchOptions& options, const Outcome& outcome,
           std::uint64_t before, const DeviceMemory& memory, bool with_footprint = false);

 private:
  struct Known {
    LaunchParameters launch;  // without its arguments, which are below
    LaunchOptions options;
    std::vector<std::byte> arguments;
    Outcome outcome;
    std::shared_ptr<const Footprint> footprint;  // null if it was not recorded
  };
  std::vector<Known> known_;
  std::uint64_t changes_ = 0;  // DeviceMemory::changes() for which known_ is valid
};

}  // namespace warpmark::simulator
