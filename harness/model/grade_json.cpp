// Writes and reads grade.json, schema "warpmark.grade/2".
#include "harness/model/grade.h"
#include "harness/model/json.h"
#include "harness/model/work_json.h"

namespace warpmark {

constexpr std::string_view kGradeSchema = "warpmark.grade/2";

WARPMARK_DESCRIBE(SourceLine, number, text)

WARPMARK_DESCRIBE(LaunchShape, kernel, grid, block, shared_bytes)

WARPMARK_DESCRIBE(ElementCount, first, last, times)
WARPMARK_DESCRIBE(SizePart, name, value)
WARPMARK_DESCRIBE(OutputUses, output, of_inputs)

void describe(auto& archive, Of<RacingAccess> auto& value) {
  WARPMARK_MEMBERS(thread, element, line, writes);
  WARPMARK_OPTIONAL(barriers, barrier_line);
}

void describe(auto& archive, Of<WarpAccess> auto& value) {
  WARPMARK_MEMBERS(array, block, line, writes, shared, bytes, each, before, first, elements, phase, passes);
  WARPMARK_OPTIONAL(number);
  WARPMARK_MEMBERS(threads, positions);
}

WARPMARK_DESCRIBE(ThreadRun, first, last, state, line)
WARPMARK_DESCRIBE(RankCall, what, line, waits)
WARPMARK_DESCRIBE(RankCalls, rank, returned, earlier, calls)

void describe(auto& archive, Of<Cause> auto& value) {
  WARPMARK_MEMBERS(kind);
  WARPMARK_OPTIONAL(type, message, mistake, cured_by_change, file, line, other_line, expected, actual, n,
                    sizes, seed, test, again, details, printed, excerpt, launch, elements, inputs, uses,
                    accesses, warp_access, block_threads, rank_calls, cut);
}

void describe(auto& archive, Of<PointPart> auto& value) {
  WARPMARK_MEMBERS(name, points);
  WARPMARK_OPTIONAL(bonus);
  WARPMARK_MEMBERS(reached);
}

void describe(auto& archive, Of<CheckResult> auto& value) {
  WARPMARK_MEMBERS(id, version, check, engine, verdict, points, possible, open, seconds);
  WARPMARK_OPTIONAL(where, bonus, bonus_possible, parts);
  archive.one_or_list("cause", "causes", value.causes);
  WARPMARK_OPTIONAL(notes);
}

void describe(auto& archive, Of<EngineUsed> auto& value) {
  WARPMARK_MEMBERS(engine, device, compiler, peak_gb_per_s);
  WARPMARK_OPTIONAL(peak_gflops, where);
}

void describe(auto& archive, Of<Conditions> auto& value) {
  WARPMARK_OPTIONAL(driver, other_processes, sm_mhz, memory_mhz, celsius);
  WARPMARK_MEMBERS(throttled_by);
}

void describe(auto& archive, Of<Timing> auto& value) {
  WARPMARK_MEMBERS(calibration);
  WARPMARK_OPTIONAL(probed, smaller_size);
  WARPMARK_MEMBERS(control_span, before, after);
  WARPMARK_OPTIONAL(exclusive_seconds);
}

void describe(auto& archive, Of<Measurement> auto& value) {
  WARPMARK_MEMBERS(version, n);
  WARPMARK_SAMPLED(naive_ms, student_ms, naive_median_ms, student_median_ms, speedup);
  WARPMARK_MEMBERS(speedup_span, control_span);
  WARPMARK_SAMPLED(threshold);
  WARPMARK_OPTIONAL(steps, over_reference, reference_span);
  WARPMARK_MEMBERS(calibrated, decided_by);
  WARPMARK_SAMPLED(naive_before_ms, naive_after_ms, naive_calibrated_ms, beyond_events_ms, over_previous,
                   gb_per_s);
  WARPMARK_OPTIONAL(gflops);
  WARPMARK_SAMPLED(percent_of_peak);
}

WARPMARK_DESCRIBE(Period, start_us, end_us)

// Writes and reads the start and end time of transfers or launches as members of their JSON object in
// grade.json, not as a nested object.
void describe_period(auto& archive, auto& when) {
  if (!archive.has("start_us", when.has_value())) return;
  archive.make(when);
  describe(archive, *when);
}

void describe(auto& archive, Of<AuditedTransfer> auto& value) {
  WARPMARK_MEMBERS(during, phase, order, direction, kind, bytes, count, canary);
  WARPMARK_OPTIONAL(file, line);
  describe_period(archive, value.when);
}

void describe(auto& archive, Of<AuditedLaunch> auto& value) {
  WARPMARK_MEMBERS(during, phase, order, kernel, count);
  describe_period(archive, value.when);
}

WARPMARK_DESCRIBE(CountedKernel, kernel, launches, counters)

void describe(auto& archive, Of<CountedLine> auto& value) {
  WARPMARK_MEMBERS(file, line, text);
  if (!archive.has("instructions", value.instructions != 0)) return;
  WARPMARK_MEMBERS(instructions, active_lanes, requests, sectors_per_request, shared_requests, bank_conflicts,
                   atomics, barriers);
  WARPMARK_OPTIONAL(shared_atomics);
}

WARPMARK_DESCRIBE(CountedLimit, counter, title, value, limit, at_least, holds, lesson)

void describe(auto& archive, Of<Counted> auto& value) {
  WARPMARK_MEMBERS(version, type, n, sectors_per_request, requests_per_element, bank_conflicts, barriers,
                   global_atomics, active_lanes);
  WARPMARK_OPTIONAL(multiprocessors, limits);
  WARPMARK_MEMBERS(kernels, lines);
}

WARPMARK_DESCRIBE(WorkBefore, version, of_the_course, work)
WARPMARK_DESCRIBE(WorkOfLastGrade, graded_at, n, work)

void describe(auto& archive, Of<PassedVersion> auto& value) {
  WARPMARK_MEMBERS(version);
  WARPMARK_OPTIONAL(next, teaches, n, work, reference, reference_of_next, before, last);
}

void describe(auto& archive, Of<Unwatched> auto& value) {
  WARPMARK_MEMBERS(version, why);
}

void describe(auto& archive, Of<Score> auto& value) {
  WARPMARK_MEMBERS(points, possible, open, needs_gpu);
  WARPMARK_OPTIONAL(bonus, bonus_possible);
}

void describe(auto&& archive, Of<Grade> auto& value) {
  archive.schema(kGradeSchema);
  WARPMARK_MEMBERS(assignment);
  archive.inside("submission", [&](auto& inside) {
    inside.member("name", value.submission_name);
    inside.member("hash", value.submission_hash);
    inside.optional("remarks", value.remarks);
  });
  WARPMARK_OPTIONAL(graded_at, seed, rubric, help_in_steps);
  WARPMARK_MEMBERS(engines);
  WARPMARK_OPTIONAL(sandbox, unwatched);
  WARPMARK_MEMBERS(score, checks, measurements, timing, transfers, launches, counters);
  WARPMARK_OPTIONAL(passed);
  WARPMARK_MEMBERS(exit_status, seconds, tool_version);
}

std::string to_json(const Grade& grade) {
  return model::text_of(model::Writer::json_of(grade));
}

Result<Grade> grade_from_json(const std::string& text) {
  return model::read_file_of<Grade>(text, "a grade",
                                    "Name the grade.json that `warpmark grade` wrote, or grade again.");
}

}  // namespace warpmark
