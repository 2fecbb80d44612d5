// Reads the tables of a rubric that have other keys if the submissions are programs. Every function throws
// Broken at the first violated rule.
#pragma once

#include "harness/assignments/toml_table.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

// Reads [clean], where every key has a default.
void read_clean_of_program(TomlTable& table, Rubric& rubric);
// Reads [fast], which names the test case that is timed.
void read_fast_of_program(TomlTable& table, Rubric& rubric);
// Takes over the sources of the version that is the naive program, after all versions are read. The rubric of
// a submission may leave that version out.
void take_naive_program(TomlTable& top, Rubric& rubric);

}  // namespace warpmark::judge
