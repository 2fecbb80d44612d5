// Grades each submission of pictures.toml on the simulator and looks for its pictures in the page that is
// made of the grade's file.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <regex>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/judge.h"
#include "reports/reports.h"
#include "tests/edits/edits.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

struct Drawn {
  std::string name;
  edits::Edits edits;
  std::string check;
  std::string type;
  std::vector<std::string> draws;
  std::vector<std::string> not_drawn;
};

std::vector<Drawn> read_cases() {
  const auto entries = edits::read_table(WARPMARK_PICTURES);
  if (!entries) throw std::runtime_error(entries.error().message);
  std::vector<Drawn> cases;
  for (const edits::Entry& entry : *entries) {
    edits::Members members(entry.table, entry.name);
    Drawn each{members.text("name"), {}, {}, {}, {}, {}};
    auto edits = edits::read_edits(members);
    if (!edits) throw std::runtime_error(edits.error().message);
    each.edits = std::move(*edits);
    each.check = members.text("check", "correct");
    each.type = members.text("type", "int");
    each.draws = members.texts("draws");
    each.not_drawn = members.texts("not_drawn");
    if (auto done = members.finish(); !done) throw std::runtime_error(done.error().message);
    cases.push_back(std::move(each));
  }
  return cases;
}

class PictureTest : public testing::Test {
 public:
  explicit PictureTest(Drawn which) : which_(std::move(which)) {}

  void TestBody() override {
    const TemporaryFolder scratch;
    const auto submission = edits::submission_of(which_.edits, false);
    ASSERT_TRUE(submission) << submission.error().message;
    ASSERT_TRUE(edits::write_submission(*submission, scratch.path()));
    judge::GradeOptions options;
    options.submission = scratch.path();
    options.assignment = which_.edits.assignment();
    options.only = edits::check_id(which_.edits, which_.check);
    options.focus.type = which_.type;
    options.focus.seed = 20261122;
    options.engine = Engine::simulator;
    options.cache = WARPMARK_CACHE;
    const auto grade = judge::grade_submission({WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB}, options);
    ASSERT_TRUE(grade) << grade.error().message;
    if (is_left_open(*grade)) GTEST_SKIP() << "not run: no compiler or no MPI on this machine";
    const auto read = grade_from_json(to_json(*grade));
    ASSERT_TRUE(read) << read.error().message;
    const std::string page = to_html(*read);
    if (const char* pages = std::getenv("WARPMARK_PAGES")) {
      ASSERT_TRUE(write_file(fs::path(pages) / (which_.name + ".html"), page));
    }
    EXPECT_NE(grade->exit_status, 0) << "the submission is to fail";
    for (const std::string& each : which_.draws)
      EXPECT_TRUE(std::regex_search(page, std::regex(each))) << each;
    for (const std::string& each : which_.not_drawn)
      EXPECT_FALSE(std::regex_search(page, std::regex(each))) << each;
  }

 private:
  static bool is_left_open(const Grade& grade) {
    return std::ranges::none_of(grade.checks,
                                [](const CheckResult& check) { return check.verdict == Verdict::failed; }) &&
           grade.score.open > 0;
  }

  Drawn which_;
};

}  // namespace
}  // namespace warpmark

int main(int argc, char** argv) {
  using namespace warpmark;
  testing::InitGoogleTest(&argc, argv);
  try {
    for (const Drawn& each : read_cases())
      testing::RegisterTest("pictures", each.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [=]() -> testing::Test* { return new PictureTest(each); });
    return RUN_ALL_TESTS();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
