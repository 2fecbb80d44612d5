// What the students' grades say together: how each check went, what went wrong how often, who is fast.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/model/class_result.h"

namespace warpmark::classroom {

// How the instructor calls Warpmark in the folder of the class.
struct InstructorsCommand {
  std::string program = "warpmark";
  std::string more;  // options of every call: " --rubric rubric.toml"
};

// Reads the grades that `result` names below `out` and fills its `checks`, `causes`, `common_causes` and
// `fastest`. A grade that cannot be read is left out: its student is on the page anyhow. Pseudonyms come from
// a secret in `<out>/.pseudonyms`, which is drawn when there is none, so that they stay. Throws
// std::exception.
void add_tallies(ClassResult& result, const std::filesystem::path& out,
                 const InstructorsCommand& command = {});

// What went wrong in a submission, by the student's id; each text once.
using WhatWentWrong = std::map<std::string, std::set<std::string>>;
// The causes that at least four fifths of at least five students have, the commonest first. `all` holds every
// student who handed in something, also those without a cause.
std::vector<CommonCause> common_causes(const WhatWentWrong& all);

// Two words and a number that tell nothing of the id without the secret.
std::string pseudonym_of(const std::string& id, const std::string& secret);

}  // namespace warpmark::classroom
