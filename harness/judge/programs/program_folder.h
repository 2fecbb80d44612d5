// Working folders of a submitted program, and safe reading of files that the program left there. Everything
// read is untrusted.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "harness/assignments/program/spec.h"
#include "harness/base/file.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Creates the working folders for a program's runs on one test case. Outside of the program's sandbox, no
// other user can enter these folders.
class ProgramFolders {
 public:
  // `course` is the assignment's folder, which contains the test case's files. Throws std::system_error if no
  // folder can be created.
  ProgramFolders(const program::Case& one, std::filesystem::path course);

  // Makes the folder of a run and copies the case's files into it; writable for a program that runs as
  // another user. Throws AssignmentFault if a file cannot be copied. Thread-safe.
  std::filesystem::path make(int run) const;
  // Returns the path of a copy of the test case's standard input, or /dev/null. The program gets a copy
  // because a process of the same user could change the original file through its descriptor. Throws
  // AssignmentFault if the assignment lacks the file.
  [[nodiscard]] std::filesystem::path input() const;
  // Returns the working folder that make() has created for the run.
  [[nodiscard]] std::filesystem::path of(int run) const;
  // Sum of the sizes of a test case's files, in bytes.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  const program::Case& case_;
  std::filesystem::path course_;
  TemporaryFolder folder_;
  std::size_t bytes_ = 0;
};

// Reads a file that a program has left in its folder, which no process changes any more: at most `most`
// bytes, and only a regular file with one name, reached without symbolic links. The error is the cause to
// report.
tl::expected<std::string, Cause> read_output(const std::filesystem::path& folder, const std::string& name,
                                             std::size_t most);

}  // namespace warpmark::judge
