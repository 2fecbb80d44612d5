// Grades each trick of the tables beside this file and holds the grade against what the table says of it.
//
//   build/tests/hostile_tests            all of them; prints how many are held, by group. By default ctest
//   runs
//                                        one of each group, check and cause, and every sixth of the honest
//   build/tests/hostile_tests --table    prints the table of README.md
//   build/tests/hostile_tests --off      prints which defences are switched off to see tricks go through
//   ... --off NAME                       those tricks alone, in a program without these defences: see
//   without.sh
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/judge.h"
#include "harness/judge/score.h"
#include "reports/reports.h"
#include "tests/core.h"
#include "tests/hostile/graded.h"
#include "tests/hostile/trick.h"

namespace warpmark::hostile {
namespace {

namespace fs = std::filesystem;

constexpr int kColumns = 100;

struct Tally {
  int tried = 0, held = 0, not_run = 0;
};
std::map<std::string, Tally>& tallies() {
  static std::map<std::string, Tally> all;
  return all;
}

bool is_open(const CheckResult& check) {
  return !check.causes.empty() && judge::leaves_points_open(check.causes.front().kind);
}

std::string texts_of(const CheckResult& check) {
  std::string text;
  for (const auto* list : {&check.causes, &check.notes}) {
    for (const Cause& cause : *list)
      text += fmt::format("{} at {}:{}: {}\n{}\n{}\n{}\n", name_of(cause.kind), cause.file, cause.line,
                          cause.message, cause.details, cause.expected, cause.actual);
  }
  return text;
}

std::regex pattern(const std::string& text) {
  return std::regex(text, std::regex::ECMAScript | std::regex::icase | std::regex::multiline);
}

class TrickTest : public testing::Test {
 public:
  explicit TrickTest(Trick trick) : trick_(std::move(trick)) {}

 protected:
  Trick trick_;
  std::optional<std::regex> cause_;  // in place of trick_.cause

  // In a folder of its own, on the level that the machine has or a lower one.
  [[nodiscard]] Result<Grade> graded_at(const fs::path& scratch, sandbox::Level level) const {
    auto options = prepared(trick_, scratch);
    if (!options) return tl::unexpected(options.error());
    options->cache = WARPMARK_CACHE;
    judge::Installation installed{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
    installed.sandbox = level;
    return judge::grade_submission(installed, *options);
  }

 public:
  void TestBody() override {
    if (trick_.needs_box && sandbox::best_level() != sandbox::Level::box) {
      skip("not run: " + sandbox::machine().trouble);
      return;
    }
    const TemporaryFolder scratch;
    const auto grade = graded_at(scratch.path(), sandbox::best_level());  // as the command does
    ASSERT_TRUE(grade) << grade.error().message;
    const bool gpu = std::ranges::any_of(grade->engines,
                                         [](const EngineUsed& used) { return used.engine == Engine::gpu; });
    if (trick_.engine == "gpu" && !gpu) {
      skip("not run: no CUDA device");
      return;
    }
    if (trick_.engine == "simulator" && gpu) {
      skip("not run: only the simulated device shows it");
      return;
    }
    if (gpu && !trick_.on_gpu.empty()) expect_as_on_gpu();
    const std::vector<std::string> wrong = trick_.honest() ? accusations(*grade) : complaints(*grade);
    Tally& tally = tallies()[trick_.group];
    ++tally.tried;
    tally.held += wrong.empty() ? 1 : 0;
    if (!wrong.empty() && trick_.forms.size() > 1) name_the_forms();
    if (!trick_.known_gap) {
      EXPECT_TRUE(wrong.empty()) << fmt::format("{}", fmt::join(wrong, "\n"));
    } else if (wrong.empty()) {
      ADD_FAILURE() << "it is held: take the known_gap out of the table";
    } else {
      GTEST_SKIP() << "known gap: " << fmt::format("{}", fmt::join(wrong, "\n"));
    }
  }

 private:
  // Grades each form alone and reports those that are accused.
  void name_the_forms() const {
    int accused = 0;
    for (const Form& form : trick_.forms) {
      const TemporaryFolder scratch;
      const auto grade = TrickTest(with_form(trick_, form)).graded_at(scratch.path(), sandbox::best_level());
      ASSERT_TRUE(grade) << grade.error().message;
      const std::vector<std::string> wrong = accusations(*grade);
      accused += wrong.empty() ? 0 : 1;
      if (!wrong.empty()) ADD_FAILURE() << form.name << ": " << fmt::format("{}", fmt::join(wrong, "\n"));
    }
    std::cout << fmt::format("{}: {} of {} forms accused\n", trick_.name, accused, trick_.forms.size());
  }

  void expect_as_on_gpu() {
    const bool passes = trick_.on_gpu == "passed";
    trick_.verdict = passes ? "passed" : "failed";
    trick_.cause = passes ? "" : trick_.on_gpu;
    cause_ = pattern(trick_.cause);
    trick_.words.clear();
  }

  void skip(const std::string& why) const {
    ++tallies()[trick_.group].not_run;
    GTEST_SKIP() << why;
  }

 protected:
  [[nodiscard]] static std::string outcome(const CheckResult& check) {
    const std::string verdict(name_of(check.verdict));
    return check.causes.empty() ? verdict
                                : fmt::format("{}: `{}`", verdict, name_of(check.causes.front().kind));
  }

  [[nodiscard]] std::vector<std::string> complaints(const Grade& grade) const {
    const auto check = std::ranges::find_if(
        grade.checks, [&](const CheckResult& each) { return each.check == trick_.check; });
    if (check == grade.checks.end()) return {"the grade has no check " + trick_.check};
    std::vector<std::string> wrong;
    const std::string texts = texts_of(*check);
    const std::string cause = check->causes.empty() ? "" : std::string(name_of(check->causes.front().kind));
    const bool as_told = cause_ ? std::regex_match(cause, *cause_) : cause == trick_.cause;
    if (name_of(check->verdict) != trick_.verdict || !as_told) {
      wrong.push_back(fmt::format("{}: `{}` instead of {}: `{}`\n{}", name_of(check->verdict), cause,
                                  trick_.verdict, trick_.cause, texts));
    }
    if (!trick_.cause.empty() && check->points > 0) wrong.push_back("it earned points");
    if (trick_.verdict == "failed" && check->open > 0) wrong.push_back("its points are open");
    if (!trick_.file.empty() && !check->causes.empty() && check->causes.front().file != trick_.file)
      wrong.push_back(fmt::format("told of `{}` instead of `{}`", check->causes.front().file, trick_.file));
    for (const std::string& words : trick_.words) {
      if (!std::regex_search(texts, pattern(words)))
        wrong.push_back(fmt::format("nothing matches /{}/ in: {}", words, texts));
    }
    look_into_reports(grade, wrong);
    return wrong;
  }

  // What a report may never hold: another's work, and what the table says.
  void look_into_reports(const Grade& grade, std::vector<std::string>& wrong) const {
    const std::map<std::string, std::string> reports{{"grade.json", to_json(grade)},
                                                     {"console", to_console(grade, {false, kColumns})},
                                                     {"junit.xml", to_junit(grade)},
                                                     {"index.html", to_html(grade)}};
    for (const auto& [name, text] : reports) {
      std::vector<std::string> never{std::string(kSecret)};
      if (trick_.in.empty() || std::ranges::find(trick_.in, name) != trick_.in.end())
        never.insert(never.end(), trick_.never.begin(), trick_.never.end());
      for (const std::string& words : never) {
        std::smatch found;
        if (std::regex_search(text, found, pattern(words)))
          wrong.push_back(fmt::format("{} holds /{}/: {}", name, words, found.str()));
      }
    }
  }

  [[nodiscard]] static std::vector<std::string> accusations(const Grade& grade) {
    std::vector<std::string> wrong;
    for (const CheckResult& check : grade.checks) {
      const bool lacks_a_machine = check.verdict == Verdict::not_run;
      if (is_open(check) && lacks_a_machine && check.causes.front().kind != CauseKind::unsupported) continue;
      if (check.verdict != Verdict::passed)
        wrong.push_back(fmt::format("{}: {}\n{}", check.id, name_of(check.verdict), texts_of(check)));
    }
    if (grade.checks.empty()) wrong.emplace_back("nothing was graded");
    return wrong;
  }
};

// A trick in a program without the defences that hold it: how it goes through is in the table.
class WithoutTest final : public TrickTest {
 public:
  using TrickTest::TrickTest;

  void TestBody() override {
    const TemporaryFolder scratch;
    const bool boxed = trick_.off.find("box") == std::string::npos;
    const auto grade = graded_at(scratch.path(), boxed ? sandbox::best_level() : sandbox::Level::process);
    ASSERT_TRUE(grade) << grade.error().message;
    const auto check = std::ranges::find_if(
        grade->checks, [&](const CheckResult& each) { return each.check == trick_.check; });
    ASSERT_NE(check, grade->checks.end());
    std::vector<std::string> shown;
    look_into_reports(*grade, shown);
    const bool held = complaints(*grade).empty();
    const std::string then =
        held ? "held all the same"
             : fmt::format("{}{}", outcome(*check), shown.empty() ? "" : ", and a report shows it");
    std::cout << fmt::format("off {} = {}\n", trick_.full_name(), then);
    EXPECT_EQ(then, trick_.then);
  }
};

std::vector<Trick> all_tricks() {
  auto tricks = read_tricks(WARPMARK_TRICKS);
  if (!tricks) throw std::runtime_error(tricks.error().message);
  return std::move(*tricks);
}

// README.md lists what the tables hold.
class TableTest : public testing::Test {
 public:
  void TestBody() override {
    const auto readme = read_file(fs::path(WARPMARK_TRICKS) / "README.md");
    ASSERT_TRUE(readme) << readme.error().message;
    const std::string begin = "<!-- table -->\n";
    const std::size_t at = readme->find(begin);
    const std::size_t end = readme->find("<!-- /table -->");
    ASSERT_NE(at, std::string::npos);
    ASSERT_NE(end, std::string::npos);
    EXPECT_EQ(readme->substr(at + begin.size(), end - at - begin.size()), table_of(all_tricks()))
        << "put the output of `build/tests/hostile_tests --table` between the markers";
  }
};

class Total : public testing::Environment {
 public:
  void TearDown() override {
    for (const auto& [group, tally] : tallies()) {
      std::cout << fmt::format("{}: {} of {} {}, {} not run\n", group, tally.held, tally.tried,
                               group == "honest" ? "passed" : "held", tally.not_run);
    }
  }
};

}  // namespace
}  // namespace warpmark::hostile

int main(int argc, char** argv) {
  using namespace warpmark::hostile;
  testing::InitGoogleTest(&argc, argv);
  try {
    const std::vector<Trick> tricks = all_tricks();
    if (argc == 2 && std::string_view(argv[1]) == "--off") {
      std::set<std::string> names;
      for (const Trick& trick : tricks) names.insert(trick.off);
      names.erase("");
      for (const std::string& name : names) std::cout << name << '\n';
      return 0;
    }
    if (argc > 2 && std::string_view(argv[1]) == "--off") {
      for (const Trick& trick : tricks) {
        if (trick.off != argv[2]) continue;
        testing::RegisterTest("without", trick.full_name().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                              [=]() -> testing::Test* { return new WithoutTest(trick); });
      }
      return RUN_ALL_TESTS();
    }
    if (argc > 1 && std::string_view(argv[1]) == "--table") {
      std::cout << table_of(tricks);
      return 0;
    }
    testing::AddGlobalTestEnvironment(new Total);
    testing::RegisterTest("hostile", "table_is_up_to_date", nullptr, nullptr, __FILE__, __LINE__,
                          []() -> testing::Test* { return new TableTest; });
    warpmark::Core core;
    for (const Trick& trick : tricks) {
      const bool chosen = core.takes(trick.honest() ? "" : trick.group + trick.check + trick.cause);
      testing::RegisterTest(chosen ? "hostile" : "hostileLong", trick.full_name().c_str(), nullptr, nullptr,
                            __FILE__, __LINE__, [=]() -> testing::Test* { return new TrickTest(trick); });
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return RUN_ALL_TESTS();
}
