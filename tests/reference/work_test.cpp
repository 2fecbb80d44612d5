// The limits of `work`: the course's own versions keep them, the version before each one on the ladder and
// the naive one in its place do not, and neither the size of a block nor that of the grid decides.
//
//   build/tests/reference_tests --gtest_filter=Work.*    prints what was counted, and what is missed
#include <iostream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/checks/work_check.h"
#include "harness/judge/intake/opening.h"
#include "harness/judge/rules/plan.h"
#include "harness/judge/workers/libraries.h"
#include "tests/home.h"
#include "tests/reference/bench.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint64_t kSeed = 20261122;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
    ++count;
  }
  EXPECT_GT(count, 0U) << "nothing to replace: " << what;
  return text;
}

// Counts the work of files that stand in the place of a version.
class Work : public testing::Test {
 protected:
  void SetUp() override {
    if (!engines().has(Engine::simulator)) GTEST_SKIP() << engines().missing.at(Engine::simulator).message;
  }

  static const Engines& engines() {
    static const Engines all = find_engines(installation(), kEngineLimit);
    return all;
  }

  static std::string text_of(const std::string& assignment, const std::string& version) {
    const auto text = read_file(fs::path(WARPMARK_ROOT) / "reference" / assignment / (version + ".cu"));
    if (!text) throw std::runtime_error(text.error().message);
    return *text;
  }

  static Rubric rubric_of(const std::string& assignment) {
    auto rubric = read_rubric(home_of(assignment));
    if (!rubric) throw std::runtime_error(rubric.error().message);
    return std::move(*rubric);
  }

  // The size is drawn, unless one is given.
  static CheckOutcome work_of(const std::string& assignment, const std::string& version,
                              const std::string& text, const std::optional<Size>& size = {}) {
    const TemporaryFolder folder;
    fs::copy(fs::path(WARPMARK_ROOT) / "reference" / assignment, folder.path(), fs::copy_options::recursive);
    if (auto written = write_file(folder.path() / (version + ".cu"), text); !written)
      throw std::runtime_error(written.error().message);
    const auto opened = open_submission(folder.path(), assignment, {}, installation(), WARPMARK_CACHE);
    if (!opened) throw std::runtime_error(opened.error().message);
    Rubric rubric = opened->rubric;
    rubric.types = {rubric.work.type};
    rubric.naive.clear();  // nothing is timed
    CourseOptions options;
    options.focus.size = size;
    const Course course = resolve(rubric_for(opened->submission, rubric), std::nullopt, options);
    Libraries libraries({installation(), course.rubric, opened->submission, engines(), Engine::simulator,
                         WARPMARK_CACHE, 1, [&](const VersionRule& rule) { return rule.name == version; },
                         false, [](const std::string&) {}});
    libraries.build();
    const BuiltTypes built = libraries.version(Engine::simulator, version);
    if (auto causes = built.causes(); !causes.empty()) return {std::move(causes)};
    const Installation installed = installation();
    return check_work({installed, course, *opened->assignment, opened->submission, kSeed}, version, built);
  }

  // The counters whose limits do not hold. Other causes are failures.
  static std::vector<std::string> missed(const CheckOutcome& outcome) {
    std::vector<std::string> names;
    for (const Cause& cause : outcome.causes) {
      EXPECT_EQ(cause.kind, CauseKind::too_much_work) << cause.message;
      EXPECT_GT(cause.line, 0) << cause.message;
      EXPECT_THAT(cause.excerpt, Not(IsEmpty())) << cause.message;
    }
    if (!outcome.counted) return names;
    for (const CountedLimit& limit : outcome.counted->limits) {
      if (!limit.holds) names.push_back(fmt::format("{} {:.4g}", limit.counter, limit.value));
    }
    return names;
  }

  static std::string counts_of(const CheckOutcome& outcome) {
    std::vector<std::string> counts;
    if (!outcome.counted) return "nothing was counted";
    for (const CountedLimit& limit : outcome.counted->limits) {
      counts.push_back(fmt::format("{} {:.4g} (at {} {:.4g})", limit.counter, limit.value,
                                   limit.at_least ? "least" : "most", limit.limit));
    }
    return fmt::format("{}", fmt::join(counts, ", "));
  }

  // Neighbours on the ladder that differ in instructions alone, which depend on the compiler.
  const std::set<std::string> same_as_before{"v10_tree_unrolled"};
};

TEST_F(Work, of_each_version_of_the_reference_passes_and_that_of_the_version_before_it_fails) {
  double seconds = 0;
  for (const std::string assignment : {"reduction", "warmup"}) {
    std::string before;
    for (const VersionRule& version : rubric_of(assignment).versions) {
      const bool graded = version.has(Check::work);
      if (graded) {
        const CheckOutcome own = work_of(assignment, version.name, text_of(assignment, version.name));
        seconds += own.seconds;
        EXPECT_THAT(own.causes, IsEmpty()) << version.name << ": " << counts_of(own);
        std::cout << fmt::format("{} ({:.2f} s): {}\n", version.name, own.seconds, counts_of(own));
      }
      if (graded && !before.empty()) {
        const auto earlier = missed(
            work_of(assignment, version.name, replaced(text_of(assignment, before), before, version.name)));
        EXPECT_EQ(earlier.empty(), same_as_before.contains(version.name)) << version.name;
        std::cout << fmt::format("    {} in its place misses: {}\n", before, fmt::join(earlier, ", "));
      }
      if (graded || version.given) before = version.name;
    }
  }
  std::cout << fmt::format("{:.2f} s in all\n", seconds);
}

TEST_F(Work, of_the_reference_passes_at_both_ends_of_the_sizes_that_are_drawn) {
  for (const std::string assignment :
       {"reduction", "extremes", "grids", "matmul", "pi", "segmented", "sort", "warmup"}) {
    const Rubric rubric = rubric_of(assignment);
    Size smallest = rubric.work.size;
    smallest.parts.front() -= smallest.parts.front() / 16;
    ASSERT_TRUE(is_work_size(rubric, smallest)) << assignment;
    for (const VersionRule& version : rubric.versions) {
      if (!version.has(Check::work)) continue;
      for (const Size& size : {smallest, rubric.work.size}) {
        const CheckOutcome own = work_of(assignment, version.name, text_of(assignment, version.name), size);
        EXPECT_THAT(own.causes, IsEmpty())
            << version.name << " at " << to_text(size) << ": " << counts_of(own);
      }
    }
  }
}

TEST_F(Work, of_the_naive_version_fails_in_every_place) {
  const std::string naive = "v01_atomic_per_element";
  for (const VersionRule& version : rubric_of("reduction").versions) {
    if (!version.has(Check::work)) continue;
    const auto outcome =
        work_of("reduction", version.name, replaced(text_of("reduction", naive), naive, version.name));
    EXPECT_THAT(missed(outcome), Not(IsEmpty())) << version.name;
  }
}

struct Variant {
  const char* version;
  const char* what;
  const char* by;
};

TEST_F(Work, of_an_honest_variant_passes) {
  constexpr const char* kThreads = "kThreads = 256";
  constexpr const char* kBlocks = "kBlocksPerMultiprocessor = 8";
  for (const auto& [version, what, by] : {Variant{"v02_atomic_per_thread", kThreads, "kThreads = 128"},
                                          {"v02_atomic_per_thread", kBlocks, "kBlocksPerMultiprocessor = 32"},
                                          {"v03_atomic_coalesced", kThreads, "kThreads = 1024"},
                                          {"v03_atomic_coalesced", kBlocks, "kBlocksPerMultiprocessor = 2"},
                                          {"v04_atomic_per_block", kThreads, "kThreads = 64"},
                                          {"v05_tree_modulo", kThreads, "kThreads = 1024"},
                                          {"v06_tree_strided", kThreads, "kThreads = 64"},
                                          {"v07_tree_sequential", kThreads, "kThreads = 64"},
                                          {"v07_tree_sequential", kThreads, "kThreads = 1024"},
                                          {"v08_tree_first_add", kThreads, "kThreads = 128"},
                                          {"v09_tree_unrolled_warp", kThreads, "kThreads = 1024"},
                                          {"v10_tree_unrolled", "kLarge = 256", "kLarge = 512"},
                                          {"v11_tree_grid_stride", kBlocks, "kBlocksPerMultiprocessor = 16"},
                                          {"v12_shared_one_pass", kThreads, "kThreads = 64"},
                                          {"v13_shared_grid_stride", kThreads, "kThreads = 512"},
                                          {"v14_pairs_in_shared", "kThreads = 1024", "kThreads = 256"},
                                          {"v15_recursive_by_32", kThreads, "kThreads = 64"},
                                          {"v16_warp_shuffle", kThreads, "kThreads = 1024"},
                                          {"v17_vector_loads", kBlocks, "kBlocksPerMultiprocessor = 4"},
                                          {"v18_single_pass", kThreads, "kThreads = 128"}}) {
    const auto outcome = work_of("reduction", version, replaced(text_of("reduction", version), what, by));
    EXPECT_THAT(outcome.causes, IsEmpty()) << version << ", " << by << ": " << counts_of(outcome);
  }
}

TEST_F(Work, that_fails_names_the_line_that_costs_most_and_what_to_change) {
  const std::string text = replaced(text_of("reduction", "v02_atomic_per_thread"), "v02_atomic_per_thread",
                                    "v03_atomic_coalesced");
  const auto outcome = work_of("reduction", "v03_atomic_coalesced", text);
  ASSERT_EQ(outcome.causes.size(), 1U);
  const Cause& cause = outcome.causes.front();
  const auto lines_before = text.substr(0, text.find("mine += values[i]"));
  EXPECT_EQ(cause.line, 1 + std::ranges::count(lines_before, '\n'));
  EXPECT_EQ(cause.file, "v03_atomic_coalesced.cu");
  EXPECT_EQ(cause.expected, "at most 6");
  EXPECT_EQ(cause.actual, "32");
  EXPECT_THAT(cause.message, testing::HasSubstr("neighbouring threads read neighbouring values"));
  ASSERT_TRUE(outcome.counted);
  EXPECT_EQ(outcome.counted->multiprocessors, 16U) << "the page says of which device the counts are";
}

}  // namespace
}  // namespace warpmark::judge
