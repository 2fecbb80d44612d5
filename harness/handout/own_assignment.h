// The part of an instructor's own assignment that a handout carries, so that it grades on a machine that has
// Warpmark but not the assignment's folder.
#pragma once

#include <string>

#include "harness/base/error.h"
#include "harness/handout/handout.h"

namespace warpmark::handout {

// Recipient of a handout: students, or a course's graders, who also get the secret test cases of program
// assignments.
enum class Reader { student, grader };

// Adds to a handout an instructor's own assignment, with `prefix` before each path: grading rules, headers,
// the course's functions, required speedups, the incomplete files for students, and the solution files that
// contain nothing for students to write. For program assignments, also the test cases' files and the
// reference solution's recorded outputs. Solutions are never added. Fails if a file cannot be read or a
// solution file has a bad marker.
Result<void> add_own_assignment(Files& files, const Source& source, Reader reader, const std::string& prefix);

// Returns the text of an assignment's grading rules as a handout may contain it: without the list of
// equivalent mutants, which quotes the solutions, and for students without secret test cases. file: the
// file's name in error messages.
Result<std::string> rules_for(const std::string& text, const judge::Rubric& rubric, Reader reader,
                              const std::string& file);

// Returns a README for the students of an assignment that has none: its title and its versions. `files`: what
// students start from, by name.
std::string short_readme(const judge::Rubric& rubric, const Files& files);

}  // namespace warpmark::handout
