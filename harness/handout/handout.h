// What students get of an assignment: the template, what grades it, and how editors and CI servers use it.
// Never the course's solutions.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/base/error.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::handout {

struct File {
  std::string text;
  bool executable = false;
};
using Files = std::map<std::string, File>;  // by path, relative to the folder that they are written to

struct Source {
  const judge::Installation& installation;
  judge::Rubric rubric;
  std::string rubric_text;
  std::string version;  // of Warpmark
};
// rubric: another one than the assignment's own, or empty. Fails when the assignment or the rubric cannot be
// used.
Result<Source> open_source(const judge::Installation& installation, const std::string& assignment,
                           const std::filesystem::path& rubric, const std::string& version);

// Whom a copy of the tool is for. Students' has no commands of instructors: it is built in half the time.
enum class Audience { students, instructors };

// The sources of Warpmark that grade this assignment and no other, with the course's files that students have
// anyway: those without a solution. Fails on an installation, which holds no sources.
Result<Files> tool_files(const Source& source, Audience audience);

// A folder for a course: students' files in a folder named after the assignment, the tool's sources below
// .warpmark.
Result<Files> handout_files(const Source& source);

// A folder for one submission, graded by the Warpmark that made it. program: how a user calls that; prepare:
// the command that brings it up to date, as the arguments of a CMake command.
struct Caller {
  std::string program;
  std::string prepare;
  std::filesystem::path grader;  // the program itself
};
Result<Files> submission_files(const Source& source, const Caller& caller);

// setup.sh and run_autograder for Gradescope, and the tool's sources.
Result<Files> gradescope_files(const Source& source);

// Writes all of them into a new folder, or an empty one.
Result<void> write_folder(const Files& files, const std::filesystem::path& folder);
// The same as a zip; an existing file is replaced. Equal files make equal bytes.
Result<void> write_zip(const Files& files, const std::filesystem::path& path);

}  // namespace warpmark::handout
