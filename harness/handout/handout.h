// Generates a handout for students: an assignment's template, its rubric (points per check), and files that
// let CMake, editors and CI servers use an installed Warpmark. A handout never contains the course's
// solutions or Warpmark's sources.
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
  bool operator==(const File&) const = default;
};
// Files to generate for a handout: maps the path relative to the target folder to contents and mode.
using Files = std::map<std::string, File>;

struct Source {
  const judge::Installation& installation;
  judge::Rubric rubric;
  std::string rubric_text;
  // True: the handout uses the assignment's default rubric, because the user named no other.
  bool own_rubric;
  std::string version;  // Warpmark's version
  // For an assignment whose submissions are whole programs: maps the path of a file in the assignment's
  // folder to the reference solution's recorded output, for each test case that has no file of expected
  // output.
  std::map<std::filesystem::path, std::string> recorded = {};
};
// Reads an assignment and its rubric. rubric: overrides the assignment's default; may be empty. Fails if the
// assignment or the rubric is unusable.
Result<Source> open_source(const judge::Installation& installation, const std::string& assignment,
                           const std::filesystem::path& rubric, const std::string& version);

// The Warpmark package that CI servers, containers and Gradescope install: a file that is copied into the
// handout, or a URL. The default is none.
struct Package {
  std::string name;     // file name of the package: "warpmark_0.1.0_amd64.deb"; empty: no package
  std::string address;  // URL of the package, with its #sha256=HEX if one was given; empty for a file
  std::string bytes;    // contents of Warpmark's .deb or .tar.xz package
};
// Reads the Warpmark package that a handout installs. named: a .deb or .tar.xz file, or its https:// URL,
// optionally followed by #sha256=HEX (required for http://). Fails if `named` is none of these, or if the
// file cannot be read.
Result<Package> open_package(const std::string& named);

// Returns the files of a course folder: the students' files in a folder named after the assignment; beside it
// the build files that locate an installed Warpmark, the rubric, and settings for editors and CI servers.
Result<Files> handout_files(const Source& source, const Package& package);

// Command by which the build and editor files of a generated submission folder call the Warpmark that
// generated them.
struct Caller {
  std::string program;  // Warpmark's command as a user types it
  // Absolute path of the program that generated files call: the wrapper script of a source clone, or the
  // installed Warpmark.
  std::filesystem::path absolute;
};
Result<Files> submission_files(const Source& source, const Caller& caller);

// Returns the files of a Gradescope autograder: setup.sh, which installs a Warpmark package, and
// run_autograder. Fails if `package` is empty.
Result<Files> gradescope_files(const Source& source, const Package& package);

// Writes all generated files of a handout into a new or empty folder.
Result<void> write_folder(const Files& files, const std::filesystem::path& folder);
// Writes all generated files of a handout to a zip, replacing an existing one. The zip is the same byte by
// byte for the same files.
Result<void> write_zip(const Files& files, const std::filesystem::path& path);

}  // namespace warpmark::handout
