// The kinds of cause, shared by the simulator's detectors, the judge and the reports: one enumeration and one
// table of all properties. The names appear in grade.json: add kinds, but never reuse one for another
// meaning.
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

// Severity of a finding: an error, or a note that does not change the verdict.
enum class Severity : std::uint8_t { error, note };

// Component that may report causes of a kind.
enum class Source : std::uint8_t {
  judge,   // the judge only: a worker that reports it is tampering
  engine,  // also an engine, as a finding of a run
};

// Effect of a finding on the run: it ends, or it continues.
enum class After : std::uint8_t { ends, goes_on };

// clang-format off
// X(kind, verdict, points, exit status, source, after, severity, title)
//   points: `kept` if the check's points are lost, or `open` if the check could not be decided
//   title: a heading on a page or terminal
#define WARPMARK_CAUSE_KINDS(X)                                                                                    \
  /* The submission's fault. */                                                                                    \
  X(not_implemented,     failed, kept, 1, judge,  ends,    error, "not implemented")                               \
  X(compile_error,       failed, kept, 1, judge,  ends,    error, "does not compile")                              \
  X(missing_function,    failed, kept, 1, judge,  ends,    error, "missing function")                              \
  X(wrong_sum,           failed, kept, 1, judge,  goes_on, error, "wrong sum")                                     \
  X(wrong_output,        failed, kept, 1, judge,  goes_on, error, "wrong output")                                  \
  X(not_written,         failed, kept, 1, judge,  goes_on, error, "output not written")                            \
  X(input_changed,       failed, kept, 1, judge,  goes_on, error, "input changed")                                 \
  X(out_of_bounds_write, failed, kept, 1, judge,  goes_on, error, "write out of bounds")                           \
  X(cuda_error,          failed, kept, 1, engine, ends,    error, "CUDA error")                                    \
  X(crashed,             failed, kept, 1, engine, ends,    error, "crash")                                         \
  X(exited,              failed, kept, 1, judge,  ends,    error, "exit from a version")                           \
  X(timed_out,           failed, kept, 1, judge,  ends,    error, "time limit exceeded")                           \
  X(out_of_bounds,       failed, kept, 1, engine, ends,    error, "access out of bounds")                          \
  X(use_after_free,      failed, kept, 1, engine, ends,    error, "use after free")                                \
  X(misaligned,          failed, kept, 1, engine, ends,    error, "misaligned access")                             \
  X(host_pointer,        failed, kept, 1, engine, ends,    error, "host pointer used by a kernel")                 \
  X(device_pointer,      failed, kept, 1, engine, ends,    error, "device pointer used by host code")              \
  X(divergent_barrier,   failed, kept, 1, engine, ends,    error, "barrier that not all threads reach")            \
  X(peer_access,         failed, kept, 1, engine, ends,    error, "access to another device's memory")             \
  X(mpi_error,           failed, kept, 1, judge,  ends,    error, "MPI error")                                     \
  X(deadlock,            failed, kept, 1, engine, ends,    error, "deadlock")                                      \
  X(endless_loop,        failed, kept, 1, engine, ends,    error, "endless loop")                                  \
  X(launch_limit,        failed, kept, 1, engine, ends,    error, "more work than the limit")                      \
  X(memory_limit,        failed, kept, 1, judge,  ends,    error, "more memory than the limit")                    \
  X(output_limit,        failed, kept, 1, judge,  ends,    error, "more output than the limit")                    \
  X(process_limit,       failed, kept, 1, judge,  ends,    error, "more processes than the limit")                 \
  X(race,                failed, kept, 1, engine, goes_on, error, "race")                                          \
  X(warp_synchronous,    failed, kept, 1, engine, goes_on, error, "race between threads of one warp")              \
  X(same_word_store,     failed, kept, 1, engine, goes_on, error, "several lanes store to one word")               \
  X(uninitialised_read,  failed, kept, 1, engine, goes_on, error, "read of uninitialised memory")                  \
  X(leak,                failed, kept, 1, engine, goes_on, note,  "memory never freed")                            \
  X(unchecked_error,     failed, kept, 1, engine, goes_on, note,  "unchecked error")                               \
  X(early_exit,          failed, kept, 1, engine, goes_on, note,  "return before a barrier")                       \
  X(same_value_store,    failed, kept, 1, engine, goes_on, note,  "several threads store the same value")           \
  X(missing_fence,       failed, kept, 1, engine, goes_on, note,  "no fence behind a lock or flag")                \
  X(default_stream,      failed, kept, 1, engine, goes_on, error, "work on another stream than the given one")       \
  X(missing_synchronize, failed, kept, 1, engine, goes_on, error, "result read before it is there")                \
  X(same_code,           failed, kept, 1, judge,  goes_on, note,  "same code as another version")                  \
  X(bad_copy,            failed, kept, 1, engine, ends,    error, "invalid copy")                                  \
  X(uploaded_again,      failed, kept, 1, judge,  goes_on, error, "data uploaded again")                           \
  X(not_uploaded,        failed, kept, 1, judge,  goes_on, error, "data not uploaded")                             \
  X(zero_copy,           failed, kept, 1, judge,  goes_on, error, "host memory mapped into the device")            \
  X(managed_memory,      failed, kept, 1, judge,  goes_on, error, "managed memory")                                \
  X(too_slow,            failed, kept, 1, judge,  goes_on, error, "too slow")                                      \
  X(too_much_work,       failed, kept, 1, judge,  goes_on, error, "too much work")                                 \
  X(implausible_time,    failed, kept, 1, judge,  goes_on, error, "implausible time")                              \
  X(wrong_when_timed,    failed, kept, 1, judge,  goes_on, error, "wrong answer in a timed call")                  \
  X(no_kernel,           failed, kept, 1, judge,  goes_on, error, "answer not computed by a kernel")               \
  X(forbidden_library,   failed, kept, 1, judge,  ends,    error, "library where a kernel is asked")               \
  X(undefined_behaviour, failed, kept, 1, engine, goes_on, error, "undefined behaviour")                           \
  X(schedule_dependent,  failed, kept, 1, judge,  goes_on, error, "answer depends on the order of execution")      \
  X(optimisation_dependent, failed, kept, 1, judge, goes_on, error, "answer depends on optimisation")              \
  X(not_repeatable,      failed, kept, 1, judge,  goes_on, error, "answer differs from call to call")              \
  X(wrong_when_called_again, failed, kept, 1, judge, goes_on, error, "wrong when called again")                    \
  X(tampering,           failed, kept, 1, judge,  ends,    error, "tampering")                                     \
  /* An earlier check of the same version failed. */                                                               \
  X(depends,             not_run, kept, 1, judge, ends,    error, "an earlier check failed")                       \
  /* The machine lacks something. */                                                                               \
  X(no_gpu,              not_run, open, 0, judge,  ends,   error, "no GPU")                                        \
  X(no_compiler,         not_run, open, 0, judge,  ends,   error, "no compiler")                                   \
  X(no_mpi,              not_run, open, 0, judge,  ends,   error, "no MPI")                                        \
  X(no_cores,            not_run, open, 0, judge,  ends,   error, "too few cores")                                 \
  X(no_profiler,         not_run, open, 0, judge,  ends,   error, "no profiler")                                   \
  X(unsupported,         not_run, open, 0, engine, ends,   error, "not simulated")                                 \
  /* The user asked for a size that no threshold holds for. */                                                     \
  X(not_calibrated,      not_run, open, 0, judge,  ends,   error, "no threshold for this size")                    \
  /* Measured, but not to be trusted; and our own fault. */                                                        \
  X(noise,               inconclusive, open, 3, judge, ends, error, "too noisy to decide")                         \
  X(internal,            broken, open, 3, judge,  ends,    error, "fault of Warpmark")
// clang-format on

enum class CauseKind : std::uint8_t {
#define WARPMARK_X(kind, ...) kind,
  WARPMARK_CAUSE_KINDS(WARPMARK_X)
#undef WARPMARK_X
};

// Effect of a deciding cause on the check's points: they stay in `possible` and are lost (`kept`), or are
// open.
enum class Points : std::uint8_t { kept, open };

struct CauseRule {
  CauseKind kind;
  std::string_view name;
  Verdict verdict;
  Points points;
  int exit;  // exit status of the process
  Source source;
  After after;
  Severity severity;
  std::string_view title;
};

inline constexpr auto kCauseRules = [] {
  using enum Verdict;
  using enum Points;
  using enum Source;
  using enum After;
  using enum Severity;
#define WARPMARK_X(kind, verdict, points, exit, source, after, severity, title) \
  CauseRule{CauseKind::kind, #kind, verdict, points, exit, source, after, severity, title},
  return std::array{WARPMARK_CAUSE_KINDS(WARPMARK_X)};
#undef WARPMARK_X
}();

constexpr const CauseRule& rule_of(CauseKind kind) {
  return kCauseRules[static_cast<std::size_t>(kind)];
}
constexpr std::string_view name_of(CauseKind kind) {
  return rule_of(kind).name;
}
// The text of reports about a check with open points. Every kind with open points has a row here.
struct OpenReason {
  CauseKind kind;
  std::string_view word;    // for a table's cell
  std::string_view reason;  // continues a sentence that begins with the check's name
  std::string_view advice;  // shown if the judge gave no message
};
inline constexpr std::array kOpenReasons{
    OpenReason{CauseKind::no_gpu, "no GPU", "needs a GPU that this machine does not have",
               "Its points stay open: grade again on a machine with an NVIDIA GPU."},
    OpenReason{CauseKind::no_compiler, "no compiler", "needs a compiler that is not installed",
               "Install clang: `apt-get install clang`."},
    OpenReason{CauseKind::no_mpi, "no MPI", "needs MPI, which is not installed",
               "Install Open MPI: `apt-get install libopenmpi-dev openmpi-bin`."},
    OpenReason{CauseKind::no_cores, "one core", "needs more than one core, and this machine has one",
               "Its points stay open: grade again on a machine with several cores."},
    OpenReason{CauseKind::no_profiler, "no profiler",
               "needs CUPTI, NVIDIA's profiling library, which is not installed",
               "CUPTI is part of the CUDA toolkit: install it."},
    OpenReason{CauseKind::not_calibrated, "not calibrated",
               "was not measured: its threshold holds for another size", "Grade without --size."},
    OpenReason{CauseKind::unsupported, "unsupported", "cannot be checked for this code on this machine",
               "Its points stay open: grade again on a machine with an NVIDIA GPU."},
    OpenReason{CauseKind::noise, "noise", "was measured, but too noisily to decide",
               "Grade again when nothing else uses the GPU."},
    OpenReason{CauseKind::internal, "broken", "was not decided, by a fault of Warpmark", "Grade again."}};

// Returns nullptr for a kind without open points.
constexpr const OpenReason* open_reason_of(CauseKind kind) {
  for (const OpenReason& reason : kOpenReasons) {
    if (reason.kind == kind) return &reason;
  }
  return nullptr;
}
static_assert([] {
  for (const CauseRule& rule : kCauseRules) {
    if ((rule.points == Points::open) != (open_reason_of(rule.kind) != nullptr)) return false;
  }
  return true;
}());

// Returns true for a finding after which the run continues: the rubric decides whether it fails `clean`.
constexpr bool is_remark(CauseKind kind) {
  return rule_of(kind).source == Source::engine && rule_of(kind).after == After::goes_on;
}
std::optional<CauseKind> cause_kind_from(std::string_view name);

}  // namespace warpmark
