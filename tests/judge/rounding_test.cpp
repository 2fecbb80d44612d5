// The advice to give an output a tolerance, and when it is given.
#include "harness/judge/rounding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::judge {
namespace {

class ToleranceAdvice : public testing::Test {
 protected:
  [[nodiscard]] std::string advice(const std::string& expected, const std::string& actual) const {
    Rubric rubric;
    plain::Spec spec{
        .buffers = {
            {.name = "out", .role = Role::output, .type = type, .count = {}, .tolerance = tolerance}}};
    rubric.plain = std::make_shared<const plain::Spec>(std::move(spec));
    Cause cause = make_cause(CauseKind::wrong_output, "out(2, 1) is wrong");
    cause.expected = expected;
    cause.actual = actual;
    return tolerance_advice(rubric, cause);
  }
  std::string type = "float";
  plain::Tolerance tolerance;
};

TEST_F(ToleranceAdvice, is_given_where_floats_differ_by_rounding) {
  EXPECT_THAT(advice("0.333333", "0.333334"), testing::HasSubstr("give the [[buffer]] out relative = 1e-5"));
  EXPECT_THAT(advice("-1000.5", "-1000.51"), testing::HasSubstr("relative"));
}

TEST_F(ToleranceAdvice, is_not_given_for_wrong_numbers_and_other_outputs) {
  EXPECT_EQ(advice("0.333333", "0.34"), "");
  EXPECT_EQ(advice("1", "nan"), "");
  EXPECT_EQ(advice("0", "1e-9"), "") << "no relative difference from 0 is small";
  tolerance.relative = 1e-7;
  EXPECT_EQ(advice("0.333333", "0.333334"), "");
  tolerance = {};
  type = "int";
  EXPECT_EQ(advice("1000000", "1000001"), "");
}

}  // namespace
}  // namespace warpmark::judge
