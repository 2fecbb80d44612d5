// Model of grade.json: the grade of one submission, with the cause of each failure. Every report is a
// projection of this model and computes nothing of its own.
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
#include "harness/base/evidence.h"

namespace warpmark {

// A line of the student's file, stored in the grade so that a page needs no other file.
struct SourceLine {
  int number = 0;  // line number from 1
  std::string text;
};

// Launch configuration of a kernel.
struct LaunchShape {
  std::string kernel;
  std::vector<std::uint64_t> grid;   // blocks along x, y and z
  std::vector<std::uint64_t> block;  // threads along x, y and z
  std::uint64_t shared_bytes = 0;    // bytes of shared memory per block, static and dynamic
};

// A range of input elements, `first` to `last` inclusive, that a submitted reduction did not add to the sum
// exactly once. Found by experiments with changed inputs.
struct ElementCount {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  double times = 0;  // number of times that the reduction added each element to the sum; 0: never
};

// What a wrong number of an output is made of, found by changing one number of the inputs at a time.
struct OutputUses {
  std::string output;  // "out(0, 1)"
  // A letter for each of Cause::inputs: '=' used as it should be, '-' not used and should be, '+' used and
  // should not be, '~' used in another way than it should be, '.' rightly not used.
  std::string of_inputs;
};

// A named part of an input's size, such as the number of rows.
struct SizePart {
  std::string name;  // the assignment's name for this part of the size, such as "rows"
  std::uint64_t value = 0;
  bool operator==(const SizePart&) const = default;
};

// Explanation of one failure: what happened, where, and how to reproduce it. Empty members are omitted from
// grade.json.
struct Cause {
  CauseKind kind = CauseKind::internal;
  std::string message;  // explanation in one paragraph: expected result, actual result, remedy
  // name of the recognised kind of mistake, such as "swapped_indices"; empty: none recognised
  std::string mistake;
  // True if a small change of the source, which the message names, was tried and cures the failure: that is
  // where the mistake was made, whatever else follows from it.
  bool cured_by_change = false;
  std::string type;    // element type, "int" or "float"
  std::string file;    // source file at fault; path relative to the submission's folder
  int line = 0;        // line at fault in the source file; 0: not known
  int other_line = 0;  // line of a second statement, in conflict with the blamed one; 0: none
  std::string expected;
  std::string actual;
  std::optional<std::uint64_t> n;  // input size in elements
  // Named parts of the input size, such as rows and columns; empty if the size is the number `n` alone.
  std::vector<SizePart> sizes;
  std::string seed;     // hexadecimal seed that reproduces the input
  std::string test;     // name of the test case (input) on which the student's program failed
  std::string again;    // command that reproduces the failure
  std::string details;  // further text that explains a failure, such as the compiler's output
  // text that the student's code printed in the failing call, at most 4 KiB; never parsed
  std::string printed;
  std::vector<SourceLine> excerpt;    // source lines around the blamed line
  std::optional<LaunchShape> launch;  // launch of the failed kernel, or else the first launch of the call
  // Elements of an input of size `n` that were not counted exactly once. Elements not listed may or may not
  // have been counted correctly.
  std::vector<ElementCount> elements;
  std::vector<std::string> inputs;        // the numbers of all inputs, "a(0, 1)", where `uses` is known
  std::vector<OutputUses> uses;           // of some wrong numbers of the outputs, first and last included
  std::vector<RacingAccess> accesses;     // the two accesses of a data race; otherwise empty
  std::optional<WarpAccess> warp_access;  // the access of a warp that shows what is wrong
  std::vector<ThreadRun> block_threads;   // where the threads of a stuck block are, in their order
  std::vector<RankCalls> rank_calls;      // of ranks that wait for each other, by rank
  // True in a student's copy that leaves out the explanation; `message` is then the rule that was broken.
  bool cut = false;
};

// Returns the size of the cause's input in words: "n = 5", or "ny = 3, nx = 27" if it has named parts; empty
// if the cause has no input.
std::string size_text(const Cause& cause);

// Returns the lines of a file that the cause names: the line at fault, the other line of a conflict, those of
// two racing accesses, and those that its message names as "v01.cu:25". Ascending, each once.
std::vector<int> lines_named_by(const Cause& cause, const std::string& file);

inline Cause make_cause(CauseKind kind, std::string message, std::string file = {}) {
  Cause cause;
  cause.kind = kind;
  cause.message = std::move(message);
  cause.file = std::move(file);
  return cause;
}

// A part of a check's points that can be earned without the others: for reaching a required speedup, or for
// correct results on a group of input sizes. A check that passes earns all parts except bonus parts, and any
// points outside of the parts.
struct PointPart {
  std::string name;      // what earns the points: "3 times as fast as the naive kernel"
  double points = 0;     // points of this part alone, such as of one speed step
  bool bonus = false;    // true: bonus points, which do not count towards a grade's maximum
  bool reached = false;  // true: the part's points are earned; false also if that could not be decided
};

struct CheckResult {
  // Unique ID of the check: "reduction.v07_tree_sequential.correct" or "reduction.upload_once".
  std::string id;
  std::string version;  // name of the kernel file that the check tests; empty: it tests the whole submission
  std::string check;
  Engine engine = Engine::simulator;
  std::string where;  // machine that decided the check, "ssh:gpu01"; empty: the one that wrote the grade
  Verdict verdict = Verdict::broken;
  double points = 0;
  double possible = 0;        // maximum points of a check; the same for every submission
  double open = 0;            // check's points that could not be decided on this machine
  double bonus = 0;           // earned bonus points, on top of the maximum (`possible`)
  double bonus_possible = 0;  // bonus points that the rubric offers for the check, on top of its maximum
  // parts of the check's points, earned separately; empty: it earns all points or none
  std::vector<PointPart> parts;
  std::vector<Cause> causes;  // why the check failed, the deciding cause first; empty if passed
  std::vector<Cause> notes;   // remarks on the check that do not change its verdict
  double seconds = 0;         // wall time that the check took, in seconds
};

struct EngineUsed {
  Engine engine = Engine::simulator;
  std::string device;    // GPU model, or "Warpmark simulator"
  std::string compiler;  // name and version: "nvcc 13.0", "clang 14.0.6"
  // GPU memory bandwidth in 10^9 bytes per second: 2 x memory clock x bus width; 0: not known.
  double peak_gb_per_s = 0;
  // Peak arithmetic rate of the GPU in the assignment's precision, in 10^9 operations per second; 0: not
  // known, or the assignment counts no operations.
  double peak_gflops = 0;
  // machine on which the engine ran, "ssh:gpu01"; empty: the one that wrote the grade
  std::string where = {};
};

// Lower and upper end of a 99.9 % confidence interval.
struct Span {
  double low = 0;
  double high = 0;
};

// Result of the speed check (`fast`) for one submitted kernel file. Times are in milliseconds per call.
struct Measurement {
  std::string version;
  std::uint64_t n = 0;
  // Times of the naive kernel in milliseconds, in the order taken, two per round.
  std::vector<double> naive_ms;
  // Times of the student's kernel in milliseconds, in the order taken, two per round.
  std::vector<double> student_ms;
  double naive_median_ms = 0;
  double student_median_ms = 0;
  double speedup = 0;  // naive time over the student's: exp of the median of the rounds' log ratios
  std::optional<Span> speedup_span;  // confidence interval of the speedup; nullopt with fewer than 11 rounds
  // confidence interval of the naive kernel's speedup over itself; contains 1 on a quiet machine
  std::optional<Span> control_span;
  // Required speedup: the first step of the rubric that was not reached, else the last.
  double threshold = 0;
  // All speedups that earn a step of the speed check's points, ascending; empty if there is only one.
  std::vector<double> steps;
  // True: the speedup is measured over the course's own solution instead of the naive kernel; members named
  // naive_... then hold the solution's times.
  bool over_reference = false;
  std::optional<Span> reference_span;  // speedups of the course's own solution during calibration
  bool calibrated = false;             // true: required speedup calibrated on this GPU model; false: default
  // Rule that decided the speed check: "interval", "cap", "hopeless", "noise" or "clock"; see
  // measure/decision.h.
  std::string decided_by;
  double naive_before_ms = 0;  // naive kernel's time in a process without student code, before the rounds
  // Naive kernel's time in a process without student code, after the rounds; 0: not measured.
  double naive_after_ms = 0;
  double naive_calibrated_ms = 0;  // naive kernel's time at calibration; 0: not known
  // Time in milliseconds that a call of the student's kernel takes in excess of its CUDA event time, by the
  // judge process's clock; median over all calls, minus the same for the naive kernel.
  double beyond_events_ms = 0;
  // Speedup divided by that of the previous kernel file in teaching order; 0: there is none.
  double over_previous = 0;
  // Student's bandwidth in 10^9 bytes per second: least memory traffic that the task requires, divided by the
  // median time.
  double gb_per_s = 0;
  // Student's arithmetic rate in 10^9 operations per second, from the median time; 0: the assignment counts
  // no operations.
  double gflops = 0;
  // Percentage of the GPU's peak memory bandwidth or peak arithmetic rate that the student's kernel reaches,
  // whichever is higher; 0: peaks not known.
  double percent_of_peak = 0;

  [[nodiscard]] std::size_t rounds() const { return student_ms.size() / 2; }
  // Returns true if the whole confidence interval of the speedup is at or above the threshold.
  [[nodiscard]] bool surely_reached() const { return speedup_span && speedup_span->low >= threshold; }
};

// State of the GPU at one moment, as far as its driver reports it.
struct Conditions {
  std::string driver;
  std::optional<std::uint64_t> other_processes;  // number of other processes that compute on this GPU
  std::optional<std::uint64_t> sm_mhz;
  std::optional<std::uint64_t> memory_mhz;
  std::optional<std::uint64_t> celsius;
  std::vector<std::string> throttled_by;
};

// Circumstances in which a grading's speedups were measured.
struct Timing {
  // Source of the thresholds: "NVIDIA H200, 2026-11-21, driver 580.65"; empty: default thresholds.
  std::string calibration;
  // True: the thresholds follow from a probe of this GPU, which `calibration` describes ("936 GB/s, ...");
  // the course's solution was not measured on it.
  bool probed = false;
  // Why a smaller input than the usual one was timed: "33554432 values instead of 67108864: ..."; empty: it
  // was not.
  std::string smaller_size;
  // noise control: naive kernel's speedup over itself, without student code
  std::optional<Span> control_span;
  Conditions before;
  Conditions after;
  double exclusive_seconds = 0;  // for which no other grading could use the GPU
};

// Phase of the upload audit (the check that the input reaches the GPU only once) in which an event occurred:
// while a library was loaded, while its function was called, or after the call and before the next request.
enum class Phase { load, call, between };
constexpr std::array<std::string_view, 3> names_of(Phase /*type*/) {
  return {"load", "call", "between"};
}

// A time interval in microseconds since the first event recorded in the worker process.
struct Period {
  double start_us = 0;
  double end_us = 0;
};

// Consecutive transfers of the same kind, merged by the upload audit (the check that the input reaches the
// GPU only once).
struct AuditedTransfer {
  std::string during;     // "upload" or the kernel file that ran; empty: no student code had run yet
  std::string direction;  // "host_to_device", "device_to_host", "device_to_device"
  std::uint64_t bytes = 0;
  // True for the harness's own transfers, which prove that recording is on or read results back.
  bool canary = false;
  // Mechanism by which data reached the GPU: "copy", "managed", "argument" (of a kernel), or "mapped" for
  // host memory that kernels can read.
  std::string kind = "copy";
  Phase phase = Phase::call;
  // source file of the call that copied, relative to the submission's folder; empty: not known
  std::string file;
  int line = 0;
  std::uint64_t count = 1;     // number of merged transfers; `bytes` is the sum of their sizes
  std::uint64_t order = 0;     // position in the sequence of all recorded transfers and kernel launches
  std::optional<Period> when;  // start and end of the transfers; nullopt on the simulator
};

// Consecutive launches of one kernel, merged by the upload audit (the check that the input reaches the GPU
// only once).
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
  std::string file;  // path of the source file, relative to the submission's folder
  int line = 0;
  std::string text;
  std::uint64_t instructions = 0;  // warp instructions executed; 0: the line has no code, or none that ran
  double active_lanes = 0;         // mean number of active lanes per instruction, at most 32
  std::uint64_t requests = 0;      // warp-level loads and stores of global memory
  double sectors_per_request = 0;  // mean number of 32-byte sectors per warp-level request
  std::uint64_t shared_requests = 0;
  std::uint64_t bank_conflicts = 0;
  std::uint64_t atomics = 0;  // on global memory
  std::uint64_t shared_atomics = 0;
  std::uint64_t barriers = 0;
};

// Counters of a kernel (harness/base/counters.h), summed over its launches.
struct CountedKernel {
  std::string kernel;
  std::uint64_t launches = 0;
  std::vector<std::pair<std::string, double>> counters;  // pairs of a counter's name and its value
};

// A limit that the rubric sets on the work of a submitted kernel file, and the counted value.
struct CountedLimit {
  std::string counter;  // name of the counter in a rubric: "atomics_a_value"
  std::string title;    // name of the counter for display: "global atomics per value"
  double value = 0;
  double limit = 0;
  bool at_least = false;  // true: the counted value must be at least `limit`; false: at most
  bool holds = false;
  std::string lesson;  // advice to the student if the limit does not hold
};

// Work of one call of a submitted kernel file, counted by the simulator in the process that runs student
// code. Untrusted, so the judge process bounds every number.
struct Counted {
  std::string version;
  std::string type;
  std::uint64_t n = 0;  // input size in elements
  double sectors_per_request = 0;
  double requests_per_element = 0;
  std::uint64_t bank_conflicts = 0;
  std::uint64_t barriers = 0;
  std::uint64_t global_atomics = 0;
  double active_lanes = 0;
  std::uint64_t multiprocessors = 0;   // multiprocessors of the simulated device; 0: not known
  std::vector<CountedLimit> limits;    // limits on the kernel's work (check `work`), in the rubric's order
  std::vector<CountedKernel> kernels;  // counters per kernel, in the order of first launches
  // Counters per source line, sorted by file and line; includes neighbouring lines for context.
  std::vector<CountedLine> lines;
};

// Work of one call, summed over its kernel launches. Figures of the course's solutions may be interpolated,
// so they need not be whole numbers.
struct WorkFigures {
  double launches = 0;
  double instructions = 0;  // warp instructions executed
  double active_lanes = 0;  // mean number of active lanes per instruction, at most 32
  double requests = 0;      // warp-level loads and stores of global memory
  double sectors = 0;       // 32-byte sectors of global memory that those requests touch
  double shared_requests = 0;
  double bank_conflicts = 0;
  double barriers = 0;  // completed barriers, summed over all blocks
  double global_atomics = 0;
  double shared_atomics = 0;
  bool operator==(const WorkFigures&) const = default;
};

// Work of the version before a passed one, at the same input size.
struct WorkBefore {
  std::string version;
  bool of_the_course = false;  // true: the version is given to students, and the course's file was counted
  WorkFigures work;
};

// Work of the same version in the student's grade before this one.
struct WorkOfLastGrade {
  std::string graded_at;
  std::uint64_t n = 0;  // input size in elements, which may differ a little from this grade's
  WorkFigures work;
};

// A version that no check failed: what comes next, and its counted work beside other work to compare it with.
struct PassedVersion {
  std::string version = {};
  std::string next = {};     // next version in teaching order; empty: this is the last one
  std::string teaches = {};  // what the next version is about, in one sentence; empty: not known
  std::uint64_t n = 0;       // input size of the counted call in elements; 0: no work was counted
  std::optional<WorkFigures> work = {};
  // Work of the course's solutions of this and of the next version at the same input size, as the course
  // recorded it; nullopt: not recorded.
  std::optional<WorkFigures> reference = {};
  std::optional<WorkFigures> reference_of_next = {};
  std::optional<WorkBefore> before = {};
  std::optional<WorkOfLastGrade> last = {};
};

// Rounds points to four decimals, the precision of rubrics and gradebooks: binary fractions (0.1 + 0.2) leave
// rounding errors in sums and shares, which no file may show.
double rounded_points(double points);

struct Score {
  double points = 0;
  double possible = 0;        // sum of the points of all checks in the grade
  double open = 0;            // points of checks that could not be decided on this machine
  double needs_gpu = 0;       // points of undecided checks that need a GPU
  double bonus = 0;           // earned bonus points, on top of the maximum (`possible`)
  double bonus_possible = 0;  // bonus points that the rubric offers, on top of the maximum

  // Returns all earned points, which with bonus points may exceed the maximum.
  [[nodiscard]] double earned() const { return points + bonus; }
  [[nodiscard]] double lost() const { return possible - open - points; }
};

// Version that a GPU alone has judged: the simulator could not run it, so that nobody looked for what a GPU
// does not record, such as answers that host code computes from mapped memory.
struct Unwatched {
  std::string version;
  std::string why;
};

struct Grade {
  std::string assignment;
  std::string submission_name;
  std::string submission_hash;
  // messages about submitted files that were ignored or accepted under another name
  std::vector<std::string> remarks;
  // True in a student's copy under a rubric with [feedback]: pages open one step of help at a time.
  bool help_in_steps = false;
  std::vector<EngineUsed> engines;
  std::string graded_at;  // UTC time, "2026-11-22T14:03:11Z"
  std::string seed;       // seed of all test inputs, hexadecimal
  std::string rubric;     // the rubric's title and file name: "Parallel reduction (rubric.toml)"
  std::string sandbox;    // isolation of student code: "box", "process", "none"; empty: not known
  Score score;
  std::vector<Unwatched> unwatched;  // in a grade on a GPU, ordered by version
  std::vector<CheckResult> checks;   // results of all checks, in the rubric's order
  std::vector<Measurement> measurements;
  std::optional<Timing> timing;  // conditions of the measurements; nullopt if nothing was timed
  std::vector<AuditedTransfer> transfers;
  std::vector<AuditedLaunch> launches;
  std::vector<Counted> counters;  // performance counters of the submitted kernel files, in the rubric's order
  std::vector<PassedVersion> passed;  // versions that no check failed, in the rubric's order
  // Exit status of `grade`: 0 all checks passed, 1 a check failed, 3 inconclusive or broken.
  int exit_status = 0;
  double seconds = 0;
  std::string tool_version;
};

// Writes and reads grade.json, schema "warpmark.grade/2". Writing replaces invalid UTF-8. Reading fails with
// the name of the member that is missing or has the wrong type.
std::string to_json(const Grade& grade);
Result<Grade> grade_from_json(const std::string& text);

}  // namespace warpmark
