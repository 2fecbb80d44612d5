// The part of an instructor's own assignment that a handout carries, so that it grades on a machine that has
// Warpmark but not the assignment's folder.
#pragma once

#include <string>

#include "harness/base/error.h"
#include "harness/handout/handout.h"

namespace warpmark::handout {

// Who gets the files: students, or the graders of a course, who also get secret cases of programs.
enum class Reader { student, grader };

// Adds an assignment outside of the tool as `prefix` + file: rules, contract, the course's functions and
// their headers, thresholds, stubs, the reference files that students get complete (given versions, headers),
// and for programs the files of the cases with the outputs that were recorded. A reference file in which
// students write is never added. Fails if a file cannot be read or a reference file has a bad marker.
Result<void> add_own_assignment(Files& files, const Source& source, Reader reader, const std::string& prefix);

// Returns the text of the rules without `equivalent`, which quotes lines of the solutions, and for students
// without secret cases. file: the name in errors.
Result<std::string> rules_for(const std::string& text, const judge::Rubric& rubric, Reader reader,
                              const std::string& file);

}  // namespace warpmark::handout
