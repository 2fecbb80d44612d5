// The folder that a program works in, and what it left there. Everything read from it is untrusted.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "harness/assignments/program/spec.h"
#include "harness/base/file.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Makes the working folders of the runs of one case. Other users cannot enter them from outside of a box.
class ProgramFolders {
 public:
  // course: the assignment's folder. Throws std::system_error if no folder can be made.
  ProgramFolders(const program::Case& one, std::filesystem::path course);

  // Makes the folder of a run and copies the case's files into it; writable for a program that runs as
  // another user. Throws AssignmentFault if a file cannot be copied. Thread-safe.
  std::filesystem::path make(int run) const;
  // Returns the path of a copy of the case's standard input, or /dev/null: through its descriptor a program
  // of the same user could change the file. Throws AssignmentFault if there is no such file.
  [[nodiscard]] std::filesystem::path input() const;
  // Returns the folder that make() made.
  [[nodiscard]] std::filesystem::path of(int run) const;
  // Sum of the sizes of the case's files, in bytes.
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
