// Writes a grade's reports to files. Every report is derived from grade.json alone.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"
#include "harness/judge/workers/installation.h"
#include "harness/model/grade.h"
#include "reports/reports.h"

namespace warpmark::cli {

// Returns the default folder for the reports of a submission (a student's folder): its name below
// default_outputs() (places.h).
std::filesystem::path default_out(const judge::Installation& installation, const std::string& submission);

// Prints the grade to stdout for a terminal.
void print_grade(const Grade& grade, Detail detail = Detail::usual);

// Subfolder for the reports of a partial grade (--only, --size, --type).
inline constexpr const char* kPartFolder = "again";

inline constexpr const char* kPageFile = "index.html";
inline constexpr const char* kJunitFile = "junit.xml";
// Writes a grade as an HTML page. ladder: times of the same submission over the input sizes, to show on the
// page; null: none.
Result<void> write_page(const Grade& grade, const std::filesystem::path& out, const Ladder* ladder = nullptr);
Result<void> write_junit(const Grade& grade, const std::filesystem::path& out);

}  // namespace warpmark::cli
