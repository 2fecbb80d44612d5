// Main program of the worker process, which is untrusted because it loads student code. Descriptors: 3 is a
// socket to the judge process, whose numbered requests are executed until it closes; 4 receives messages
// about crashes; 5, on the simulator only, is connected to the device process. Options: --sealed forbids
// creating processes and signalling other processes from the first request on (harness/sandbox/filter.h);
// --rank makes this one of several ranks (harness/ranks/protocol.h).
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/ranks/member.h"
#include "harness/sandbox/filter.h"
#include "harness/wire/channel.h"
#include "harness/worker/session.h"

namespace {

// Selects the GPU of an MPI rank: the rank modulo the number of GPUs.
void choose_device(int rank) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 1)
    static_cast<void>(cudaSetDevice(rank % devices));
  static_cast<void>(cudaGetLastError());
}

}  // namespace

int main(int argc, char** argv) try {
  namespace wire = warpmark::wire;
  constexpr int kSocket = 3;
  constexpr int kLastWords = 4;
  // Line buffering preserves output that student code printed before a crash.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  wire::Channel channel{warpmark::UniqueFd(kSocket)};
  warpmark::Session session(warpmark::make_observer(kLastWords), kLastWords);
  // The system call filter is installed after the device is set up, which needs more system calls, and before
  // student code is loaded.
  bool to_be_sealed = std::any_of(argv + 1, argv + argc,
                                  [](const char* each) { return std::string_view(each) == "--sealed"; });
  std::optional<warpmark::ranks::Member> member;
  if (const auto arguments = warpmark::ranks::Member::arguments_in(argc, argv)) {
    member.emplace(*arguments);
    choose_device(arguments->rank);
    session.set_meeting([&] { member->meet(channel); });
  }
  for (;;) {
    const auto frame = channel.receive(wire::Channel::kNoDeadline);
    if (!frame) break;
    const auto asked = wire::decode_request(frame->bytes);
    if (!asked) break;
    if (member) member->begin(*asked);
    wire::Reply reply = session.answer(asked->request, frame->descriptors);
    if (member) member->end(reply);
    if (std::exchange(to_be_sealed, false)) {
      const int error = warpmark::sandbox::install(session.filter());
      if (error != 0) {
        wire::FailedReply failed;
        failed.why = fmt::format("no system call filter: {}", std::strerror(error));
        reply = std::move(failed);
      }
    }
    if (!channel.send(wire::encode({asked->number, std::move(reply)}), {}, wire::Channel::kNoDeadline)) break;
  }
  ::_exit(0);  // ends the process without running destructors and atexit handlers of student code
} catch (const std::runtime_error& error) {
  fmt::print(stderr, "{}\n", error.what());
  ::_exit(1);
}
