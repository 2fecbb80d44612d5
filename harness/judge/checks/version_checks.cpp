#include "harness/judge/checks/version_checks.h"

#include <algorithm>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/cases/case_runner.h"
#include "harness/judge/cases/counted.h"
#include "harness/judge/checks/explain_wrong_answer.h"

namespace warpmark::judge {
namespace {

constexpr std::size_t kMostCauses = 3;         // a check tells this many different ones and stops
constexpr std::uint64_t kNeedsAKernel = 1024;  // values

// A worker with the libraries of one version loaded, by value type.
struct LoadedWorker {
  WorkerClient worker;
  std::map<std::string, Loaded> loaded;
};

tl::expected<LoadedWorker, Cause> set_up(const GradingContext& bench, const std::string& version,
                                         const BuiltTypes& built) {
  const auto limit = bench.course.limits.call;
  // A GPU records launches only for an observed worker; nothing is timed here.
  auto worker = WorkerClient::start(bench.installation, built.engine, built.engine == Engine::gpu, limit);
  if (!worker) return tl::unexpected(worker.error());
  LoadedWorker stage{std::move(*worker), {}};
  for (const auto& [type, library] : built.versions) {
    if (!bench.course.focus.type.empty() && type != bench.course.focus.type) continue;
    auto loaded = load(stage.worker, library.library, built.adapters.at(type),
                       fmt::format("{}.{}", version, type), version, library.uses_thrust, limit);
    if (!loaded) return tl::unexpected(loaded.error());
    stage.loaded[type] = *loaded;
  }
  return stage;
}

// Says of wrong answers what experiments with this version show: of the first that is told of a kind.
void explain(std::vector<Cause>& causes, const std::vector<Cause>& told, LoadedWorker& stage,
             const Case& which, const GradingContext& bench, const Blame& blame) {
  const auto can_be_explained = [&](const Cause& cause) {
    return name_of(cause.kind) == bench.assignment.wrong_answer() || cause.kind == CauseKind::not_written;
  };
  std::erase_if(causes, [&](const Cause& cause) {
    return can_be_explained(cause) &&
           std::ranges::any_of(told, [&](const Cause& earlier) { return earlier.kind == cause.kind; });
  });
  for (Cause& cause : causes) {
    if (!can_be_explained(cause)) continue;
    if (auto better = explain_wrong_answer(stage.worker, stage.loaded.at(which.type), bench.assignment, which,
                                           cause, blame, {.call = bench.course.limits.call})) {
      cause = std::move(*better);
    }
  }
}

// Small inputs may take any way; of a library that the simulator runs on the host no kernel is known.
bool lacks_a_kernel(const CallResult& result, const Case& which, const Loaded& version) {
  return result.causes.empty() && result.kernels == 0U && which.n >= kNeedsAKernel && !version.host_readable;
}

Cause no_kernel(const Case& which, const Blame& blame) {
  Cause cause = make_cause(
      CauseKind::no_kernel,
      fmt::format("no kernel ran while the answer for {} values was computed: it did not come from "
                  "the GPU. Launch a kernel that computes it",
                  which.n),
      blame.file->name);
  cause.type = which.type;
  cause.n = which.n;
  cause.seed = fmt::format("{:#x}", which.seed);
  return cause;
}

Cause disagreement(const Case& which, const wire::RunMode& mode, const Blame& blame) {
  Cause cause;
  cause.kind = CauseKind::schedule_dependent;
  cause.message =
      mode.checking
          ? "the answer depends on the order in which blocks and warps run; look for threads that read what "
            "others write without a barrier between"
          : "the optimised code gives another answer than the code as written; look for values that another "
            "thread changes without a barrier between, or that were never set";
  cause.file = blame.file->name;
  cause.type = which.type;
  cause.n = which.n;
  cause.seed = fmt::format("{:#x}", which.seed);
  return cause;
}

// The largest of the cases with the first type, ints in all rubrics that have them.
const Case* case_to_count(const std::vector<Case>& cases) {
  const Case* best = nullptr;
  for (const Case& which : cases) {
    const bool same_type = best == nullptr || which.type == best->type;
    if (best == nullptr || (same_type && which.n > best->n)) best = &which;
  }
  return best;
}

}  // namespace

double monotonic_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

CheckOutcome check_correct(const GradingContext& bench, const std::string& version, const BuiltTypes& built) {
  const auto start = std::chrono::steady_clock::now();
  auto stage = set_up(bench, version, built);
  if (!stage) return {{stage.error()}, seconds_since(start)};
  const Blame blame{&bench.submission.files.at(version), &bench.submission};
  std::vector<Cause> causes;
  for (const Case& which :
       correct_cases(bench.course, bench.assignment, built.engine, bench.course.focus, bench.seed)) {
    const auto data = bench.cases->get(bench.assignment, which, built.engine);
    auto result = run_case(stage->worker, stage->loaded.at(which.type), bench.assignment, *data, {}, blame,
                           bench.course.limits.call);
    const bool call_failed = result.answer.empty() && !result.causes.empty();
    if (lacks_a_kernel(result, which, stage->loaded.at(which.type)))
      result.causes = {no_kernel(which, blame)};
    explain(result.causes, causes, *stage, which, bench, blame);
    add_once(causes, std::move(result.causes));
    if (call_failed || causes.size() >= kMostCauses)
      break;  // after an error the device is in no state to be asked more
  }
  return {std::move(causes), seconds_since(start)};
}

// The -O0 code in several schedules, and the -O2 code, with a look at every access: the answers must agree
// exactly, for inputs whose sum is exact in any order.
CheckOutcome check_clean(const GradingContext& bench, const std::string& version, const BuiltTypes& built) {
  const auto start = std::chrono::steady_clock::now();
  auto stage = set_up(bench, version, built);
  if (!stage) return {{stage.error()}, seconds_since(start)};
  const Blame blame{&bench.submission.files.at(version), &bench.submission};
  const auto cases = clean_cases(bench.course, bench.assignment, bench.course.focus, bench.seed);
  const Case* counted_case = case_to_count(cases);
  CheckOutcome outcome;
  const auto finish = [&](std::vector<Cause> causes) {
    outcome.causes = std::move(causes);
    outcome.seconds = seconds_since(start);
    return std::move(outcome);
  };
  for (const Case& which : cases) {
    std::vector<wire::RunMode> modes;
    for (std::uint64_t k = 0; k < bench.course.clean.schedules; ++k) {
      modes.push_back(
          {.checking = true, .schedule = k == 0 ? 0 : random_bits(which.seed, k), .check_accesses = true});
    }
    // Counts come from the optimised code.
    modes.push_back({.check_accesses = true, .count_work = &which == counted_case});
    const auto data = bench.cases->get(bench.assignment, which, built.engine);
    std::vector<std::byte> first;
    for (const wire::RunMode& mode : modes) {
      auto result = run_case(stage->worker, stage->loaded.at(which.type), bench.assignment, *data, mode,
                             blame, bench.course.limits.call);
      // A wrong answer that is the same in every mode is for `correct` to tell.
      std::erase_if(result.causes, [&](const Cause& cause) {
        return name_of(cause.kind) == bench.assignment.wrong_answer();
      });
      for (Cause& remark : result.remarks) {
        add_once(bench.course.clean.fails(remark.kind) ? result.causes : outcome.notes, {std::move(remark)});
      }
      if (!result.causes.empty()) return finish(std::move(result.causes));
      if (&mode == &modes.front()) first = result.answer;
      if (result.answer != first) return finish({disagreement(which, mode, blame)});
      if (mode.count_work) outcome.counted = counted_by(result.launches, bench.submission, version, which);
    }
  }
  return finish({});
}

}  // namespace warpmark::judge
