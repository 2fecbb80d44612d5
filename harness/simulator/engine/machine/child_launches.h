// Launches by device code (dynamic parallelism): collects them until the parent grid has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "harness/simulator/both/allocation.h"
#include "harness/simulator/engine/machine/grid.h"

namespace warpmark::simulator {

struct LaunchShape {
  Dim3 grid;
  Dim3 block;
  std::size_t shared_bytes = 0;
  Address stream = 0;
};

struct ChildLaunch {
  std::uint32_t function = 0;  // index into Program::functions
  LaunchShape shape;
  std::vector<std::byte> parameters;  // laid out by ProgramFunction::parameter_offsets
  std::uint32_t location = 0;         // source line of the launch: index into Program::locations
};

// The child launches of one grid. Thread-safe.
class ChildLaunches {
 public:
  // Identifies a thread: position of its block in the launch, linear thread index in the block.
  using Thread = std::tuple<std::uint64_t, std::uint64_t>;

  // Sets the shape of the thread's next launch.
  void configure(const Thread& thread, const LaunchShape& shape);
  LaunchShape shape_of(const Thread& thread);
  void add(const Thread& thread, ChildLaunch child);
  // Returns the launches ordered by block position, then by the order in which the block's threads issued
  // them.
  std::vector<ChildLaunch> take();

 private:
  std::mutex mutex_;
  std::map<Thread, LaunchShape> next_;
  std::map<std::uint64_t, std::vector<ChildLaunch>> asked_;  // key: position of the block
};

}  // namespace warpmark::simulator
