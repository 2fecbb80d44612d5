// Makes every submission of the tables beside this file, grades it, and holds the grade against what the
// table says of it. By default ctest runs one of each cause, and every sixth of those without one.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/judge.h"
#include "tests/core.h"
#include "tests/edits/edits.h"
#include "tests/home.h"

namespace {

namespace fs = std::filesystem;
using namespace warpmark;

// Of one check.
struct Expectation {
  std::string id;
  std::string engine;  // empty: whichever decided
  std::string verdict;
  std::string cause;
  std::string file;
  std::string line;  // part of the line's text
  std::string also;  // a kind that some other cause has; empty: no matter
};

struct Fixture {
  std::string name;
  edits::Edits edits;
  std::string only;
  std::vector<Expectation> expectations;

  [[nodiscard]] bool asks_for_upload() const {
    return std::ranges::any_of(expectations, [&](const Expectation& expected) {
      return expected.id == edits::check_id(edits, "upload_once");
    });
  }
};

Result<Expectation> read_expectation(edits::Members& members, const edits::Edits& edits) {
  Expectation expected;
  const std::string check = members.text("check");
  expected.id = edits::check_id(edits, check);
  expected.engine = members.text("engine");
  expected.cause = members.text("cause");
  expected.verdict = members.text("verdict", expected.cause.empty() ? "passed" : "failed");
  expected.file = members.text("file");
  expected.line = members.text("line");
  expected.also = members.text("also");
  if (check.empty()) return fail(members.where() + ": an expectation names its check");
  return expected;
}

Result<Fixture> read_fixture(const edits::Entry& entry) {
  edits::Members members(entry.table, entry.name);
  Fixture read;
  read.name = members.text("name");
  if (entry.right) return fail(read.name + ": what is right is a [[case]] without a cause");
  auto edits = edits::read_edits(members);
  if (!edits) return tl::unexpected(edits.error());
  read.edits = std::move(*edits);
  read.only = members.text("only", "*");
  const auto add = [&](edits::Members& from) -> Result<void> {
    auto expected = read_expectation(from, read.edits);
    if (!expected) return tl::unexpected(expected.error());
    read.expectations.push_back(std::move(*expected));
    return from.finish();
  };
  const auto several = members.list("expect");
  for (const toml::table* each : several) {
    edits::Members own(*each, read.name + ".expect");
    if (auto added = add(own); !added) return tl::unexpected(added.error());
  }
  if (auto done = several.empty() ? add(members) : members.finish(); !done)
    return tl::unexpected(done.error());
  return read;
}

// All cases of the tables beside this file, by name. Throws if a table cannot be read.
std::vector<Fixture> all_fixtures() {
  const auto entries = edits::read_tables(WARPMARK_CASES);
  if (!entries) throw std::runtime_error(entries.error().message);
  std::vector<Fixture> all;
  for (const edits::Entry& entry : *entries) {
    auto read = read_fixture(entry);
    if (!read) throw std::runtime_error(read.error().message);
    all.push_back(std::move(*read));
  }
  std::ranges::sort(all, {}, &Fixture::name);
  return all;
}

// The course's rubric with short limits: a fixture that never ends shall not cost 20 seconds each time.
std::string impatient_rubric(const std::string& assignment) {
  const auto text = read_file(home_of(assignment).rules());
  EXPECT_TRUE(text.has_value());
  return with_limits(text.value_or(""), "call_seconds = 12\n");
}

class SubmissionTest : public testing::Test {
 public:
  explicit SubmissionTest(Fixture tested) : fixture_(std::move(tested)) {}

  void TestBody() override {
    const TemporaryFolder scratch;
    const fs::path rubric = scratch.path() / "rubric.toml";
    ASSERT_TRUE(write_file(rubric, impatient_rubric(fixture_.edits.assignment())).has_value());
    const auto submission = edits::submission_of(fixture_.edits, fixture_.asks_for_upload());
    ASSERT_TRUE(submission) << submission.error().message;
    const auto written = edits::write_submission(*submission, scratch.path() / "submission");
    ASSERT_TRUE(written) << written.error().message;

    judge::GradeOptions options;
    options.submission = scratch.path() / "submission";
    options.assignment = fixture_.edits.assignment();
    options.only = fixture_.only;
    options.rubric = rubric;
    options.cache = WARPMARK_CACHE;
    judge::Installation installed{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
    installed.sandbox = sandbox::best_level();  // as the command does
    const auto grade = judge::grade_submission(installed, options);
    ASSERT_TRUE(grade.has_value()) << grade.error().message;
    std::size_t compared = 0;
    for (const Expectation& expected : fixture_.expectations)
      compared += compare(*grade, *submission, expected) ? 1 : 0;
    if (compared == 0)
      GTEST_SKIP() << "not run: every expectation is for another engine than this machine has";
  }

 private:
  // False when another engine decided.
  [[nodiscard]] static bool compare(const Grade& grade, const edits::Submission& submission,
                                    const Expectation& expected) {
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
    EXPECT_TRUE(edits::allows(expected.cause, cause)) << cause << ", not " << expected.cause << "\n" << seen;
    if (check->causes.empty()) return true;
    if (!expected.also.empty()) {
      EXPECT_TRUE(std::any_of(check->causes.begin() + 1, check->causes.end(), [&](const Cause& other) {
        return name_of(other.kind) == expected.also;
      })) << seen;
    }
    if (!expected.file.empty()) {
      EXPECT_EQ(check->causes.front().file, expected.file) << seen;
    }
    if (!expected.line.empty()) {
      const auto place = edits::place_of(submission.files, expected.line);
      EXPECT_TRUE(place) << place.error().message;
      EXPECT_EQ(check->causes.front().file, place->file) << seen;
      EXPECT_EQ(check->causes.front().line, place->line) << seen;
    }
    return true;
  }

  Fixture fixture_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  try {
    warpmark::Core core;
    for (const Fixture& each : all_fixtures()) {
      testing::RegisterTest(core.takes(each.expectations.front().cause) ? "submissions" : "submissionsLong",
                            each.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [=]() -> testing::Test* { return new SubmissionTest(each); });
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return RUN_ALL_TESTS();
}
