// Runs one case on one worker: creates the buffers, calls the version, compares the answer and all bytes that
// must not change.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/judge/cases/traffic.h"
#include "harness/judge/workers/causes.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {

// A version as loaded by a worker.
struct Loaded {
  std::string library;  // the worker's names for library and adapter
  std::string adapter;
  std::string function;
  bool uses_thrust = false;         // Thrust may return answers through the host
  std::filesystem::path file = {};  // path of the library
};

// Loads a version's library and the assignment's adapter under the given name.
tl::expected<Loaded, Cause> load(WorkerClient& worker, const std::filesystem::path& library,
                                 const std::filesystem::path& adapter, const std::string& name,
                                 const std::string& function, bool uses_thrust,
                                 std::chrono::milliseconds limit);

// The same for the course's own library; the worker then still counts as holding no submission.
tl::expected<Loaded, Cause> load_course(WorkerClient& worker, const std::filesystem::path& library,
                                        const std::filesystem::path& adapter, const std::string& name,
                                        const std::string& function, std::chrono::milliseconds limit);

// Returns the time after which a worker reports the place of a call that has not returned: shortly before the
// call's limit.
std::uint64_t look_after_ms(std::chrono::milliseconds limit);

// Adds to the cause of a worker's death the source line where its host code was, if known.
void point_to_last_place(Cause& cause, const WorkerClient& worker, const Blame& blame);

// Minimum number of values for which the answer must come from a kernel; below, host code may compute it.
inline constexpr std::uint64_t kNeedsAKernel = 1024;

// Result of one call.
struct CallResult {
  std::vector<Cause> causes;             // empty: the answer is right, whatever the remarks
  std::vector<Cause> remarks;            // see is_remark()
  std::vector<std::byte> answer;         // as in Buffers::Comparison; empty if the call failed
  std::vector<wire::Launch> launches;    // as the worker reports them, with counters if requested
  std::optional<std::uint64_t> kernels;  // kernels that ran; nullopt if the worker does not record them
  std::optional<Traffic> traffic;        // nullopt likewise
};

// Calls a version on buffers that the worker holds, made for `problem` or patched to hold it, and compares.
CallResult call_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                     const Case& which, const Problem& problem, const Buffers& buffers,
                     const wire::RunMode& mode, const Blame& blame, std::chrono::milliseconds limit,
                     std::vector<wire::Patch> patches = {});

// Calls a version `count` times in one request (fewer if that is too expensive), restoring the buffers'
// contents to `data` before each call. Returns the causes of the first wrong answer; the observations cover
// all calls.
CallResult call_often(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                      const CaseData& data, std::uint64_t count, const wire::RunMode& mode,
                      const Blame& blame, std::chrono::milliseconds limit);

// Creates the buffers, calls and compares. Causes get type, n and seed, but not yet the command to reproduce
// them.
CallResult run_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                    const CaseData& data, const wire::RunMode& mode, const Blame& blame,
                    std::chrono::milliseconds limit);

}  // namespace warpmark::judge
