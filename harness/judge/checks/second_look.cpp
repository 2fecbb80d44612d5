#include "harness/judge/checks/second_look.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/judge/checks/version_worker.h"

namespace warpmark::judge {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{1} << 20;           // values
constexpr std::uint64_t kLargestAsWritten = std::uint64_t{1} << 16;  // above, the optimised code is asked

// Whether it is the simulator's word and not the judge's comparison, which the GPU's call had as well.
bool is_explanation(const Cause& cause, const GradingContext& bench) {
  const CauseRule& rule = rule_of(cause.kind);
  if (rule.source != Source::engine || rule.verdict != Verdict::failed) return false;
  return cause.kind != CauseKind::cuda_error && cause.kind != CauseKind::crashed &&
         (!is_remark(cause.kind) || bench.course.clean.fails(cause.kind));
}

}  // namespace

bool deserves_a_second_look(const Cause& cause) {
  using enum CauseKind;
  switch (cause.kind) {
    case cuda_error:
    case crashed:
    case timed_out:
    case wrong_sum:
    case wrong_output:
    case not_written:
    case input_changed:
    case out_of_bounds_write:
    case wrong_when_called_again:
      return true;
    default:
      return false;
  }
}

std::vector<Cause> second_look(const GradingContext& bench, const std::string& version,
                               const BuiltTypes& simulated, const Case& which, bool called_again) {
  const auto library = simulated.versions.find(which.type);
  if (library == simulated.versions.end() || !library->second.causes.empty() || which.n > kLargest) return {};
  VersionWorker worker(bench, version, simulated);
  const wire::RunMode mode{.checking = which.n <= kLargestAsWritten, .check_accesses = true};
  CallResult result = worker.run(which, mode);
  auto seen = std::move(result.causes);
  std::ranges::move(result.remarks, std::back_inserter(seen));
  if (called_again && seen.empty()) {
    result = worker.run_again(mode);
    seen = std::move(result.causes);
    std::ranges::move(result.remarks, std::back_inserter(seen));
  }
  std::erase_if(seen, [&](const Cause& cause) { return !is_explanation(cause, bench); });
  for (Cause& cause : seen) cause.message = "seen on the simulator, with the same input: " + cause.message;
  return seen;
}

void place_like(Cause& cause, const std::vector<Cause>& seen) {
  const auto placed = std::ranges::find_if(seen, [](const Cause& other) { return other.line > 0; });
  if (cause.line > 0 || placed == seen.end()) return;
  cause.file = placed->file;
  cause.line = placed->line;
  cause.other_line = placed->other_line;
  cause.excerpt = placed->excerpt;
}

}  // namespace warpmark::judge
