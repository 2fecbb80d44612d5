// Reads the tables of a rubric from TOML.
#pragma once

#include <filesystem>
#include <string>

#include "harness/assignments/toml_table.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

// Reads a rubric.toml or an assignment.toml. `own_file` is the file of the assignment's own rules, from which
// another rubric takes buffers and sizes; may be empty. Throws Broken with all mistakes, one per line.
Rubric read_tables(TomlTable top, const std::string& assignment, const std::filesystem::path& own_file,
                   WorkLimits limits);

}  // namespace warpmark::judge
