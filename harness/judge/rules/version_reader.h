// Reads one [[version]] of a rubric.
#pragma once

#include "harness/assignments/toml_table.h"
#include "harness/judge/rules/points_reader.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

// `groups` are those of `correct`. The names in `needs` are not looked up: see check_needs(). Throws Broken
// at the first violated rule.
VersionRule read_version(TomlTable table, const Defaults& defaults, const std::vector<SizeGroup>& groups);

}  // namespace warpmark::judge
