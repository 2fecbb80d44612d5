#include "harness/judge/rules/plan.h"

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/secret.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::Not;

// Two classes of float, one of int.
class TwoTypes : public Assignment {
 public:
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    return type == "float" ? std::vector<std::string>{"exact", "random"} : std::vector<std::string>{"random"};
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& /*which*/) const override { return nullptr; }
  [[nodiscard]] std::size_t value_bytes(std::string_view /*type*/) const override { return 4; }
  [[nodiscard]] std::string_view wrong_answer() const override { return "wrong_sum"; }
};

Rubric rubric() {
  Rubric rubric;
  rubric.types = {"int", "float"};
  rubric.correct.sizes = {1000, 0, 33};
  rubric.correct.gpu_sizes = {1 << 24};
  rubric.correct.secret = secret_below(4, 500);
  rubric.correct.shifted_size = 77;
  rubric.clean.sizes = {0, 33};
  rubric.clean.schedules = 3;
  return rubric;
}

std::vector<Case> correct(Engine engine, const Focus& focus = {}, std::uint64_t seed = 1) {
  return correct_cases(rubric(), TwoTypes(), engine, focus, seed);
}

// How many sizes the seed adds to those of the rubric and its four secret ones.
std::size_t small_ones(std::uint64_t seed) {
  return small_secret_size(rubric(), TwoTypes(), seed) ? 1 : 0;
}

std::multiset<std::uint64_t> sizes_of(const std::vector<Case>& cases) {
  std::multiset<std::uint64_t> sizes;
  for (const Case& which : cases) sizes.insert(which.n);
  return sizes;
}

TEST(CorrectCases, ask_every_size_type_and_class_of_data) {
  const auto cases = correct(Engine::simulator);
  EXPECT_EQ(cases.size(), (3 + 4 + 2 + small_ones(1)) * 3U);
  for (const std::uint64_t n : {0, 33, 1000}) {
    for (const auto& [type, data] : {std::pair{"int", "random"}, {"float", "exact"}, {"float", "random"}}) {
      EXPECT_THAT(cases, Contains(AllOf(Field(&Case::n, n), Field(&Case::type, type),
                                        Field(&Case::data, data), Field(&Case::shift, 0U))));
    }
  }
}

TEST(CorrectCases, ask_small_sizes_first) {
  const auto cases = correct(Engine::gpu);
  EXPECT_TRUE(
      std::is_sorted(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.n < b.n; }));
}

TEST(CorrectCases, ask_the_large_sizes_on_a_gpu_only) {
  EXPECT_THAT(correct(Engine::gpu), Contains(Field(&Case::n, 1U << 24)));
  EXPECT_THAT(correct(Engine::simulator), Each(Field(&Case::n, testing::Lt(1U << 24))));
}

TEST(CorrectCases, ask_one_class_of_a_type_at_the_largest_sizes) {
  std::set<std::string> drawn;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::size_t floats = 0;
    for (const Case& which : correct_cases(rubric(), TwoTypes(), Engine::gpu, {}, seed)) {
      if (which.n != 1U << 24 || which.type != "float") continue;
      ++floats;
      drawn.insert(which.data);
    }
    EXPECT_EQ(floats, 1U);
  }
  EXPECT_EQ(drawn, (std::set<std::string>{"exact", "random"}));
}

TEST(CorrectCases, shift_the_input_at_one_size_and_at_the_smallest) {
  const auto cases = correct(Engine::simulator);
  for (const std::uint64_t n : {33, 77}) {
    EXPECT_EQ(std::count_if(cases.begin(), cases.end(),
                            [n](const Case& which) { return which.shift == 1 && which.n == n; }),
              3)
        << n;
  }
  EXPECT_EQ(std::count_if(cases.begin(), cases.end(), [](const Case& which) { return which.shift != 0; }), 6);
}

TEST(CorrectCases, draw_secret_sizes_from_the_seed_and_within_bounds) {
  const std::multiset<std::uint64_t> known{0, 0, 0, 33, 33, 33, 33, 33, 33, 77, 77, 77, 1000, 1000, 1000};
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto sizes = sizes_of(correct(Engine::simulator, {}, seed));
    std::multiset<std::uint64_t> secret;
    std::set_difference(sizes.begin(), sizes.end(), known.begin(), known.end(),
                        std::inserter(secret, secret.end()));
    ASSERT_EQ(secret.size(), (4 + small_ones(seed)) * 3U);
    for (const std::uint64_t n : secret) {
      EXPECT_GE(n, 1U);
      EXPECT_LE(n, 1000U);
      seen.insert(n);
    }
    // Each of the two types with its classes of data has one beyond the secret sizes, below the largest.
    EXPECT_GE(std::count_if(secret.begin(), secret.end(), [](std::uint64_t n) { return n > 500; }), 3);
    EXPECT_LE(std::count_if(secret.begin(), secret.end(), [](std::uint64_t n) { return n > 500; }), 3);
  }
  EXPECT_GT(seen.size(), 100U) << "200 draws from 500 sizes give more different ones";
}

TEST(CorrectCases, draw_every_secret_size_up_to_the_largest_and_never_nothing) {
  Rubric small = rubric();
  small.correct.sizes.clear();
  small.correct.shifted_size.reset();
  small.correct.secret = secret_below(4, 3);
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const Case& which : correct_cases(small, TwoTypes(), Engine::simulator, {}, seed))
      seen.insert(which.n);
  }
  EXPECT_THAT(seen, ElementsAre(1, 2, 3));
}

TEST(CorrectCases, are_the_same_for_the_same_seed_and_have_inputs_of_their_own) {
  const auto first = correct(Engine::simulator, {}, 7);
  const auto again = correct(Engine::simulator, {}, 7);
  std::set<std::uint64_t> seeds;
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].n, again.at(i).n);
    EXPECT_EQ(first[i].seed, again.at(i).seed);
    seeds.insert(first[i].seed);
  }
  EXPECT_EQ(seeds.size(), first.size());
  EXPECT_NE(first.front().seed, correct(Engine::simulator, {}, 8).front().seed);
}

TEST(CorrectCases, show_a_failure_again_from_its_size_type_and_seed) {
  for (const Case& failed : correct(Engine::simulator)) {
    Focus focus;
    focus.seed = failed.seed;
    focus.size = failed.n;
    focus.type = failed.type;
    EXPECT_THAT(correct(Engine::simulator, focus, 999),
                Contains(AllOf(Field(&Case::n, failed.n), Field(&Case::seed, failed.seed),
                               Field(&Case::type, failed.type), Field(&Case::data, failed.data),
                               Field(&Case::shift, failed.shift))));
  }
}

TEST(CorrectCases, ask_nothing_beside_what_the_user_wants_to_see) {
  Focus focus;
  focus.size = 5;
  focus.type = "int";
  EXPECT_THAT(correct(Engine::gpu, focus), Each(AllOf(Field(&Case::n, 5U), Field(&Case::type, "int"))));
  EXPECT_FALSE(correct(Engine::gpu, focus).empty());
}

TEST(CleanCases, ask_the_first_class_of_every_type_at_small_sizes) {
  Rubric named = rubric();
  named.correct.secret = {};
  const auto cases = clean_cases(named, TwoTypes(), {}, 1);
  ASSERT_EQ(cases.size(), 6U);
  EXPECT_THAT(cases, Not(Contains(AllOf(Field(&Case::type, "float"), Field(&Case::data, "random")))));
  EXPECT_EQ(sizes_of(cases), (std::multiset<std::uint64_t>{0, 0, 33, 33, 77, 77}));
}

TEST(CleanCases, ask_a_secret_size_that_correct_asks_too) {
  std::set<std::uint64_t> drawn;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto small = small_secret_size(rubric(), TwoTypes(), seed);
    if (!small) continue;
    const std::uint64_t n = small->parts.front();
    EXPECT_LE(n, 33U) << "as large as the largest size of `clean`";
    EXPECT_THAT(clean_cases(rubric(), TwoTypes(), {}, seed), Contains(Field(&Case::n, n)));
    EXPECT_THAT(correct(Engine::simulator, {}, seed), Contains(Field(&Case::n, n)));
    drawn.insert(n);
  }
  EXPECT_GT(drawn.size(), 5U);
}

TEST(CleanCases, ask_the_misaligned_pointer_at_the_shifted_size) {
  Rubric named = rubric();
  named.correct.secret = {};
  for (const Case& which : clean_cases(named, TwoTypes(), {}, 1))
    EXPECT_EQ(which.shift, which.n == 77 ? 1U : 0U);
}

TEST(CleanCases, ask_the_large_size_last_and_of_the_first_type_alone) {
  Rubric large = rubric();
  large.clean.large_size = 66000;
  large.correct.secret = {};
  const auto cases = clean_cases(large, TwoTypes(), {}, 1);
  ASSERT_EQ(cases.size(), 7U);
  EXPECT_EQ(cases.back().n, 66000U);
  EXPECT_EQ(cases.back().type, "int");
}

// A rubric with a size of `work` of two numbers.
Rubric with_work() {
  Rubric counted = rubric();
  plain::Spec spec;
  spec.sizes = {"n", "m"};
  counted.plain = std::make_shared<const plain::Spec>(std::move(spec));
  counted.work.type = "int";
  counted.work.size = Size({1600, 7});
  return counted;
}

TEST(WorkCase, has_the_class_of_data_that_a_version_names) {
  VersionRule version;
  EXPECT_EQ(work_case(with_work(), TwoTypes(), version, {}, 1).data, TwoTypes().data_classes("int").front());
  version.work_data = TwoTypes().data_classes("int").back() + "_other";
  EXPECT_EQ(work_case(with_work(), TwoTypes(), version, {}, 1).data, version.work_data);
}

TEST(WorkCase, draws_its_size_a_sixteenth_below_the_stated_one) {
  const Rubric counted = with_work();
  std::set<std::uint64_t> drawn;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Size size = work_case(counted, TwoTypes(), VersionRule{}, {}, seed).sizes();
    EXPECT_TRUE(is_work_size(counted, size)) << to_text(size);
    EXPECT_EQ(size.parts.at(1), 7U);
    EXPECT_EQ(size, work_case(counted, TwoTypes(), VersionRule{}, {}, seed).sizes()) << "the seed decides";
    drawn.insert(size.parts.front());
  }
  EXPECT_GE(*drawn.begin(), 1500U);
  EXPECT_LE(*drawn.rbegin(), 1600U);
  EXPECT_GT(drawn.size(), 60U) << "200 draws from 101 sizes";
  for (const Size& other : {Size({1499, 7}), Size({1601, 7}), Size({1550, 8})})
    EXPECT_FALSE(is_work_size(counted, other)) << to_text(other);
}

TEST(WorkCase, has_the_size_that_the_user_gives_to_see_it_again) {
  Focus focus;
  focus.size = Size({1501, 7});
  focus.seed = 99;
  const Case again = work_case(with_work(), TwoTypes(), VersionRule{}, focus, 1);
  EXPECT_EQ(again.sizes(), *focus.size);
  EXPECT_EQ(again.seed, 99U);
}

TEST(WorkCase, has_the_stated_size_where_nothing_says_that_others_are_allowed) {
  Rubric without_secret = with_work();
  without_secret.correct.secret = {};
  Rubric of_a_judge = with_work();
  of_a_judge.plain.reset();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(work_case(without_secret, TwoTypes(), VersionRule{}, {}, seed).sizes(), Size({1600, 7}));
    EXPECT_EQ(work_case(of_a_judge, TwoTypes(), VersionRule{}, {}, seed).sizes(), Size({1600, 7}));
  }
}

TEST(CleanCases, show_a_failure_again) {
  Rubric large = rubric();
  large.clean.large_size = 66000;
  for (const Case& failed : clean_cases(large, TwoTypes(), {}, 7)) {
    Focus focus;
    focus.size = failed.n;
    focus.seed = failed.seed;
    focus.type = failed.type;
    const auto again = clean_cases(large, TwoTypes(), focus, 1);
    EXPECT_EQ(again.size(), 2U) << "aligned, and not";
    EXPECT_THAT(again, Contains(AllOf(Field(&Case::n, failed.n), Field(&Case::seed, failed.seed),
                                      Field(&Case::data, failed.data), Field(&Case::shift, failed.shift))));
  }
}

TEST(Plan, full_tiles_are_the_smallest_named_size_of_multiples_of_64_or_else_less) {
  Rubric tiles = rubric();
  tiles.correct.sizes = {Size({128, 128}), Size({16, 16}), Size({64, 65}), Size({64, 128}), Size({0, 64})};
  EXPECT_EQ(full_tiles_of(tiles, TwoTypes()), Size({64, 128}));
  tiles.correct.sizes = {Size({16, 16}), Size({32, 96}), Size({64, 65})};
  EXPECT_EQ(full_tiles_of(tiles, TwoTypes()), Size({32, 96}));
  EXPECT_EQ(full_tiles_of(rubric(), TwoTypes()), std::nullopt) << "sizes of one part have no tiles";
}

}  // namespace
}  // namespace warpmark::judge
