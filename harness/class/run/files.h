// The output folder: every file in it is made from the journal and can be made again.
#pragma once

#include <filesystem>

#include "harness/class/journal/journal.h"
#include "harness/class/run/tally.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

// `<out>/students/<id>/{grade.json,index.html}`. A file that is right already stays. `grade`: the journal's
// text; empty for a student without one, who gets a page that says why. Throws std::exception.
void write_student(const std::filesystem::path& out, const StudentResult& student,
                   const std::string& assignment, const std::string& grade);

// class.json, index.html, grades.csv, and leaders.html where speeds were measured; removes folders of
// students who are no longer in the class.
// Returns the result with what the grades say together.
ClassResult write_class(const std::filesystem::path& out, const ClassResult& result,
                        const InstructorsCommand& command);

}  // namespace warpmark::classroom
