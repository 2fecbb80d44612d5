// Makes each mistake of the tables beside this file, grades it, and holds the grade against what a good
// teacher would say of it. The submissions without the mistakes must stay clean.
//
//   build/tests/mistakes_tests    all of them; prints how many are explained, and the seconds that this took
//
// By default ctest runs one of each cause.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/base/trace.h"
#include "harness/judge/judge.h"
#include "tests/core.h"
#include "tests/mistakes/graded.h"
#include "tests/mistakes/mistake.h"

namespace warpmark::mistakes {
namespace {

namespace fs = std::filesystem;

struct Tally {
  int mistakes = 0, explained = 0, gaps = 0, name_a_line = 0;
  std::vector<double> seconds = {};  // that explanations took, of each mistake
};
Tally& tally() {
  static Tally all;
  return all;
}

Grade graded(judge::GradeOptions options) {
  options.cache = WARPMARK_CACHE;
  auto grade = judge::grade_submission({WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB}, options);
  if (!grade) throw std::runtime_error(grade.error().message);
  return std::move(*grade);
}

double seconds_of_explanations(const Trace& trace) {
  const auto sums = trace.sums();
  const auto explain = std::ranges::find(sums, "explain", &Trace::Sum::kind);
  return explain == sums.end() ? 0 : explain->in_all;
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
    const auto options = prepared(mistake_, scratch.path());
    ASSERT_TRUE(options) << options.error().message;
    const Trace trace;
    const Grade grade = graded(*options);
    if (!has_an_engine(grade)) GTEST_SKIP() << "not run: there is no compiler for either engine";
    tally().seconds.push_back(seconds_of_explanations(trace));

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
    ASSERT_TRUE(edits::write_submission(*submission, folder));
    const std::string only = fmt::format("{}.{}.{}", assignment_, version_, kAllChecks);
    const Grade grade = graded(options_for(folder, assignment_, only, type_));
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
    std::vector<double> seconds = all.seconds;
    std::ranges::sort(seconds);
    std::cout << fmt::format("seconds that explanations took: median {:.1f}, longest {:.1f}\n",
                             seconds[seconds.size() / 2], seconds.back());
  }
};

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
    if (auto written = write_shapes(own.path()); !written) throw std::runtime_error(written.error().message);
    add_tests();
    return RUN_ALL_TESTS();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
