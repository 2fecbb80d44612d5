// A host function enqueued on a stream by cudaLaunchHostFunc or cudaStreamAddCallback.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

// All integers are addresses in the program's process.
struct HostFunction {
  std::uint64_t stream = 0;
  std::uint64_t function = 0;
  std::uint64_t argument = 0;
  bool callback = false;  // from cudaStreamAddCallback: the function also takes the stream and its status
};

}  // namespace warpmark::simulator
