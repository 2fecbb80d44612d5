// Runs one test case in a worker process: creates the buffers, calls the student's function, compares the
// results and all bytes that must not change.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/judge/cases/device_work.h"
#include "harness/judge/cases/traffic.h"
#include "harness/judge/workers/causes.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {

// Student's library and function as loaded in a worker process.
struct Loaded {
  std::string library;  // name by which the worker process knows the library of a kernel file
  std::string adapter;
  std::string function;
  bool uses_thrust = false;         // true: student code uses Thrust, which may copy results to the host
  std::filesystem::path file = {};  // path of a kernel file's shared library
};

// Loads a kernel file's shared library, and the assignment's adapter that calls its function, as `name` and
// name + ".adapter". Marks the worker process as holding student code, after which its replies are not
// trusted.
tl::expected<Loaded, Cause> load(WorkerClient& worker, const std::filesystem::path& library,
                                 const std::filesystem::path& adapter, const std::string& name,
                                 const std::string& function, bool uses_thrust,
                                 std::chrono::milliseconds limit);

// Loads the course's own library and its adapter, as load() does with a student's library, but does not mark
// the worker process as holding student code.
tl::expected<Loaded, Cause> load_course(WorkerClient& worker, const std::filesystem::path& library,
                                        const std::filesystem::path& adapter, const std::string& name,
                                        const std::string& function, std::chrono::milliseconds limit);

// Adds the test case's element type, size and seed, which reproduce the input, to a reported failure.
void name_input(Cause& cause, const Case& which);

// Returns the time after which the worker process reports where a call that has not returned is executing:
// nine tenths of the call's limit.
std::uint64_t look_after_ms(std::chrono::milliseconds limit);

// Adds to the reported crash or timeout of a worker process the source line at which its host code was
// executing, if known.
void point_to_last_place(Cause& cause, const WorkerClient& worker, const Blame& blame);

// Minimum number of input elements for which the result must come from a kernel; host code may compute
// smaller ones.
inline constexpr std::uint64_t kNeedsAKernel = 1024;

// Outcome of one call of a student's function.
struct CallResult {
  std::vector<Cause> causes;  // why a student's call failed; empty if its result is right
  // Findings that are not failures by themselves, such as races; see is_remark().
  std::vector<Cause> remarks;
  std::vector<std::byte> answer;  // output and in_out buffers after a student's call; empty if it failed
  DeviceWork work;                // a call's launches, with performance counters if requested, and copies
  // number of kernels that a student's call ran; nullopt if the worker process does not record launches
  std::optional<std::uint64_t> kernels;
  std::vector<wire::Handover> handovers;  // a call's handovers, if requested
  // Host-device transfers during a student's call; nullopt if the worker process does not record launches.
  std::optional<Traffic> traffic;
};

// Calls a student's function on buffers that the worker process already holds (with the input of `problem`,
// once `patches` are written to them), and compares the results.
CallResult call_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                     const Case& which, const Problem& problem, const Buffers& buffers,
                     const wire::RunMode& mode, const Blame& blame, std::chrono::milliseconds limit,
                     std::vector<wire::Patch> patches = {});

// Calls a student's function `count` times in one request (fewer if restoring the buffers takes too many
// writes), with the buffers restored to `data` before each call. Returns the first wrong result's failures,
// and the kernel launches and transfers of all calls.
CallResult call_often(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                      const CaseData& data, std::uint64_t count, const wire::RunMode& mode,
                      const Blame& blame, std::chrono::milliseconds limit);

// Creates the buffers, calls the student's function and compares the results. Reported failures name the test
// case's type, size and seed, but not yet the command line that reproduces them.
CallResult run_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                    const CaseData& data, const wire::RunMode& mode, const Blame& blame,
                    std::chrono::milliseconds limit);

}  // namespace warpmark::judge
