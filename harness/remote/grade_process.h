// Runs `warpmark grade` as a process of its own on this machine.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/file.h"
#include "harness/model/grade.h"
#include "harness/sandbox/process.h"

namespace warpmark::remote {

// Returns the last message in the output of `warpmark grade`: the text after "warpmark grade: ", including
// the following lines.
std::string message_of_grade(const std::string& output);

// A running `warpmark grade`. The destructor ends it and removes its files.
class GradeProcess {
 public:
  using Say = std::function<void(const std::string&)>;
  // Starts the program with the arguments of `grade`, to which the output folder is added.
  static Result<GradeProcess> start(std::vector<std::string> arguments, Say say);

  // Passes lines of progress on. Returns true when the process has ended.
  bool step();
  // Returns the grade, or the message of the process. Call after step() has returned true.
  [[nodiscard]] Result<Grade> grade() const;

 private:
  GradeProcess(sandbox::Process process, std::unique_ptr<TemporaryFolder> out, Say say)
      : process_(std::move(process)), out_(std::move(out)), say_(std::move(say)) {}

  sandbox::Process process_;
  std::unique_ptr<TemporaryFolder> out_;
  Say say_;
  std::string line_;     // output after the last line end
  std::string printed_;  // all output
};

}  // namespace warpmark::remote
