#include "harness/judge/workers/simulated_device.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/workers/worker_box.h"
#include "harness/sandbox/process.h"
#include "harness/wire/codec.h"

namespace warpmark::judge {

namespace {

using wire::Channel;
using wire::ChannelFailure;

constexpr int kDishonestProgram = 2;  // exit status of the device process if a client violates the protocol
constexpr std::chrono::seconds kMomentOfEnding{2};

}  // namespace

struct SimulatedDevice::State {
  State(sandbox::Process started, Channel connected, UniqueFd program)
      : process(std::move(started)), channel(std::move(connected)), program_end(std::move(program)) {}

  sandbox::Process process;
  Channel channel;
  UniqueFd program_end;
  std::size_t memory_cap = 0;
  std::uint64_t next_request = 1;
};

SimulatedDevice::SimulatedDevice(std::unique_ptr<State> state) : state_(std::move(state)) {}
SimulatedDevice::SimulatedDevice(SimulatedDevice&&) noexcept = default;
SimulatedDevice& SimulatedDevice::operator=(SimulatedDevice&&) noexcept = default;
SimulatedDevice::~SimulatedDevice() = default;

tl::expected<SimulatedDevice, Cause> SimulatedDevice::start(
    const Installation& installation, int devices, const std::optional<std::vector<std::string>>& libraries) {
  auto [ours, its] = wire::make_socket_pair();
  auto [programs, its_own] = wire::make_socket_pair();
  sandbox::Command command = device_command(installation, devices, libraries);
  command.pass_fds = {its.get(), its_own.get()};
  auto process = sandbox::Process::start(command);
  if (!process) return tl::unexpected(make_cause(CauseKind::internal, process.error().message));
  auto state = std::make_unique<State>(std::move(*process), Channel(std::move(ours)), std::move(programs));
  state->memory_cap = command.memory_cap;
  return SimulatedDevice(std::move(state));
}

int SimulatedDevice::output_fd() const {
  return state_->process.output_fd();
}

void SimulatedDevice::drain_output() {
  state_->process.drain_output();
}

std::string SimulatedDevice::take_output() {
  return state_->process.take_output();
}

UniqueFd SimulatedDevice::take_program_end() {
  return std::move(state_->program_end);
}

tl::expected<wire::DeviceReply, ChannelFailure> SimulatedDevice::ask(wire::DeviceRequest request,
                                                                     const std::vector<int>& files,
                                                                     Deadline deadline) {
  request.number = state_->next_request++;
  if (auto sent = state_->channel.send(wire::encode(request), files, deadline); !sent)
    return tl::unexpected(sent.error());
  for (;;) {
    const auto frame = state_->channel.receive(deadline);
    if (!frame) return tl::unexpected(frame.error());
    auto reply = wire::decode_device_reply(frame->bytes);
    if (!reply) return tl::unexpected(ChannelFailure{ChannelFailure::Kind::malformed, reply.error().why});
    // Skips the late reply to an earlier request that timed out.
    if (reply->number == request.number) return std::move(*reply);
  }
}

tl::expected<void, ChannelFailure> SimulatedDevice::prepare(const Preparation& preparation,
                                                            Deadline deadline) {
  wire::DeviceRequest request{.mode = preparation.mode};
  std::vector<int> files;
  request.source = preparation.source >= 0;
  request.target = preparation.target >= 0;
  request.modules = preparation.modules;
  for (const int file : {preparation.source, preparation.target}) {
    if (file >= 0) files.push_back(file);
  }
  const auto done = ask(request, files, deadline);
  if (!done) return tl::unexpected(done.error());
  return {};
}

tl::expected<wire::DeviceReply, ChannelFailure> SimulatedDevice::drain(bool audit, Deadline deadline) {
  return ask({.mode = {}, .drain = true, .audit = audit}, {}, deadline);
}

std::optional<Cause> SimulatedDevice::why_it_ended() {
  using Kind = sandbox::Ending::Kind;
  const auto ended = state_->process.wait_until(sandbox::Clock::now() + kMomentOfEnding);
  if (!ended) return std::nullopt;
  if (ended->exceeded == sandbox::Cap::memory) {
    return make_cause(CauseKind::crashed,
                      fmt::format("the simulated device was ended because it took more than {:.1f} GiB of "
                                  "memory, the limit; look for an allocation that grows or is never freed",
                                  static_cast<double>(state_->memory_cap) / (1 << 30)));
  }
  if (ended->kind == Kind::exited && ended->code == kDishonestProgram) {
    return make_cause(CauseKind::tampering,
                      "something other than the CUDA runtime wrote to the simulated device; a version must "
                      "only compute");
  }
  std::string how = sandbox::why_not_started(*ended);
  if (how.empty()) {
    how = ended->kind == Kind::signalled
              ? fmt::format("it crashed with signal {} ({})", ended->code, ::strsignal(ended->code))
              : fmt::format("it ended with exit status {}", ended->code);
  }
  return make_cause(CauseKind::internal, fmt::format("the simulated device is gone: {}{}{}", how,
                                                     ended->output.empty() ? "" : "; ", ended->output));
}

}  // namespace warpmark::judge
