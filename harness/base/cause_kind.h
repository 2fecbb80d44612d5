// Kinds of cause: the reasons why a check of student code failed or could not run. The simulator's detectors,
// the judge process and the reports share this enumeration and its table of properties. The names appear in
// grade.json: kinds may be added, but no name may change its meaning.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/base/names.h"

namespace warpmark {

enum class Verdict : std::uint8_t { passed, failed, not_run, inconclusive, broken };
constexpr std::array<std::string_view, 5> names_of(Verdict /*type*/) {
  return {"passed", "failed", "not_run", "inconclusive", "broken"};
}

// Severity of a problem found in a student's code: an error, or a note that does not change the check's
// verdict.
enum class Severity : std::uint8_t { error, note };

// Processes that may report a kind of failure of student code; the judge process rejects other reports as
// forged.
enum class Source : std::uint8_t {
  // Only the judge process may report this kind of failure; if the process that runs student code reports it,
  // that is tampering.
  judge,
  // Both the judge process and the engine that runs the student code (GPU, simulator, sanitizer) may report
  // this kind of failure.
  engine,
};

// Effect of a problem found in a student's code on its run: the process ends, or it goes on.
enum class After : std::uint8_t { ends, goes_on };

// clang-format off
// X(kind, verdict, source, after, severity, title)
//   title: heading on an HTML page or a terminal
// The verdict decides the points lost and the exit status (harness/judge/score.h).
#define WARPMARK_CAUSE_KINDS(X)                                                                          \
  /* The submission's fault. */                                                                          \
  X(not_implemented,     failed, judge,  ends,    error, "not implemented")                              \
  X(compile_error,       failed, judge,  ends,    error, "does not compile")                             \
  X(missing_function,    failed, judge,  ends,    error, "missing function")                             \
  X(wrong_sum,           failed, judge,  goes_on, error, "wrong sum")                                    \
  X(wrong_output,        failed, judge,  goes_on, error, "wrong output")                                 \
  X(not_written,         failed, judge,  goes_on, error, "output not written")                           \
  X(input_changed,       failed, judge,  goes_on, error, "input changed")                                \
  X(out_of_bounds_write, failed, judge,  goes_on, error, "write out of bounds")                          \
  X(cuda_error,          failed, engine, ends,    error, "CUDA error")                                   \
  X(crashed,             failed, engine, ends,    error, "crash")                                        \
  X(exited,              failed, judge,  ends,    error, "exit from a version")                          \
  X(timed_out,           failed, judge,  ends,    error, "time limit exceeded")                          \
  X(out_of_bounds,       failed, engine, ends,    error, "access out of bounds")                         \
  X(use_after_free,      failed, engine, ends,    error, "use after free")                               \
  X(misaligned,          failed, engine, ends,    error, "misaligned access")                            \
  X(host_pointer,        failed, engine, ends,    error, "host pointer used by a kernel")                \
  X(device_pointer,      failed, engine, ends,    error, "device pointer used by host code")             \
  X(divergent_barrier,   failed, engine, ends,    error, "barrier that not all threads reach")           \
  X(peer_access,         failed, engine, ends,    error, "access to another device's memory")            \
  X(mpi_error,           failed, judge,  ends,    error, "MPI error")                                    \
  X(deadlock,            failed, engine, ends,    error, "deadlock")                                     \
  X(endless_loop,        failed, engine, ends,    error, "endless loop")                                 \
  X(launch_limit,        failed, engine, ends,    error, "work limit exceeded")                          \
  X(memory_limit,        failed, judge,  ends,    error, "memory limit exceeded")                        \
  X(output_limit,        failed, judge,  ends,    error, "output limit exceeded")                        \
  X(process_limit,       failed, judge,  ends,    error, "process limit exceeded")                       \
  X(race,                failed, engine, goes_on, error, "race")                                         \
  X(warp_synchronous,    failed, engine, goes_on, error, "race between threads of one warp")             \
  X(same_word_store,     failed, engine, goes_on, error, "several lanes store to one word")              \
  X(uninitialised_read,  failed, engine, goes_on, error, "read of uninitialised memory")                 \
  X(leak,                failed, engine, goes_on, note,  "memory never freed")                           \
  X(unchecked_error,     failed, engine, goes_on, note,  "unchecked error")                              \
  X(early_exit,          failed, engine, goes_on, note,  "return before a barrier")                      \
  X(unset_constant,      failed, engine, goes_on, note,  "constant memory that was never set")           \
  X(same_value_store,    failed, engine, goes_on, note,  "several threads store the same value")         \
  X(missing_fence,       failed, engine, goes_on, note,  "no fence behind a lock or flag")               \
  X(default_stream,      failed, engine, goes_on, error, "work not queued on the given stream")          \
  X(missing_synchronize, failed, engine, goes_on, error, "result read before it is ready")               \
  X(same_code,           failed, judge,  goes_on, note,  "same code as another version")                 \
  X(bad_copy,            failed, engine, ends,    error, "invalid copy")                                 \
  X(uploaded_again,      failed, judge,  goes_on, error, "data uploaded again")                          \
  X(not_uploaded,        failed, judge,  goes_on, error, "data not uploaded")                            \
  X(zero_copy,           failed, judge,  goes_on, error, "host memory mapped into the device")           \
  X(managed_memory,      failed, judge,  goes_on, error, "managed memory")                               \
  X(too_slow,            failed, judge,  goes_on, error, "too slow")                                     \
  X(too_much_work,       failed, judge,  goes_on, error, "too much work")                                \
  X(implausible_time,    failed, judge,  goes_on, error, "implausible time")                             \
  X(wrong_when_timed,    failed, judge,  goes_on, error, "wrong answer in a timed call")                 \
  X(no_kernel,           failed, judge,  goes_on, error, "answer not computed by a kernel")              \
  X(forbidden_library,   failed, judge,  ends,    error, "library where a kernel is required")           \
  X(undefined_behaviour, failed, engine, goes_on, error, "undefined behaviour")                          \
  X(schedule_dependent,  failed, judge,  goes_on, error, "answer depends on the order of execution")     \
  X(optimisation_dependent, failed, judge, goes_on, error, "answer depends on optimisation")             \
  X(not_repeatable,      failed, judge,  goes_on, error, "answer differs from call to call")             \
  X(wrong_when_called_again, failed, judge, goes_on, error, "wrong when called again")                   \
  X(tampering,           failed, judge,  ends,    error, "tampering")                                    \
  /* An earlier check of the same version failed. */                                                     \
  X(depends,             not_run, judge, ends,    error, "an earlier check failed")                      \
  /* The machine lacks something. */                                                                     \
  X(no_gpu,              not_run, judge,  ends,   error, "no GPU")                                       \
  X(no_compiler,         not_run, judge,  ends,   error, "no compiler")                                  \
  X(no_mpi,              not_run, judge,  ends,   error, "no MPI")                                       \
  X(no_cores,            not_run, judge,  ends,   error, "too few cores")                                \
  X(no_profiler,         not_run, judge,  ends,   error, "no profiler")                                  \
  X(unsupported,         not_run, engine, ends,   error, "not simulated")                                \
  /* The user asked for a size that no threshold holds for. */                                           \
  X(not_calibrated,      not_run, judge,  ends,   error, "no threshold for this size")                   \
  /* Measured, but not to be trusted; and our own fault. */                                              \
  X(noise,               inconclusive, judge, ends, error, "too noisy to decide")                        \
  X(internal,            broken, judge,  ends,    error, "fault of Warpmark")
// clang-format on

enum class CauseKind : std::uint8_t {
#define WARPMARK_X(kind, ...) kind,
  WARPMARK_CAUSE_KINDS(WARPMARK_X)
#undef WARPMARK_X
};

struct CauseRule {
  CauseKind kind;
  std::string_view name;
  Verdict verdict;
  Source source;
  After after;
  Severity severity;
  std::string_view title;
};

inline constexpr auto kCauseRules = [] {
  using enum Verdict;
  using enum Source;
  using enum After;
  using enum Severity;
#define WARPMARK_X(kind, verdict, source, after, severity, title) \
  CauseRule{CauseKind::kind, #kind, verdict, source, after, severity, title},
  return std::array{WARPMARK_CAUSE_KINDS(WARPMARK_X)};
#undef WARPMARK_X
}();

constexpr const CauseRule& rule_of(CauseKind kind) {
  return kCauseRules[static_cast<std::size_t>(kind)];
}
constexpr std::string_view name_of(CauseKind kind) {
  return rule_of(kind).name;
}

// Returns true for a kind of problem after which student code runs on, such as a race that the simulator
// finds; the assignment's rubric decides whether it fails the version's `clean` check.
constexpr bool is_remark(CauseKind kind) {
  return rule_of(kind).source == Source::engine && rule_of(kind).after == After::goes_on;
}
std::optional<CauseKind> cause_kind_from(std::string_view name);

}  // namespace warpmark
