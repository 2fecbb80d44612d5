// Reads the [[version]] tables of a rubric, which hold the grading rules of kernel files, and what belongs to
// them.
#pragma once

#include "harness/assignments/toml_table.h"
#include "harness/judge/rules/points_reader.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

// Reads one [[version]] table of a rubric, which holds the rules for one kernel file. `groups` are the groups
// of input sizes of the check `correct`. Does not check that the kernel files in `needs` exist: see
// check_needs(). Throws Broken at the first violated rule.
VersionRule read_version(TomlTable table, const Defaults& defaults, const std::vector<SizeGroup>& groups);

// Reads the mutations of the course's solution that no check need detect:
// equivalent = [{line = "if (i <= n)", edit = "<= to <", nth = 2, version = "v02"}]. `rubric` holds all
// versions.
std::vector<Equivalent> read_equivalent(TomlTable& top, const Rubric& rubric);

// Checks that a rubric with the check `fast` belongs to an assignment with an input that timed calls can
// change: an answer that a submission keeps is then wrong for the next call. Throws Broken if there is none.
void check_inputs_of_fast(TomlTable& top, const Rubric& rubric);

}  // namespace warpmark::judge
