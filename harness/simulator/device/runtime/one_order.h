// Decides whether one simulated run is enough: no other order of blocks and warps, and no other timing of
// asynchronous work, can change what the program observes. That holds if each launch has only one possible
// outcome and the host synchronises with all work whose results the host reads.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/simulator/device/launch/launch.h"
#include "harness/simulator/device/order/order.h"

namespace warpmark::simulator {

class OneOrder {
 public:
  // Records that the host thread `by` enqueues work on `device`.
  void queued(const DeviceWork& work, const HostThread& by, int device);
  void launched(const Outcome& outcome) { matters_ = matters_ || !outcome.one_order; }
  // Records that the host polled for completion or made host memory accessible to kernels, so that timing may
  // matter.
  void asked() { matters_ = true; }

  [[nodiscard]] bool holds() const { return !matters_; }

 private:
  bool matters_ = false;
  std::optional<std::uint32_t> thread_;  // the only host thread that has enqueued work so far
};

}  // namespace warpmark::simulator
