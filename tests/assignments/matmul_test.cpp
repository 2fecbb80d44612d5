// What the judge asks of a product of matrices: shapes, the right elements, the tolerance, and what is
// refused.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/filled.h"

namespace warpmark::matmul_tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kA = 0;
constexpr std::size_t kB = 1;
constexpr std::size_t kC = 2;

struct Shape {
  std::uint64_t rows, inner, columns;
};

FilledCase matmul(const std::string& data, std::uint64_t n, std::uint64_t seed = 0x5eed) {
  return {"matmul", {"float", data, n, 0, seed}};
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
  EXPECT_THAT(assignment->data_classes("float"), ElementsAre("exact", "random"));
  EXPECT_THAT(assignment->data_classes("int"), IsEmpty());
  EXPECT_EQ(assignment->value_bytes("float"), 4U);
  EXPECT_EQ(assignment->value_bytes("int"), 0U);
}

TEST(Matmul, asks_for_the_buffers_that_its_contract_promises) {
  for (const std::uint64_t n : {0, 1, 225, 500, 5003}) {
    const FilledCase filled("matmul", {"float", "exact", n, 3, 1});
    const auto [rows, inner, columns] = shape_of(filled);
    EXPECT_LE(rows * columns, n);
    EXPECT_EQ(filled.specs[kA].bytes, rows * inner * 4);
    EXPECT_EQ(filled.specs[kB].bytes, inner * columns * 4);
    EXPECT_EQ(filled.specs[kC].bytes, rows * columns * 4);
    for (const BufferSpec& spec : filled.specs) EXPECT_EQ(spec.offset, 12U);
    EXPECT_TRUE(filled.specs[kA].patched);
  }
}

TEST(Matmul, has_square_matrices_for_square_numbers_and_any_shape_for_the_others) {
  for (const std::uint64_t side : {0, 1, 15, 64, 100}) {
    const auto [rows, inner, columns] = shape_of(matmul("exact", side * side));
    EXPECT_EQ(rows, side);
    EXPECT_EQ(inner, side);
    EXPECT_EQ(columns, side);
  }
  EXPECT_EQ(shape_of(matmul("exact", (std::uint64_t{1} << 18) + 1)).inner, 512U);
  const auto [rows_of_2, inner_of_2, columns_of_2] = shape_of(matmul("exact", 2));
  EXPECT_EQ(rows_of_2 * columns_of_2, 2U);
  EXPECT_EQ(inner_of_2, 0U);
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto [rows, inner, columns] = shape_of(FilledCase("matmul", {"float", "exact", 500, 0, seed}));
    seen.insert(rows > columns ? "tall" : "flat");
    if (rows == 1) seen.insert("one row");
    EXPECT_GT(inner, 0U);
    if (inner > rows && inner > columns) seen.insert("long sums");
    if (inner % 4 != 0 && columns % 4 != 0) seen.insert("no multiple of 4");
  }
  EXPECT_EQ(seen.size(), 5U) << testing::PrintToString(seen);
}

class Products : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Products, in_any_order_are_accepted) {
  for (const char* data : {"exact", "random"}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const FilledCase filled = matmul(data, GetParam(), seed);
      EXPECT_TRUE(filled.accepts(kC, product_of(filled))) << data;
      EXPECT_TRUE(filled.accepts(kC, product_of(filled, true))) << data << " backwards";
    }
  }
}

TEST_P(Products, with_one_wrong_element_are_refused) {
  for (const char* data : {"exact", "random"}) {
    const FilledCase filled = matmul(data, GetParam());
    const auto right = product_of(filled);
    for (std::size_t i = 0; i < right.size(); i += 1 + right.size() / 20) {
      auto wrong = right;
      wrong[i] += 1;
      EXPECT_FALSE(filled.accepts(kC, wrong)) << data << i;
      wrong[i] = std::numeric_limits<float>::quiet_NaN();
      EXPECT_FALSE(filled.accepts(kC, wrong)) << data << i;
      wrong[i] = std::numeric_limits<float>::infinity();
      EXPECT_FALSE(filled.accepts(kC, wrong)) << data << i;
    }
  }
}

TEST_P(Products, without_the_last_term_are_refused) {
  for (const char* data : {"exact", "random"}) {
    const FilledCase filled = matmul(data, GetParam());
    const auto [rows, inner, columns] = shape_of(filled);
    if (rows * columns == 0 || inner == 0) continue;
    auto wrong = product_of(filled);
    const auto a = filled.values<float>(kA);
    const auto b = filled.values<float>(kB);
    for (std::uint64_t i = 0; i < wrong.size(); ++i) {
      wrong[i] -= a[i / columns * inner + inner - 1] * b[(inner - 1) * columns + i % columns];
    }
    EXPECT_FALSE(filled.accepts(kC, wrong)) << data;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Products, testing::Values(0, 1, 2, 4, 225, 500, 1089, 5003, 16384));

TEST(Matmul, refuses_factors_of_fewer_digits) {
  for (const std::uint64_t n : {1024, 4096}) {
    for (const int bits : {11, 8}) {
      const FilledCase filled = matmul("exact", n);
      const auto narrow =
          product_of(filled, [&](float value) { return value == 0 ? 0 : rounded_to(value, bits); });
      EXPECT_FALSE(filled.accepts(kC, narrow)) << n << " elements, factors of " << bits << " bits";
    }
  }
}

// Then every order of the additions gives the same bits.
TEST(Matmul, keeps_exact_sums_below_the_limit) {
  const FilledCase filled = matmul("exact", 512 * 512);
  auto magnitudes = product_of(filled, [](float value) { return std::abs(value); });
  EXPECT_LT(std::ranges::max(magnitudes), 0x1p24F);
  EXPECT_GT(std::ranges::max(magnitudes), 0x1p12F);
}

TEST(Matmul, refuses_the_transposed_product) {
  const FilledCase filled = matmul("exact", 1024);
  const auto right = product_of(filled);
  auto turned = right;
  for (std::size_t i = 0; i < 32; ++i) {
    for (std::size_t j = 0; j < 32; ++j) turned[i * 32 + j] = right[j * 32 + i];
  }
  EXPECT_FALSE(filled.accepts(kC, turned));
}

TEST(Matmul, patches_keep_the_expected_product_right) {
  for (const char* data : {"exact", "random"}) {
    for (const std::uint64_t n : {1, 225, 500}) {
      FilledCase filled = matmul(data, n);
      for (std::uint64_t round = 0; round < 30; ++round) {
        const auto before = product_of(filled);
        ASSERT_TRUE(filled.patch(round, 8)) << "the judge's copy is not what the device holds";
        const auto after = product_of(filled);
        ASSERT_TRUE(filled.accepts(kC, after)) << data << n << " " << round;
        if (n == 1 || after == before) continue;
        ASSERT_FALSE(filled.accepts(kC, before)) << data << n << ": the product before the patches";
      }
    }
  }
  EXPECT_THAT(matmul("exact", 0).problem->patch(1, 8, {}), IsEmpty());
}

TEST(Matmul, a_clone_is_patched_on_its_own) {
  const FilledCase filled = matmul("exact", 225);
  const auto clone = filled.problem->clone();
  auto contents = filled.contents[kA];
  ASSERT_FALSE(clone->patch(1, 8, contents).empty());
  const auto right = product_of(filled);
  EXPECT_TRUE(filled.accepts(kC, right));
  EXPECT_TRUE(clone->check(kC, std::as_bytes(std::span(right))));
}

TEST(Matmul, a_mismatch_tells_place_and_shapes) {
  const FilledCase filled = matmul("exact", 225);
  auto wrong = product_of(filled);
  wrong[2 * 15 + 7] += 1;
  const auto mismatch = filled.check(kC, wrong);
  ASSERT_TRUE(mismatch);
  EXPECT_THAT(mismatch->what, HasSubstr("c(2, 7) is wrong (A is 15 x 15, B is 15 x 15)"));
  EXPECT_NE(mismatch->expected, mismatch->actual);
}

}  // namespace
}  // namespace warpmark::matmul_tests
