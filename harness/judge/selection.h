// Which checks the user asks for, and the command that asks for one of them again.
#pragma once

#include <string>

#include "harness/judge/grade_options.h"
#include "harness/judge/rules/check.h"
#include "harness/judge/rules/course.h"

namespace warpmark::judge {

class Selection {
 public:
  // The course is used as long as this lives.
  explicit Selection(const Course& course) : course_(course) {}

  // The version has the check (the rubric names an upload function), and the course's glob matches its whole
  // id, the id without the assignment, or the version alone.
  [[nodiscard]] bool wants(const VersionRule& version, Check check) const;
  [[nodiscard]] bool wants_upload() const;
  // Whether the version is built and run: for a check of its own, or for the audit of the upload.
  [[nodiscard]] bool runs(const VersionRule& version) const;

 private:
  [[nodiscard]] bool matches(const CheckKey& key) const;
  const Course& course_;
};

inline CheckKey upload_key() {
  return {"", Check::upload_once};
}

// How a shell in `folder` calls a program, both absolute: relative where that is shorter.
std::string program_from(const std::filesystem::path& folder, const std::filesystem::path& program);

// The command line that shows a cause of a check again, quoted for a shell.
std::string command_again(const GradeOptions& options, const std::string& assignment, const CheckKey& key,
                          const Cause& cause);

// A student's command line (GradeOptions::for_student) as it is typed elsewhere: by `program`, for the folder
// `submission`, with `more` behind it. Any other command line is returned as it is.
std::string command_of_instructor(const std::string& of_student, const std::string& program,
                                  const std::string& submission, const std::string& more);

}  // namespace warpmark::judge
