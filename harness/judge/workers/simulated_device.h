// The judge process's side of the simulated GPU: starts the device process, configures runs, and fetches
// findings. The device process has a second socket, whose other end the worker process gets for its CUDA
// calls.
#pragma once

#include <memory>
#include <optional>
#include <string>
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

  // Starts a process that simulates `devices` GPUs. A failure is reported as internal, not as the student's.
  // `libraries`: the toolkit libraries that the program may call; nullopt: all.
  static tl::expected<SimulatedDevice, Cause> start(
      const Installation& installation, int devices = 1,
      const std::optional<std::vector<std::string>>& libraries = std::nullopt);
  SimulatedDevice(SimulatedDevice&&) noexcept;
  SimulatedDevice& operator=(SimulatedDevice&&) noexcept;
  ~SimulatedDevice();

  // Returns, once, the worker process's end of the socket to the device process. The device process lives as
  // long as the SimulatedDevice object.
  UniqueFd take_program_end();

  // Output of kernels since the last call, as sandbox::Process keeps the output of its program.
  [[nodiscard]] int output_fd() const;
  void drain_output();
  std::string take_output();

  // Settings for the next request to the worker process. The caller keeps ownership of the descriptors; -1:
  // none.
  struct Preparation {
    // how the simulator runs subsequent kernel launches (-O0 or -O2 code, thread schedule, access checks)
    std::optional<wire::RunMode> mode;
    int source = -1;  // memory file from which the device process fills simulated GPU memory
    int target = -1;  // memory file into which the device process copies GPU memory
    std::vector<std::string> modules{};  // digests of the modules that the program's next library holds
  };
  tl::expected<void, wire::ChannelFailure> prepare(const Preparation& preparation, Deadline deadline);
  // Returns what the device process recorded since the previous call of this function, and discards that
  // record.
  tl::expected<wire::DeviceReply, wire::ChannelFailure> drain(bool audit, Deadline deadline);

  // Returns the reason why the device process ended, or nullopt if it is running; waits briefly for its exit.
  std::optional<Cause> why_it_ended();

 private:
  struct State;
  explicit SimulatedDevice(std::unique_ptr<State> state);
  tl::expected<wire::DeviceReply, wire::ChannelFailure> ask(wire::DeviceRequest request,
                                                            const std::vector<int>& files, Deadline deadline);
  std::unique_ptr<State> state_;
};

}  // namespace warpmark::judge
