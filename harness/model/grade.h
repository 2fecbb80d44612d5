// The grade of one submission and its causes. `grade.json` is this model as JSON; every report is a
// projection of it and computes nothing of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/cause_kind.h"
#include "harness/base/engine.h"
#include "harness/base/error.h"

namespace warpmark {

// A line of the student's file, stored in the grade so that a page needs no other file.
struct SourceLine {
  int number = 0;  // 1-based
  std::string text;
};

// Launch configuration of a kernel.
struct LaunchShape {
  std::string kernel;
  std::vector<std::uint64_t> grid;   // blocks along x, y and z
  std::vector<std::uint64_t> block;  // threads along x, y and z
  std::uint64_t shared_bytes = 0;    // per block, static and dynamic
};

// Input elements `first` to `last`, inclusive, that the sum did not count exactly once, as experiments with
// changed inputs showed.
struct ElementCount {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  double times = 0;  // 0: not counted at all
};

// One of two accesses to the same memory without a happens-before order between them.
struct RacingAccess {
  std::string thread;   // "thread (32,0,0)"
  std::string element;  // "shared[32]"
  int line = 0;         // in the cause's file; 0: not known
  bool writes = false;
};

// What happened, where, and how to reproduce it. Empty members are omitted from grade.json.
struct Cause {
  CauseKind kind = CauseKind::internal;
  std::string message;  // one paragraph: what was asked, what came back, what to do
  std::string type;     // value type, "int" or "float"
  std::string file;     // relative to the submission's folder
  int line = 0;         // 0: not known
  int other_line = 0;   // second, conflicting line of the same file; 0: none
  std::string expected;
  std::string actual;
  std::optional<std::uint64_t> n;     // size of the input, in values
  std::string seed;                   // hexadecimal; reproduces the input
  std::string again;                  // command that reproduces the cause
  std::string details;                // longer text: the compiler's output
  std::string printed;                // output of the failing call, at most 4 KiB; never parsed
  std::vector<SourceLine> excerpt;    // lines around `line`
  std::optional<LaunchShape> launch;  // of the kernel that failed, or else the call's first one
  // Elements of an input of `n` values that were not counted exactly once; those not listed were not shown to
  // be wrong.
  std::vector<ElementCount> elements;
  std::vector<RacingAccess> accesses;  // of a race: the two accesses
};

inline Cause make_cause(CauseKind kind, std::string message, std::string file = {}) {
  Cause cause;
  cause.kind = kind;
  cause.message = std::move(message);
  cause.file = std::move(file);
  return cause;
}

struct CheckResult {
  std::string id;       // "reduction.v07_tree_sequential.correct", or "reduction.upload_once"
  std::string version;  // empty for a check of the whole submission
  std::string check;
  Engine engine = Engine::simulator;
  Verdict verdict = Verdict::broken;
  double points = 0;          // earned
  double possible = 0;        // points that the rubric gives; the same for every submission
  double open = 0;            // of `possible`: the check could not be decided here
  std::vector<Cause> causes;  // empty if passed; the first one decides
  std::vector<Cause> notes;   // informative, without effect on the verdict
  double seconds = 0;         // wall time of the check
};

struct EngineUsed {
  Engine engine = Engine::simulator;
  std::string device;        // "NVIDIA H200", "Warpmark simulator"
  std::string compiler;      // "nvcc 13.0", "clang 14.0.6"
  double peak_gb_per_s = 0;  // device memory: 2 x memory clock x bus width; 0: not known
  // Peak arithmetic rate in the assignment's precision, see measure/peaks.h; 0: not known, or no operations
  // counted.
  double peak_gflops = 0;
};

// A confidence interval of 99.9 %.
struct Span {
  double low = 0;
  double high = 0;
};

// Result of `fast` for one version. Times are in milliseconds per call.
struct Measurement {
  std::string version;
  std::uint64_t n = 0;
  std::vector<double> naive_ms;    // all samples in the order taken, two per round
  std::vector<double> student_ms;  // likewise
  double naive_median_ms = 0;
  double student_median_ms = 0;
  double speedup = 0;                // exp of the median of the rounds' log ratios
  std::optional<Span> speedup_span;  // none below 11 rounds
  std::optional<Span> control_span;  // ratio of the naive kernel to itself; contains 1 on a quiet machine
  double threshold = 0;
  std::optional<Span> reference_span;  // speedups that the course's solution reached in calibration
  bool calibrated = false;  // the threshold was measured on this GPU model; false: default threshold
  std::string decided_by;   // one of "interval", "cap", "hopeless", "noise", "clock": see measure/decision.h
  double naive_before_ms = 0;      // naive kernel's time in a worker that holds no submission, before
  double naive_after_ms = 0;       // and after the timed rounds; 0: not measured
  double naive_calibrated_ms = 0;  // 0: not known
  // Median time of a request by the judge's clock beyond its events, minus the naive kernel's.
  double beyond_events_ms = 0;
  // Ratio of this speedup to the previous measurement's, in teaching order; 0: there is none.
  double over_previous = 0;
  double gb_per_s = 0;  // 10^9 bytes per second of the traffic that the work requires, from student_median_ms
  double gflops = 0;    // 10^9 operations per second, likewise; 0: the assignment counts no operations
  // Of the memory's or the arithmetic's peak, whichever is the higher percentage; 0: peaks not known.
  double percent_of_peak = 0;

  [[nodiscard]] std::size_t rounds() const { return student_ms.size() / 2; }
  // Returns true if the whole interval is at or above the threshold.
  [[nodiscard]] bool surely_reached() const { return speedup_span && speedup_span->low >= threshold; }
};

// State of the GPU at one moment, as far as its driver reports it.
struct Conditions {
  std::string driver;
  std::optional<std::uint64_t> other_processes;  // that compute on this GPU
  std::optional<std::uint64_t> sm_mhz;
  std::optional<std::uint64_t> memory_mhz;
  std::optional<std::uint64_t> celsius;
  std::vector<std::string> throttled_by;
};

// Circumstances in which a grading's speedups were measured.
struct Timing {
  std::string calibration;           // "NVIDIA H200, 2026-11-21, driver 580.65"; empty: default thresholds
  std::optional<Span> control_span;  // naive against naive in a worker that holds no submission
  Conditions before;
  Conditions after;
};

// Phase of the upload audit: while a library was loaded, while its function was called, or after the call and
// before the next request.
enum class Phase { load, call, between };
constexpr std::array<std::string_view, 3> names_of(Phase /*type*/) {
  return {"load", "call", "between"};
}

// A time interval in microseconds since the first event that the audit's worker recorded.
struct Period {
  double start_us = 0;
  double end_us = 0;
};

// Consecutive transfers of one sort, as seen by the upload audit.
struct AuditedTransfer {
  std::string during;     // "upload", or the version that caused it; empty: before either
  std::string direction;  // "host_to_device", "device_to_host", "device_to_device"
  std::uint64_t bytes = 0;
  bool canary = false;        // made by the harness, to prove that recording was on or to read results back
  std::string kind = "copy";  // or "managed", "argument", and "mapped" for host memory that kernels can read
  Phase phase = Phase::call;
  std::string file;  // source of the call, relative to the submission's folder; empty: not known
  int line = 0;
  std::uint64_t count = 1;     // number of transfers; `bytes` is their sum
  std::uint64_t order = 0;     // position among all transfers and launches
  std::optional<Period> when;  // on a GPU only
};

// Consecutive launches of one kernel, as seen by the upload audit.
struct AuditedLaunch {
  std::string during;
  Phase phase = Phase::call;
  std::string kernel;
  std::uint64_t count = 1;
  std::uint64_t order = 0;
  std::optional<Period> when;
};

// Counters of one source line, summed over all launches; 0 if nothing was counted.
struct CountedLine {
  std::string file;  // relative to the submission's folder
  int line = 0;
  std::string text;
  std::uint64_t instructions = 0;  // warp instructions executed; 0: the line has no code, or none that ran
  double active_lanes = 0;         // mean over the instructions, at most 32
  std::uint64_t requests = 0;      // warp-level loads and stores of global memory
  double sectors_per_request = 0;  // sectors of 32 bytes
  std::uint64_t shared_requests = 0;
  std::uint64_t bank_conflicts = 0;
  std::uint64_t atomics = 0;
  std::uint64_t barriers = 0;
};

// Counters of a kernel (harness/base/counters.h), summed over its launches.
struct CountedKernel {
  std::string kernel;
  std::uint64_t launches = 0;
  std::vector<std::pair<std::string, double>> counters;  // by name, in the order of the table
};

// A limit of the rubric on a version's work, and the counted value.
struct CountedLimit {
  std::string counter;  // as a rubric names it: "atomics_a_value"
  std::string title;    // for display: "global atomics per value"
  double value = 0;
  double limit = 0;
  bool at_least = false;  // true: a lower limit; false: an upper limit
  bool holds = false;
  std::string lesson;  // what to change if it does not hold
};

// Work of one call of a version as counted by the simulator. It is a claim of the worker, which the judge
// bounds.
struct Counted {
  std::string version;
  std::string type;
  std::uint64_t n = 0;  // values
  double sectors_per_request = 0;
  double requests_per_element = 0;
  std::uint64_t bank_conflicts = 0;
  std::uint64_t barriers = 0;
  std::uint64_t global_atomics = 0;
  double active_lanes = 0;
  std::uint64_t multiprocessors = 0;   // of the simulated device; 0: not known
  std::vector<CountedLimit> limits;    // of the check `work`, in the rubric's order
  std::vector<CountedKernel> kernels;  // in order of first launch
  std::vector<CountedLine> lines;      // by file and line; includes lines around those that ran, for context
};

// Rounds points to four decimals, the precision of rubrics and gradebooks: binary fractions (0.1 + 0.2) leave
// rounding errors in sums and shares, which no file may show.
double rounded_points(double points);

struct Score {
  double points = 0;
  double possible = 0;   // sum of the points of all checks in the grade
  double open = 0;       // of `possible`: points of checks that could not be decided here
  double needs_gpu = 0;  // of `open`: points of checks that need a GPU

  [[nodiscard]] double lost() const { return possible - open - points; }
};

struct Grade {
  std::string assignment;
  std::string submission_name;
  std::string submission_hash;
  std::vector<std::string> remarks;  // of the intake: files left out or accepted under another name
  std::vector<EngineUsed> engines;
  std::string graded_at;  // UTC, "2026-11-22T14:03:11Z"
  std::string seed;       // seed of all inputs, hexadecimal
  std::string rubric;     // title and file name: "Parallel reduction (rubric.toml)"
  std::string sandbox;    // sandbox of compilers and workers: "box", "process", "none"; empty: not known
  Score score;
  std::vector<CheckResult> checks;  // in the rubric's order
  std::vector<Measurement> measurements;
  std::optional<Timing> timing;  // nullopt if nothing was timed
  std::vector<AuditedTransfer> transfers;
  std::vector<AuditedLaunch> launches;
  std::vector<Counted> counters;  // in the rubric's order
  int exit_status = 0;            // 0 all passed, 1 the submission failed, 3 inconclusive or broken
  double seconds = 0;
  std::string tool_version;
};

// Grade.json, schema "warpmark.grade/2". Writing replaces invalid UTF-8. Reading fails with the name of the
// member that is missing or has the wrong type.
std::string to_json(const Grade& grade);
Result<Grade> grade_from_json(const std::string& text);

}  // namespace warpmark
