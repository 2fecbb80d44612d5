// Checks the files of an assignment: parses its rules and the marks in its solutions, compiles the adapter
// and the CPU reference, and reports mistakes.
#pragma once

#include <optional>
#include <vector>

#include "harness/assignment_check/setting.h"
#include "harness/model/assignment_report.h"

namespace warpmark::assignment_check {

// Reads an assignment's rules (assignment.toml). If they are wrong, returns nullopt and adds findings that
// say why.
std::optional<judge::Rubric> read_rules(const AssignmentHome& home, judge::WorkLimits limits,
                                        std::vector<AssignmentFinding>& findings);

// Return a finding per mistake in an assignment's contract header and solutions, or in its adapter and CPU
// reference; without mistakes, findings that confirm success. The option `verbose` adds the generated
// adapter.
std::vector<AssignmentFinding> read_files(const judge::Rubric& rubric);
std::vector<AssignmentFinding> build_course_code(const Setting& setting);

// Calls the CPU reference `expected` twice at every size of the check `correct`, with its outputs preset to
// different bytes, and reports outputs that differ: `expected` must write every element.
std::vector<AssignmentFinding> call_expected_twice(const Setting& setting);

// Computes the answer to one input of the size of the check `fast`, and reports an assignment whose answers
// to all inputs of that check would take too long. Grading on a GPU would otherwise be the first to show it.
std::vector<AssignmentFinding> time_answers_of_fast(const Setting& setting);

}  // namespace warpmark::assignment_check
