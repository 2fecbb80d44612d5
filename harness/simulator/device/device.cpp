// The device process: simulates the GPU of one CUDA program, which runs in another process and is connected
// by a socket.
// |   warpmark-device --judge    replies to the judge process on descriptor 3 (harness/wire/device.h)
//   warpmark-device --journal  writes findings to descriptor 3 as a journal, as wire::Startup configures
// |   warpmark-device --unsupported LIBRARY  prints what in its device code cannot be simulated
// | --devices N: simulates N devices (default 1). --libraries LETTERS: the program may call only these
// libraries (WarpmarkLibraryCall::library). --sealed: forbids this process to create processes or send
// signals.
// | Descriptor 4 is the socket to the program. Results go to descriptor 3 only, which the program does not
// have, so that they survive a crash of the program.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <malloc.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "harness/base/engine.h"
#include "harness/base/file.h"
#include "harness/sandbox/filter.h"
#include "harness/simulator/device/calls.h"
#include "harness/simulator/device/judge_bytes.h"
#include "harness/simulator/device/program.h"
#include "harness/simulator/device/runtime/runtime.h"
#include "harness/simulator/device/unsupported.h"
#include "harness/wire/audit_events.h"
#include "harness/wire/channel.h"

namespace {

using namespace warpmark;
using simulator::Runtime;

constexpr int kReport = 3;
constexpr int kProgram = 4;

void configure(const wire::RunMode& mode) {
  WarpmarkSimulatorOptions options{};
  options.checking = mode.checking ? 1 : 0;
  options.schedule = mode.schedule;
  options.count_work = mode.count_work ? 1 : 0;
  options.keep_costly = mode.keep_costly ? 1 : 0;
  options.note_handovers = mode.note_handovers ? 1 : 0;
  options.faults = mode.faults;
  options.fault_group = static_cast<int>(mode.fault_group);
  options.fault_seed = mode.fault_seed;
  options.without_faults = mode.without_faults ? 1 : 0;
  options.check_accesses = mode.check_accesses ? 1 : 0;
  options.host_threads = mode.one_at_a_time ? 1 : 0;
  options.instruction_budget = mode.launch_instructions;
  options.forgives = mode.forgives ? 1 : 0;
  options.time_limit = static_cast<unsigned>(std::min<std::uint64_t>(mode.launch_seconds, UINT_MAX));
  Runtime::locked([&](Runtime& runtime) { runtime.configure(options); });
  simulator::HostProgram::instance().print_to_program(mode.note_handovers);
}

// Stages the shared-memory files that came with a request of the judge process: one with its input, one for
// results. Returns false if the number of file descriptors received does not match the request.
bool stage(const wire::DeviceRequest& request, std::vector<UniqueFd> files) {
  if (files.size() != static_cast<std::size_t>(request.source) + static_cast<std::size_t>(request.target))
    return false;
  // A judge request that only drains recorded findings and launches brings no files; the files of the
  // previous request stay in use.
  if (request.drain) return true;
  UniqueFd source = request.source ? std::move(files.front()) : UniqueFd();
  UniqueFd target = request.target ? std::move(files.back()) : UniqueFd();
  return simulator::JudgeBytes::instance().stage(std::move(source), std::move(target));
}

// Returns the processor time of this process in microseconds, on all its threads.
std::uint64_t processor_us() {
  timespec used{};
  if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return 0;
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000 +
         static_cast<std::uint64_t>(used.tv_nsec) / 1000;
}

wire::DeviceReply answer(const wire::DeviceRequest& request) {
  if (request.mode) configure(*request.mode);
  if (!request.modules.empty())
    Runtime::locked([&](Runtime&) { simulator::HostProgram::instance().expect(request.modules); });
  wire::DeviceReply reply;
  if (request.drain) {
    reply = Runtime::locked([](Runtime& runtime) {
      runtime.host_writes.reported();
      if (runtime.options().forgives != 0) runtime.forgive();
      return runtime.recorder.take();
    });
  }
  reply.processor_us = processor_us();
  const auto count = simulator::JudgeBytes::instance().count();
  reply.taken = count.taken;
  reply.saved = count.saved;
  // The device process closes the judge's input and result files after each drain of results, so that the
  // CUDA program cannot reach them between two requests of the judge.
  if (request.drain) simulator::JudgeBytes::instance().stage({}, {});
  reply.number = request.number;
  if (!request.audit) return reply;
  reply.before = in_order(reply.before);
  reply.observed = in_order(reply.observed);
  return reply;
}

// Main loop of a device process that belongs to a judge process: replies to the judge's requests, and exits
// when the judge closes the channel.
[[noreturn]] void obey_the_judge() {
  wire::Channel channel{UniqueFd(kReport)};
  for (;;) {
    auto frame = channel.receive(wire::Channel::kNoDeadline);
    if (!frame) ::_exit(0);
    const auto request = wire::decode_device_request(frame->bytes);
    if (!request || !stage(*request, std::move(frame->descriptors))) ::_exit(1);
    if (!channel.send(wire::encode(answer(*request)), {}, wire::Channel::kNoDeadline)) ::_exit(0);
  }
}

// Configures checks and journal of a program that runs without a judge, from the text of wire::Startup.
// Returns false if the text is malformed.
bool begin(const char* startup) {
  const auto told = wire::decode_startup(startup == nullptr ? "" : startup);
  if (!told) return false;
  WarpmarkSimulatorOptions options{};
  options.checking = told->checking ? 1 : 0;
  options.schedule = told->schedule;
  options.host_threads = told->host_threads;
  options.check_accesses = told->check_accesses ? 1 : 0;
  options.count_work = told->count_work ? 1 : 0;
  options.work_limit = told->work_limit;
  Runtime::locked([&](Runtime& runtime) {
    runtime.configure(options);
    runtime.recorder.write_to(told->journal);
    runtime.notes.begin();
    // Without checks the program's memory is not watched, either: its own handler of SIGSEGV and a debugger
    // see only its own faults.
    if (!told->check_accesses && !told->count_work) {
      static simulator::LaunchProgress progress;
      runtime.order.be_quiet();
      runtime.memory.stop_accounting();
      runtime.progress = &progress;
      simulator::tell_progress(progress, kProgram);
    }
    if (told->late) runtime.work_late();
    if (told->record_all) runtime.order.record_all();
  });
  return true;
}

// Returns the argument of an option; nullopt if the option is not there.
std::optional<std::string_view> argument_of(const std::vector<std::string_view>& options,
                                            std::string_view option) {
  const auto named = std::ranges::find(options, option);
  if (named == options.end() || named + 1 == options.end()) return std::nullopt;
  return *(named + 1);
}

// Prints the first instruction or function of the library that the simulator does not support, or nothing if
// all are supported. Returns the exit status.
int tell_unsupported(const std::string& library) {
  const auto contents = read_file(library);
  if (!contents) {
    std::fwrite(contents.error().message.data(), 1, contents.error().message.size(), stdout);
    return 1;
  }
  const auto lacking = simulator::unsupported_in(*contents);
  if (lacking) std::fwrite(lacking->data(), 1, lacking->size(), stdout);
  return 0;
}

[[noreturn]] void give_up(std::string_view why) {
  std::fwrite(why.data(), 1, why.size(), stderr);
  std::fputc('\n', stderr);
  ::_exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  // Makes malloc keep freed memory between launches instead of returning it to the system: page faults on
  // fresh memory cost more.
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  // Clears the device process's dumpable flag: the CUDA program, which may run as the same user, must not be
  // able to ptrace it or open its /proc/PID/mem.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const std::vector<std::string_view> options(argv + 1, argv + argc);
  const auto has = [&](std::string_view option) {
    return std::ranges::find(options, option) != options.end();
  };
  if (options.size() == 2 && options[0] == "--unsupported") return tell_unsupported(argv[2]);
  const bool judged = has("--judge");
  const bool sealed = has("--sealed");
  auto& program = simulator::HostProgram::instance();
  if (const std::string_view why = program.connect(UniqueFd(kProgram)); !why.empty()) give_up(why);
  Runtime::locked([&](Runtime& runtime) {
    const auto devices = argument_of(options, "--devices");
    runtime.have_devices(devices ? std::clamp(std::atoi(devices->data()), 1, kMostDevices) : 1);
    if (const auto letters = argument_of(options, "--libraries"))
      runtime.allow_libraries(std::string(*letters));
  });
  if (sealed) {
    if (const int error = sandbox::install(sandbox::Filter::sealed); error != 0)
      give_up(std::strerror(error));
  }
  if (!judged && !begin(std::getenv(wire::kStartupVariable))) give_up("it is not told what to look for");
  std::thread judge;
  if (judged) {
    program.print_itself();
    judge = std::thread(obey_the_judge);
  }
  const bool honest = program.serve(simulator::answer_call);
  // A judged device process outlives the program, so that the judge can still fetch results; the judge ends
  // it.
  if (!judged || !honest) ::_exit(honest ? 0 : 2);
  judge.join();
}
