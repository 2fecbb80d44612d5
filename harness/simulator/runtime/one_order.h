// Whether the run shows all that runs in other orders would: those of blocks and warps, and those in which
// asynchronous work comes later. That is so where each launch has but one outcome, and the host waits for the
// work whose result it sees.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/simulator/launch/launch.h"
#include "harness/simulator/order/order.h"

namespace warpmark::simulator {

class OneOrder {
 public:
  // Work that the host queues; `device`: where.
  void queued(const DeviceWork& work, const HostThread& by, int device);
  void launched(const Outcome& outcome) { matters_ = matters_ || !outcome.one_order; }
  // The host asks whether work is over, or its memory is open to kernels.
  void asked() { matters_ = true; }

  [[nodiscard]] bool holds() const { return !matters_; }

 private:
  bool matters_ = false;
  std::optional<std::uint32_t> thread_;  // that queues all work
};

}  // namespace warpmark::simulator
