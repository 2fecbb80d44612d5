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
  // Argument values of the child kernel, at the byte offsets that ProgramFunction::parameter_offsets lists.
  std::vector<std::byte> parameters;
  std::uint32_t location = 0;  // source line of the launch: index into Program::locations
};

// Child launches of one parent grid. Thread-safe.
class ChildLaunches {
 public:
  // Identifies a thread: index of its block in execution order, linear thread index in the block.
  using Thread = std::tuple<std::uint64_t, std::uint64_t>;

  // Stores the grid and block size, shared memory size and stream that a device-side kernel launch
  // (<<<...>>>) of the thread will use next.
  void configure(const Thread& thread, const LaunchShape& shape);
  LaunchShape shape_of(const Thread& thread);
  void add(const Thread& thread, ChildLaunch child);
  // Removes and returns all child kernel launches that the parent grid requested, ordered by the launching
  // block's place in execution order, then by time of issue within the block.
  std::vector<ChildLaunch> take();

 private:
  std::mutex mutex_;
  std::map<Thread, LaunchShape> next_;
  // Requested child launches, keyed by the launching block's index in execution order.
  std::map<std::uint64_t, std::vector<ChildLaunch>> asked_;
};

}  // namespace warpmark::simulator
