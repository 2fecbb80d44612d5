// Class-wide statistics: verdicts per check, frequent causes of failure, fastest submissions.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/model/class_result.h"

namespace warpmark::classroom {

// The command line with which the instructor calls Warpmark in the class's folder.
struct InstructorsCommand {
  std::string program = "warpmark";
  std::string more;  // options to append to every command: " --rubric rubric.toml"
};

// Reads the grades below `out` that `result` names and fills in `checks`, `causes`, `common_causes` and
// `fastest` of `result`. An unreadable grade is skipped; its student stays on the page. Pseudonyms are
// derived from a secret in `<out>/.pseudonyms`, created on first use, so that they do not change between
// runs. Throws std::exception.
void add_tallies(ClassResult& result, const std::filesystem::path& out,
                 const InstructorsCommand& command = {});

// Distinct messages of each student's failures, by student ID.
using WhatWentWrong = std::map<std::string, std::set<std::string>>;
// Returns the causes of failure shared by at least four fifths of the students, and by at least five, most
// common first. `all` must contain every student who handed in something, including those without a failure.
std::vector<CommonCause> common_causes(const WhatWentWrong& all);

// Returns a pseudonym (two words and a number), from which the ID cannot be derived without the secret.
std::string pseudonym_of(const std::string& id, const std::string& secret);

}  // namespace warpmark::classroom
