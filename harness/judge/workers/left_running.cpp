#include "harness/judge/workers/left_running.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <sys/syscall.h>

namespace warpmark::judge {
namespace {

// Time to wait for threads to disappear: a joined thread may remain visible in /proc for a moment.
constexpr std::chrono::milliseconds kThreadPatience{250};
// Time to wait for ranks to wait for their next request: a busy machine may not let one run for a while.
// Below the time limit of a call.
constexpr std::chrono::seconds kRankPatience{10};

// Returns true for a call that waits for one descriptor without a time limit, as a worker does for a request.
bool waits_for_request(const sandbox::BlockedCall& call) {
#ifdef SYS_poll
  if (call.number == SYS_poll)
    return call.arguments[1] == 1 && static_cast<std::int32_t>(call.arguments[2]) == -1;
#endif
  return call.number == SYS_ppoll && call.arguments[1] == 1 && call.arguments[2] == 0;
}

}  // namespace

void LeftRunning::note_threads(const sandbox::Process& process) {
  if (!threads_) threads_ = process.threads();
}

void LeftRunning::note_ranks(const sandbox::Process& process) {
  if (!waiting_at_.empty()) return;
  const auto deadline = std::chrono::steady_clock::now() + kThreadPatience;
  for (bool all = false; !all && std::chrono::steady_clock::now() < deadline;) {
    waiting_at_.clear();
    all = true;
    for (const auto& [leaf, call] : process.blocked_leaves()) {
      if (call && waits_for_request(*call))
        waiting_at_[leaf] = call->stack;
      else
        all = false;
    }
    if (!all) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::optional<Cause> LeftRunning::find(const sandbox::Process& process) const {
  if (const int count = threads_left(process); count > 0)
    return make_cause(CauseKind::tampering,
                      fmt::format("{} {} on after the function had returned: join every thread before it "
                                  "returns. No thread of a version may outlive its call",
                                  count, count == 1 ? "thread runs" : "threads run"));
  if (all_ranks_have_returned(process)) return std::nullopt;
  return make_cause(CauseKind::tampering,
                    "a rank goes on after its call was answered: its function has to return, and nothing "
                    "of a version may run between two calls");
}

int LeftRunning::threads_left(const sandbox::Process& process) const {
  if (!threads_) return 0;
  const auto deadline = std::chrono::steady_clock::now() + kThreadPatience;
  for (;;) {
    const int more = process.threads().value_or(*threads_) - *threads_;
    if (more <= 0 || std::chrono::steady_clock::now() >= deadline) return std::max(more, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// A function that has not returned waits deeper in the stack than before student code was loaded, or runs.
bool LeftRunning::all_ranks_have_returned(const sandbox::Process& process) const {
  // The C library's poll() may use more of the stack where there are several threads.
  constexpr std::uint64_t kSlack = 256;
  if (waiting_at_.empty()) return true;
  const auto deadline = std::chrono::steady_clock::now() + kRankPatience;
  for (;;) {
    const auto leaves = process.blocked_leaves();
    const bool all = std::ranges::all_of(leaves, [&](const auto& leaf) {
      const auto before = waiting_at_.find(leaf.first);
      return before == waiting_at_.end() ||
             (leaf.second && waits_for_request(*leaf.second) &&
              leaf.second->stack + kSlack >= before->second && leaf.second->stack <= before->second + kSlack);
    });
    if (all) return true;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace warpmark::judge
