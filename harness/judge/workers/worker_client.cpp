#include "harness/judge/workers/worker_client.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/base/trace.h"
#include "harness/build/compiled_code.h"
#include "harness/judge/workers/device_record.h"
#include "harness/judge/workers/left_running.h"
#include "harness/judge/workers/simulated_device.h"
#include "harness/judge/workers/worker_box.h"
#include "harness/judge/workers/worker_ending.h"
#include "harness/sandbox/process.h"

namespace warpmark::judge {
namespace {

using wire::Channel;
using wire::ChannelFailure;

// The part of a request that goes to the worker process; data and settings for the simulated device go to the
// device process directly.
struct Outgoing {
  wire::Request request;
  std::vector<int> descriptors;
};

}  // namespace

struct WorkerClient::State {
  State(sandbox::Process started, Channel connected, UniqueFd words)
      : process(std::move(started)), channel(std::move(connected)), last_words_fd(std::move(words)) {}

  std::unique_ptr<Shelf> shelf;                // folder of libraries for a sandboxed worker process
  std::unique_ptr<TemporaryFolder> folder;     // temporary files of MPI ranks that run outside a sandbox
  std::vector<SimulatedDevice> other_devices;  // the simulated devices of all MPI ranks but rank 0
  bool spread = false;  // true: several MPI ranks or devices, whose results are gathered through the host
  std::size_t memory_cap = 0;
  sandbox::Process process;
  Channel channel;
  UniqueFd last_words_fd;
  std::optional<SimulatedDevice> device;  // connection to the process that simulates the GPU, if any
  // how the simulated device currently runs launches (-O0 or -O2 code, thread schedule, access checks)
  wire::RunMode mode;
  wire::Observation last_seen;  // the engine's findings, fetched when the worker process died
  std::optional<Cause> device_trouble;
  wire::HelloReply hello;
  bool sanitized = false;  // the worker process runs under a sanitizer
  bool on_host = false;    // the worker process runs plain C++ code
  bool boxed = false;
  bool audited = false;
  bool configured = false;
  bool has_files = false;  // true: the device process still holds memory files of an earlier request
  bool records_launches = false;
  // Not asked on a GPU, whose driver starts threads on demand.
  bool counts_threads = false;
  LeftRunning left_running;
  std::uint64_t next_request = 1;
  bool holds_a_submission = false;
  Listener listener;
  std::optional<Cause> death;           // cause of the worker process's death; set once
  std::optional<SharedMemory> answers;  // memory file for results, as returned by answer_memory()
  std::uint64_t device_us = 0;          // processor time of the simulated device at its last report
  std::string printed;                  // what student code printed during the last request that got a reply

  // Returns what kernels have printed since the last call. It comes from the device: student code, which
  // could read in its own process what a kernel prints, never has it.
  std::string printed_by_kernels() { return device ? device->take_output() : std::string(); }

  // Waits until the channel is readable or the deadline passes. Meanwhile drains the output pipe, so that
  // student code that prints never blocks.
  void wait_for_answer(std::chrono::steady_clock::time_point deadline) {
    for (;;) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
      if (left <= 0) return;
      std::array<pollfd, 3> watched{pollfd{channel.fd(), POLLIN, 0}, pollfd{process.output_fd(), POLLIN, 0},
                                    pollfd{device ? device->output_fd() : -1, POLLIN, 0}};
      if (::poll(watched.data(), watched.size(), static_cast<int>(std::min<std::int64_t>(left, 60'000))) < 0)
        continue;
      if (watched[1].revents != 0) process.drain_output();
      if (watched[2].revents != 0) device->drain_output();
      if (watched[0].revents != 0) return;
    }
  }

  // Splits a request on the simulator. The device process gets the run mode and the data files, because
  // inputs and results must not pass through the worker process. Returns the rest, which goes to the worker
  // process.
  tl::expected<Outgoing, ChannelFailure> prepare(const wire::Request& request,
                                                 const std::vector<int>& descriptors,
                                                 std::vector<std::string> modules,
                                                 Channel::Deadline deadline) {
    if (!device) return Outgoing{request, descriptors};
    Outgoing outgoing{request, {}};
    SimulatedDevice::Preparation preparation;
    preparation.modules = std::move(modules);
    wire::RunMode wanted = mode;
    std::optional<SharedMemory> values;
    if (const auto* fill = std::get_if<wire::Fill>(&request);
        fill != nullptr && !descriptors.empty() && !fill->on_host) {
      preparation.source = descriptors.front();
    } else if (std::holds_alternative<wire::Read>(request) && !descriptors.empty()) {
      preparation.target = descriptors.front();
    } else if (auto* call = std::get_if<wire::Call>(&outgoing.request)) {
      // The process with student code is not told how its kernels run, only the device process is.
      wanted = std::exchange(call->mode, {});
      if (!descriptors.empty()) preparation.target = descriptors.front();
      values = take_values(call->patches);
      if (values) preparation.source = values->fd();
    } else {
      if (std::holds_alternative<wire::Upload>(request)) wanted = {};
      outgoing.descriptors = descriptors;
    }
    if (wanted != mode || !configured) preparation.mode = wanted;
    const bool files = preparation.source >= 0 || preparation.target >= 0;
    if (!preparation.mode && !files && !has_files && preparation.modules.empty()) return outgoing;
    has_files = files;
    mode = wanted;
    configured = true;
    if (auto done = device->prepare(preparation, deadline); !done) return tl::unexpected(done.error());
    for (SimulatedDevice& other : other_devices) {
      if (!preparation.mode && preparation.modules.empty()) break;
      if (auto done = other.prepare({.mode = preparation.mode, .modules = preparation.modules}, deadline);
          !done)
        return tl::unexpected(done.error());
    }
    return outgoing;
  }

  // Replaces the launches and findings in the worker process's reply by those of the device process, after
  // checking the latter's counts with forged().
  tl::expected<void, ChannelFailure> observe(const wire::Request& request, wire::Reply& reply,
                                             Channel::Deadline deadline) {
    if (!device) return {};
    wire::Seen& seen = wire::seen_in(reply);
    seen = {};
    const DeviceTally expected = tally_of(request, reply);
    // Findings recorded between two calls of student code are reported with the next call.
    if (!expected.is_call && !audited) return {};
    auto taken = device->drain(audited, deadline);
    if (!taken) return tl::unexpected(taken.error());
    device_us = taken->processor_us;
    if (auto why = forged(*taken, expected)) {
      return tl::unexpected(ChannelFailure{ChannelFailure::Kind::malformed, std::move(*why)});
    }
    if (audited) {
      if (taken->marks == 0) std::swap(taken->before, taken->observed);
      seen.before = std::move(taken->before);
      seen.observed = std::move(taken->observed);
      return {};
    }
    seen.observed = std::move(taken->observed);
    count_as_the_calls(std::move(taken->before), seen.observed);
    if (spread)
      std::erase_if(seen.observed.findings,
                    [](const auto& each) { return each.kind == CauseKind::no_kernel; });
    return observe_others(seen.observed, deadline);
  }

  // Appends the launches, transfers and findings of the other ranks' devices to rank 0's.
  tl::expected<void, ChannelFailure> observe_others(wire::Observation& seen, Channel::Deadline deadline) {
    for (SimulatedDevice& other : other_devices) {
      auto taken = other.drain(false, deadline);
      if (!taken) return tl::unexpected(taken.error());
      count_as_the_calls(std::move(taken->before), taken->observed);
      std::ranges::move(taken->observed.findings, std::back_inserter(seen.findings));
      std::ranges::move(taken->observed.launches, std::back_inserter(seen.launches));
      std::ranges::move(taken->observed.transfers, std::back_inserter(seen.transfers));
    }
    return {};
  }

  // Fetches the findings of the device process or sanitizer after the worker process died. If the device
  // process has ended as well, records that as the cause of death.
  void see_the_last() {
    if (sanitized) last_seen.findings = last_words(last_words_fd.get()).findings;
    if (!device) return;
    constexpr std::chrono::seconds patience{2};
    auto reply = device->drain(false, std::chrono::steady_clock::now() + patience);
    if (!reply) {
      if (reply.error().kind != ChannelFailure::Kind::timed_out) device_trouble = device->why_it_ended();
      return;
    }
    for (wire::Observation* seen : {&reply->before, &reply->observed})
      std::ranges::move(seen->findings, std::back_inserter(last_seen.findings));
    wire::Observation others;
    static_cast<void>(observe_others(others, std::chrono::steady_clock::now() + patience));
    std::ranges::move(others.findings, std::back_inserter(last_seen.findings));
  }

  // Kills the worker process if it still runs, and returns the reason for its death, from the channel's
  // failure and the process's end.
  Cause bury(const ChannelFailure& failure, std::chrono::milliseconds limit) {
    // A closed channel means that the process is exiting: wait briefly for its own exit status.
    std::optional<sandbox::Ending> ended;
    if (failure.kind == ChannelFailure::Kind::closed) {
      ended = process.wait_until(sandbox::Clock::now() + std::chrono::seconds(2));
    }
    const bool by_itself = ended.has_value();
    if (!ended) ended = process.kill();
    see_the_last();
    Cause cause = cause_of_end({.failure = failure,
                                .ended = *ended,
                                .by_itself = by_itself,
                                .limit = limit,
                                .memory_cap = memory_cap,
                                .on_host = on_host,
                                .device_trouble = device_trouble},
                               last_words(last_words_fd.get()));
    cause.printed = shortened(ended->output + printed_by_kernels(), ended->output_cut);
    death = cause;
    return cause;
  }
};

WorkerClient::WorkerClient(std::unique_ptr<State> state) : state_(std::move(state)) {}
WorkerClient::WorkerClient(WorkerClient&&) noexcept = default;
WorkerClient& WorkerClient::operator=(WorkerClient&&) noexcept = default;
WorkerClient::~WorkerClient() = default;

tl::expected<WorkerClient, Cause> WorkerClient::start(const Installation& installation, Engine engine,
                                                      bool observe, std::chrono::milliseconds limit,
                                                      const WorkerShape& shape) {
  const TraceSpan span("worker start", name_of(engine));
  auto [ours, theirs] = wire::make_socket_pair();
  SharedMemory words(0);
  UniqueFd words_fd(::dup(words.fd()));
  std::unique_ptr<Shelf> shelf;
  if (installation.sandbox == sandbox::Level::box) shelf = std::make_unique<Shelf>();
  sandbox::Command command = worker_command(installation, engine, shelf ? shelf->folder() : "");
  if (!shape.timed) command.environment["OMP_WAIT_POLICY"] = "passive";
  command.pass_fds = {theirs.get(), words_fd.get()};
  const int ranks = shape.ranks ? shape.ranks->ranks : 1;
  std::vector<SimulatedDevice> devices;
  std::vector<UniqueFd> ways_to_devices;
  const bool is_simulated = installation.player_of(engine) == Engine::simulator;
  for (int i = 0; is_simulated && i < ranks; ++i) {
    auto started = SimulatedDevice::start(installation, shape.devices, shape.libraries);
    if (!started) return tl::unexpected(started.error());
    devices.push_back(std::move(*started));
    ways_to_devices.push_back(devices.back().take_program_end());
    command.pass_fds.push_back(ways_to_devices.back().get());
  }
  std::unique_ptr<TemporaryFolder> folder;
  if (shape.ranks) {
    Result<std::string> side = shape.ranks->mpi_side.string();
    if (shelf) side = shelf->put(*side);
    if (!side) return tl::unexpected(make_cause(CauseKind::internal, side.error().message));
    if (!shelf) folder = std::make_unique<TemporaryFolder>();
    add_ranks(command, installation, *shape.ranks, *side, folder ? folder->path() : "/tmp", !devices.empty());
  }
  auto process = sandbox::Process::start(command);
  if (!process) return tl::unexpected(make_cause(CauseKind::internal, process.error().message));
  theirs.reset();
  ways_to_devices.clear();

  WorkerClient client(
      std::make_unique<State>(std::move(*process), Channel(std::move(ours)), std::move(words_fd)));
  client.state_->audited = observe;
  if (!devices.empty()) client.state_->device = std::move(devices.front());
  for (std::size_t i = 1; i < devices.size(); ++i)
    client.state_->other_devices.push_back(std::move(devices[i]));
  client.state_->folder = std::move(folder);
  client.state_->spread = shape.ranks || shape.devices > 1;
  client.state_->shelf = std::move(shelf);
  client.state_->memory_cap = command.memory_cap;
  auto hello = client.ask(wire::Hello{observe}, {}, limit);
  if (!hello) {
    // A worker process that does not start has run no student code: the harness or machine is at fault.
    Cause cause = hello.error();
    cause.kind = CauseKind::internal;
    cause.message = "the worker did not start: " + cause.message;
    return tl::unexpected(cause);
  }
  client.state_->hello = std::move(*hello);
  client.state_->records_launches =
      engine == Engine::simulator || (observe && client.state_->hello.observer.empty());
  // Threads are not counted under a sanitizer, whose OpenMP runtime keeps threads.
  client.state_->counts_threads = engine == Engine::simulator || engine == Engine::host;
  client.state_->sanitized = is_sanitizer(engine);
  client.state_->on_host = is_host(engine);
  client.state_->boxed = installation.sandbox == sandbox::Level::box;
  return client;
}

const wire::HelloReply& WorkerClient::hello() const {
  return state_->hello;
}
bool WorkerClient::records_launches() const {
  return state_->records_launches;
}
double WorkerClient::device_seconds() const {
  constexpr double kMicroseconds = 1e6;
  return static_cast<double>(state_->device_us) / kMicroseconds;
}
void WorkerClient::listen(Listener listener) {
  state_->listener = std::move(listener);
}
void WorkerClient::holds_a_submission() {
  state_->holds_a_submission = true;
  if (!state_->counts_threads) return;
  state_->left_running.note_threads(state_->process);
  if (state_->spread && state_->on_host && state_->boxed) state_->left_running.note_ranks(state_->process);
}
wire::Frames WorkerClient::last_frames() const {
  return alive() ? wire::Frames{} : last_words(state_->last_words_fd.get()).where;
}
std::optional<wire::RanksFailure> WorkerClient::last_ranks() const {
  return alive() ? std::nullopt : last_words(state_->last_words_fd.get()).ranks;
}
std::vector<wire::Frames> WorkerClient::last_frames_of_others() const {
  return alive() ? std::vector<wire::Frames>() : last_words(state_->last_words_fd.get()).others_where;
}
const std::string& WorkerClient::printed() const {
  return state_->printed;
}
const wire::Observation& WorkerClient::last_seen() const {
  return state_->last_seen;
}
bool WorkerClient::alive() const {
  return !state_->death.has_value();
}

SharedMemory& WorkerClient::answer_memory(std::size_t bytes) {
  auto& memory = state_->answers;
  if (!state_->device || !memory || memory->size() < bytes) {
    memory.emplace(bytes);
    memory->seal_size();
  }
  return *memory;
}

tl::expected<wire::Reply, Cause> WorkerClient::ask_any(const wire::Request& request,
                                                       const std::vector<int>& descriptors,
                                                       std::chrono::milliseconds limit) {
  State& state = *state_;
  if (state.death) return tl::unexpected(*state.death);
  const TraceSpan span("worker", wire::name_of(request));
  const std::uint64_t number = state.next_request++;
  // request to load a library, with the library's path as seen inside the sandbox
  std::optional<wire::Request> placed_load;
  const auto* load = std::get_if<wire::Load>(&request);
  std::vector<std::string> modules;
  if (load != nullptr && state.device) {
    modules = build::modules_of(load->path);
    if (modules.empty()) modules.emplace_back("none");  // the device then expects none, instead of any
  }
  if (load != nullptr && state.shelf) {
    const auto placed = state.shelf->put(load->path);
    if (!placed) return tl::unexpected(make_cause(CauseKind::internal, placed.error().message));
    placed_load = wire::Load{load->library, *placed};
  }
  const auto deadline = std::chrono::steady_clock::now() + limit;
  const auto tampered = [&](std::string what) {
    return tl::unexpected(state.bury({ChannelFailure::Kind::malformed, std::move(what)}, limit));
  };

  if (state.channel.has_unread()) return tampered("a reply came before its request");
  const auto outgoing =
      state.prepare(placed_load.value_or(request), descriptors, std::move(modules), deadline);
  if (!outgoing) return tl::unexpected(state.bury(outgoing.error(), limit));
  if (auto sent =
          state.channel.send(wire::encode({number, outgoing->request}), outgoing->descriptors, deadline);
      !sent) {
    return tl::unexpected(state.bury(sent.error(), limit));
  }
  state.wait_for_answer(deadline);
  const auto frame = state.channel.receive(deadline);
  if (!frame) return tl::unexpected(state.bury(frame.error(), limit));
  state.printed = shortened(state.process.take_output() + state.printed_by_kernels(), false);
  auto decoded = wire::decode_reply(frame->bytes);
  if (!decoded) return tampered(decoded.error().why);
  if (decoded->number != number) return tampered("a reply with the number of another request");
  if (auto observed = state.observe(request, decoded->reply, deadline); !observed)
    return tl::unexpected(state.bury(observed.error(), limit));
  wire::Seen& seen = wire::seen_in(decoded->reply);
  if (state.audited && (!seen.before || !seen.before->events || !seen.observed.events)) {
    return tampered("a reply in an audit without its events");
  }
  if (auto runs_on = state.left_running.find(state.process)) {
    state.process.kill();
    state.death = *runs_on;
    return tl::unexpected(std::move(*runs_on));
  }
  if (state.listener) state.listener(request, seen);
  if (const auto* failed = std::get_if<wire::FailedReply>(&decoded->reply)) {
    const std::string what =
        fmt::format("the worker could not do `{}`: {}", wire::name_of(request), failed->why);
    return tl::unexpected(cause_of_failed_request(what, state.holds_a_submission, state.on_host));
  }
  return std::move(decoded->reply);
}

Cause WorkerClient::mismatched(std::chrono::milliseconds limit) {
  return state_->bury({ChannelFailure::Kind::malformed, "a reply to another request"}, limit);
}

}  // namespace warpmark::judge
