// Selects the checks that the user requested, and forms the command line that repeats one of them.
#pragma once

#include <string>

#include "harness/judge/grade_options.h"
#include "harness/judge/rules/check.h"
#include "harness/judge/rules/course.h"

namespace warpmark::judge {

class Selection {
 public:
  // A Selection keeps a reference to the Course, which must outlive it.
  explicit Selection(const Course& course) : course_(course) {}

  // wants: true if the kernel file has the check and the user's glob matches the check's full id, its id
  // without the assignment, or the file's name. wants_upload: the same for `upload_once`, if the rubric names
  // an upload function.
  [[nodiscard]] bool wants(const VersionRule& version, Check check) const;
  [[nodiscard]] bool wants_upload() const;
  // Returns true if a kernel file must be built and run: for a selected check of its own, or for the check
  // `upload_once`.
  [[nodiscard]] bool runs(const VersionRule& version) const;

 private:
  [[nodiscard]] bool matches(const CheckKey& key) const;
  const Course& course_;
};

inline CheckKey upload_key() {
  return {"", Check::upload_once};
}

// Returns the shortest path by which a shell in `folder` can call `program`, relative or absolute. Both
// arguments are absolute.
std::string program_from(const std::filesystem::path& folder, const std::filesystem::path& program);

// Returns the command line that reproduces a failure of a check, quoted for a shell.
std::string command_again(const GradeOptions& options, const std::string& assignment, const CheckKey& key,
                          const Cause& cause);

// Converts a command line printed for a student (see GradeOptions::for_student) to one that works outside the
// submission's folder: with `program`, the folder `submission`, and `more` appended. Returns any other
// command line unchanged.
std::string command_of_instructor(const std::string& of_student, const std::string& program,
                                  const std::string& submission, const std::string& more);

}  // namespace warpmark::judge
