#include "harness/simulator/device/runtime/one_order.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpmark::simulator {

void OneOrder::queued(const DeviceWork& work, const HostThread& by, int device) {
  // Copy and memset functions that cannot make the program's result depend on timing: synchronous ones, and
  // those whose effect only later work of the same stream can observe.
  constexpr std::array<std::string_view, 6> kKnown{"cudaMemcpy",   "cudaMemcpy2D",
                                                   "cudaMemset",   "cudaMemcpyFromSymbol",
                                                   "cudaMemset2D", "cudaMemcpyToSymbol"};
  const bool known = !work.kernel.empty() || std::ranges::find(kKnown, work.name) != kKnown.end();
  const bool same_thread = !thread_ || *thread_ == by.number;
  thread_ = by.number;
  matters_ = matters_ || !known || !work.default_stream || !same_thread || device != 0;
}

}  // namespace warpmark::simulator
