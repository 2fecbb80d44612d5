#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "tests/home.h"

namespace warpmark::judge {

inline const std::filesystem::path kRoot = WARPMARK_ROOT;
inline constexpr const char* kVersion = "v07_tree_sequential";
inline constexpr std::string_view kAttempt = "#include \"reduction.h\"\nint attempt;\n";

inline Rubric reduction() {
  const auto rubric = read_rubric(home_of("reduction"));
  if (!rubric) throw std::runtime_error(rubric.error().message);
  return *rubric;
}

// Returns the assignment that a folder's files belong to, or "none".
inline std::string name_recognised(const std::filesystem::path& folder) {
  const auto home = recognise_assignment(folder, kRoot);
  return home ? home->name : "none";
}

// A folder of a student, outside of the repository.
class Intake : public testing::Test {
 protected:
  void write(const std::filesystem::path& name, std::string_view text) const {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    ASSERT_TRUE(write_file(folder.path() / name, text));
  }
  Result<std::string> recognised() const {
    return recognise_assignment(folder.path(), kRoot).map(&AssignmentHome::name);
  }
  std::string refusal() const {
    const auto name = recognised();
    return name ? "recognised as " + *name : name.error().message;
  }
  Submission taken_in() const {
    auto submission = take_in(folder.path(), reduction(), kRoot);
    if (!submission) throw std::runtime_error(submission.error().message);
    return *submission;
  }
  // The kinds of cause that a version's file has, as one text; "" is none.
  std::string cause_of(const std::string& version) const {
    std::string kinds;
    const Submission submission = taken_in();
    for (const Cause& cause : submission.files.at(version).causes) kinds += name_of(cause.kind);
    return kinds;
  }
  static std::string text_of(const std::filesystem::path& path) {
    return read_file(path).value_or("cannot be read");
  }
  static std::string stub(const std::string& version) {
    return text_of(kRoot / "student_template/reduction" / (version + ".cu"));
  }

  const TemporaryFolder folder;
};

}  // namespace warpmark::judge
