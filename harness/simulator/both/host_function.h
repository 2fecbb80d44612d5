// A host function enqueued on a stream by cudaLaunchHostFunc or cudaStreamAddCallback.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

// Integers that represent pointers hold addresses in the CUDA program's process, which have no meaning in the
// device process.
struct HostFunction {
  std::uint64_t stream = 0;
  std::uint64_t function = 0;
  std::uint64_t argument = 0;
  // true if cudaStreamAddCallback enqueued the host function, which then also takes the stream and its status
  bool callback = false;
};

}  // namespace warpmark::simulator
