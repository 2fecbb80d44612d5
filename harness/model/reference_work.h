// reference.json in an assignment's folder: work of the course's solutions, as the simulator counted it. It
// holds figures and no code, so that it goes to students, who have no solutions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/model/grade.h"

namespace warpmark {

// Name of the file in the assignment's folder.
inline constexpr const char* kReferenceFile = "reference.json";

// Work of one call with an input of n elements.
struct RecordedCall {
  std::uint64_t n = 0;
  WorkFigures work;
};

struct RecordedVersion {
  std::string version;
  std::string teaches;   // first sentence of the solution's file, which stands in the students' file, too
  std::string solution;  // SHA-256 of the solution's file
  std::string data;      // class of data of the counted calls; empty: the assignment's first
  // Calls with the least and with the greatest input for which gradings count work; empty for host code.
  std::vector<RecordedCall> calls;
};

struct ReferenceWork {
  std::string assignment = {};
  std::string command = {};  // command that makes the file again
  std::string made_at = {};  // UTC date
  std::string tool_version = {};
  std::string type = {};  // value type of the counted calls
  std::vector<RecordedVersion> versions = {};

  [[nodiscard]] const RecordedVersion* find(const std::string& version) const;
  // Returns the work of a version's solution with an input of n elements, interpolated between the recorded
  // calls; nullopt if it is not recorded for this type and size.
  [[nodiscard]] std::optional<WorkFigures> at(const std::string& version, const std::string& value_type,
                                              std::uint64_t n) const;
};

// Write and read the file, schema "warpmark.reference/1".
std::string to_json(const ReferenceWork& work);
Result<ReferenceWork> reference_work_from_json(const std::string& text);

}  // namespace warpmark
