// What the students' grades say together: how each check went, what went wrong how often, who is fast.
#pragma once

#include <filesystem>

#include "harness/model/class_result.h"

namespace warpmark::classroom {

// Reads the grades that `result` names below `out` and fills its `checks`, `causes` and `fastest`. A grade
// that cannot be read is left out: its student is on the page anyhow. Pseudonyms come from a secret in
// `<out>/.pseudonyms`, which is drawn when there is none, so that they stay. Throws std::exception.
void add_tallies(ClassResult& result, const std::filesystem::path& out);

// Two words and a number that tell nothing of the id without the secret.
std::string pseudonym_of(const std::string& id, const std::string& secret);

}  // namespace warpmark::classroom
