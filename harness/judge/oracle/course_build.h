// Builds C++ files of an assignment as libraries for the host's worker. A file that does not build is the
// assignment's fault.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/assignments/plain/spec.h"
#include "harness/build/builder.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::judge {

struct CourseFolder {
  Installation installation;
  std::filesystem::path cache;  // folder that caches compiled libraries
  std::filesystem::path folder;
};

// Name of the exported function by which an assignment's judge.cpp creates its Assignment object; the macro
// WARPMARK_ASSIGNMENT defines the function.
inline constexpr const char* kMakeAssignment = "warpmark_make_assignment";

class CourseBuilder {
 public:
  explicit CourseBuilder(CourseFolder course) : course_(std::move(course)) {}

  // Returns the path of the shared library for a source file and value type; builds it unless the cache has
  // it. name: for messages. exports: functions that the library must define. Throws AssignmentFault with the
  // compiler's first message.
  std::filesystem::path library(const std::filesystem::path& source, const std::string& name,
                                const std::string& type, const std::vector<std::string>& exports,
                                const std::string& optimisation = "-O2");
  // Builds an assignment's judge.cpp and the C++ files that belong to it as one translation unit; returns the
  // library's path. sources: file names in the assignment's folder, or paths below the folder of installed
  // headers. Throws AssignmentFault if one is missing.
  std::filesystem::path judge(const std::vector<std::string>& sources);
  // Builds a generated adapter (source code that calls an assignment's functions with typed arguments) for
  // one value type; returns the library's path.
  std::filesystem::path adapter(const std::string& text, const std::string& type);

 private:
  std::filesystem::path built(const build::Request& request);

  CourseFolder course_;
  std::optional<build::Builder> builder_;  // runs the compiler; created by the first build
};

}  // namespace warpmark::judge
