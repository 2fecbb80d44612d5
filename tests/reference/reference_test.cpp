// Every version of the reference, with every value type, at many more sizes and alignments than are graded.
//
// On the GPU if there is one, else on the simulator. The inputs differ from run to run; a failure names the
// seed, and WARPMARK_SEED=... in the environment makes them the same again.
#include <cstdlib>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/bench.h"
#include "tests/reference/cases.h"

namespace warpmark {

// How GoogleTest shows a parameter; found by this name in the type's namespace.
void PrintTo(const Case& which, std::ostream* out);  // NOLINT(readability-identifier-naming)
void PrintTo(const Case& which, std::ostream* out) {
  *out << "n = " << which.n << ", " << which.type << " (" << which.data << "), " << which.shift
       << " values past a 256-byte boundary";
}

}  // namespace warpmark

namespace warpmark::judge {
namespace {

using testing::IsEmpty;

constexpr std::uint64_t kSizesAtRandom = 24;  // on the simulator, in every run

std::uint64_t seed_of_this_run() {
  const char* wanted = std::getenv("WARPMARK_SEED");
  if (wanted != nullptr) return std::strtoull(wanted, nullptr, 0);
  return std::random_device()();
}

class Reference : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const VersionRule* rule = rubric.find(GetParam());
    ASSERT_NE(rule, nullptr) << "the rubric lacks this version";
    if (rule->gpu_only && !on_gpu()) GTEST_SKIP() << "not run: it needs a GPU: " << bench.why_no_gpu();
  }
  [[nodiscard]] bool on_gpu() const { return bench.engine() == Engine::gpu; }

  // Stops at the first wrong one: after an error a device is in no state to be asked more.
  void expect_right_sums(const std::vector<Case>& cases) {
    ASSERT_FALSE(cases.empty());
    for (const Case& which : cases) {
      const std::string wrong = bench.run(GetParam(), which);
      ASSERT_EQ(wrong, "") << testing::PrintToString(which) << "; again with WARPMARK_SEED=" << seed;
    }
  }

  const std::uint64_t seed = seed_of_this_run();
  const Rubric rubric = reduction_rubric();
  const std::shared_ptr<const Assignment> assignment = assignment_called("reduction");
  ReferenceBench bench;
};

TEST_P(Reference, sums_small_inputs_of_every_type) {
  expect_right_sums(cases_at_edges(*assignment, seed));
  if (HasFatalFailure()) return;
  expect_right_sums(on_gpu() ? cases_of_every_size(*assignment, seed)
                             : cases_of_some_sizes(*assignment, seed, kSizesAtRandom));
}

TEST_P(Reference, sums_ever_larger_inputs) {
  expect_right_sums(growing_cases(*assignment, seed, on_gpu() ? 26 : 22));
}

using ReferenceLong = Reference;

TEST_P(ReferenceLong, sums_every_small_input_with_every_type_and_class_of_data) {
  expect_right_sums(all_small_cases(*assignment, seed));
}

std::string name_of_version(const testing::TestParamInfo<const char*>& info) {
  return info.param;
}
INSTANTIATE_TEST_SUITE_P(Versions, Reference, testing::ValuesIn(kVersions), name_of_version);
INSTANTIATE_TEST_SUITE_P(Versions, ReferenceLong, testing::ValuesIn(kVersions), name_of_version);

TEST(ReferenceBench, asks_several_versions_about_one_input) {
  ReferenceBench bench;
  const Case which{"long long", "uniform", 70'001, 1, 1};
  EXPECT_THAT(bench.run_all({"v07_tree_sequential", "v16_warp_shuffle", "v18_single_pass"}, which),
              IsEmpty());
}

// More values than 31 bits can count, and more bytes than 32 bits can.
class HugeLong : public testing::TestWithParam<Case> {};

TEST_P(HugeLong, inputs_are_summed_by_every_version) {
  ReferenceBench bench;
  if (bench.engine() != Engine::gpu) GTEST_SKIP() << "not run: it needs a GPU: " << bench.why_no_gpu();
  EXPECT_THAT(bench.run_all({kVersions.begin(), kVersions.end()}, GetParam()), IsEmpty());
}

std::string name_of_type(const testing::TestParamInfo<Case>& info) {
  return info.param.type;
}
INSTANTIATE_TEST_SUITE_P(Sizes, HugeLong,
                         testing::Values(Case{"int", "uniform", (std::uint64_t{1} << 31) + 1, 1, 1},
                                         Case{"float", "exact", std::uint64_t{1} << 31, 0, 2},
                                         Case{"double", "uniform", (std::uint64_t{1} << 30) + 3, 1, 3}),
                         name_of_type);

TEST(Cases, reach_every_type_alignment_and_class) {
  const std::shared_ptr<const Assignment> assignment = assignment_called("reduction");
  for (const auto& cases : {cases_at_edges(*assignment, 1), cases_of_every_size(*assignment, 1)}) {
    std::set<std::string> classes;
    std::set<std::string> alignments;
    std::set<std::uint64_t> sizes;
    for (const Case& which : cases) {
      classes.insert(which.type + which.data);
      alignments.insert(which.type + std::to_string(which.shift));
      sizes.insert(which.n);
    }
    EXPECT_EQ(classes.size(), 6U);
    EXPECT_EQ(alignments.size(), 4U * 8U);
    for (std::uint64_t n = 0; n <= 66; ++n) EXPECT_TRUE(sizes.contains(n)) << n;
  }
  EXPECT_EQ(cases_of_every_size(*assignment, 1).size(), kSmallest + 1);
  EXPECT_EQ(all_small_cases(*assignment, 1).size(), 6 * (kSmallest + 1));
  EXPECT_EQ(growing_cases(*assignment, 1, 22).back().n, 1U << 22);
}

}  // namespace
}  // namespace warpmark::judge
