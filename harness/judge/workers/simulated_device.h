// The judge's side of the simulated device: starts its process, configures runs, and fetches observations.
// The worker holds only the other end of the device's second socket, for its CUDA calls.
#pragma once

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

  // devices: number of devices that the process simulates. Fails with an internal cause.
  static tl::expected<SimulatedDevice, Cause> start(const Installation& installation, int devices = 1);
  SimulatedDevice(SimulatedDevice&&) noexcept;
  SimulatedDevice& operator=(SimulatedDevice&&) noexcept;
  ~SimulatedDevice();

  // Returns the worker's socket end, once. The device process lives as long as this object.
  UniqueFd take_program_end();

  // Settings for the next request to the worker. The caller keeps ownership of the descriptors; -1: none.
  struct Preparation {
    std::optional<wire::RunMode> mode;  // of subsequent launches
    int source = -1;                    // memory file with bytes that go to device memory
    int target = -1;                    // memory file for bytes that come from device memory
  };
  tl::expected<void, wire::ChannelFailure> prepare(const Preparation& preparation, Deadline deadline);
  // Returns what the device observed since the last drain, and discards it there.
  tl::expected<wire::DeviceReply, wire::ChannelFailure> drain(bool audit, Deadline deadline);

  // Returns why the device process ended, or nullopt if it lives; waits briefly for its exit.
  std::optional<Cause> why_it_ended();

 private:
  struct State;
  explicit SimulatedDevice(std::unique_ptr<State> state);
  tl::expected<wire::DeviceReply, wire::ChannelFailure> ask(wire::DeviceRequest request,
                                                            const std::vector<int>& files, Deadline deadline);
  std::unique_ptr<State> state_;
};

}  // namespace warpmark::judge
