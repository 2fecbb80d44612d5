#include "harness/judge/rules/thresholds.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/course.h"
#include "tests/home.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Thresholds sample() {
  return {"NVIDIA H200",
          "2026-11-21",
          "580.65",
          "13.0",
          "",
          "int",
          1 << 26,
          5,
          48,
          1.61,
          {{"v02", 11.38, 11.52, 9.1}, {"v05", 2.15, 2.17, 1.7}}};
}

Rubric graded_rubric() {
  Rubric rubric;
  rubric.assignment = "reduction";
  rubric.fast.type = "int";
  rubric.fast.size = 1 << 20;
  for (const char* name : {"v01", "v02", "v05", "v09"}) {
    rubric.versions.emplace_back().name = name;
    rubric.versions.back().steps = {{1.5, 1}};
  }
  return rubric;
}

class ThresholdsFile : public testing::Test {
 protected:
  [[nodiscard]] Result<Thresholds> read(const std::string& text) const {
    EXPECT_TRUE(write_file(file, text));
    return read_thresholds(file);
  }
  // The sample with one part of its text replaced.
  [[nodiscard]] std::string complaint_with(const std::string& part, const std::string& by) const {
    std::string text = to_toml(sample());
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    const auto thresholds = read(text.replace(at, part.size(), by));
    return thresholds ? "no complaint" : thresholds.error().message;
  }
  const TemporaryFolder folder;
  const AssignmentHome home{.name = "reduction", .folder = folder.path()};
  const std::filesystem::path file = folder.path() / "gpu.toml";
};

TEST_F(ThresholdsFile, is_read_as_it_was_written) {
  const auto back = read(to_toml(sample()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_toml(*back), to_toml(sample()));
  EXPECT_EQ(back->gpu, "NVIDIA H200");
  EXPECT_EQ(back->driver, "580.65");
  EXPECT_EQ(back->size, 1U << 26);
  EXPECT_EQ(back->runs, 5U);
  EXPECT_EQ(back->naive_ms, 1.61);
  ASSERT_EQ(back->versions.size(), 2U);
  EXPECT_EQ(back->versions[0].version, "v02");
  EXPECT_EQ(back->versions[0].low, 11.38);
  EXPECT_EQ(back->versions[0].threshold, 9.1);
}

TEST_F(ThresholdsFile, that_cannot_be_used_is_refused_with_file_line_and_rule) {
  EXPECT_THAT(complaint_with("speedup = 9.1", "speedup = 9.9"),
              AllOf(StartsWith(file.string() + ":"), HasSubstr("v02: speedup is 9.9"), HasSubstr("1.15")));
  EXPECT_THAT(complaint_with("speedup = 9.1", "speedup = 0"), HasSubstr("above 0"));
  EXPECT_THAT(complaint_with("speedup = 9.1", "speedup = \"9\""),
              HasSubstr("version.speedup must be a number"));
  EXPECT_THAT(complaint_with("[11.38, 11.52]", "[11.52, 11.38]"), HasSubstr("smaller number"));
  EXPECT_THAT(complaint_with("[11.38, 11.52]", "[11.38]"), HasSubstr("two numbers"));
  EXPECT_THAT(complaint_with("[11.38, 11.52]", "11.38"), HasSubstr("two numbers"));
  EXPECT_THAT(complaint_with("naive_ms = 1.61", "naive_ms = 0"), HasSubstr("naive_ms must be above 0"));
  EXPECT_THAT(complaint_with("size = ", "sice = "), HasSubstr("size is missing"));
  EXPECT_THAT(complaint_with("runs = 5", "runs = 5\nwalks = 5"), HasSubstr("walks is not known"));
  EXPECT_THAT(complaint_with("[[version]]", "[[version"), HasSubstr("not valid TOML"));
}

TEST_F(ThresholdsFile, that_is_missing_is_no_error) {
  const auto none = thresholds_of(home, "NVIDIA H200");
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->has_value());
}

TEST_F(ThresholdsFile, that_is_bad_is_an_error_with_its_remedy_and_no_default) {
  const auto bad = thresholds_file(home, "NVIDIA H200");
  std::filesystem::create_directories(bad.parent_path());
  ASSERT_TRUE(write_file(bad, "gpu = 7"));
  const auto thresholds = thresholds_of(home, "NVIDIA H200");
  ASSERT_FALSE(thresholds);
  EXPECT_THAT(thresholds.error().message,
              AllOf(HasSubstr("nvidia-h200.toml:1"), HasSubstr("warpmark calibrate")));
}

double required_speedup(const Course& course, const std::string& version) {
  return course.required_speeds(*course.rubric.find(version)).front();
}

TEST(Course, without_thresholds_has_the_rubrics_defaults) {
  const Course course = resolve(graded_rubric(), std::nullopt);
  EXPECT_EQ(course.timed_size, 1U << 20);
  EXPECT_EQ(required_speedup(course, "v02"), 1.5);
  EXPECT_EQ(course.calibration.source, "");
  EXPECT_TRUE(course.calibration.versions.empty());
}

TEST(Course, takes_what_was_measured_in_place_of_the_rubrics_defaults) {
  const Course course = resolve(graded_rubric(), sample());
  EXPECT_EQ(course.timed_size, 1U << 26);
  EXPECT_EQ(course.calibration.naive_ms, 1.61);
  EXPECT_THAT(course.calibration.source, AllOf(HasSubstr("NVIDIA H200"), HasSubstr("2026-11-21")));
  EXPECT_EQ(required_speedup(course, "v02"), 9.1);
  ASSERT_TRUE(course.calibration.versions.contains("v02"));
  EXPECT_GE(course.calibration.versions.at("v02").reference.low, 9.1);
  EXPECT_EQ(required_speedup(course, "v09"), 1.5) << "the file does not have it";
  EXPECT_FALSE(course.calibration.versions.contains("v09"));
}

TEST(Course,
     what_was_measured_takes_the_place_of_the_last_required_step_and_the_others_keep_their_proportion) {
  Rubric steps = graded_rubric();
  steps.versions[1].steps = {{1, 2}, {2, 2}, {4, 3, true}};
  const Course course = resolve(steps, sample());
  EXPECT_THAT(course.required_speeds(*course.rubric.find("v02")), testing::ElementsAre(4.55, 9.1, 18.2));
  EXPECT_THAT(course.parts_of(*course.rubric.find("v02"), Check::fast),
              testing::ElementsAre(testing::Field(&PointPart::name, "4.55 times as fast as the naive kernel"),
                                   testing::Field(&PointPart::name, "9.1 times as fast as the naive kernel"),
                                   testing::Field(&PointPart::bonus, true)));
  steps.versions[1].speed_unit = SpeedUnit::reference;
  EXPECT_THAT(resolve(steps, sample()).required_speeds(steps.versions[1]), testing::ElementsAre(1, 2, 4))
      << "shares of the reference's speed need no calibration";
}

TEST(Course, of_a_rubric_that_wants_its_own_thresholds_takes_the_naive_kernels_time_alone) {
  Rubric own = graded_rubric();
  own.fast.calibrate = false;
  EXPECT_EQ(resolve(own, sample()).timed_size, 1U << 20);
  EXPECT_EQ(required_speedup(resolve(own, sample()), "v02"), 1.5);
  EXPECT_EQ(resolve(own, sample()).calibration.naive_ms, 0) << "it was measured at another size";
  own.fast.size = 1 << 26;
  EXPECT_EQ(resolve(own, sample()).calibration.naive_ms, 1.61);
  EXPECT_EQ(required_speedup(resolve(own, sample()), "v02"), 1.5);
}

TEST(Course, takes_nothing_from_thresholds_of_another_value_type) {
  Rubric floats = graded_rubric();
  floats.fast.type = "float";
  EXPECT_EQ(required_speedup(resolve(floats, sample()), "v02"), 1.5);
  EXPECT_EQ(resolve(floats, sample()).calibration.naive_ms, 0);
}

TEST(Course, does_not_decide_fast_at_a_size_that_the_thresholds_do_not_hold_for) {
  const auto obstacle_at = [](std::optional<std::uint64_t> size) {
    CourseOptions options;
    options.focus.size = size;
    return resolve(graded_rubric(), sample(), options).obstacle_to_fast();
  };
  EXPECT_FALSE(obstacle_at(std::nullopt));
  EXPECT_FALSE(obstacle_at(1 << 26)) << "what a failure's command asks for";
  const auto obstacle = obstacle_at(1 << 20);
  ASSERT_TRUE(obstacle);
  EXPECT_EQ(obstacle->kind, CauseKind::not_calibrated);
  EXPECT_EQ(rule_of(obstacle->kind).verdict, Verdict::not_run);
  EXPECT_THAT(obstacle->message, AllOf(HasSubstr("67108864"), HasSubstr("1048576"), HasSubstr("ladder")));
}

TEST(RubricFor, leaves_out_versions_that_the_submission_was_not_asked_for) {
  Submission submission;
  submission.files["v05"];
  const Rubric left = rubric_for(submission, graded_rubric());
  ASSERT_EQ(left.versions.size(), 1U);
  EXPECT_EQ(left.versions.front().name, "v05");
}

TEST(WithTypes, times_a_type_that_is_graded) {
  Rubric ints = graded_rubric();
  ints.types = {"int"};
  EXPECT_EQ(with_types(ints, {"double"}).types, std::vector<std::string>{"double"});
  EXPECT_EQ(with_types(ints, {"double"}).fast.type, "double");
  EXPECT_EQ(with_types(ints, {"double", "int"}).fast.type, "int");
}

TEST(Threshold, is_what_was_reached_over_a_quarter_more_rounded_down_to_two_digits) {
  const std::pair<double, double> cases[] = {{11.4, 9.1}, {14.37, 11},     {2.16, 1.7},  {5.125, 4.1},
                                             {24.99, 19}, {25, 20},        {125.1, 100}, {1.25, 1},
                                             {0.9, 0.72}, {0.0899, 0.071}, {1234, 980}};
  for (const auto& [low, threshold] : cases) {
    EXPECT_DOUBLE_EQ(threshold_below(low), threshold) << low;
    EXPECT_LE(threshold_below(low) * 1.25, low * (1 + 1e-9)) << low;
  }
}

TEST(Slug, is_made_of_small_letters_digits_and_dashes) {
  EXPECT_EQ(slug_of("NVIDIA H200"), "nvidia-h200");
  EXPECT_EQ(slug_of("NVIDIA GeForce RTX 3080 (Ti)"), "nvidia-geforce-rtx-3080-ti");
  EXPECT_EQ(slug_of("../../etc"), "etc");
  EXPECT_EQ(thresholds_file({.name = "sums", .folder = "/course/sums"}, "NVIDIA H200"),
            "/course/sums/thresholds/nvidia-h200.toml");
}

// The files that ship.
std::vector<Thresholds> shipped() {
  std::vector<Thresholds> all;
  const auto folder = thresholds_file(home_of("reduction"), "x").parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() == "counts.toml")
      continue;  // from which thresholds of other GPUs are predicted
    auto thresholds = read_thresholds(entry.path());
    if (!thresholds) throw std::runtime_error(thresholds.error().message);
    EXPECT_EQ(entry.path().stem(), slug_of(thresholds->gpu));
    all.push_back(std::move(*thresholds));
  }
  return all;
}

TEST(Shipped, thresholds_include_an_h200s) {
  const auto all = shipped();
  EXPECT_TRUE(
      std::any_of(all.begin(), all.end(), [](const Thresholds& t) { return t.gpu == "NVIDIA H200"; }));
}

TEST(Shipped, thresholds_have_every_timed_version_and_their_evidence) {
  const auto rubric = read_rubric(home_of("reduction"));
  ASSERT_TRUE(rubric) << rubric.error().message;
  for (const Thresholds& thresholds : shipped()) {
    SCOPED_TRACE(thresholds.gpu);
    EXPECT_GE(thresholds.runs, 5U);
    EXPECT_GE(thresholds.rounds, 48U);
    EXPECT_FALSE(thresholds.driver.empty());
    EXPECT_EQ(thresholds.date.size(), 10U);
    EXPECT_LE(thresholds.naive_ms, 1.65) << "longer kernels are cut by time slices";
    const Course course = resolve(*rubric, thresholds);
    for (const VersionRule& version : course.rubric.versions) {
      EXPECT_EQ(course.calibration.versions.contains(version.name), version.has(Check::fast)) << version.name;
    }
  }
}

TEST(Shipped, thresholds_are_cleared_by_the_reference_with_15_percent_to_spare) {
  for (const Thresholds& thresholds : shipped()) {
    for (const VersionThreshold& version : thresholds.versions) {
      EXPECT_GE(version.low, 1.15 * version.threshold) << thresholds.gpu << " " << version.version;
    }
  }
}

// What the steps of the tree teach must show: a version of one tier does not reach what the next one asks.
TEST(Shipped, thresholds_are_missed_by_the_tier_before) {
  const std::vector<std::vector<std::string>> tiers{
      {"v05_tree_modulo"},
      {"v06_tree_strided", "v07_tree_sequential"},
      {"v08_tree_first_add"},
      {"v11_tree_grid_stride", "v13_shared_grid_stride", "v17_vector_loads"}};
  for (const Thresholds& thresholds : shipped()) {
    const auto of = [&](const std::string& name) {
      return *std::find_if(thresholds.versions.begin(), thresholds.versions.end(),
                           [&](const VersionThreshold& version) { return version.version == name; });
    };
    for (std::size_t tier = 1; tier < tiers.size(); ++tier) {
      for (const std::string& lower : tiers[tier - 1]) {
        for (const std::string& upper : tiers[tier]) {
          EXPECT_LT(of(lower).high, of(upper).threshold) << thresholds.gpu << ": " << lower << ", " << upper;
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpmark::judge
