// What travels to another machine so that it runs the part of a grade that needs a GPU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/assignments/home.h"
#include "harness/remote/place.h"

namespace warpmark::remote {

struct GpuPartOrder {
  std::string program;                      // Warpmark's program there, as a word of a shell's command line
  std::filesystem::path submission;         // the student's folder
  AssignmentHome assignment;                // travels unless it comes with the tool
  std::filesystem::path rubric;             // empty: the assignment's own
  std::vector<std::filesystem::path> data;  // the user's data files
  std::vector<std::string> options;         // further options of `grade`
  std::string engine = "auto";              // engine there: "auto" or "simulator"
  std::string seed;                         // seed of the test inputs
  bool seed_is_chosen = false;              // true: by the user; another seed is then other work
};

// Path of the grade in the parcel's folder there.
inline constexpr const char* kGradeFile = "out/grade.json";

// Copies into an empty folder what the order needs, and writes the command. Hidden files stay, and so does
// what is neither a regular file nor a symbolic link. Throws std::exception if the disk cannot be written.
Parcel pack(const GpuPartOrder& order, const std::filesystem::path& folder);

}  // namespace warpmark::remote
