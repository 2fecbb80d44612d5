#include <algorithm>

#include <fmt/format.h>
#include <fnmatch.h>

#include "harness/bench/bench.h"
#include "harness/bench/ladder.h"
#include "harness/bench/plan.h"
#include "harness/judge/checks/version_checks.h"
#include "harness/measure/samples.h"

namespace warpmark::bench {
namespace {

// Adds to the benchmark's report each approach (threads, MPI, GPU) whose versions cannot run on this machine,
// with the reason.
void note_missing(const Stage& stage, Ladder& ladder) {
  for (const Candidate& candidate : stage.candidates) {
    const std::string& why = candidate.engine == Engine::host ? stage.no_host : stage.no_gpu;
    const bool known =
        std::ranges::find(ladder.missing, candidate.way, &LadderMissing::way) != ladder.missing.end();
    if (!why.empty() && !known) ladder.missing.push_back({candidate.way, why});
  }
}

}  // namespace

Result<Ladder> measure_ladder(const judge::Installation& installation, const LadderOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto wanted = [&](std::string_view name) {
    return ::fnmatch(options.versions.c_str(), std::string(name).c_str(), 0) == 0;
  };
  const std::vector<std::string> types(options.type.empty() ? 0 : 1, options.type);
  auto stage = set_stage(installation, {options.assignment, options.submission, wanted, types, true,
                                        options.cache, options.progress});
  if (!stage) return tl::unexpected(stage.error());
  const std::string& type = stage->types.front();
  const LadderPowers powers = stage->assignment->ladder_powers();
  const auto sizes = powers_of_two(options.from.value_or(powers.from), options.to.value_or(powers.to));
  if (!sizes) return tl::unexpected(sizes.error());
  if (stage->candidates.empty()) {
    return fail(fmt::format("--versions {} selects no version of {} and no baseline on the CPU",
                            options.versions, stage->course.rubric.assignment));
  }
  if (!stage->no_gpu.empty()) {
    options.progress(fmt::format("only the CPU is measured: {}", stage->no_gpu));
    if (!stage->host_timer) return fail(fmt::format("nothing can be measured: {}", stage->no_gpu));
  }
  const LadderPlan plan{*sizes, type, options.seconds, largest_input_bytes()};

  Ladder ladder;
  ladder.assignment = stage->course.rubric.assignment;
  ladder.submission = stage->submission;
  ladder.type = type;
  ladder.value_bytes = stage->assignment->value_bytes(type);
  ladder.confidence = measure::kConfidence;
  LadderRun run = run_ladder(plan, *stage->assignment, stage->candidates, stage->timers(), options.progress);
  ladder.series = std::move(run.series);
  ladder.work = std::move(run.work);
  ladder.precision = std::move(run.precision);
  ladder.setting = stage->setting;
  if (ladder.precision == kPrecisions[0]) ladder.setting.peak_gflops = stage->peak_gflops.single_precision;
  if (ladder.precision == kPrecisions[1]) ladder.setting.peak_gflops = stage->peak_gflops.double_precision;
  note_missing(*stage, ladder);
  if (stage->timer) ladder.setting.l2_bytes = stage->timer->l2_bytes();
  ladder.setting.tool_version = WARPMARK_VERSION;
  ladder.setting.seconds = judge::seconds_since(start);
  ladder.add_rates();
  return ladder;
}

}  // namespace warpmark::bench
