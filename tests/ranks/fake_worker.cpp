// Answers calls; the function's name says what one rank does in place of that: "exit 1", "crash 2", "wait 0".
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/ranks/board.h"
#include "harness/ranks/member.h"
#include "harness/ranks/protocol.h"
#include "harness/ranks/watch.h"

namespace ranks = warpmark::ranks;
namespace wire = warpmark::wire;

namespace {

ranks::RankState& state_of(int rank) {
  static auto* board = static_cast<ranks::Board*>(
      ::mmap(nullptr, sizeof(ranks::Board), PROT_READ | PROT_WRITE, MAP_SHARED, ranks::kBoard, 0));
  return board->ranks[static_cast<std::size_t>(rank)];
}

void misbehave(const std::string& what, int rank, wire::CallReply& reply) {
  if (what == "exit") ::exit(3);
  if (what == "crash") ::raise(SIGSEGV);
  if (what == "throw") reply.failure.threw = "no data";
  if (what == "refuse") {
    ranks::RankState& state = state_of(rank);
    std::snprintf(state.text.data(), state.text.size(), "got an error from MPI_Recv: truncated");
    state.frame = 77;
    state.refusal = ranks::Refusal::mpi_error;
    ::_exit(1);
  }
  if (what == "look") {
    constexpr char line[] = "{\"frames\":[4242]}\n";
    static_cast<void>(!::write(ranks::kLastWords, line, sizeof line - 1));
    ::pause();
  }
  if (what == "wait" || what == "compute") {
    state_of(rank).peer = 1 - rank;
    state_of(rank).frame = 1000;
    state_of(rank).function = ranks::Function::Recv;
    if (what == "wait") ::pause();
    const auto end = std::chrono::steady_clock::now() + ranks::kDeadlockPatience + std::chrono::seconds(2);
    std::thread([&] {
      while (std::chrono::steady_clock::now() < end) {
      }
    }).join();
    state_of(rank).function = ranks::Function::none;
  }
}

wire::Reply answer(const wire::Request& request, int rank) {
  const auto* call = std::get_if<wire::Call>(&request);
  if (call == nullptr) return wire::HelloReply{};
  wire::CallReply reply;
  for (const std::uint64_t scalar : call->scalars) reply.event_ms.push_back(static_cast<double>(scalar));
  const std::string& text = call->function;
  const std::size_t space = text.find(' ');
  if (space != std::string::npos && std::atoi(text.c_str() + space) == rank)
    misbehave(text.substr(0, space), rank, reply);
  // What the others were given, for a test to see.
  if (rank != 0 && text == "processors") {
    cpu_set_t allowed;
    ::sched_getaffinity(0, sizeof allowed, &allowed);
    std::string& processors = reply.failure.threw.emplace();
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed)) processors += std::to_string(cpu) + ",";
  }
  if (rank != 0 && text == "show") reply.failure.threw = std::to_string(call->scalars.at(0));
  return reply;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = ranks::Member::arguments_in(argc, argv);
  if (!arguments) return 2;
  ranks::Member member(*arguments);
  wire::Channel channel{warpmark::UniqueFd(ranks::kJudge)};
  for (;;) {
    const auto frame = channel.receive(wire::Channel::kNoDeadline);
    if (!frame) ::_exit(0);
    const auto asked = wire::decode_request(frame->bytes);
    member.begin(*asked);
    wire::Reply reply = answer(asked->request, arguments->rank);
    member.end(reply);
    const auto* call = std::get_if<wire::Call>(&asked->request);
    const bool other = call != nullptr && call->function == "other number" && arguments->rank != 0;
    static_cast<void>(
        channel.send(wire::encode({asked->number + other, reply}), {}, wire::Channel::kNoDeadline));
  }
}
