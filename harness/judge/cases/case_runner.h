// One case on one worker: make the buffers, call, compare every byte that must not have changed and the
// answer.
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

// A version as a worker has loaded it.
struct Loaded {
  std::string library;  // the worker's names for the two libraries
  std::string adapter;
  std::string function;
  bool uses_thrust = false;         // which hands answers to the host
  std::filesystem::path file = {};  // of the library
};

// Loads a version's library and the assignment's adapter under names of their own.
tl::expected<Loaded, Cause> load(WorkerClient& worker, const std::filesystem::path& library,
                                 const std::filesystem::path& adapter, const std::string& name,
                                 const std::string& function, bool uses_thrust,
                                 std::chrono::milliseconds limit);

// The same for the course's own, after which the worker still holds no submission.
tl::expected<Loaded, Cause> load_course(WorkerClient& worker, const std::filesystem::path& library,
                                        const std::filesystem::path& adapter, const std::string& name,
                                        const std::string& function, std::chrono::milliseconds limit);

// When a worker that is given so long for a call is to say where the call is: shortly before the end.
std::uint64_t look_after_ms(std::chrono::milliseconds limit);

// Gives the cause of a worker's death the line where it was.
void point_to_last_place(Cause& cause, const WorkerClient& worker, const Blame& blame);

// Values; for smaller inputs a version may take any way.
inline constexpr std::uint64_t kNeedsAKernel = 1024;

// What one call gave.
struct CallResult {
  std::vector<Cause> causes;             // empty: right, whatever the remarks
  std::vector<Cause> remarks;            // see is_remark()
  std::vector<std::byte> answer;         // as in Buffers::Comparison; empty if the call failed
  std::vector<wire::Launch> launches;    // as the worker reports them, with counts if it was asked for them
  std::optional<std::uint64_t> kernels;  // that ran; none where the worker does not record them
  std::optional<Traffic> traffic;        // likewise
};

// Calls a version on buffers that the worker has, made for `problem` or patched to hold it, and compares.
CallResult call_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                     const Case& which, const Problem& problem, const Buffers& buffers,
                     const wire::RunMode& mode, const Blame& blame, std::chrono::milliseconds limit,
                     std::vector<wire::Patch> patches = {});

// Calls a version `count` times (fewer where that costs too much) in one request, on buffers that hold `data`
// anew before each. Fails with the causes of the first wrong answer; what was observed is that of all calls.
CallResult call_often(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                      const CaseData& data, std::uint64_t count, const wire::RunMode& mode,
                      const Blame& blame, std::chrono::milliseconds limit);

// Runs a case from start to end. Causes carry type, n and seed, not yet the command to see them again.
CallResult run_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                    const CaseData& data, const wire::RunMode& mode, const Blame& blame,
                    std::chrono::milliseconds limit);

}  // namespace warpmark::judge
