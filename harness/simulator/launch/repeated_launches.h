// Launches that need not run: programs that measure launch one kernel hundreds of times on the same data, and
// what changed no byte of memory does the same again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "harness/simulator/launch/launch.h"

namespace warpmark::simulator {

struct Footprint;

class RepeatedLaunches {
 public:
  // What the launch would come to: the outcome of an equal one, where nothing has changed memory since that
  // began. Null: it has to run. with_footprint: which memory it uses has to be known; then options.footprint
  // is told.
  [[nodiscard]] const Outcome* outcome_of(const Launch& launch, const LaunchOptions& options,
                                          const DeviceMemory& memory, bool with_footprint = false);
  // It ran, and came to this. `before`: memory.changes() when it began.
  void ran(const Launch& launch, const LaunchOptions& options, const Outcome& outcome, std::uint64_t before,
           const DeviceMemory& memory, bool with_footprint = false);

 private:
  struct Known {
    Launch launch;  // its arguments are those below
    LaunchOptions options;
    std::vector<std::byte> arguments;
    Outcome outcome;
    std::shared_ptr<const Footprint> footprint;  // null: it was not asked for
  };
  std::vector<Known> known_;
  std::uint64_t changes_ = 0;  // DeviceMemory::changes() that those known hold for
};

}  // namespace warpmark::simulator
