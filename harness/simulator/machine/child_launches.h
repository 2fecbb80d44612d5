// Launches from kernels: what each thread asked for, until its grid has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "harness/simulator/machine/grid.h"
#include "harness/simulator/memory/device_memory.h"

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
  std::vector<std::byte> parameters;  // as the kernel's parameter_offsets say
  std::uint32_t location = 0;         // of the launch, in Program::locations
};

// Of a grid, by all host threads that run its blocks.
class ChildLaunches {
 public:
  // A thread: its block's position in the launch, its number in the block.
  using Thread = std::tuple<std::uint64_t, std::uint64_t>;

  // Of the thread's next launch.
  void configure(const Thread& thread, const LaunchShape& shape);
  LaunchShape shape_of(const Thread& thread);
  void add(const Thread& thread, ChildLaunch child);
  // By block, and in the order in which its threads asked.
  std::vector<ChildLaunch> take();

 private:
  std::mutex mutex_;
  std::map<Thread, LaunchShape> next_;
  std::map<std::uint64_t, std::vector<ChildLaunch>> asked_;  // by block
};

}  // namespace warpmark::simulator
