// Grades every folder beside this file and holds the grade against its expect.toml. By default ctest runs one
// of each cause, and every sixth of those without one.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/judge.h"
#include "tests/core.h"

namespace {

namespace fs = std::filesystem;
using namespace warpmark;

struct Expectation {
  std::string id;
  std::string engine;  // empty: whichever decided
  std::string verdict;
  std::string cause;
  std::string file;
  std::string line_of;
  std::string also;  // a kind that some other cause has; empty: no matter
};

struct Fixture {
  std::string assignment;
  std::string only;
  std::vector<Expectation> expectations;
};

// Throws toml::parse_error: a fixture that cannot be read is a broken test.
Fixture read_fixture(const fs::path& folder) {
  const toml::table top = toml::parse_file((folder / "expect.toml").string());
  Fixture fixture{top["assignment"].value_or(std::string()), top["only"].value_or(std::string("*")), {}};
  if (const toml::array* entries = top["expect"].as_array()) {
    for (const toml::node& entry : *entries) {
      const auto text = [&](const char* name) { return (*entry.as_table())[name].value_or(std::string()); };
      fixture.expectations.push_back({text("id"), text("engine"), text("verdict"), text("cause"),
                                      text("file"), text("line_of"), text("also")});
    }
  }
  return fixture;
}

int line_of(const fs::path& file, const std::string& text) {
  std::ifstream stream(file);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.find(text) != std::string::npos) return number;
  }
  return 0;
}

// The course's rubric with short limits: a fixture that never ends shall not cost 20 seconds each time.
std::string impatient_rubric(const std::string& assignment) {
  const auto text = read_file(judge::assignment_folder(WARPMARK_ROOT, assignment) / "rubric.toml");
  EXPECT_TRUE(text.has_value());
  return text.value_or("") + "\n[limits]\ncall_seconds = 12\n";
}

class SubmissionFixture : public testing::Test {
 public:
  explicit SubmissionFixture(fs::path folder) : folder_(std::move(folder)) {}

  void TestBody() override {
    const Fixture fixture = read_fixture(folder_);
    ASSERT_FALSE(fixture.expectations.empty()) << "expect.toml expects nothing";
    const TemporaryFolder scratch;
    const fs::path rubric = scratch.path() / "rubric.toml";
    ASSERT_TRUE(write_file(rubric, impatient_rubric(fixture.assignment)).has_value());

    judge::GradeOptions options;
    options.submission = folder_;
    options.assignment = fixture.assignment;
    options.only = fixture.only;
    options.rubric = rubric;
    options.cache = WARPMARK_CACHE;
    judge::Installation installed{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
    installed.sandbox = sandbox::best_level();  // as the command does
    const auto grade = judge::grade_submission(installed, options);
    ASSERT_TRUE(grade.has_value()) << grade.error().message;
    std::size_t compared = 0;
    for (const Expectation& expected : fixture.expectations) compared += compare(*grade, expected) ? 1 : 0;
    if (compared == 0)
      GTEST_SKIP() << "not run: every expectation is for another engine than this machine has";
  }

 private:
  // False when another engine decided.
  [[nodiscard]] bool compare(const Grade& grade, const Expectation& expected) const {
    SCOPED_TRACE(expected.id);
    const auto check =
        std::find_if(grade.checks.begin(), grade.checks.end(),
                     [&](const CheckResult& candidate) { return candidate.id == expected.id; });
    if (check == grade.checks.end()) {
      ADD_FAILURE() << "the grade has no such check";
      return true;
    }
    if (!expected.engine.empty() && expected.engine != name_of(check->engine)) return false;
    // A check that only a GPU decides names it even where there is none.
    const bool has_gpu = std::any_of(grade.engines.begin(), grade.engines.end(),
                                     [](const EngineUsed& used) { return used.engine == Engine::gpu; });
    if (expected.engine == "gpu" && !has_gpu) return false;
    const std::string seen =
        check->causes.empty() ? "" : check->causes.front().message + "\n" + check->causes.front().details;
    EXPECT_EQ(name_of(check->verdict), expected.verdict) << seen;
    const std::string cause = check->causes.empty() ? "" : std::string(name_of(check->causes.front().kind));
    const std::string allowed = "|" + expected.cause + "|";
    EXPECT_NE(allowed.find("|" + cause + "|"), std::string::npos)
        << cause << ", not " << expected.cause << "\n"
        << seen;
    if (check->causes.empty()) return true;
    if (!expected.also.empty()) {
      EXPECT_TRUE(std::any_of(check->causes.begin() + 1, check->causes.end(), [&](const Cause& other) {
        return name_of(other.kind) == expected.also;
      })) << seen;
    }
    if (!expected.file.empty()) {
      EXPECT_EQ(check->causes.front().file, expected.file) << seen;
    }
    if (!expected.line_of.empty()) {
      EXPECT_EQ(check->causes.front().line, line_of(folder_ / check->causes.front().file, expected.line_of))
          << seen;
    }
    return true;
  }

  fs::path folder_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(WARPMARK_FIXTURES)) {
    if (fs::exists(entry.path() / "expect.toml")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  warpmark::Core core;
  for (const fs::path& folder : folders) {
    const Fixture fixture = read_fixture(folder);
    std::string kind;
    if (!fixture.expectations.empty()) kind = fixture.expectations.front().cause;
    testing::RegisterTest(core.takes(kind) ? "submissions" : "submissionsLong", folder.filename().c_str(),
                          nullptr, nullptr, __FILE__, __LINE__,
                          [folder]() -> testing::Test* { return new SubmissionFixture(folder); });
  }
  return RUN_ALL_TESTS();
}
