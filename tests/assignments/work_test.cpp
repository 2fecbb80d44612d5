// The least work of a case, which ladders turn times into rates with.
#include <string>

#include <gtest/gtest.h>

#include "tests/assignments/filled.h"

namespace warpmark {
namespace {

Work work_of(const std::string& assignment, const Case& which) {
  return assignment_called(assignment)->make(which)->work();
}

TEST(Work, is_all_inputs_and_outputs_once_unless_an_assignment_knows_better) {
  EXPECT_EQ(work_of("reduction", {"int", "uniform", 1000, 0, 1}).bytes, 4004);
  EXPECT_EQ(work_of("sort", {"int", "uniform", 1000, 0, 1}).bytes, 4 * 4000);
  EXPECT_EQ(work_of("sort", {"int", "uniform", 1000, 0, 1}).operations, 0);
}

TEST(Work, of_a_product_is_two_operations_for_each_of_its_products) {
  const Work work =
      work_of("matmul", assignment_called("matmul")->case_of("float", "exact", Size({1024, 1024, 1024}), 1));
  EXPECT_EQ(work.operations, 2.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(work.bytes, 3.0 * 4 * 1024 * 1024);
  EXPECT_FALSE(work.doubles);
}

TEST(Work, of_grids_leaves_out_padding_and_what_stood_in_the_result) {
  EXPECT_EQ(work_of("grids",
                    assignment_called("grids")->case_of("int", "uniform", Size({1000, 1000, 1024, 1056}), 1))
                .bytes,
            4.0 * (2e6 + 2e3));
}

TEST(Work, of_pi_is_arithmetic_alone) {
  const Work work = work_of("pi", {"double", "flat", 1000, 0, 1});
  EXPECT_EQ(work.operations, 7000);
  EXPECT_EQ(work.bytes, 0);
  EXPECT_TRUE(work.doubles);
}

}  // namespace
}  // namespace warpmark
