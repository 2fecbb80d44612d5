// A submission as collected from the instructor's inputs. The journal stores these records, so that a run can
// resume without the inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

struct Taken {
  std::string id;
  Person person;
  std::string source;
  std::string submitted;
  Lateness lateness;
  std::uint64_t attempts = 0;  // number of attempts according to the roster; 0: not given
  std::string content;         // digest of the submission's files; empty: nothing to grade
  std::vector<std::string> remarks;
  // Why the student cannot be graded; kind "missing": nothing was handed in.
  std::optional<StudentCause> fault;
  std::string doubt;  // note to the instructor on why the student's identity is ambiguous; may be empty
};

struct TakenClass {
  std::string assignment;  // name
  std::string folder;  // absolute folder of the assignment; empty: an installed assignment, found by its name
  std::vector<Taken> students;  // students in the order of their IDs
  std::vector<NotUnderstood> not_understood;

  // Returns what identifies the class's assignment: the path of its folder if it has one, otherwise its name.
  [[nodiscard]] const std::string& place() const { return folder.empty() ? assignment : folder; }
};

std::string to_json(const TakenClass& taken);
Result<TakenClass> taken_from_json(const std::string& text);

}  // namespace warpmark::classroom
