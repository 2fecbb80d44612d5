// Converts what a worker process reports to causes (reasons for a failed check), and removes duplicates.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/intake/submission.h"
#include "harness/judge/workers/installation.h"
#include "harness/model/grade.h"
#include "harness/wire/reply.h"

namespace warpmark::judge {

// The student's file to blame for a failure; both pointers are null for the course's own code.
struct Blame {
  const SubmittedFile* file = nullptr;
  const Submission* submission = nullptr;
  // student library that was called; host call-stack frames are offsets into it
  std::filesystem::path library = {};
  // whose device program can list the device code that the simulator does not support; null: nobody asks
  const Installation* installation = nullptr;
};

// Returns the defects in a reply to a call or upload: findings of the engine (simulator, sanitizer), or if
// there are none, an exception or CUDA error. File and line are the student's, with an excerpt.
std::vector<Cause> causes_of(const wire::Observation& observed, const wire::Failure& failure,
                             const Blame& blame);

LaunchShape shape_of(const wire::Launch& launch);

// Adds the configuration of the first kernel launch to those defects that the judge process itself found,
// such as wrong results.
void name_launch(std::vector<Cause>& causes, const std::vector<wire::Launch>& launches);

// Sets a reported failure's file and line from a host call stack: the innermost frame with a line in the
// student's files. `of_launch`: skip the first such line, which belongs to the kernel's host stub. Lines that
// declare a __global__ function are always skipped.
void point_to_host_code(Cause& cause, const std::vector<std::uint64_t>& frames, bool of_launch,
                        const Blame& blame);

// Returns the CUDA event times in a reply, in milliseconds. Fails with `tampering` if their number is not
// `calls` or one is not above 0.
tl::expected<std::vector<double>, Cause> times_of(const wire::CallReply& reply, std::size_t calls);

// Returns the text of a student's file by the name that a worker process reported; nullopt if the name leads
// out of the submission's folder, by links or otherwise.
std::optional<std::string> submitted_text(const Submission& submission, const std::string& name);

// Names the variable that keeps its value from call to call, if the source has one, in the cause of an answer
// that is wrong after an earlier call.
void name_kept_variable(Cause& cause, const Blame& blame);

// Returns the source lines around `line`; empty if unavailable.
std::vector<SourceLine> excerpt_in(const Blame& blame, const std::string& file, int line);

// Appends the defects that are new in kind, file and lines. The same defect at ten sizes or with two element
// types is reported once, even if the messages differ.
void add_once(std::vector<Cause>& causes, std::vector<Cause> more);

}  // namespace warpmark::judge
