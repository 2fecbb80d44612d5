// From what a worker says to causes, and from many causes to few.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/intake/submission.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Whose file is to blame while a failure is explained; both null for the course's own.
struct Blame {
  const SubmittedFile* file = nullptr;
  const Submission* submission = nullptr;
};

// The causes that the reply to a call tells of: the simulator's findings, else CUDA's error. A finding's file
// and line are the student's, with the source around it.
std::vector<Cause> causes_of(const nlohmann::json& reply, const Blame& blame);

// Milliseconds by the worker's events that the reply to timed calls tells of, each above 0; anything else is
// tampering.
tl::expected<std::vector<double>, Cause> times_of(const nlohmann::json& reply, std::size_t calls);
// The launches of which the reply to a call tells; an empty list if it does not.
nlohmann::json launches_of(const nlohmann::json& reply);

// A file of the submission by the name that the worker gives it; nothing when that leads out of its folder,
// by links or otherwise.
std::optional<std::string> submitted_text(const Submission& submission, const std::string& name);

// A member of a reply if it is a text, else empty.
std::string text_of(const nlohmann::json& object, const char* member);

// Adds what is not there yet in kind, file and line: the same fault at ten sizes, or with two types, is one
// cause.
void add_once(std::vector<Cause>& causes, std::vector<Cause> more);

}  // namespace warpmark::judge
