// The judge's end of the simulated device: starts its process, tells it how to run, and asks it what it saw.
// The worker has only the other end of the device's second socket, for its CUDA calls.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

#include "harness/judge/workers/installation.h"
#include "harness/model/grade.h"
#include "harness/wire/channel.h"
#include "harness/wire/device.h"

namespace warpmark::judge {

class SimulatedDevice {
 public:
  using Deadline = wire::Channel::Deadline;

  // devices: that the process is. Fails with an internal cause.
  static tl::expected<SimulatedDevice, Cause> start(const Installation& installation, int devices = 1);
  SimulatedDevice(SimulatedDevice&&) noexcept;
  SimulatedDevice& operator=(SimulatedDevice&&) noexcept;
  ~SimulatedDevice();

  // The worker's end, to be passed on once; the device is there as long as this lives.
  UniqueFd take_program_end();

  // What belongs to a request that is about to be sent to the worker. Descriptors stay the caller's; -1:
  // none.
  struct Preparation {
    std::optional<wire::RunMode> mode;  // launches that follow run so
    int source = -1;                    // of bytes that go into device memory
    int target = -1;                    // of bytes that come out of it
  };
  tl::expected<void, wire::ChannelFailure> prepare(const Preparation& preparation, Deadline deadline);
  // What it saw since the last time.
  tl::expected<wire::DeviceReply, wire::ChannelFailure> drain(bool audit, Deadline deadline);

  // Why the device is gone, if it is; waits a moment for its end to be known.
  std::optional<Cause> why_it_ended();

 private:
  struct State;
  explicit SimulatedDevice(std::unique_ptr<State> state);
  tl::expected<wire::DeviceReply, wire::ChannelFailure> ask(wire::DeviceRequest request,
                                                            const std::vector<int>& files, Deadline deadline);
  std::unique_ptr<State> state_;
};

}  // namespace warpmark::judge
