// Every version of the reference with one thing taken out at a time: the simulator has to find it, by what
// `clean` or `correct` say, unless the table of unfound ones says why not.
//
//   build/tests/mutation_tests --gtest_filter='*Long.*'    all of them; prints each and the count
#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <stdexcept>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/checks/version_checks.h"
#include "harness/judge/workers/engines.h"
#include "harness/judge/workers/libraries.h"
#include "tests/assignment_called.h"
#include "tests/edits/edits.h"
#include "tests/mutations/mutate.h"
#include "tests/mutations/unfound.h"

namespace warpmark::mutations {
namespace {

namespace fs = std::filesystem;
using judge::Rubric;

const fs::path kRoot = WARPMARK_ROOT;
const fs::path kReference = kRoot / "reference/reduction";
constexpr std::uint64_t kSeed = 20261121;
constexpr auto kPatience = std::chrono::seconds(8);  // with a mutant whose host code never ends
// Ends of blocks and warps; sizes that fill every block of v17's grid with four loads a thread, and miss that
// by one.
const std::vector<Size> kCorrectSizes{0, 1, 31, 33, 255, 257, 1023, 1025, 65537, 924289, 1048577};
const std::vector<Size> kCleanSizes{0, 33, 257, 4099, 20011};

// The course's rubric for one version and ints, at sizes of our own.
Rubric rubric_of(const std::string& version) {
  auto rubric = judge::read_rubric(home_of("reduction"));
  if (!rubric) throw std::runtime_error(rubric.error().message);
  rubric->types = {"int"};
  rubric->naive.clear();
  rubric->upload.clear();
  rubric->correct.sizes = kCorrectSizes;
  rubric->correct.secret.count = 0;
  rubric->clean.sizes = kCleanSizes;
  rubric->limits.call = kPatience;
  std::erase_if(rubric->versions, [&](const judge::VersionRule& rule) { return rule.name != version; });
  return std::move(*rubric);
}

std::vector<std::string> versions() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kReference)) {
    const std::string name = entry.path().stem().string();
    // thrust and CUB have no kernel of ours.
    const bool library = name == "v19_thrust" || name == "v20_cub";
    if (name.starts_with("v") && entry.path().extension() == ".cu" && !library) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const fs::path& file) {
  auto text = read_file(file);
  if (!text) throw std::runtime_error(text.error().message);
  return std::move(*text);
}

struct Tally {
  int all = 0, found = 0, equivalent = 0, missed = 0;
};
Tally& tally() {
  static Tally all;
  return all;
}

class Mutations : public testing::Test {
 public:
  using Choose = std::function<std::vector<Mutant>(std::vector<Mutant>)>;
  Mutations(std::string version, Choose choose) : version_(std::move(version)), choose_(std::move(choose)) {}

  void TestBody() override {
    if (!engines_.has(Engine::simulator))
      GTEST_SKIP() << "not run: " << engines_.missing.at(Engine::simulator).message;
    engines_.toolchains.erase(Engine::gpu);
    const std::string program = text_of(kReference / (version_ + ".cu"));
    ASSERT_EQ(found_in(program), "") << "the reference itself";
    const auto mutants = choose_(mutants_of(program));
    ASSERT_FALSE(mutants.empty());
    for (const Mutant& mutant : mutants) judge_one(mutant);
  }

 private:
  void judge_one(const Mutant& mutant) const {
    const std::string name = version_ + " " + mutant.name;
    const std::string finding = found_in(mutant.text);
    const Unfound* listed = unfound(name);
    const bool same = listed != nullptr && listed->because == Unfound::Because::equivalent;
    ++tally().all;
    tally().found += finding.empty() ? 0 : 1;
    tally().equivalent += finding.empty() && same ? 1 : 0;
    tally().missed += finding.empty() && !same ? 1 : 0;
    const std::string told = !finding.empty() ? finding : same ? "equivalent" : "MISSED";
    std::cout << fmt::format("{} line {}: `{}` -> `{}`: {}\n", name, mutant.line, mutant.was, mutant.is,
                             told);
    EXPECT_EQ(finding.empty(), listed != nullptr)
        << name
        << (listed != nullptr ? " is found, but stands in the table of unfound ones" : " is not found");
  }

  // The kind and line of the first thing that `clean`, then `correct`, have to say; empty when they are
  // content.
  [[nodiscard]] std::string found_in(const std::string& program) const {
    const TemporaryFolder folder;
    auto files = edits::reference_submission("reduction", {version_});
    if (!files) throw std::runtime_error(files.error().message);
    files->files[version_ + ".cu"] = program;
    if (auto written = edits::write_submission(*files, folder.path()); !written)
      throw std::runtime_error(written.error().message);
    const auto submission = judge::take_in(folder.path(), rubric_, kRoot);
    if (!submission) throw std::runtime_error(submission.error().message);
    judge::Libraries libraries({installation_, rubric_, *submission, engines_, Engine::simulator,
                                WARPMARK_CACHE, 1, [](const judge::VersionRule&) { return true; }, false,
                                [](const std::string&) {}});
    libraries.build();
    const auto built = libraries.version(Engine::simulator, version_);
    if (!built.causes().empty()) return "does not build: " + built.causes().front().message;
    const judge::Course course = judge::resolve(judge::rubric_for(*submission, rubric_));
    const judge::GradingContext bench{installation_, course, *assignment_, *submission, kSeed};
    auto correct = check_correct(bench, version_, built);
    auto outcome = check_clean(bench, version_, built, correct.remarks.value_or(std::vector<Cause>()));
    if (outcome.causes.empty()) outcome = std::move(correct);
    if (outcome.causes.empty()) return "";
    const Cause& cause = outcome.causes.front();
    return fmt::format("{}{}", name_of(cause.kind),
                       cause.line != 0 ? fmt::format(" at line {}", cause.line) : "");
  }

  std::string version_;
  Choose choose_;
  judge::Installation installation_{kRoot, WARPMARK_BIN, WARPMARK_LIB};
  Rubric rubric_ = rubric_of(version_);
  std::shared_ptr<const Assignment> assignment_ = assignment_called("reduction");
  judge::Engines engines_ = judge::find_engines(installation_, std::chrono::seconds(60));
};

TEST(UnfoundMutants, are_mutants_of_the_reference) {
  std::vector<std::string> all;
  for (const std::string& version : versions()) {
    for (const Mutant& mutant : mutants_of(text_of(kReference / (version + ".cu")))) {
      all.push_back(version + " " + mutant.name);
    }
  }
  for (const Unfound& entry : all_unfound()) {
    EXPECT_THAT(all, testing::Contains(std::string(entry.mutant)));
    EXPECT_NE(entry.why, "");
  }
}

void add(const char* suite, const std::string& version, const Mutations::Choose& choose) {
  testing::RegisterTest(suite, version.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [=]() -> testing::Test* { return new Mutations(version, choose); });
}

class Total : public testing::Environment {
 public:
  void TearDown() override {
    if (tally().all == 0) return;
    std::cout << fmt::format("{} mutations, {} found, {} equivalent, {} missed\n", tally().all, tally().found,
                             tally().equivalent, tally().missed);
  }
};

}  // namespace
}  // namespace warpmark::mutations

int main(int argc, char** argv) {
  using namespace warpmark::mutations;
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new Total);
  const auto names = versions();
  for (std::size_t i = 0; i < names.size(); ++i) {
    // Another mutation of each version, so that all rules take part.
    add("Mutations", names[i], [=](std::vector<Mutant> all) {
      std::erase_if(all,
                    [&](const Mutant& mutant) { return unfound(names[i] + " " + mutant.name) != nullptr; });
      return std::vector{all[i % all.size()]};
    });
    add("MutationsLong", names[i], [](std::vector<Mutant> all) { return all; });
  }
  return RUN_ALL_TESTS();
}
