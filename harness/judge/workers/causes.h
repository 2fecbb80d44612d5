// Converts a worker's reports to causes, and removes duplicates.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/intake/submission.h"
#include "harness/model/grade.h"
#include "harness/wire/reply.h"

namespace warpmark::judge {

// The file to blame for a failure; both pointers are null for the course's own code.
struct Blame {
  const SubmittedFile* file = nullptr;
  const Submission* submission = nullptr;
  std::filesystem::path library = {};  // library that was called; host call stacks are offsets in it
  std::filesystem::path device = {};   // warpmark-device, which is asked about code that it refused to run
};

// Returns the causes in a reply to a call or upload: the engine's findings, else the function's failure. File
// and line are those of the student's source, with an excerpt.
std::vector<Cause> causes_of(const wire::Observation& observed, const wire::Failure& failure,
                             const Blame& blame);

// Adds the launch configuration of the first launch to the judge's own causes of a call.
void name_launch(std::vector<Cause>& causes, const std::vector<wire::Launch>& launches);

// Sets the cause's line to the submission's line of the innermost frame that has one. of_launch: skip the
// first such line, which is the kernel's host stub's. Lines of a __global__ function never count.
void point_to_host_code(Cause& cause, const std::vector<std::uint64_t>& frames, bool of_launch,
                        const Blame& blame);

// Returns the event times of a reply in milliseconds; a wrong number of them, or one that is not above 0, is
// tampering.
tl::expected<std::vector<double>, Cause> times_of(const wire::CallReply& reply, std::size_t calls);

// Returns the text of a submission's file by the name that a worker reported; nullopt if the name leads out
// of the folder, by links or otherwise.
std::optional<std::string> submitted_text(const Submission& submission, const std::string& name);

// Returns the source lines around `line`; empty if they are unavailable.
std::vector<SourceLine> excerpt_in(const Blame& blame, const std::string& file, int line);

// Adds the causes that are new in kind, file and lines: the same fault at ten sizes or with two types is one
// cause, regardless of its message.
void add_once(std::vector<Cause>& causes, std::vector<Cause> more);

}  // namespace warpmark::judge
