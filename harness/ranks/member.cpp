#include "harness/ranks/member.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/ranks/mpi_side.h"
#include "harness/ranks/protocol.h"
#include "harness/ranks/watch.h"

namespace warpmark::ranks {
namespace {

using wire::Channel;

// Blocks an MPI rank's worker process that has lost another rank, until the launcher kills it: the launcher
// has noticed the loss, too, and reports it better.
[[noreturn]] void wait_for_the_end() {
  for (;;) ::pause();
}

// Returns the failure as a finding of a call that came to its end.
wire::Finding finding_of(const wire::RanksFailure& failure) {
  wire::Finding finding;
  finding.kind = CauseKind::deadlock;
  std::string what;
  for (const wire::RankPlace& place : failure.places) {
    if (place.frame != 0) (finding.frames.empty() ? finding.frames : finding.other_frames) = {place.frame};
    what += fmt::format("{}rank {} {}", what.empty() ? "" : "; ", place.rank, place.what);
  }
  finding.message =
      fmt::format("with {} ranks, {}. The messages were short, so that no rank waits for ever this time; {}",
                  failure.ranks, what, failure.advice);
  return finding;
}

void put_rank(int rank, std::string& text) {
  text = fmt::format("at rank {}: {}", rank, text);
}

}  // namespace

std::optional<Member::RankArguments> Member::arguments_in(int argc, char** argv) {
  for (int i = 1; i + 3 < argc; ++i) {
    if (std::string_view(argv[i]) == kRankOption)
      return RankArguments{std::atoi(argv[i + 1]), std::atoi(argv[i + 2]), argv[i + 3]};
  }
  return std::nullopt;
}

Member::Member(const RankArguments& arguments) : arguments_(arguments) {
  void* mapped = ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, kBoard, 0);
  if (mapped == MAP_FAILED || arguments.rank < 0 || arguments.rank >= std::min(arguments.ranks, kMostRanks))
    throw std::runtime_error("a rank without its place");
  board_ = static_cast<Board*>(mapped);
  state_ = &board_->ranks[static_cast<std::size_t>(arguments.rank)];
  for (int i = 1; arguments.rank == 0 && i < arguments.ranks; ++i)
    peers_.emplace_back(UniqueFd(kFirstPeer + i - 1));
  // RTLD_GLOBAL lets the wrappers of MPI functions in Warpmark's MPI library take precedence over MPI's own
  // functions in student code.
  void* library = ::dlopen(arguments.library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw std::runtime_error(fmt::format("MPI cannot be loaded: {}", ::dlerror()));
  auto* start = reinterpret_cast<decltype(&warpmark_mpi_start)>(::dlsym(library, "warpmark_mpi_start"));
  const char* why =
      start == nullptr ? "its library has no start" : start(board_, arguments.rank, arguments.ranks);
  if (why != nullptr) throw std::runtime_error(fmt::format("MPI does not start: {}", why));
  // If the student's code calls exit(), skip the remaining exit handlers: those of MPI and other libraries
  // may crash, because no rank has called MPI_Finalize.
  ::on_exit(
      [](int status, void* state) {
        if (static_cast<const RankState*>(state)->in_version != 0) ::_exit(status);
      },
      state_);
}

void Member::begin(const wire::NumberedRequest& request) {
  asked_ = false;
  number_ = request.number;
  if (auto part = part_of_others(request.request); part && !peers_.empty()) {
    asked_ = true;
    const std::string bytes = wire::encode({request.number, std::move(*part)});
    for (Channel& peer : peers_) {
      if (!peer.send(bytes, {}, Channel::kNoDeadline)) wait_for_the_end();
    }
  }
  if (!std::holds_alternative<wire::Call>(request.request)) return;
  state_->collectives = 0;
  state_->made = 0;
  state_->calls.fetch_add(1);
  state_->in_version = 1;
}

void Member::meet(Channel& asker) {
  constexpr const char* kReady = "ready";
  if (arguments_.rank > 0) {
    if (!asker.send(kReady, {}, Channel::kNoDeadline) || !asker.receive(Channel::kNoDeadline))
      wait_for_the_end();
    return;
  }
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    auto frame = peers_[i].receive(Channel::kNoDeadline);
    if (!frame) wait_for_the_end();
    if (frame->bytes != kReady) early_replies_[i] = std::move(frame->bytes);
  }
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    if (!early_replies_.contains(i) && !peers_[i].send(kReady, {}, Channel::kNoDeadline)) wait_for_the_end();
  }
}

void Member::end(wire::Reply& reply) {
  state_->in_version = 0;
  if (!std::exchange(asked_, false)) return;
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    std::string bytes;
    if (auto early = early_replies_.extract(i)) {
      bytes = std::move(early.mapped());
    } else {
      auto frame = peers_[i].receive(Channel::kNoDeadline);
      if (!frame) wait_for_the_end();
      bytes = std::move(frame->bytes);
    }
    auto other = wire::decode_reply(bytes);
    if (!other) throw std::runtime_error(fmt::format("rank {} answers: {}", i + 1, other.error().why));
    if (other->number != number_)
      throw std::runtime_error(fmt::format("rank {} answers another request than it was asked", i + 1));
    merge(static_cast<int>(i) + 1, other->reply, reply);
  }
  if (!std::holds_alternative<wire::CallReply>(reply)) return;
  // Calls that differ may come to an end when their messages are short, and give wrong answers, or none,
  // later.
  if (auto differ = different_collectives(look_at(*board_, arguments_.ranks), wire::RanksEnd::deadlock))
    wire::seen_in(reply).observed.findings.push_back(finding_of(*differ));
}

std::optional<wire::Request> part_of_others(const wire::Request& request) {
  if (std::holds_alternative<wire::Hello>(request) || std::holds_alternative<wire::Load>(request))
    return request;
  const auto* call = std::get_if<wire::Call>(&request);
  if (call == nullptr) return std::nullopt;
  wire::Call part = *call;
  for (wire::View& view : part.buffers) view = {};
  std::ranges::fill(part.scalars, 0);
  part.patches.clear();
  part.restores.clear();
  part.reads.clear();
  return part;
}

void merge(int rank, wire::Reply& other, wire::Reply& reply) {
  if (std::holds_alternative<wire::FailedReply>(reply)) return;
  if (auto* failed = std::get_if<wire::FailedReply>(&other)) {
    put_rank(rank, failed->why);
    reply = std::move(*failed);
    return;
  }
  auto& findings = wire::seen_in(reply).observed.findings;
  for (wire::Finding& finding : wire::seen_in(other).observed.findings) {
    put_rank(rank, finding.message);
    findings.push_back(std::move(finding));
  }
  if (auto* loaded = std::get_if<wire::LoadReply>(&reply)) {
    auto* theirs = std::get_if<wire::LoadReply>(&other);
    if (theirs != nullptr && !loaded->not_loaded) loaded->not_loaded = theirs->not_loaded;
  }
  auto* called = std::get_if<wire::CallReply>(&reply);
  auto* theirs = std::get_if<wire::CallReply>(&other);
  if (called == nullptr || theirs == nullptr || called->failure.threw || called->failure.cuda_error) return;
  called->failure = std::move(theirs->failure);
  if (called->failure.threw) put_rank(rank, *called->failure.threw);
  if (called->failure.cuda_error) put_rank(rank, called->failure.cuda_error->message);
}

}  // namespace warpmark::ranks
