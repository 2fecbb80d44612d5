// From what a worker says to causes, and from many causes to few.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/intake/submission.h"
#include "harness/model/grade.h"
#include "harness/wire/reply.h"

namespace warpmark::judge {

// Whose file is to blame while a failure is explained; both null for the course's own.
struct Blame {
  const SubmittedFile* file = nullptr;
  const Submission* submission = nullptr;
  std::filesystem::path library = {};  // that was called: frames of host code are offsets in it
};

// The causes in the reply to a call or an upload: the engine's findings, else how the function failed. A
// finding's file and line are the student's, with the source around it.
std::vector<Cause> causes_of(const wire::Observation& observed, const wire::Failure& failure,
                             const Blame& blame);

// Gives the cause the line of the submission that the innermost of these frames belongs to. of_launch: the
// first such line is that of the kernel's stub, and does not count; nor does any line of a __global__
// function.
void point_to_host_code(Cause& cause, const std::vector<std::uint64_t>& frames, bool of_launch,
                        const Blame& blame);

// Milliseconds by the worker's events of timed calls, each above 0; anything else is tampering.
tl::expected<std::vector<double>, Cause> times_of(const wire::CallReply& reply, std::size_t calls);

// A file of the submission by the name that the worker gives it; nothing when that leads out of its folder,
// by links or otherwise.
std::optional<std::string> submitted_text(const Submission& submission, const std::string& name);

// The lines around one of a submission's files; empty when they cannot be shown.
std::vector<SourceLine> excerpt_in(const Blame& blame, const std::string& file, int line);

// Adds what is not there yet in kind, file and lines: the same fault at ten sizes, or with two types, is one
// cause, whatever its words.
void add_once(std::vector<Cause>& causes, std::vector<Cause> more);

}  // namespace warpmark::judge
