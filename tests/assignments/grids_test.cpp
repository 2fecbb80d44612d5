// What the judge asks of b = a + x y^T: shapes, pitches, the right elements, and what is refused.
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/rules/plan.h"
#include "tests/assignments/filled.h"

namespace warpmark::grids_tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::size_t kA = 0;
constexpr std::size_t kX = 1;
constexpr std::size_t kY = 2;
constexpr std::size_t kB = 3;

struct Shape {
  std::uint64_t rows, columns, a_pitch, b_pitch;
};

FilledCase grids(const std::string& type, const std::string& data, const Shape& shape,
                 std::uint64_t seed = 0x5eed) {
  const Size size({shape.rows, shape.columns, shape.a_pitch, shape.b_pitch});
  return {"grids", assignment_called("grids")->case_of(type, data, size, seed)};
}

const Shape kEmpty{0, 7, 7, 9};
const Shape kNoColumns{5, 0, 3, 2};
const Shape kOne{1, 1, 1, 1};
const Shape kSquare{33, 33, 64, 96};
const Shape kRectangle{100, 99, 99, 103};
const Shape kLine{1, 1000, 1003, 1000};
const Shape kColumn{1000, 1, 3, 2};
const std::vector<Shape> kShapes{kEmpty, kNoColumns, kOne, kSquare, kRectangle, kLine, kColumn};

Shape shape_of(const FilledCase& filled) {
  const auto scalars = filled.problem->scalars();
  return {scalars.at(0), scalars.at(1), scalars.at(2), scalars.at(3)};
}

float plus_product(float a, float x, float y) {
  return a + x * y;
}
std::int32_t plus_product(std::int32_t a, std::int32_t x, std::int32_t y) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) +
                                   static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(y));
}

// Element after element; the padding stays.
template <class T>
std::vector<T> b_of(const FilledCase& filled) {
  const auto a = filled.values<T>(kA);
  const auto x = filled.values<T>(kX);
  const auto y = filled.values<T>(kY);
  const Shape shape = shape_of(filled);
  std::vector<T> b = filled.values<T>(kB);
  for (std::uint64_t r = 0; r < shape.rows; ++r) {
    for (std::uint64_t c = 0; c < shape.columns; ++c)
      b[r * shape.b_pitch + c] = plus_product(a[r * shape.a_pitch + c], x[r], y[c]);
  }
  return b;
}

TEST(Grids, knows_its_types_and_classes_of_data) {
  const auto assignment = assignment_called("grids");
  EXPECT_THAT(assignment->data_classes("int"), ElementsAre("uniform"));
  EXPECT_THAT(assignment->data_classes("float"), ElementsAre("whole", "uniform"));
  EXPECT_THAT(assignment->data_classes("double"), IsEmpty());
  EXPECT_EQ(assignment->value_bytes("double"), 0U);
}

TEST(Grids, asks_for_the_buffers_that_its_contract_promises) {
  for (const Shape& shape : kShapes) {
    const FilledCase filled = grids("int", "uniform", shape);
    EXPECT_EQ(filled.specs[kX].bytes, shape.rows * 4);
    EXPECT_EQ(filled.specs[kY].bytes, shape.columns * 4);
    const bool empty = shape.rows == 0 || shape.columns == 0;
    // Behind the last row there is no padding.
    EXPECT_EQ(filled.specs[kA].bytes, empty ? 0 : ((shape.rows - 1) * shape.a_pitch + shape.columns) * 4);
    EXPECT_EQ(filled.specs[kB].bytes, empty ? 0 : ((shape.rows - 1) * shape.b_pitch + shape.columns) * 4);
    EXPECT_EQ(filled.specs[kB].role, Role::in_out);
    EXPECT_TRUE(filled.specs[kY].patched);
  }
}

// Returns what is special about a matrix's shape.
std::set<std::string> traits_of(const std::vector<std::uint64_t>& parts) {
  const auto [rows, columns, a_pitch, b_pitch] = Shape{parts.at(0), parts.at(1), parts.at(2), parts.at(3)};
  EXPECT_TRUE(rows == 0 || columns == 0 || (a_pitch >= columns && b_pitch >= columns));
  std::set<std::string> traits{rows > columns ? "high" : "wide",
                               a_pitch == columns ? "no padding" : "padding",
                               a_pitch == b_pitch ? "equal pitches" : "different pitches"};
  if (rows > 65535 * 16) traits.insert("more rows than blocks of 16 reach");
  if (columns > 65535 * 16) traits.insert("more columns than blocks of 16 reach");
  if (rows > 1 && a_pitch % 32 == 0 && b_pitch % 32 == 0) traits.insert("aligned rows");
  return traits;
}

TEST(Grids, is_graded_with_matrices_of_many_shapes) {
  const auto rubric = judge::read_rubric(home_of("grids"));
  ASSERT_TRUE(rubric) << rubric.error().message;
  std::set<std::string> seen;
  for (const Size& size : rubric->correct.sizes) seen.merge(traits_of(size.parts));
  EXPECT_EQ(seen.size(), 9U) << testing::PrintToString(seen);
  std::set<std::string> secret;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const Size& size : judge::secret_sizes(*rubric, seed)) secret.merge(traits_of(size.parts));
  }
  EXPECT_THAT(secret, testing::IsSupersetOf(
                          {"high", "wide", "no padding", "padding", "equal pitches", "different pitches"}));
}

template <class T>
void expect_one_answer(const std::string& type, const Shape& shape) {
  for (const std::string& data : assignment_called("grids")->data_classes(type)) {
    SCOPED_TRACE(fmt::format("{} {} {} x {}", type, data, shape.rows, shape.columns));
    const auto filled = grids(type, data, shape);
    const auto right = b_of<T>(filled);
    EXPECT_TRUE(filled.accepts(kB, right));
    for (std::size_t i = 0; i < right.size(); i += 1 + right.size() / 50) {
      auto wrong = right;
      if (i % shape_of(filled).b_pitch >= shape_of(filled).columns) continue;  // padding
      wrong[i] = plus_product(wrong[i], T{1}, T{4096});
      EXPECT_FALSE(filled.accepts(kB, wrong)) << i;
    }
    if (!right.empty()) {
      EXPECT_FALSE(filled.accepts(kB, filled.values<T>(kB))) << "nothing was written";
    }
  }
}

TEST(Grids, has_one_right_answer) {
  for (const Shape& shape : kShapes) {
    expect_one_answer<std::int32_t>("int", shape);
    expect_one_answer<float>("float", shape);
  }
}

TEST(Grids, finds_one_wrong_element_of_a_large_matrix) {
  const auto filled = grids("int", "uniform", {1448, 1448, 1472, 1504});
  auto b = b_of<std::int32_t>(filled);
  ASSERT_TRUE(filled.accepts(kB, b));
  const Shape shape = shape_of(filled);
  b[(shape.rows - 1) * shape.b_pitch + 17] ^= 1;
  b[7 * shape.b_pitch + 3] ^= 1;
  const auto mismatch = filled.check(kB, b);
  ASSERT_TRUE(mismatch);
  EXPECT_THAT(mismatch->what, HasSubstr("b(7, 3) is wrong")) << "not the first one";
  EXPECT_EQ(mismatch->actual, std::to_string(b[7 * shape.b_pitch + 3]));
  EXPECT_EQ(mismatch->expected, std::to_string(b[7 * shape.b_pitch + 3] ^ 1));
}

TEST(Grids, checks_pieces_of_an_answer) {
  for (const Shape& shape : {kRectangle, kLine, kColumn, Shape{100, 100, 128, 160}}) {
    const auto filled = grids("float", "uniform", shape);
    const auto right = b_of<float>(filled);
    const auto bytes = std::as_bytes(std::span(right));
    const std::size_t offset = bytes.size() / 3 / 8 * 8;
    EXPECT_TRUE(filled.problem->checks_parts(kB));
    EXPECT_FALSE(filled.problem->check_part(kB, 0, bytes.first(800)));
    EXPECT_FALSE(filled.problem->check_part(kB, offset, bytes.subspan(offset, 400)));
    EXPECT_TRUE(filled.problem->check_part(kB, 0, bytes.subspan(offset, 400))) << "of another place";
  }
}

TEST(Grids, names_the_element_that_is_wrong_in_a_piece) {
  const auto filled = grids("int", "uniform", {100, 100, 128, 160});
  auto wrong = b_of<std::int32_t>(filled);
  const std::size_t pitch = shape_of(filled).b_pitch;
  ++wrong[7 * pitch + 30];
  const auto piece = std::as_bytes(std::span(wrong)).subspan(7 * pitch * 4, 400);
  const auto mismatch = filled.problem->check_part(kB, 7 * pitch * 4, piece);
  ASSERT_TRUE(mismatch);
  EXPECT_THAT(mismatch->what, HasSubstr("b(7, 30) is wrong"));
}

TEST(Grids, wants_the_padding_left_alone) {
  const auto filled = grids("int", "uniform", kSquare);
  auto b = b_of<std::int32_t>(filled);
  const Shape shape = shape_of(filled);
  b[4 * shape.b_pitch + shape.columns] = 0;
  const auto mismatch = filled.check(kB, b);
  ASSERT_TRUE(mismatch);
  EXPECT_THAT(
      mismatch->what,
      HasSubstr(
          "the padding behind row 4 was written to (rows = 33, columns = 33, a_pitch = 64, b_pitch = 96)"));
}

TEST(Grids, tells_an_element_that_was_left_alone) {
  const auto filled = grids("float", "whole", kSquare);
  auto b = b_of<float>(filled);
  const auto before = filled.values<float>(kB);
  b[2] = before[2];
  EXPECT_THAT(filled.check(kB, b)->what,
              HasSubstr("b(0, 2) is wrong: it still holds what it held before the call"));
  b[2] = 12345.5F;
  EXPECT_THAT(filled.check(kB, b)->what, Not(HasSubstr("still holds")));
}

TEST(Grids, refuses_what_is_not_a_number) {
  for (const char* data : {"whole", "uniform"}) {
    const auto filled = grids("float", data, kRectangle);
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      auto wrong = b_of<float>(filled);
      wrong[0] = bad;
      EXPECT_FALSE(filled.accepts(kB, wrong));
    }
  }
}

TEST(Grids, allows_a_product_that_is_rounded_and_one_that_is_not) {
  const auto filled = grids("float", "uniform", kRectangle);
  const auto a = filled.values<float>(kA);
  const auto x = filled.values<float>(kX);
  const auto y = filled.values<float>(kY);
  const Shape shape = shape_of(filled);
  auto fused = b_of<float>(filled);
  std::size_t different = 0;
  for (std::uint64_t r = 0; r < shape.rows; ++r) {
    for (std::uint64_t c = 0; c < shape.columns; ++c) {
      float& b = fused[r * shape.b_pitch + c];
      const float once = std::fma(x[r], y[c], a[r * shape.a_pitch + c]);
      const volatile float product = x[r] * y[c];  // volatile, or the compiler may fuse it
      const float twice = a[r * shape.a_pitch + c] + product;
      different += once == twice ? 0 : 1;
      b = once;
    }
  }
  EXPECT_GT(different, 0U);
  EXPECT_TRUE(filled.accepts(kB, fused));
  // Further off than both roundings together.
  fused[0] += 8 * 0x1p-24F * (std::abs(x[0] * y[0]) + std::abs(fused[0]));
  EXPECT_FALSE(filled.accepts(kB, fused));
}

TEST(Grids, has_exact_floats) {
  const auto filled = grids("float", "whole", kRectangle);
  const auto x = filled.values<float>(kX);
  const auto y = filled.values<float>(kY);
  for (const float a : filled.values<float>(kA)) {
    ASSERT_LT(std::abs(a), 0x1p23F);
  }
  for (const float row : x) {
    for (const float column : y) ASSERT_LT(std::abs(static_cast<double>(row) * column), 0x1p23);
  }
}

template <class T>
void expect_patches_to_keep_the_answer_right(const std::string& type, const Shape& shape) {
  SCOPED_TRACE(fmt::format("{} {} x {}", type, shape.rows, shape.columns));
  auto filled = grids(type, assignment_called("grids")->data_classes(type).front(), shape);
  for (std::uint64_t round = 0; round < 20; ++round) {
    const auto before = b_of<T>(filled);
    ASSERT_TRUE(filled.patch(round, 8)) << "the judge's copy is not what the device holds";
    ASSERT_TRUE(filled.accepts(kB, b_of<T>(filled))) << round;
    ASSERT_FALSE(filled.accepts(kB, before)) << round << ": the answer before the patches";
  }
}

TEST(Grids, patches_keep_the_expected_matrix_right) {
  for (const Shape& shape : {kSquare, kRectangle, kLine, kColumn}) {
    expect_patches_to_keep_the_answer_right<std::int32_t>("int", shape);
    expect_patches_to_keep_the_answer_right<float>("float", shape);
  }
  EXPECT_THAT(grids("int", "uniform", {0, 0, 0, 0}).problem->patch(1, 8, {}), IsEmpty());
}

TEST(Grids, a_clone_is_patched_on_its_own) {
  const auto filled = grids("int", "uniform", kSquare);
  const auto clone = filled.problem->clone();
  auto contents = filled.contents[kY];
  ASSERT_FALSE(clone->patch(1, 8, contents).empty());
  const auto right = b_of<std::int32_t>(filled);
  EXPECT_TRUE(filled.accepts(kB, right));
  EXPECT_TRUE(clone->check(kB, std::as_bytes(std::span(right))));
}

}  // namespace
}  // namespace warpmark::grids_tests
