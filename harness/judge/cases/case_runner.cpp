#include "harness/judge/cases/case_runner.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/judge/workers/rank_causes.h"

namespace warpmark::judge {
namespace {

// limit on the number of patches (8-byte writes into buffers) per request, over all calls
constexpr std::uint64_t kMostPatched = 100'000;

// Adds the test case's element type, size and seed to the reported defects; the command that reproduces a
// defect needs them.
void name_case(std::vector<Cause>& causes, const Case& which, const Blame& blame) {
  for (Cause& cause : causes) {
    name_input(cause, which);
    if (cause.file.empty() && blame.file != nullptr) cause.file = blame.file->name;
  }
}

tl::expected<void, Cause> load_both(WorkerClient& worker, const Loaded& loaded,
                                    const std::filesystem::path& library,
                                    const std::filesystem::path& adapter, bool submission,
                                    std::chrono::milliseconds limit) {
  const auto load_one = [&](const std::string& as, const std::filesystem::path& path) {
    return worker.ask(wire::Load{as, path.string()}, {}, limit);
  };
  const auto why = [](const wire::LoadReply& reply) {
    return "the library cannot be loaded: " + *reply.not_loaded;
  };
  auto reply = load_one(loaded.adapter, adapter);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->not_loaded) return tl::unexpected(make_cause(CauseKind::internal, why(*reply)));
  if (submission) worker.holds_a_submission();
  reply = load_one(loaded.library, library);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->not_loaded) return tl::unexpected(make_cause(CauseKind::compile_error, why(*reply)));
  return {};
}

}  // namespace

void name_input(Cause& cause, const Case& which) {
  const Size size = which.sizes();
  cause.type = which.type;
  cause.n = size.parts.size() == 1 ? size.parts.front() : which.n;
  cause.sizes.clear();
  for (std::size_t i = 0; i < which.names.size(); ++i)
    cause.sizes.push_back({which.names[i], size.parts.at(i)});
  cause.seed = fmt::format("{:#x}", which.seed);
}

tl::expected<Loaded, Cause> load(WorkerClient& worker, const std::filesystem::path& library,
                                 const std::filesystem::path& adapter, const std::string& name,
                                 const std::string& function, bool uses_thrust,
                                 std::chrono::milliseconds limit) {
  Loaded loaded{name, name + ".adapter", function, uses_thrust, library};
  if (auto done = load_both(worker, loaded, library, adapter, true, limit); !done)
    return tl::unexpected(done.error());
  return loaded;
}

tl::expected<Loaded, Cause> load_course(WorkerClient& worker, const std::filesystem::path& library,
                                        const std::filesystem::path& adapter, const std::string& name,
                                        const std::string& function, std::chrono::milliseconds limit) {
  Loaded loaded{name, name + ".adapter", function, false, library};
  if (auto done = load_both(worker, loaded, library, adapter, false, limit); !done)
    return tl::unexpected(done.error());
  return loaded;
}

std::uint64_t look_after_ms(std::chrono::milliseconds limit) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(limit.count() * 9 / 10, 1));
}

void point_to_last_place(Cause& cause, const WorkerClient& worker, const Blame& blame) {
  if (const auto ranks = worker.last_ranks()) return place_ranks(cause, *ranks, blame);
  const wire::Frames last = worker.last_frames();
  point_to_host_code(cause, last.frames, last.in_launch, blame);
  if (cause.kind != CauseKind::timed_out || cause.line == 0) return;
  cause.message += fmt::format("; shortly before the limit it was at line {}{}", cause.line,
                               last.in_launch ? ", in the launch of a kernel" : "");
  std::set<int> others;
  for (const wire::Frames& other : worker.last_frames_of_others()) {
    Cause there;
    point_to_host_code(there, other.frames, false, blame);
    if (there.line > 0 && there.file == cause.file) others.insert(there.line);
  }
  if (others.empty()) return;
  cause.message += fmt::format(", and further threads at {} {}", others.size() == 1 ? "line" : "lines",
                               fmt::join(others, ", "));
  cause.other_line = *others.begin();
}

namespace {

CauseKind wrong_answer_of(const Assignment& assignment) {
  return cause_kind_from(assignment.wrong_answer()).value_or(CauseKind::wrong_output);
}

// Repeated calls of one student's function in a single request. The worker process restores the buffers to
// the test case's contents before each call.
struct Calls {
  const Loaded& version;
  const Case& which;
  const Problem& problem;
  const Buffers& buffers;
  wire::RunMode mode;
  std::vector<wire::Patch> patches;
  std::uint64_t count;
};

wire::Call request_of(const Calls& calls, std::chrono::milliseconds limit) {
  wire::RunMode mode = calls.mode;
  return {.library = calls.version.library,
          .function = calls.version.function,
          .adapter = calls.version.adapter,
          .buffers = calls.buffers.views(),
          .scalars = calls.problem.scalars(),
          .mode = mode,
          .patches = calls.patches,
          .reads = calls.buffers.reads(),
          .turns = calls.count,
          .calls = calls.count,
          .look_after_ms = look_after_ms(limit)};
}

// Converts the worker process's reply to a call of a student's function to a CallResult; does not compare the
// output buffers with the expected ones.
CallResult result_of(const WorkerClient& worker, const Calls& calls, wire::CallReply reply,
                     const Blame& blame) {
  CallResult result;
  result.causes = causes_of(reply.observed, reply.failure, blame);
  if (worker.records_launches()) {
    result.kernels = reply.observed.kernels();
    result.traffic = traffic_of(reply.observed, calls.buffers, calls.patches, calls.count);
  }
  result.handovers = std::move(reply.observed.handovers).value_or(std::vector<wire::Handover>());
  result.work = device_work_of(std::move(reply.observed));
  const auto remarks = std::stable_partition(result.causes.begin(), result.causes.end(),
                                             [](const Cause& cause) { return !is_remark(cause.kind); });
  std::move(remarks, result.causes.end(), std::back_inserter(result.remarks));
  result.causes.erase(remarks, result.causes.end());
  return result;
}

// Removes and returns the reported defects of kind no_kernel (host code computed the result).
std::vector<Cause> take_no_kernel(std::vector<Cause>& causes) {
  const auto others = std::stable_partition(
      causes.begin(), causes.end(), [](const Cause& cause) { return cause.kind != CauseKind::no_kernel; });
  std::vector<Cause> taken(std::make_move_iterator(others), std::make_move_iterator(causes.end()));
  causes.erase(others, causes.end());
  return taken;
}

CallResult make_calls(WorkerClient& worker, const Assignment& assignment, const Calls& calls,
                      const Blame& file, std::chrono::milliseconds limit) {
  CallResult result;
  const Blame blame{file.file, file.submission, calls.version.file, file.installation};
  const std::size_t bytes = calls.buffers.read_bytes();
  SharedMemory& read_back = worker.answer_memory(bytes * calls.count);
  auto reply = worker.ask(request_of(calls, limit), {read_back.fd()}, limit);
  if (!reply) {
    result.causes = {reply.error()};
    point_to_last_place(result.causes.front(), worker, blame);
    // Findings that the simulated device or sanitizer reported before the worker process died remain valid.
    for (Cause& cause : causes_of(worker.last_seen(), {}, blame))
      (is_remark(cause.kind) ? result.remarks : result.causes).push_back(std::move(cause));
  } else {
    result = result_of(worker, calls, std::move(*reply), blame);
    // A no_kernel defect is reported only if the result is right; a wrong result is a defect by itself.
    auto elsewhere = take_no_kernel(result.causes);
    if (calls.version.uses_thrust || calls.which.n < kNeedsAKernel) elsewhere.clear();
    for (std::uint64_t turn = 0; turn < calls.count && result.causes.empty(); ++turn) {
      const auto turns_own = std::span<const std::byte>(read_back.bytes()).subspan(turn * bytes, bytes);
      auto compared = calls.buffers.compare(calls.problem, wrong_answer_of(assignment), turns_own);
      result.causes = std::move(compared.causes);
      result.answer = std::move(compared.answer);
    }
    if (result.causes.empty()) result.causes = std::move(elsewhere);
    if (!result.causes.empty()) result.causes.front().printed = worker.printed();
    name_launch(result.causes, result.work.launches);
  }
  name_case(result.causes, calls.which, blame);
  name_case(result.remarks, calls.which, blame);
  return result;
}

}  // namespace

CallResult call_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                     const Case& which, const Problem& problem, const Buffers& buffers,
                     const wire::RunMode& mode, const Blame& blame, std::chrono::milliseconds limit,
                     std::vector<wire::Patch> patches) {
  return make_calls(worker, assignment, {version, which, problem, buffers, mode, std::move(patches), 1},
                    blame, limit);
}

CallResult call_often(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                      const CaseData& data, std::uint64_t count, const wire::RunMode& mode,
                      const Blame& blame, std::chrono::milliseconds limit) {
  auto patches = data.patches();
  count = std::clamp<std::uint64_t>(kMostPatched / (patches.size() + 1), 1, count);
  return make_calls(worker, assignment,
                    {version, data.which, *data.problem, data.buffers, mode, std::move(patches), count},
                    blame, limit);
}

CallResult run_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                    const CaseData& data, const wire::RunMode& mode, const Blame& blame,
                    std::chrono::milliseconds limit) {
  if (auto sent = data.buffers.send(worker, limit); !sent) {
    CallResult result;
    result.causes = {sent.error()};
    name_case(result.causes, data.which, blame);
    return result;
  }
  return call_case(worker, version, assignment, data.which, *data.problem, data.buffers, mode, blame, limit);
}

}  // namespace warpmark::judge
