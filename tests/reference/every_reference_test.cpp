// The references of all assignments: right at many more sizes than are graded, and without a warning from
// nvcc.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "harness/assignments/assignment.h"
#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/judge.h"
#include "harness/sandbox/process.h"
#include "tests/home.h"
#include "tests/reference/bench.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

// reduction has tests of its own, with more types and alignments.
std::vector<std::string> other_assignments() {
  std::vector<std::string> names;
  for (const std::string& name : names_of_assignments()) {
    if (name != "reduction") names.push_back(name);
  }
  return names;
}

// 0 to 66 values, those around every power of two up to 2048, and what the seed gives.
std::string rubric_of_many_sizes(const std::string& name) {
  const auto assignment = assignment_called(name);
  toml::array sizes;
  const auto add = [&](std::uint64_t n) {
    const Size size = assignment->ladder_size(n);
    toml::array parts;
    for (const std::uint64_t part : size.parts) parts.push_back(static_cast<std::int64_t>(part));
    if (size.parts.size() == 1) {
      sizes.push_back(static_cast<std::int64_t>(n));
    } else {
      sizes.push_back(std::move(parts));
    }
  };
  for (std::uint64_t n = 0; n <= 66; ++n) add(n);
  for (std::uint64_t edge = 128; edge <= 2048; edge *= 2) {
    for (const std::uint64_t n : {edge - 1, edge, edge + 1}) add(n);
  }
  toml::table rubric = toml::parse(read_file(home_of(name).rules()).value_or(""));
  toml::table& correct = *rubric["correct"].as_table();
  correct.insert_or_assign("sizes", std::move(sizes));
  if (toml::table* secret = correct["secret"].as_table()) {
    secret->insert_or_assign("count", 12);
  } else {
    correct.insert_or_assign("secret_sizes", 12);
  }
  std::ostringstream text;
  text << rubric;
  return text.str();
}

class EveryReference : public testing::TestWithParam<std::string> {
 protected:
  // Wider loads look for aligned addresses: every buffer begins some values past a boundary.
  static void expect_right_when_shifted(const std::vector<std::uint64_t>& shifts,
                                        const std::vector<std::uint64_t>& sizes);
};
// Some minutes in all.
using EveryReferenceLong = EveryReference;

TEST_P(EveryReferenceLong, is_right_at_many_more_sizes) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "rubric.toml", rubric_of_many_sizes(GetParam())));
  GradeOptions options;
  options.submission = kRoot / "reference" / GetParam();
  options.assignment = GetParam();
  options.only = "*.correct";
  options.rubric = folder.path() / "rubric.toml";
  options.cache = WARPMARK_CACHE;
  const auto grade = grade_submission(installation(), options);
  ASSERT_TRUE(grade) << grade.error().message;
  std::size_t asked = 0;
  for (const CheckResult& check : grade->checks) {
    if (!check.id.ends_with(".correct")) continue;
    if (check.verdict == Verdict::not_run && check.causes.front().kind == CauseKind::no_gpu) continue;
    ++asked;
    EXPECT_EQ(check.verdict, Verdict::passed)
        << check.id << ": " << (check.causes.empty() ? "" : check.causes.front().message);
  }
  EXPECT_GT(asked, 0U);
}

TEST_P(EveryReferenceLong, has_no_two_versions_that_are_the_same_code) {
  GradeOptions options;
  options.submission = kRoot / "reference" / GetParam();
  options.assignment = GetParam();
  options.engine = Engine::simulator;
  options.cache = WARPMARK_CACHE;
  const auto grade = grade_submission(installation(), options);
  ASSERT_TRUE(grade) << grade.error().message;
  for (const CheckResult& check : grade->checks) {
    for (const Cause& note : check.notes) EXPECT_NE(note.kind, CauseKind::same_code) << note.message;
  }
}

void EveryReference::expect_right_when_shifted(const std::vector<std::uint64_t>& shifts,
                                               const std::vector<std::uint64_t>& sizes) {
  ReferenceBench bench(GetParam());
  const auto assignment = assignment_called(GetParam());
  const Rubric rubric = rubric_of(GetParam());
  std::size_t asked = 0;
  for (const VersionRule& version : rubric.versions) {
    if (version.gpu_only && bench.engine() != Engine::gpu) continue;
    // The bench asks one process on one device; grades ask the others.
    if (version.host || !version.ranks.empty()) continue;
    for (const std::string& type : rubric.types) {
      for (const std::string& data : assignment->data_classes(type)) {
        for (const std::uint64_t shift : shifts) {
          for (const std::uint64_t n : sizes) {
            Case which = assignment->case_of(type, data, assignment->ladder_size(n), n + shift);
            which.shift = rubric.plain ? shift_of_all(*assignment, shift) : shift;
            ASSERT_EQ(bench.run(version.name, which), "")
                << version.name << ", " << type << " (" << data << "), n = " << n << ", shift = " << shift;
            ++asked;
          }
        }
      }
    }
  }
  EXPECT_GE(asked, shifts.size() * sizes.size() * 2);
}

TEST_P(EveryReference, is_right_at_odd_alignments) {
  expect_right_when_shifted({1, 3}, {33, 4096});
}

TEST_P(EveryReferenceLong, is_right_at_every_alignment) {
  expect_right_when_shifted({1, 2, 3, 4, 5, 6, 7}, {1, 5, 33, 257, 1024, 4096});
}

// Each file alone takes nvcc some seconds.
TEST_P(EveryReferenceLong, and_its_stubs_compile_without_a_warning) {
  if (std::string(WARPMARK_TEST_NVCC).empty()) GTEST_SKIP() << "not run: there is no nvcc";
  const TemporaryFolder folder;
  for (const char* root : {"reference", "student_template"}) {
    for (const auto& entry : fs::directory_iterator(kRoot / root / GetParam())) {
      if (entry.path().extension() != ".cu") continue;
      sandbox::Command command;
      command.argv = {WARPMARK_TEST_NVCC,
                      "-std=c++17",
                      "-arch=sm_80",
                      "-Xcompiler",
                      "-Wall,-Wextra",
                      "-I" + home_of(GetParam()).folder.string(),
                      "-c",
                      "-o",
                      (folder.path() / "object.o").string(),
                      entry.path().string()};
      command.environment = {{"PATH", "/usr/bin:/bin"}, {"TMPDIR", folder.path().string()}};
      const auto finished = sandbox::run(command, std::chrono::minutes(5));
      ASSERT_TRUE(finished) << finished.error().message;
      EXPECT_EQ(finished->ending.output, "") << entry.path();
      EXPECT_EQ(finished->ending.code, 0) << entry.path();
    }
  }
}

std::string name_of_assignment(const testing::TestParamInfo<std::string>& info) {
  return info.param;
}
INSTANTIATE_TEST_SUITE_P(Assignments, EveryReference, testing::ValuesIn(other_assignments()),
                         name_of_assignment);
INSTANTIATE_TEST_SUITE_P(Assignments, EveryReferenceLong, testing::ValuesIn(other_assignments()),
                         name_of_assignment);

}  // namespace
}  // namespace warpmark::judge
