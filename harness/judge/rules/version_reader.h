// Reads one [[version]] table of a rubric: the grading rules of one kernel file.
#pragma once

#include "harness/assignments/toml_table.h"
#include "harness/judge/rules/points_reader.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

// Reads one [[version]] table of a rubric, which holds the rules for one kernel file. `groups` are the groups
// of input sizes of the check `correct`. Does not check that the kernel files in `needs` exist: see
// check_needs(). Throws Broken at the first violated rule.
VersionRule read_version(TomlTable table, const Defaults& defaults, const std::vector<SizeGroup>& groups);

}  // namespace warpmark::judge
