// The rubrics of the repository itself.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/rules/rubric.h"
#include "tests/home.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(ShippedRubrics, are_sound) {
  std::size_t found = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(WARPMARK_ROOT) / "harness/assignments")) {
    const fs::path& path = entry.path();
    if (path.extension() != ".toml" || path.parent_path().filename() == "thresholds") continue;
    const fs::path folder = path.parent_path();
    const auto rubric = read_rubric(
        {.name = "any", .folder = folder.filename() == "rubrics" ? folder.parent_path() : folder}, path);
    EXPECT_TRUE(rubric) << rubric.error().message;
    ++found;
  }
  EXPECT_GE(found, 2U);
}

TEST(ShippedRubrics, name_versions_that_the_reference_has) {
  for (const std::string& assignment : names_of_assignments()) {
    const auto rubric = read_rubric(home_of(assignment));
    ASSERT_TRUE(rubric) << rubric.error().message;
    EXPECT_FALSE(rubric->versions.empty());
    const fs::path folder = home_of(assignment).folder;
    const auto contract = read_file(folder / rubric->contract);
    const auto host_contract = read_file(folder / rubric->host.contract);
    for (const VersionRule& version : rubric->versions)
      EXPECT_THAT((version.host ? host_contract : contract).value_or(""),
                  HasSubstr("_fn " + version.name + ";"));
    for (const VersionRule& version : rubric->versions) {
      EXPECT_TRUE(fs::exists(fs::path(WARPMARK_ROOT) / "reference" / assignment / version.file()))
          << version.name;
    }
    if (!rubric->naive.empty()) {
      EXPECT_NE(rubric->find(rubric->naive), nullptr);
    }
  }
}

TEST(ShippedRubrics, say_how_work_is_shared_and_on_which_data) {
  const auto rubric = read_rubric(home_of("segmented"));
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_EQ(rubric->work.span_at_most, 25000);
  EXPECT_EQ(rubric->find("s04_one_pass")->work_data, "skewed_offsets");
  EXPECT_EQ(rubric->find("s02_warp_per_segment")->work_data, "");
}

TEST(ShippedRubrics, that_time_give_100_points_most_of_them_without_a_gpu) {
  for (const std::string& assignment : names_of_assignments()) {
    const auto rubric = read_rubric(home_of(assignment));
    ASSERT_TRUE(rubric) << rubric.error().message;
    if (rubric->naive.empty()) continue;
    double on_gpu = 0;
    double elsewhere = rubric->upload_once.points;
    for (const VersionRule& version : rubric->versions) {
      double points = 0;
      for (const Check check : version.checks) {
        points += version.points.at(check);
        ((check == Check::fast && !version.host) || version.gpu_only ? on_gpu : elsewhere) +=
            version.points.at(check);
      }
      EXPECT_EQ(points == 0, version.given || version.reference_only) << version.name;
    }
    EXPECT_EQ(on_gpu + elsewhere, 100) << assignment;
    EXPECT_GE(on_gpu, 15) << assignment;
    EXPECT_LE(on_gpu, 40) << assignment;
  }
}

}  // namespace
}  // namespace warpmark::judge
