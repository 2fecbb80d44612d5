// The rubrics that ship with `reduction`, and what they say of versions that only the course has.
#include <algorithm>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/judge.h"
#include "tests/home.h"
#include "tests/reference/bench.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const fs::path kReference = kRoot / "reference/reduction";

std::vector<std::string> names_of(const std::vector<VersionRule>& versions) {
  std::vector<std::string> names;
  for (const VersionRule& version : versions) names.push_back(version.name);
  return names;
}

// The points of all checks that need a GPU, or of all others.
double points_of(const Rubric& rubric, bool on_gpu) {
  double points = on_gpu ? 0 : rubric.upload_once.points;
  for (const VersionRule& version : rubric.versions) {
    for (const Check check : version.checks) {
      if ((check == Check::fast || version.gpu_only) == on_gpu) points += version.points.at(check);
    }
  }
  return points;
}

Rubric small_rubric(const std::string& name) {
  auto rubric = read_rubric(home_of("reduction"), home_of("reduction").folder / "rubrics" / name);
  if (!rubric) throw std::runtime_error(rubric.error().message);
  return std::move(*rubric);
}

TEST(Rubric, of_the_course_has_every_version_in_order) {
  EXPECT_THAT(names_of(reduction_rubric().versions), ElementsAreArray(kVersions));
}

TEST(Rubric, of_the_course_gives_100_points_82_of_them_without_a_gpu) {
  EXPECT_EQ(points_of(reduction_rubric(), false), 82);
  EXPECT_EQ(points_of(reduction_rubric(), true), 18);
}

TEST(Rubric, of_the_course_gives_nothing_for_what_is_given_or_the_courses_own) {
  for (const VersionRule& version : reduction_rubric().versions) {
    double points = 0;
    for (const Check check : version.checks) points += version.points.at(check);
    EXPECT_EQ(points == 0, version.given || version.reference_only) << version.name;
  }
}

TEST(Rubric, names_versions_that_the_contract_declares) {
  const std::string contract = read_file(home_of("reduction").folder / "reduction.h").value_or("");
  for (const char* version : kVersions) {
    EXPECT_THAT(contract, HasSubstr(std::string("reduce_fn ") + version + ";"));
    EXPECT_TRUE(fs::exists(kReference / (std::string(version) + ".cu"))) << version;
  }
}

TEST(Rubric, of_a_shorter_course_gives_100_points_too_and_asks_for_the_same_speed) {
  const Rubric course = reduction_rubric();
  for (const char* name : {"atomics.toml", "tree.toml"}) {
    const Rubric rubric = small_rubric(name);
    EXPECT_EQ(points_of(rubric, false) + points_of(rubric, true), 100) << name;
    EXPECT_GE(points_of(rubric, false), 80) << name;
    EXPECT_EQ(rubric.work.size, course.work.size) << name;
    for (const VersionRule& version : rubric.versions) {
      const VersionRule* same = course.find(version.name);
      ASSERT_NE(same, nullptr) << version.name;
      EXPECT_EQ(version.required_speed(), same->required_speed()) << version.name;
      EXPECT_EQ(version.checks, same->checks) << version.name;
      EXPECT_EQ(version.work, same->work) << version.name;
    }
  }
  EXPECT_THAT(names_of(small_rubric("atomics.toml").versions),
              ElementsAre("v01_atomic_per_element", "v02_atomic_per_thread", "v03_atomic_coalesced",
                          "v04_atomic_per_block"));
  EXPECT_EQ(small_rubric("tree.toml").versions.size(), 7U);
}

// A rubric with one version of the course's own.
class OwnVersion : public testing::Test {
 protected:
  [[nodiscard]] Result<Rubric> read(const std::string& version) const {
    const std::string text =
        "title = \"Sums\"\ncontract = \"reduction.h\"\ntypes = [\"int\"]\n"
        "[points]\nbuilds = 1\ncorrect = 2\nclean = 3\n[correct]\nsizes = [0]\n[clean]\nsizes = "
        "[1]\nschedules = 1\n"
        "[[version]]\nname = \"v07_tree_sequential\"\nchecks = [\"builds\"]\n"
        "[[version]]\nname = \"v20_cub\"\n" +
        version;
    EXPECT_TRUE(write_file(folder.path() / "rubric.toml", text));
    return read_rubric(home_of("reduction"), folder.path() / "rubric.toml");
  }
  static std::string error_of(const Result<Rubric>& rubric) {
    return rubric ? "no error" : rubric.error().message;
  }

  const TemporaryFolder folder;
};

TEST_F(OwnVersion, is_worth_nothing_unless_its_own_table_says_so) {
  const auto plain = read("checks = [\"builds\", \"correct\"]\nreference_only = true\n");
  ASSERT_TRUE(plain) << error_of(plain);
  EXPECT_TRUE(plain->versions[1].reference_only);
  EXPECT_FALSE(plain->versions[0].reference_only);
  EXPECT_EQ(plain->versions[0].points.at(Check::builds), 1);
  EXPECT_EQ(plain->versions[1].points.at(Check::builds), 0);
  EXPECT_EQ(plain->versions[1].points.at(Check::correct), 0);
  const auto bonus =
      read("checks = [\"builds\", \"correct\"]\nreference_only = true\npoints = { correct = 5 }\n");
  ASSERT_TRUE(bonus) << error_of(bonus);
  EXPECT_EQ(bonus->versions[1].points.at(Check::builds), 0);
  EXPECT_EQ(bonus->versions[1].points.at(Check::correct), 5);
}

TEST_F(OwnVersion, is_left_out_where_its_file_is_missing) {
  const auto rubric = read("checks = [\"builds\"]\nreference_only = true\n");
  ASSERT_TRUE(rubric) << error_of(rubric);
  EXPECT_THAT(names_of(versions_in(folder.path(), *rubric)), ElementsAre("v07_tree_sequential"));
  EXPECT_THAT(names_of(versions_in(folder.path() / "missing", *rubric)), ElementsAre("v07_tree_sequential"));
  ASSERT_TRUE(write_file(folder.path() / "v20_cub.cu", ""));
  EXPECT_THAT(names_of(versions_in(folder.path(), *rubric)), ElementsAre("v07_tree_sequential", "v20_cub"));
}

TEST_F(OwnVersion, of_the_students_is_never_left_out) {
  const auto rubric = read("checks = [\"builds\"]\n");
  ASSERT_TRUE(rubric) << error_of(rubric);
  EXPECT_THAT(names_of(versions_in(folder.path(), *rubric)), ElementsAre("v07_tree_sequential", "v20_cub"));
}

TEST_F(OwnVersion, that_needs_a_gpu_has_nothing_for_the_simulator_to_look_at) {
  EXPECT_THAT(error_of(read("gpu_only = true\nchecks = [\"builds\", \"clean\"]\n")),
              HasSubstr("v20_cub: the check \"clean\" runs on the simulator"));
  EXPECT_THAT(error_of(read("gpu_only = 1\nchecks = [\"builds\"]\n")), HasSubstr("must be true or false"));
  const auto rubric = read("gpu_only = true\nchecks = [\"builds\", \"correct\"]\n");
  ASSERT_TRUE(rubric) << error_of(rubric);
  EXPECT_TRUE(rubric->versions[1].gpu_only);
}

class GradedOnTheSimulator : public testing::Test {
 protected:
  static Grade grade(const fs::path& submission, const std::string& only, const fs::path& rubric = {}) {
    GradeOptions options;
    options.submission = submission;
    options.rubric = rubric;
    options.assignment = "reduction";
    options.engine = Engine::simulator;
    options.only = only;
    options.cache = WARPMARK_CACHE;
    auto grade = grade_submission(installation(), options);
    if (!grade) throw std::runtime_error(grade.error().message);
    return std::move(*grade);
  }
};

// The course's rubric has none: all that its versions use is simulated.
TEST_F(GradedOnTheSimulator, a_version_that_needs_a_gpu_is_not_run_and_costs_nothing) {
  const TemporaryFolder folder;
  std::string text = read_file(home_of("reduction").rules()).value();
  const std::string name = "name = \"v20_cub\"\n";
  ASSERT_NE(text.find(name), std::string::npos);
  text.insert(text.find(name) + name.size(), "gpu_only = true\n");
  ASSERT_TRUE(write_file(folder.path() / "rubric.toml", text));
  const Grade graded = grade(kReference, "*.v20_cub.*", folder.path() / "rubric.toml");
  ASSERT_EQ(graded.checks.size(), 3U);
  for (const CheckResult& check : graded.checks) {
    EXPECT_EQ(check.verdict, Verdict::not_run) << check.id;
    ASSERT_THAT(check.causes, Not(IsEmpty())) << check.id;
    EXPECT_EQ(check.causes.front().kind, CauseKind::no_gpu) << check.id;
  }
  EXPECT_EQ(graded.exit_status, 0);
}

TEST_F(GradedOnTheSimulator, a_version_with_a_library_needs_a_gpu_for_its_speed_alone) {
  const Grade graded = grade(kReference, "v20_cub");
  ASSERT_EQ(graded.checks.size(), 3U);
  for (const CheckResult& check : graded.checks) {
    if (check.check != "fast") {
      EXPECT_EQ(check.verdict, Verdict::passed) << check.id;
      continue;
    }
    EXPECT_EQ(check.verdict, Verdict::not_run) << check.id;
    ASSERT_THAT(check.causes, Not(IsEmpty())) << check.id;
    EXPECT_EQ(check.causes.front().kind, CauseKind::no_gpu) << check.id;
  }
  EXPECT_EQ(graded.exit_status, 0);
}

TEST_F(GradedOnTheSimulator, a_submission_need_not_have_the_courses_own_versions) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "v01_atomic_per_element.cu", ""));
  const auto ids_with = [&](const std::string& part) {
    const Grade graded = grade(folder.path(), "*.builds");
    return std::count_if(graded.checks.begin(), graded.checks.end(),
                         [&](const CheckResult& check) { return check.id.find(part) != std::string::npos; });
  };
  EXPECT_EQ(ids_with("v20_cub"), 0);
  EXPECT_EQ(ids_with("v19_thrust"), 1) << "what students write is missed";
}

// The files have nothing in common but the header that holds the kernel.
TEST_F(GradedOnTheSimulator, one_kernel_of_a_header_earns_one_versions_points) {
  const TemporaryFolder folder;
  std::string kernel = read_file(kReference / "v13_shared_grid_stride.cu").value();
  const std::string name = "v13_shared_grid_stride";
  kernel.replace(kernel.find(name), name.size(), "THIS_VERSION");
  ASSERT_TRUE(write_file(folder.path() / "mine.h", "#pragma once\n" + kernel));
  ASSERT_TRUE(write_file(folder.path() / "atomic_add.h", read_file(kReference / "atomic_add.h").value()));
  for (const char* version : {"v12_shared_one_pass", "v13_shared_grid_stride"}) {
    const std::string text = fmt::format("#define THIS_VERSION {}\n#include \"mine.h\"\n", version);
    ASSERT_TRUE(write_file(folder.path() / fmt::format("{}.cu", version), text));
  }
  const Grade graded = grade(folder.path(), "*_shared_*");
  for (const CheckResult& check : graded.checks) {
    if (check.check == "fast") continue;
    EXPECT_EQ(check.verdict, Verdict::passed) << check.id;
    EXPECT_EQ(check.points > 0, check.version == "v12_shared_one_pass") << check.id;
    if (check.id != "reduction.v13_shared_grid_stride.builds") continue;
    ASSERT_THAT(check.notes, Not(IsEmpty()));
    EXPECT_EQ(check.notes.front().kind, CauseKind::same_code);
    EXPECT_THAT(check.notes.front().message, HasSubstr("is the same code as v12_shared_one_pass.cu"));
  }
}

}  // namespace
}  // namespace warpmark::judge
