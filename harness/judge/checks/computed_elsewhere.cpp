#include "harness/judge/checks/computed_elsewhere.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/checks/call_causes.h"

namespace warpmark::judge {
namespace {

// Limit in bytes on what a student's call may copy to the host, and on what its kernels may access in host
// memory, unless the assignment says otherwise: enough for flags and counters, too little to compute an
// answer on the CPU.
constexpr std::uint64_t kToHost = 4096;

}  // namespace

std::optional<Cause> computed_elsewhere(const Case& which, const Blame& blame, const Traffic& traffic,
                                        std::optional<std::uint64_t> allowed) {
  const std::uint64_t most = allowed.value_or(kToHost);
  const auto told = [&](CauseKind kind, std::uint64_t bytes, std::string message) {
    Cause cause = about(which, blame, kind, std::move(message));
    cause.expected = fmt::format("at most {} bytes", most);
    cause.actual = fmt::format("{} bytes", bytes);
    return cause;
  };
  const std::uint64_t sent = traffic.from_host - traffic.host_memory;
  if (traffic.to_host > most && sent > most) {
    return told(
        CauseKind::uploaded_again, traffic.to_host,
        fmt::format("the call copied {} bytes to the host, and {} from there: a version may copy {} to "
                    "the host. The values are on the GPU: use the pointer that it is given",
                    traffic.to_host, sent, most));
  }
  if (traffic.to_host > most && traffic.pages_to_host > traffic.to_host / 2) {
    return told(CauseKind::managed_memory, traffic.to_host,
                fmt::format("the host read {} bytes of managed memory in the call: a version may move {} to "
                            "the host, so that kernels compute the answer and not the CPU. Take memory from "
                            "cudaMalloc, or the workspace",
                            traffic.to_host, most));
  }
  if (traffic.to_host > most) {
    return told(CauseKind::no_kernel, traffic.to_host,
                fmt::format("the call copied {} bytes to the host, where its inputs have {}: a version may "
                            "copy {}, so that kernels compute the answer and not the CPU. Keep the values on "
                            "the GPU",
                            traffic.to_host, traffic.input, most));
  }
  if (traffic.host_memory > most) {
    return told(
        traffic.kind, traffic.host_memory,
        fmt::format("kernels of the call work on {} bytes of {} memory, which the host reaches as well: "
                    "a version may have {} of it. Take memory from cudaMalloc, or the workspace",
                    traffic.host_memory,
                    traffic.kind == CauseKind::managed_memory ? "managed" : "pinned host", most));
  }
  return std::nullopt;
}

}  // namespace warpmark::judge
