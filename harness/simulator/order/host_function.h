// A function of the program's that stands in a stream: cudaLaunchHostFunc, cudaStreamAddCallback.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

// Addresses in the program.
struct HostFunction {
  std::uint64_t stream = 0;
  std::uint64_t function = 0;
  std::uint64_t argument = 0;
  bool callback = false;  // it also gets the stream and its error
};

}  // namespace warpmark::simulator
