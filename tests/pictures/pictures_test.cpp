// Grades each submission of pictures.toml on the simulator and looks for its pictures in the page that is
// made of the grade's file.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <regex>
#include <stdexcept>

#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/judge.h"
#include "reports/reports.h"
#include "tests/pictures/drawn.h"

namespace warpmark {
namespace {

using pictures::Drawn;

namespace fs = std::filesystem;

class PictureTest : public testing::Test {
 public:
  explicit PictureTest(Drawn which) : which_(std::move(which)) {}

  void TestBody() override {
    const TemporaryFolder scratch;
    auto options = prepared(which_, scratch.path());
    ASSERT_TRUE(options) << options.error().message;
    options->engine = Engine::simulator;
    options->cache = WARPMARK_CACHE;
    const auto grade = judge::grade_submission({WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB}, *options);
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
    const auto cases = pictures::read_cases(WARPMARK_PICTURES);
    if (!cases) throw std::runtime_error(cases.error().message);
    for (const pictures::Drawn& each : *cases)
      testing::RegisterTest("pictures", each.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [=]() -> testing::Test* { return new PictureTest(each); });
    return RUN_ALL_TESTS();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
