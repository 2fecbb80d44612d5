// The reports of a grade as files. Every one is made from what grade.json says, and from nothing else.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"
#include "harness/judge/workers/installation.h"
#include "harness/model/grade.h"
#include "reports/reports.h"

namespace warpmark::cli {

// Where the reports of a submission go when the user names no folder: reports/out/<its name>, or that of
// default_outputs().
std::filesystem::path default_out(const judge::Installation& installation, const std::string& submission);

// What a terminal shows, on stdout.
void print_grade(const Grade& grade, Detail detail = Detail::usual);

// In that folder, where the reports of a part of the grade go: --only, --size, --type.
inline constexpr const char* kPartFolder = "again";

inline constexpr const char* kPageFile = "index.html";
inline constexpr const char* kJunitFile = "junit.xml";
// ladder: see to_html().
Result<void> write_page(const Grade& grade, const std::filesystem::path& out, const Ladder* ladder = nullptr);
Result<void> write_junit(const Grade& grade, const std::filesystem::path& out);

}  // namespace warpmark::cli
