// Runs every program beside this file, and those of tests/further/findings, as `warpmark simulate` does and
// holds the findings against its marks.
//
//   build/tests/findings_tests    all of them; prints the count
//
// By default ctest runs one of each kind of finding, and every sixth of those without a defect.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/program_analysis/simulation.h"
#include "tests/core.h"
#include "tests/findings/marks.h"

namespace warpmark::findings {
namespace {

namespace fs = std::filesystem;

const std::vector<fs::path> kFolders{WARPMARK_FINDINGS};

struct Tally {
  int programs = 0, good = 0;
  std::size_t expected = 0, missing = 0, complaints = 0;
};
Tally& tally() {
  static Tally all;
  return all;
}

program_analysis::Options options_for(const fs::path& program) {
  program_analysis::Options options;
  options.sources = {program.string()};
  options.schedules = 2;  // with the order of the numbers, three
  options.timeout = std::chrono::seconds(250);
  options.build.cache = WARPMARK_CACHE;
  options.build.simulator_include = fs::path(WARPMARK_LIB) / "simulator-headers";
  options.build.simulator_library = fs::path(WARPMARK_LIB) / "libwarpmark_cudart.so";
  options.device = fs::path(WARPMARK_BIN) / "warpmark-device";
  options.progress = [](const std::string&) {};
  return options;
}

class Program : public testing::Test {
 public:
  Program(fs::path file, bool good) : file_(std::move(file)), good_(good) {}

  void TestBody() override {
    if (!build::find_toolchain(Engine::simulator))
      GTEST_SKIP() << "not run: there is no clang++ for the simulator";
    const auto text = read_file(file_);
    ASSERT_TRUE(text) << text.error().message;
    const auto uses = [&](const char* header) { return text->find(header) != std::string::npos; };
    if (!WARPMARK_HAS_LAPACK && (uses("<cusolverDn.h>") || uses("<cublas_v2.h>")))
      GTEST_SKIP() << "not run: built without OpenBLAS and LAPACKE";
    if (!WARPMARK_HAS_FFTW && uses("<cufft")) GTEST_SKIP() << "not run: built without FFTW";
    const Marks marks = marks_of(*text);
    ASSERT_EQ(marks.expected.empty() && marks.missing.empty(), good_)
        << "buggy programs have marks, good ones none";

    const auto simulated = program_analysis::simulate(options_for(file_));
    ASSERT_TRUE(simulated) << simulated.error().message;
    ASSERT_TRUE(*simulated) << program_analysis::to_text(simulated->error(), {});
    std::vector<Found> findings;
    std::string told;
    for (const program_analysis::ShownFinding& finding : (*simulated)->findings) {
      findings.push_back({std::string(name_of(finding.kind)), finding.line, finding.other_line});
      told += fmt::format("\n{} at {}:{} and {}: {}", name_of(finding.kind), finding.file, finding.line,
                          finding.other_line, finding.message);
    }
    const auto wrong = complaints(marks, findings);
    EXPECT_TRUE(wrong.empty()) << fmt::format("{}\nFound:{}", fmt::join(wrong, "\n"), told);
    if (good_) {
      EXPECT_EQ((*simulated)->exit_status, 0) << told;
    }
    ++tally().programs;
    tally().good += good_ ? 1 : 0;
    tally().expected += marks.expected.size();
    tally().missing += marks.missing.size();
    tally().complaints += wrong.size();
    if (!marks.missing.empty() && wrong.empty())
      GTEST_SKIP() << "known to be missed: " << marks.missing.front().kind;
  }

 private:
  fs::path file_;
  bool good_;
};

class Total : public testing::Environment {
 public:
  void TearDown() override {
    const Tally& all = tally();
    std::cout << fmt::format(
        "{} programs, {} of them without a defect; {} findings expected, {} known to be missed; {} "
        "complaints\n",
        all.programs, all.good, all.expected, all.missing, all.complaints);
  }
};

// The kind of the program's first mark; empty if it has none.
std::string kind_of(const fs::path& program) {
  const Marks marks = marks_of(read_file(program).value_or(""));
  const auto& first = marks.expected.empty() ? marks.missing : marks.expected;
  return first.empty() ? "" : first.front().kind;
}

void add_programs(const std::string& suite, const char* folder, bool good) {
  std::vector<fs::path> files;
  for (const fs::path& parent : kFolders) {
    for (const auto& entry : fs::directory_iterator(parent / folder)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  Core core;
  for (const fs::path& file : files) {
    const std::string name = suite + (core.takes(kind_of(file)) ? "" : "Long");
    testing::RegisterTest(name.c_str(), file.stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [=]() -> testing::Test* { return new Program(file, good); });
  }
}

}  // namespace
}  // namespace warpmark::findings

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // The programs must not wait for what somebody types.
  if (std::freopen("/dev/null", "r", stdin) == nullptr) return 1;
  testing::AddGlobalTestEnvironment(new warpmark::findings::Total);
  warpmark::findings::add_programs("Buggy", "buggy", false);
  warpmark::findings::add_programs("Good", "good", true);
  return RUN_ALL_TESTS();
}
