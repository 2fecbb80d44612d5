// Writes a class's output folder. All its files are derived from the journal and can be regenerated.
#pragma once

#include <filesystem>

#include "harness/class/journal/journal.h"
#include "harness/class/run/tally.h"
#include "harness/model/class_result.h"
#include "harness/model/staged_help.h"

namespace warpmark::classroom {

// Writes `<out>/students/<id>/{grade.json,index.html}`; a file with the right contents is not touched. If the
// rubric stages help, they are the student's copies, and `<out>/instructor/<id>` has the whole ones. `grade`:
// text of grade.json from the journal; empty for a student without a grade, whose page says why. Throws
// std::exception.
void write_student(const std::filesystem::path& out, const StudentResult& student,
                   const std::string& assignment, const std::string& grade, const HelpRules& help,
                   const Sight& sight);

// Returns the moment at which a student who was taken in sees files that are written now.
Sight sight_of(const Journal& journal, const Taken& student);

// Writes class.json, index.html, grades.csv, and leaders.html if speeds were measured; removes the folders of
// students who have left the class. Returns the result with class-wide statistics added.
ClassResult write_class(const std::filesystem::path& out, const ClassResult& result,
                        const InstructorsCommand& command);

}  // namespace warpmark::classroom
