// grade.json, schema "warpmark.grade/2".
#include <array>

#include "harness/model/cause_json.h"
#include "harness/model/grade.h"
#include "harness/model/json.h"

namespace warpmark {

using model::Of;
using model::sampled;

constexpr std::string_view kGradeSchema = "warpmark.grade/2";

template <>
struct model::Choices<Engine> {
  static constexpr std::array all{Engine::gpu, Engine::simulator, Engine::host};
  static constexpr std::string_view expected = "\"gpu\", \"simulator\" or \"host\"";
};

template <>
struct model::Choices<Verdict> {
  static constexpr std::array all{Verdict::passed, Verdict::failed, Verdict::not_run, Verdict::inconclusive,
                                  Verdict::broken};
  static constexpr std::string_view expected =
      "\"passed\", \"failed\", \"not_run\", \"inconclusive\" or \"broken\"";
};

template <>
struct model::Choices<Phase> {
  static constexpr std::array all{Phase::load, Phase::call, Phase::between};
  static constexpr std::string_view expected = "\"load\", \"call\" or \"between\"";
};

void describe(auto& archive, Of<SourceLine> auto& line) {
  archive("number", line.number);
  archive("text", line.text);
}

void describe(auto& archive, Of<LaunchShape> auto& launch) {
  archive("kernel", launch.kernel);
  archive("grid", launch.grid);
  archive("block", launch.block);
  archive("shared_bytes", launch.shared_bytes);
}

void describe(auto& archive, Of<ElementCount> auto& elements) {
  archive("first", elements.first);
  archive("last", elements.last);
  archive("times", elements.times);
}

void describe(auto& archive, Of<RacingAccess> auto& access) {
  archive("thread", access.thread);
  archive("element", access.element);
  archive("line", access.line);
  archive("writes", access.writes);
}

void describe(auto& archive, Of<Cause> auto& cause) {
  archive("kind", cause.kind);
  archive.unless_empty("type", cause.type);
  archive.unless_empty("message", cause.message);
  archive.unless_empty("file", cause.file);
  archive.unless_empty("line", cause.line);
  archive.unless_empty("other_line", cause.other_line);
  archive.unless_empty("expected", cause.expected);
  archive.unless_empty("actual", cause.actual);
  archive.unless_empty("n", cause.n);
  archive.unless_empty("seed", cause.seed);
  archive.unless_empty("again", cause.again);
  archive.unless_empty("details", cause.details);
  archive.unless_empty("printed", cause.printed);
  archive.unless_empty("excerpt", cause.excerpt);
  archive.unless_empty("launch", cause.launch);
  archive.unless_empty("elements", cause.elements);
  archive.unless_empty("accesses", cause.accesses);
}

void describe(auto& archive, Of<CheckResult> auto& check) {
  archive("id", check.id);
  archive("version", check.version);
  archive("check", check.check);
  archive("engine", check.engine);
  archive("verdict", check.verdict);
  archive("points", check.points);
  archive("possible", check.possible);
  archive("open", check.open);
  archive("seconds", check.seconds);
  archive.one_or_list("cause", "causes", check.causes);
  archive.unless_empty("notes", check.notes);
}

void describe(auto& archive, Of<EngineUsed> auto& used) {
  archive("engine", used.engine);
  archive("device", used.device);
  archive("compiler", used.compiler);
  archive("peak_gb_per_s", used.peak_gb_per_s);
  archive.unless_empty("peak_gflops", used.peak_gflops);
}

void describe(auto& archive, Of<Conditions> auto& conditions) {
  archive.unless_empty("driver", conditions.driver);
  archive.unless_empty("other_processes", conditions.other_processes);
  archive.unless_empty("sm_mhz", conditions.sm_mhz);
  archive.unless_empty("memory_mhz", conditions.memory_mhz);
  archive.unless_empty("celsius", conditions.celsius);
  archive("throttled_by", conditions.throttled_by);
}

void describe(auto& archive, Of<Timing> auto& timing) {
  archive("calibration", timing.calibration);
  archive("control_span", timing.control_span);
  archive("before", timing.before);
  archive("after", timing.after);
}

void describe(auto& archive, Of<Measurement> auto& measured) {
  archive("version", measured.version);
  archive("n", measured.n);
  archive("naive_ms", sampled(measured.naive_ms));
  archive("student_ms", sampled(measured.student_ms));
  archive("naive_median_ms", sampled(measured.naive_median_ms));
  archive("student_median_ms", sampled(measured.student_median_ms));
  archive("speedup", sampled(measured.speedup));
  archive("speedup_span", measured.speedup_span);
  archive("control_span", measured.control_span);
  archive("threshold", sampled(measured.threshold));
  archive.unless_empty("reference_span", measured.reference_span);
  archive("calibrated", measured.calibrated);
  archive("decided_by", measured.decided_by);
  archive("naive_before_ms", sampled(measured.naive_before_ms));
  archive("naive_after_ms", sampled(measured.naive_after_ms));
  archive("naive_calibrated_ms", sampled(measured.naive_calibrated_ms));
  archive("beyond_events_ms", sampled(measured.beyond_events_ms));
  archive("over_previous", sampled(measured.over_previous));
  archive("gb_per_s", sampled(measured.gb_per_s));
  archive.unless_empty("gflops", measured.gflops);
  archive("percent_of_peak", sampled(measured.percent_of_peak));
}

// Flattened: the period's members are members of the object that it belongs to.
void describe_period(auto& archive, auto& when) {
  if (!archive.has("start_us", when.has_value())) return;
  archive.make(when);
  archive("start_us", when->start_us);
  archive("end_us", when->end_us);
}

void describe(auto& archive, Of<AuditedTransfer> auto& transfer) {
  archive("during", transfer.during);
  archive("phase", transfer.phase);
  archive("order", transfer.order);
  archive("direction", transfer.direction);
  archive("kind", transfer.kind);
  archive("bytes", transfer.bytes);
  archive("count", transfer.count);
  archive("canary", transfer.canary);
  archive.unless_empty("file", transfer.file);
  archive.unless_empty("line", transfer.line);
  describe_period(archive, transfer.when);
}

void describe(auto& archive, Of<AuditedLaunch> auto& launch) {
  archive("during", launch.during);
  archive("phase", launch.phase);
  archive("order", launch.order);
  archive("kernel", launch.kernel);
  archive("count", launch.count);
  describe_period(archive, launch.when);
}

void describe(auto& archive, Of<CountedKernel> auto& kernel) {
  archive("kernel", kernel.kernel);
  archive("launches", kernel.launches);
  archive("counters", kernel.counters);
}

void describe(auto& archive, Of<CountedLine> auto& line) {
  archive("file", line.file);
  archive("line", line.line);
  archive("text", line.text);
  if (!archive.has("instructions", line.instructions != 0)) return;
  archive("instructions", line.instructions);
  archive("active_lanes", line.active_lanes);
  archive("requests", line.requests);
  archive("sectors_per_request", line.sectors_per_request);
  archive("shared_requests", line.shared_requests);
  archive("bank_conflicts", line.bank_conflicts);
  archive("atomics", line.atomics);
  archive("barriers", line.barriers);
}

void describe(auto& archive, Of<CountedLimit> auto& limit) {
  archive("counter", limit.counter);
  archive("title", limit.title);
  archive("value", limit.value);
  archive("limit", limit.limit);
  archive("at_least", limit.at_least);
  archive("holds", limit.holds);
  archive("lesson", limit.lesson);
}

void describe(auto& archive, Of<Counted> auto& counted) {
  archive("version", counted.version);
  archive("type", counted.type);
  archive("n", counted.n);
  archive("sectors_per_request", counted.sectors_per_request);
  archive("requests_per_element", counted.requests_per_element);
  archive("bank_conflicts", counted.bank_conflicts);
  archive("barriers", counted.barriers);
  archive("global_atomics", counted.global_atomics);
  archive("active_lanes", counted.active_lanes);
  archive.unless_empty("multiprocessors", counted.multiprocessors);
  archive.unless_empty("limits", counted.limits);
  archive("kernels", counted.kernels);
  archive("lines", counted.lines);
}

void describe(auto& archive, Of<Score> auto& score) {
  archive("points", score.points);
  archive("possible", score.possible);
  archive("open", score.open);
  archive("needs_gpu", score.needs_gpu);
}

void describe(auto&& archive, Of<Grade> auto& grade) {
  archive.schema(kGradeSchema);
  archive("assignment", grade.assignment);
  archive.inside("submission", [&](auto& inside) {
    inside("name", grade.submission_name);
    inside("hash", grade.submission_hash);
    inside.unless_empty("remarks", grade.remarks);
  });
  archive.unless_empty("graded_at", grade.graded_at);
  archive.unless_empty("seed", grade.seed);
  archive.unless_empty("rubric", grade.rubric);
  archive("engines", grade.engines);
  archive.unless_empty("sandbox", grade.sandbox);
  archive("score", grade.score);
  archive("checks", grade.checks);
  archive("measurements", grade.measurements);
  archive("timing", grade.timing);
  archive("transfers", grade.transfers);
  archive("launches", grade.launches);
  archive("counters", grade.counters);
  archive("exit_status", grade.exit_status);
  archive("seconds", grade.seconds);
  archive("tool_version", grade.tool_version);
}

std::string to_json(const Grade& grade) {
  return model::text_of(model::Writer::json_of(grade));
}

Result<Grade> grade_from_json(const std::string& text) {
  return model::read_file_of<Grade>(text, "a grade",
                                    "Name the grade.json that `warpmark grade` wrote, or grade again.");
}

}  // namespace warpmark
