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
  std::filesystem::path cache;   // of built libraries
  std::filesystem::path folder;  // the assignment's
};

// The function of a judge.cpp that makes the assignment; WARPMARK_ASSIGNMENT defines it.
inline constexpr const char* kMakeAssignment = "warpmark_make_assignment";

class CourseBuilder {
 public:
  explicit CourseBuilder(CourseFolder course) : course_(std::move(course)) {}

  // Returns the library of a source for a value type, built or from the cache. name: for messages. exports:
  // functions that it must define. Throws AssignmentFault with the compiler's first message.
  std::filesystem::path library(const std::filesystem::path& source, const std::string& name,
                                const std::string& type, const std::vector<std::string>& exports,
                                const std::string& optimisation = "-O2");
  // Returns the library of judge.cpp and the folder's other .cpp files, as one translation unit.
  std::filesystem::path judge();
  // Returns the library of a generated adapter.
  std::filesystem::path adapter(const std::string& text, const std::string& type);

 private:
  std::filesystem::path built(const build::Request& request);

  CourseFolder course_;
  std::optional<build::Builder> builder_;  // made by the first build
};

}  // namespace warpmark::judge
