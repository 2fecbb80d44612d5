// The grade: what one submission got and why. `grade.json` is this model written down, and every report is a
// projection of it that computes nothing of its own.
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

// One line of the student's file, kept in the grade so that a page needs nothing else.
struct SourceLine {
  int number = 0;  // counted from 1
  std::string text;
};

// How a kernel was launched.
struct LaunchShape {
  std::string kernel;
  std::vector<std::uint64_t> grid;   // blocks along x, y and z
  std::vector<std::uint64_t> block;  // threads along x, y and z
  std::uint64_t shared_bytes = 0;    // of a block, static and dynamic
};

// Elements of the input, the last included, that experiments showed to count another number of times than
// once.
struct ElementCount {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  double times = 0;  // 0: they did not count
};

// One of two accesses to the same memory that nothing orders.
struct RacingAccess {
  std::string thread;   // "thread (32,0,0)"
  std::string element;  // "shared[32]"
  int line = 0;         // of the cause's file; 0: not known
  bool writes = false;
};

// What happened, where, and how to see it again. Empty members are left out of grade.json.
struct Cause {
  CauseKind kind = CauseKind::internal;
  std::string message;  // one paragraph: what was asked, what came back, what to do
  std::string type;     // value type, "int" or "float"
  std::string file;     // relative to the submission's folder
  int line = 0;         // 0: not known
  int other_line = 0;   // of the same file: what the line conflicts with; 0: there is none
  std::string expected;
  std::string actual;
  std::optional<std::uint64_t> n;     // size of the input, in values
  std::string seed;                   // hexadecimal; makes the same input again
  std::string again;                  // the command that shows it again
  std::string details;                // longer text: the compiler's output
  std::string printed;                // by the failing call, at most 4 KiB; nobody reads more into it
  std::vector<SourceLine> excerpt;    // lines around `line`
  std::optional<LaunchShape> launch;  // of the kernel that failed, or of the call's first one
  std::vector<ElementCount>
      elements;  // of an input of `n` values; those not named were not shown to be wrong
  std::vector<RacingAccess> accesses;  // of a race: two
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
  double possible = 0;        // what the rubric gives, for everybody
  double open = 0;            // of `possible`: what could not be asked here
  std::vector<Cause> causes;  // empty when passed; the first is the one to tell
  std::vector<Cause> notes;   // worth knowing, and of no influence on the verdict
  double seconds = 0;         // wall time of the check
};

struct EngineUsed {
  Engine engine = Engine::simulator;
  std::string device;        // "NVIDIA H200", "Warpmark simulator"
  std::string compiler;      // "nvcc 13.0", "clang 14.0.6"
  double peak_gb_per_s = 0;  // device memory: 2 x memory clock x bus width; 0: not known
  // Of arithmetic in the assignment's precision, see measure/peaks.h; 0: not known, or of no account.
  double peak_gflops = 0;
};

// From the lower to the upper end of an interval that holds the true value with 99.9 %.
struct Span {
  double low = 0;
  double high = 0;
};

// What `fast` measured. Times are those of one call, in milliseconds.
struct Measurement {
  std::string version;
  std::uint64_t n = 0;
  std::vector<double> naive_ms;    // every sample in the order in which they were taken, two a round
  std::vector<double> student_ms;  // likewise
  double naive_median_ms = 0;
  double student_median_ms = 0;
  double speedup = 0;                // exp of the median of the rounds' log ratios
  std::optional<Span> speedup_span;  // none below 11 rounds
  std::optional<Span> control_span;  // of the naive kernel's samples over each other: 1 on a quiet machine
  double threshold = 0;
  std::optional<Span> reference_span;  // of the speedups that the course's solution reached when calibrated
  bool calibrated = false;             // the threshold was measured on this model of GPU, and is no default
  std::string decided_by;      // "interval", "cap", "hopeless", "noise" or "clock": see measure/decision.h
  double naive_before_ms = 0;  // the naive kernel in a worker that holds no submission, before and
  double naive_after_ms = 0;   // after; 0 where it was not asked
  double naive_calibrated_ms = 0;  // 0: not known
  double beyond_events_ms = 0;  // a request by the judge's clock, over its events and the naive kernel's same
  double over_previous =
      0;                // this speedup over that of the measurement before it, in teaching order; 0: none
  double gb_per_s = 0;  // 10^9 bytes of input a second, by the student's median
  double gflops = 0;    // 10^9 operations a second, likewise; 0: the assignment's work is no arithmetic
  double percent_of_peak =
      0;  // of the engine's peak that binds, its memory's or its arithmetic's; 0: not known

  [[nodiscard]] std::size_t rounds() const { return student_ms.size() / 2; }
  // All of the interval is at or above the threshold.
  [[nodiscard]] bool surely_reached() const { return speedup_span && speedup_span->low >= threshold; }
};

// How the GPU was at one moment, as far as its driver tells.
struct Conditions {
  std::string driver;
  std::optional<std::uint64_t> other_processes;  // that compute on it
  std::optional<std::uint64_t> sm_mhz;
  std::optional<std::uint64_t> memory_mhz;
  std::optional<std::uint64_t> celsius;
  std::vector<std::string> throttled_by;
};

// What the speedups of one grading rest on.
struct Timing {
  std::string calibration;           // "NVIDIA H200, 2026-11-21, driver 580.65"; empty: default thresholds
  std::optional<Span> control_span;  // naive against naive in a worker that holds no submission
  Conditions before;
  Conditions after;
};

// Where in the audit of the upload something happened: while a library was loaded, while its function was
// called, or after that, before the next request.
enum class Phase { load, call, between };
std::string_view name_of(Phase phase);

// In microseconds since the first thing that the audit's worker recorded.
struct Period {
  double start_us = 0;
  double end_us = 0;
};

// Transfers of one sort, one after the other, seen by the audit of the upload.
struct Transfer {
  std::string during;     // "upload", or the version that caused it; empty: before any of them
  std::string direction;  // "host_to_device", "device_to_host", "device_to_device"
  std::uint64_t bytes = 0;
  bool canary = false;        // made by the harness: to prove that recording was on, or to read back
  std::string kind = "copy";  // or "managed", "argument", and "mapped" for host memory that kernels can read
  Phase phase = Phase::call;
  std::string file;  // where it was asked for, relative to the submission's folder; empty: not known
  int line = 0;
  std::uint64_t count = 1;     // so many transfers have `bytes` in all
  std::uint64_t order = 0;     // among all transfers and launches
  std::optional<Period> when;  // on a GPU
};

// Launches of one kernel, one after the other, seen by the audit of the upload.
struct Launch {
  std::string during;
  Phase phase = Phase::call;
  std::string kernel;
  std::uint64_t count = 1;
  std::uint64_t order = 0;
  std::optional<Period> when;
};

// A line of source and what it did, summed over all launches. Numbers of 0 where nothing was counted.
struct CountedLine {
  std::string file;  // relative to the submission's folder
  int line = 0;
  std::string text;
  std::uint64_t instructions = 0;  // of warps; 0: the line has no code, or none that ran
  double active_lanes = 0;         // of them, in the mean: at most 32
  std::uint64_t requests = 0;      // warps' loads and stores of global memory
  double sectors_per_request = 0;  // of 32 bytes
  std::uint64_t shared_requests = 0;
  std::uint64_t bank_conflicts = 0;
  std::uint64_t atomics = 0;
  std::uint64_t barriers = 0;
};

// A kernel's counters (harness/base/counters.h), summed over its launches.
struct CountedKernel {
  std::string kernel;
  std::uint64_t launches = 0;
  std::vector<std::pair<std::string, double>> counters;  // by name, in the order of the table
};

// A limit of the rubric on the work of a version, and what was counted.
struct CountedLimit {
  std::string counter;  // as a rubric names it: "atomics_a_value"
  std::string title;    // for a reader: "global atomics a value"
  double value = 0;
  double limit = 0;
  bool at_least = false;  // else at most
  bool holds = false;
  std::string lesson;  // what to change where it does not hold
};

// The work that one call of a version did, as the simulator counted it: a claim of the worker, which the
// judge bounds.
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
  std::vector<CountedLimit> limits;    // of the check `work`, in the order of the rubric
  std::vector<CountedKernel> kernels;  // in the order of their first launch
  std::vector<CountedLine> lines;      // by file and line; lines around those that ran are there for context
};

// Points as a rubric or a course writes them, with four decimals at most: sums and shares of them carry
// errors of binary fractions (0.1 + 0.2), which no file and no gradebook shall show.
double rounded_points(double points);

struct Score {
  double points = 0;
  double possible = 0;   // the sum of the rubric's points of all checks that the grade holds
  double open = 0;       // of `possible`: what could not be asked here
  double needs_gpu = 0;  // of `open`: what needs a GPU

  [[nodiscard]] double lost() const { return possible - open - points; }
};

struct Grade {
  std::string assignment;
  std::string submission_name;
  std::string submission_hash;
  std::vector<std::string> remarks;  // of the intake: what was left out, or taken under another name
  std::vector<EngineUsed> engines;
  std::string graded_at;  // UTC, "2026-11-22T14:03:11Z"
  std::string seed;       // of all inputs, hexadecimal
  std::string rubric;     // its title and file: "Parallel reduction (rubric.toml)"
  std::string sandbox;  // how compilers and submission were held: "box", "process", "none"; empty: not known
  Score score;
  std::vector<CheckResult> checks;  // in the order of the rubric
  std::vector<Measurement> measurements;
  std::optional<Timing> timing;  // none where nothing was measured
  std::vector<Transfer> transfers;
  std::vector<Launch> launches;
  std::vector<Counted> counters;  // in the order of the rubric
  int exit_status = 0;            // 0 all passed, 1 the submission failed, 3 inconclusive or broken
  double seconds = 0;
  std::string tool_version;
};

// grade.json, schema "warpmark.grade/2"; text that is not UTF-8 has its bad bytes replaced. Reading fails
// with the member that is missing or of the wrong kind.
std::string to_json(const Grade& grade);
Result<Grade> grade_from_json(const std::string& text);

}  // namespace warpmark
