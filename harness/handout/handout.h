// What students get of an assignment: the template, the rubric, and what lets CMake, editors and CI servers
// use an installed Warpmark. Never the course's solutions, never Warpmark's sources.
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
using Files = std::map<std::string, File>;  // by path, relative to the folder that they are written to

struct Source {
  const judge::Installation& installation;
  judge::Rubric rubric;
  std::string rubric_text;
  bool own_rubric;      // the assignment's own, no other was named
  std::string version;  // of Warpmark
};
// rubric: another one than the assignment's own, or empty. Fails when the assignment or the rubric cannot be
// used.
Result<Source> open_source(const judge::Installation& installation, const std::string& assignment,
                           const std::filesystem::path& rubric, const std::string& version);

// The package of Warpmark that CI servers, containers and Gradescope install: a file that is copied into the
// handout, or an address. By default none is named.
struct Package {
  std::string name;     // "warpmark_0.1.0_amd64.deb"; empty: none
  std::string address;  // with its #sha256=HEX, where one was given; empty for a file
  std::string bytes;    // of a file
};
// named: a .deb or .tar.xz file, or an https:// address of one that may end in #sha256=HEX (an http://
// address must). Fails when it is none of these, or when the file cannot be read.
Result<Package> open_package(const std::string& named);

// A folder for a course: students' files in a folder named after the assignment; beside it what finds an
// installed Warpmark, the rubric, settings for editors and CI servers. No sources of Warpmark.
Result<Files> handout_files(const Source& source, const Package& package);

// A folder for one submission, graded by the Warpmark that made it.
struct Caller {
  std::string program;             // how a user calls it
  std::filesystem::path absolute;  // the same program: a clone's wrapper, or the program of an installation
};
Result<Files> submission_files(const Source& source, const Caller& caller);

// setup.sh, which installs the package, and run_autograder. Fails without a package.
Result<Files> gradescope_files(const Source& source, const Package& package);

// Writes all of them into a new folder, or an empty one.
Result<void> write_folder(const Files& files, const std::filesystem::path& folder);
// The same as a zip; an existing file is replaced. Equal files make equal bytes.
Result<void> write_zip(const Files& files, const std::filesystem::path& path);

}  // namespace warpmark::handout
