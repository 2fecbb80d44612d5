// Writes a class's output folder. All its files are derived from the journal and can be regenerated.
#pragma once

#include <filesystem>

#include "harness/class/journal/journal.h"
#include "harness/class/run/tally.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

// Writes `<out>/students/<id>/{grade.json,index.html}`; a file with the right contents is not touched.
// `grade`: text of grade.json from the journal; empty for a student without a grade, whose page says why.
// Throws std::exception.
void write_student(const std::filesystem::path& out, const StudentResult& student,
                   const std::string& assignment, const std::string& grade);

// Writes class.json, index.html, grades.csv, and leaders.html if speeds were measured; removes the folders of
// students who have left the class. Returns the result with class-wide statistics added.
ClassResult write_class(const std::filesystem::path& out, const ClassResult& result,
                        const InstructorsCommand& command);

}  // namespace warpmark::classroom
