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
  // Records that host thread `by` enqueued work on `device`. Work of several host threads, streams or devices
  // may run in several orders, so that one simulated run is not enough.
  void queued(const DeviceWork& work, const HostThread& by, int device);
  void launched(const Outcome& outcome) { matters_ = matters_ || !outcome.one_order; }
  // Records that the program polled for completion or made host memory accessible to kernels: its result may
  // then depend on timing, and one simulated run is not enough.
  void asked() { matters_ = true; }

  [[nodiscard]] bool holds() const { return !matters_; }

 private:
  bool matters_ = false;
  std::optional<std::uint32_t> thread_;  // the only host thread that has enqueued device work so far
};

}  // namespace warpmark::simulator
