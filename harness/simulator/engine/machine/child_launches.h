// Collects the kernel launches of device code (dynamic parallelism) until the parent grid has ended.
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
  std::uint32_t function = 0;  // index of the child kernel in Program::functions
  LaunchShape shape;
  std::vector<std::byte> parameters;  // argument values at ProgramFunction::parameter_offsets
  std::uint32_t location = 0;         // source line of the launch: index into Program::locations
};

// Child launches of one parent grid. Thread-safe.
class ChildLaunches {
 public:
  // Identifies a thread: index of its block in execution order, linear thread index in the block.
  using Thread = std::tuple<std::uint64_t, std::uint64_t>;

  // Sets the grid and block size, shared memory and stream of the thread's next launch.
  void configure(const Thread& thread, const LaunchShape& shape);
  LaunchShape shape_of(const Thread& thread);
  void add(const Thread& thread, ChildLaunch child);
  // Returns all launches and forgets them. Sorted by execution order of the launching blocks, then by the
  // order in which each block's threads issued them.
  std::vector<ChildLaunch> take();

 private:
  std::mutex mutex_;
  std::map<Thread, LaunchShape> next_;
  // Requested child launches, keyed by the launching block's index in execution order.
  std::map<std::uint64_t, std::vector<ChildLaunch>> asked_;
};

}  // namespace warpmark::simulator
