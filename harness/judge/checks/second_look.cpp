#include "harness/judge/checks/second_look.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/checks/version_worker.h"

namespace warpmark::judge {
namespace {

constexpr std::uint64_t kLargest = 1'100'000;  // largest failed GPU call rerun on the simulator, in elements
// Largest input, in elements, for which the simulator runs a student's -O0 build; larger ones run the -O2
// build.
constexpr std::uint64_t kLargestAsWritten = std::uint64_t{1} << 16;

// Returns true for a finding of the simulator's detectors. A wrong result would only repeat what the GPU
// showed; a runtime error or crash adds information only if it has a source line.
bool is_explanation(const Cause& cause, const GradingContext& bench) {
  const CauseRule& rule = rule_of(cause.kind);
  if (rule.source != Source::engine || rule.verdict != Verdict::failed) return false;
  if (cause.kind == CauseKind::cuda_error || cause.kind == CauseKind::crashed) return cause.line > 0;
  return !is_remark(cause.kind) || bench.course.rubric.clean.fails(cause.kind);
}

bool is_output_at_fault(const GradingContext& bench, const Cause& cause) {
  return name_of(cause.kind) == bench.assignment.wrong_answer() || cause.kind == CauseKind::not_written;
}

// Returns the input size at which a test case that failed on a GPU is rerun on the simulator; nullopt if none
// is small enough. A large size is replaced by an odd one, which no grid size divides.
std::optional<Size> size_for(const GradingContext& bench, const Case& which) {
  if (which.n <= kLargest) return which.sizes();
  std::optional<Size> best;
  std::uint64_t most = 0;
  for (const Size& size : bench.course.rubric.correct.sizes) {
    const std::uint64_t values = bench.assignment.values_at(size);
    if (values > kLargest || values % 2 != 1 || values <= most) continue;
    most = values;
    best = size;
  }
  return best;
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

SecondLook second_look(const GradingContext& bench, const std::string& version, const BuiltTypes& simulated,
                       const Case& which, bool called_again) {
  const auto library = simulated.versions.find(which.type);
  if (library == simulated.versions.end() || !library->second.causes.empty()) return {};
  const auto size = size_for(bench, which);
  if (!size) return {};
  Case looked_at = bench.assignment.case_of(which.type, which.data, *size, which.seed);
  looked_at.shift = which.shift;
  VersionWorker worker(bench, version, simulated);
  const wire::RunMode mode{.checking = looked_at.n <= kLargestAsWritten, .check_accesses = true};
  SecondLook look;
  const auto keep = [&](CallResult result) {
    std::ranges::move(result.causes, std::back_inserter(look.seen));
    std::ranges::move(result.remarks, std::back_inserter(look.seen));
    std::erase_if(look.seen, [&](const Cause& cause) { return !is_explanation(cause, bench); });
  };
  CallResult result = worker.run(looked_at, mode);
  const auto wrong = std::ranges::find_if(
      result.causes, [&](const Cause& cause) { return is_output_at_fault(bench, cause); });
  const std::optional<Cause> answer =
      wrong == result.causes.end() ? std::nullopt : std::optional<Cause>(*wrong);
  const bool right = result.causes.empty();
  keep(std::move(result));
  if (look.seen.empty() && answer) look.explained = worker.explain(looked_at, *answer);
  if (look.seen.empty() && right && called_again) keep(worker.run_again(mode));
  const std::string_view input =
      looked_at.n == which.n ? "the same input" : "an input that is small enough for it";
  for (Cause& cause : look.seen)
    cause.message = fmt::format("seen on the simulator, with {}: {}", input, cause.message);
  return look;
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
