// What the judge asks of a product of matrices: shapes, the right elements, the tolerance, and what is
// refused.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/rules/plan.h"
#include "tests/assignments/filled.h"

namespace warpmark::matmul_tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kA = 0;
constexpr std::size_t kB = 1;
constexpr std::size_t kC = 2;
constexpr float kLargestProduct = 8193 * 3;  // of an element of A and one of B

struct Shape {
  std::uint64_t rows, inner, columns;
};

FilledCase matmul(const std::string& data, const Shape& shape, std::uint64_t seed = 0x5eed) {
  const Size size({shape.rows, shape.inner, shape.columns});
  return {"matmul", assignment_called("matmul")->case_of("float", data, size, seed)};
}

Shape square(std::uint64_t side) {
  return {side, side, side};
}

Shape shape_of(const FilledCase& filled) {
  const auto scalars = filled.problem->scalars();
  return {scalars.at(0), scalars.at(1), scalars.at(2)};
}

// In single precision, from the first term to the last or back. `change` makes another number of each factor.
template <class Change>
std::vector<float> product_of(const FilledCase& filled, const Change& change, bool backwards = false) {
  const auto a = filled.values<float>(kA);
  const auto b = filled.values<float>(kB);
  const auto [rows, inner, columns] = shape_of(filled);
  std::vector<float> c(rows * columns);
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::uint64_t step = 0; step < inner; ++step) {
      const std::uint64_t k = backwards ? inner - 1 - step : step;
      const float factor = change(a[i * inner + k]);
      for (std::uint64_t j = 0; j < columns; ++j) c[i * columns + j] += factor * change(b[k * columns + j]);
    }
  }
  return c;
}

std::vector<float> product_of(const FilledCase& filled, bool backwards = false) {
  return product_of(
      filled, [](float value) { return value; }, backwards);
}

// To `bits` bits of significand, to nearest: 11 is half precision and TF32, 8 is bfloat16.
float rounded_to(float value, int bits) {
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

TEST(Matmul, knows_its_type_and_classes_of_data) {
  const auto assignment = assignment_called("matmul");
  EXPECT_THAT(assignment->data_classes("float"), ElementsAre("exact", "uniform"));
  EXPECT_THAT(assignment->data_classes("int"), IsEmpty());
  EXPECT_EQ(assignment->value_bytes("float"), 4U);
  EXPECT_EQ(assignment->value_bytes("int"), 0U);
}

TEST(Matmul, asks_for_the_buffers_that_its_contract_promises) {
  for (const Shape& shape : {square(0), square(1), square(15), Shape{3, 5, 0}, Shape{12, 199, 41}}) {
    const auto [rows, inner, columns] = shape;
    const FilledCase filled = matmul("exact", shape);
    EXPECT_EQ(filled.specs[kA].bytes, rows * inner * 4);
    EXPECT_EQ(filled.specs[kB].bytes, inner * columns * 4);
    EXPECT_EQ(filled.specs[kC].bytes, rows * columns * 4);
    EXPECT_TRUE(filled.specs[kA].patched);
  }
}

// Returns what is special about a product's shape.
std::set<std::string> traits_of(const std::vector<std::uint64_t>& parts) {
  const auto [rows, inner, columns] = Shape{parts.at(0), parts.at(1), parts.at(2)};
  std::set<std::string> traits;
  if (rows * columns == 0) traits.insert("empty");
  if (rows * columns > 0 && inner == 0) traits.insert("empty sums");
  if (rows == inner && inner == columns) traits.insert("square");
  if (rows > columns) traits.insert("tall");
  if (columns > rows) traits.insert("flat");
  if (rows == 1 && columns > 1) traits.insert("one row");
  if (inner > rows && inner > columns) traits.insert("long sums");
  if (inner % 4 != 0 && columns % 4 != 0) traits.insert("no multiple of 4");
  return traits;
}

TEST(Matmul, is_graded_with_products_of_every_shape) {
  const auto rubric = judge::read_rubric(home_of("matmul"));
  ASSERT_TRUE(rubric) << rubric.error().message;
  std::set<std::string> seen;
  for (const Size& size : rubric->correct.sizes) seen.merge(traits_of(size.parts));
  EXPECT_EQ(seen.size(), 8U) << testing::PrintToString(seen);
  std::set<std::string> secret;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (const Size& size : judge::secret_sizes(*rubric, seed)) secret.merge(traits_of(size.parts));
  }
  EXPECT_THAT(secret, testing::IsSupersetOf({"tall", "flat", "long sums", "no multiple of 4"}));
}

class Products : public testing::TestWithParam<Shape> {};

TEST_P(Products, in_any_order_are_accepted) {
  for (const char* data : {"exact", "uniform"}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const FilledCase filled = matmul(data, GetParam(), seed);
      EXPECT_TRUE(filled.accepts(kC, product_of(filled))) << data;
      EXPECT_TRUE(filled.accepts(kC, product_of(filled, true))) << data << " backwards";
    }
  }
}

TEST_P(Products, with_one_wrong_element_are_refused) {
  for (const char* data : {"exact", "uniform"}) {
    const FilledCase filled = matmul(data, GetParam());
    const auto right = product_of(filled);
    for (std::size_t i = 0; i < right.size(); i += 1 + right.size() / 20) {
      auto wrong = right;
      wrong[i] += std::string_view(data) == "exact" ? 1 : kLargestProduct;
      EXPECT_FALSE(filled.accepts(kC, wrong)) << data << i;
      wrong[i] = std::numeric_limits<float>::quiet_NaN();
      EXPECT_FALSE(filled.accepts(kC, wrong)) << data << i;
      wrong[i] = std::numeric_limits<float>::infinity();
      EXPECT_FALSE(filled.accepts(kC, wrong)) << data << i;
    }
  }
}

TEST_P(Products, without_the_last_term_are_refused) {
  for (const char* data : {"exact", "uniform"}) {
    const FilledCase filled = matmul(data, GetParam());
    const auto [rows, inner, columns] = shape_of(filled);
    if (rows * columns == 0 || inner == 0) continue;
    const auto right = product_of(filled);
    auto wrong = right;
    const auto a = filled.values<float>(kA);
    const auto b = filled.values<float>(kB);
    for (std::uint64_t i = 0; i < wrong.size(); ++i) {
      wrong[i] -= a[i / columns * inner + inner - 1] * b[(inner - 1) * columns + i % columns];
    }
    if (wrong == right) continue;  // a factor is 0
    EXPECT_FALSE(filled.accepts(kC, wrong)) << data;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Products,
                         testing::Values(square(0), square(1), Shape{1, 0, 2}, square(2), square(15),
                                         Shape{250, 7, 2}, square(33), Shape{12, 199, 41}, Shape{1, 33, 500},
                                         square(128)));

TEST(Matmul, refuses_factors_of_fewer_digits) {
  for (const std::uint64_t side : {32, 64}) {
    for (const int bits : {11, 8}) {
      const FilledCase filled = matmul("exact", square(side));
      const auto narrow =
          product_of(filled, [&](float value) { return value == 0 ? 0 : rounded_to(value, bits); });
      EXPECT_FALSE(filled.accepts(kC, narrow)) << side << ", factors of " << bits << " bits";
    }
  }
}

// Then every order of the additions gives the same bits.
TEST(Matmul, keeps_exact_sums_below_the_limit) {
  const FilledCase filled = matmul("exact", square(512));
  auto magnitudes = product_of(filled, [](float value) { return std::abs(value); });
  EXPECT_LT(std::ranges::max(magnitudes), 0x1p24F);
  EXPECT_GT(std::ranges::max(magnitudes), 0x1p12F);
}

TEST(Matmul, refuses_the_transposed_product) {
  const FilledCase filled = matmul("exact", square(32));
  const auto right = product_of(filled);
  auto turned = right;
  for (std::size_t i = 0; i < 32; ++i) {
    for (std::size_t j = 0; j < 32; ++j) turned[i * 32 + j] = right[j * 32 + i];
  }
  EXPECT_FALSE(filled.accepts(kC, turned));
}

TEST(Matmul, patches_keep_the_expected_product_right) {
  for (const char* data : {"exact", "uniform"}) {
    for (const Shape& shape : {square(1), square(15), Shape{12, 99, 41}}) {
      FilledCase filled = matmul(data, shape);
      for (std::uint64_t round = 0; round < 30; ++round) {
        const auto before = product_of(filled);
        ASSERT_TRUE(filled.patch(round, 8)) << "the judge's copy is not what the device holds";
        const auto after = product_of(filled);
        ASSERT_TRUE(filled.accepts(kC, after)) << data << shape.rows << " " << round;
        if (shape.rows == 1 || after == before) continue;
        ASSERT_FALSE(filled.accepts(kC, before)) << data << shape.rows << ": the product before the patches";
      }
    }
  }
  EXPECT_THAT(matmul("exact", square(0)).problem->patch(1, 8, {}), IsEmpty());
}

TEST(Matmul, a_clone_is_patched_on_its_own) {
  const FilledCase filled = matmul("exact", square(15));
  const auto clone = filled.problem->clone();
  auto contents = filled.contents[kA];
  ASSERT_FALSE(clone->patch(1, 8, contents).empty());
  const auto right = product_of(filled);
  EXPECT_TRUE(filled.accepts(kC, right));
  EXPECT_TRUE(clone->check(kC, std::as_bytes(std::span(right))));
}

TEST(Matmul, a_mismatch_tells_place_and_shapes) {
  const FilledCase filled = matmul("exact", {15, 4, 20});
  auto wrong = product_of(filled);
  wrong[2 * 20 + 7] += 1;
  const auto mismatch = filled.check(kC, wrong);
  ASSERT_TRUE(mismatch);
  EXPECT_THAT(mismatch->what, HasSubstr("c(2, 7) is wrong (rows = 15, inner = 4, columns = 20)"));
  EXPECT_NE(mismatch->expected, mismatch->actual);
}

}  // namespace
}  // namespace warpmark::matmul_tests
