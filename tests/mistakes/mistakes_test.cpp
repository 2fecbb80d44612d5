// Makes each mistake of the tables beside this file, grades it, and holds the grade against what a good
// teacher would say of it. The submissions without the mistakes must stay clean.
//
//   build/tests/mistakes_tests    all of them; prints how many are explained
//
// By default ctest runs one of each cause.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "harness/assignment_check/shapes.h"
#include "harness/assignments/home.h"
#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/judge.h"
#include "tests/core.h"
#include "tests/home.h"
#include "tests/mistakes/mistake.h"

namespace warpmark::mistakes {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 20261122;
constexpr const char* kAllChecks = "[bc]*";  // `builds`, `correct` and `clean`

struct Tally {
  int mistakes = 0, explained = 0, gaps = 0, name_a_line = 0;
};
Tally& tally() {
  static Tally all;
  return all;
}

std::string text_of(const fs::path& file) {
  auto text = read_file(file);
  if (!text) throw std::runtime_error(text.error().message);
  return std::move(*text);
}

void write(const fs::path& file, std::string_view text) {
  if (auto written = write_file(file, text); !written) throw std::runtime_error(written.error().message);
}

void write(const edits::Submission& submission, const fs::path& folder) {
  if (auto written = edits::write_submission(submission, folder); !written)
    throw std::runtime_error(written.error().message);
}

// The course's rubric with another limit for a call.
std::string rubric_with_call_seconds(const std::string& assignment, unsigned seconds) {
  toml::table rubric = toml::parse(text_of(home_of(assignment).rules()));
  toml::table limits;
  if (const toml::table* given = rubric["limits"].as_table()) limits = *given;
  limits.insert_or_assign("call_seconds", seconds);
  rubric.insert_or_assign("limits", limits);
  std::ostringstream text;
  text << rubric;
  return text.str();
}

// The grade of a submission's values of one type, for what `only` selects. `rubric` may be empty.
Grade grade_of(const fs::path& submission, const std::string& assignment, const std::string& only,
               const std::string& type, const fs::path& rubric) {
  judge::GradeOptions options;
  options.submission = submission;
  options.assignment = assignment;
  options.only = only;
  options.focus.type = type;
  options.focus.seed = kSeed;
  options.rubric = rubric;
  options.cache = WARPMARK_CACHE;
  auto grade = judge::grade_submission({WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB}, options);
  if (!grade) throw std::runtime_error(grade.error().message);
  return std::move(*grade);
}

bool ran_on_a_gpu(const Grade& grade) {
  return std::ranges::any_of(grade.engines,
                             [](const EngineUsed& used) { return used.engine == Engine::gpu; });
}

bool has_an_engine(const Grade& grade) {
  return std::ranges::any_of(grade.checks, [](const CheckResult& check) {
    return check.verdict == Verdict::passed || check.verdict == Verdict::failed;
  });
}

class MistakeTest : public testing::Test {
 public:
  explicit MistakeTest(Mistake mistake) : mistake_(std::move(mistake)) {}

  void TestBody() override {
    const TemporaryFolder scratch;
    const auto submission = edits::submission_of(mistake_.edits, mistake_.check == "upload_once");
    ASSERT_TRUE(submission) << submission.error().message;
    write(*submission, scratch.path() / "submission");
    const Grade grade = graded(scratch.path() / "submission", scratch.path() / "rubric.toml");
    if (!has_an_engine(grade)) GTEST_SKIP() << "not run: there is no compiler for either engine";

    const Expectation& expectation = ran_on_a_gpu(grade) ? mistake_.gpu : mistake_.simulator;
    const auto wanted = wanted_in(submission->files, expectation);
    ASSERT_TRUE(wanted) << wanted.error().message;
    const auto wrong = complaints(*wanted, grade);
    if (!mistake_.right) count(*wanted, wrong.empty());
    const std::string report = fmt::format("{}\nThe grade says:\n{}", fmt::join(wrong, "\n"), told(grade));
    if (!expectation.known_gap) {
      EXPECT_TRUE(wrong.empty()) << report;
    } else if (wrong.empty()) {
      ADD_FAILURE() << "the grade says what it should: take the known_gap out of the table\n" << report;
    } else {
      GTEST_SKIP() << "known gap: " << report;
    }
  }

 private:
  static void count(const Wanted& wanted, bool explained) {
    ++tally().mistakes;
    tally().explained += explained ? 1 : 0;
    tally().name_a_line += explained && !wanted.lines.empty() ? 1 : 0;
    tally().gaps += wanted.expectation.known_gap ? 1 : 0;
  }

  [[nodiscard]] Grade graded(const fs::path& submission, fs::path rubric) const {
    const std::string assignment = mistake_.edits.assignment();
    const std::string only =
        edits::check_id(mistake_.edits, mistake_.check.empty() ? kAllChecks : mistake_.check);
    if (mistake_.call_seconds == 0) {
      rubric.clear();
    } else {
      write(rubric, rubric_with_call_seconds(assignment, mistake_.call_seconds));
    }
    return grade_of(submission, assignment, only, mistake_.type, rubric);
  }

  Mistake mistake_;
};

// The submission that a mistake was made in, as it was.
class RightTest : public testing::Test {
 public:
  RightTest(std::string assignment, std::string version, std::string type)
      : assignment_(std::move(assignment)), version_(std::move(version)), type_(std::move(type)) {}

  void TestBody() override {
    const TemporaryFolder scratch;
    const fs::path folder = scratch.path() / "submission";
    const auto submission = edits::reference_submission(assignment_, {version_});
    ASSERT_TRUE(submission) << submission.error().message;
    write(*submission, folder);
    const std::string only = fmt::format("{}.{}.{}", assignment_, version_, kAllChecks);
    const Grade grade = grade_of(folder, assignment_, only, type_, {});
    if (!has_an_engine(grade)) GTEST_SKIP() << "not run: there is no compiler for either engine";
    EXPECT_EQ(told(grade), "");
  }

 private:
  std::string assignment_;
  std::string version_;
  std::string type_;
};

class Total : public testing::Environment {
 public:
  void TearDown() override {
    const Tally& all = tally();
    if (all.mistakes < 2) return;
    std::cout << fmt::format("{} mistakes, {} explained, {} of them with a line; {} known gaps\n",
                             all.mistakes, all.explained, all.name_a_line, all.gaps);
  }
};

// Writes the worked examples of new assignments to the folder, under the names of their shapes, where they
// are found like an instructor's own.
void write_shapes(const fs::path& folder) {
  for (const std::string& shape : assignment_check::shapes(WARPMARK_ROOT)) {
    const auto written = assignment_check::write_assignment(WARPMARK_ROOT, shape, shape, folder);
    if (!written) throw std::runtime_error(written.error().message);
  }
  setenv(kSearchPath, folder.c_str(), 1);
}

void add_tests() {
  // Of each version the type of its first mistake, in the order of the tables.
  std::map<std::pair<std::string, std::string>, std::string> right;
  Core core;
  const auto mistakes = read_mistakes(WARPMARK_MISTAKES);
  if (!mistakes) throw std::runtime_error(mistakes.error().message);
  for (const Mistake& mistake : *mistakes) {
    if (mistake.check.empty())
      right.try_emplace({mistake.edits.assignment(), mistake.edits.version}, mistake.type);
    const bool chosen = core.takes(mistake.simulator.cause);
    const char* suite =
        mistake.right ? (chosen ? "right" : "rightLong") : (chosen ? "mistakes" : "mistakesLong");
    testing::RegisterTest(suite, mistake.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [=]() -> testing::Test* { return new MistakeTest(mistake); });
  }
  for (const auto& [names, type] : right) {
    const auto& [assignment, version] = names;
    testing::RegisterTest("rightLong", version.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [assignment = assignment, version = version, type = type]() -> testing::Test* {
                            return new RightTest(assignment, version, type);
                          });
  }
}

}  // namespace
}  // namespace warpmark::mistakes

int main(int argc, char** argv) {
  using namespace warpmark::mistakes;
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new Total);
  try {
    const warpmark::TemporaryFolder own;
    write_shapes(own.path());
    add_tests();
    return RUN_ALL_TESTS();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
