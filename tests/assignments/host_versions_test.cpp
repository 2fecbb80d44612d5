// The versions on the CPU that every assignment brings along give the right answers, and say what they cost.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/assignments/filled.h"

namespace warpmark {
namespace {

// Runs a version on the case's buffers and says which answers it got wrong.
std::string wrong_answers(const FilledCase& filled, const HostVersion& version, const std::string& type) {
  auto own = filled.contents;
  std::vector<std::span<std::byte>> buffers(own.begin(), own.end());
  version.run(type, buffers, filled.problem->scalars());
  std::string wrong;
  for (const std::size_t answer : answer_buffers(filled.specs)) {
    if (const auto mismatch = filled.problem->check(answer, own[answer])) {
      wrong += fmt::format("{}: expected {}, got {}; ", mismatch->what, mismatch->expected, mismatch->actual);
    }
  }
  return wrong;
}

class HostVersions : public testing::TestWithParam<std::string> {};

TEST_P(HostVersions, are_right_at_all_sizes_types_and_classes_of_data) {
  const auto assignment = assignment_called(GetParam());
  for (const char* type : {"int", "float", "double", "long long"}) {
    for (const std::string& data : assignment->data_classes(type)) {
      for (const std::uint64_t n : {0, 1, 2, 3, 33, 1000, 4099, 65536, 100'003}) {
        for (const std::uint64_t seed : {1, 2, 3}) {
          FilledCase filled(GetParam(), {type, data, n, seed % 2, seed});
          for (const HostVersion& version : assignment->host_versions()) {
            SCOPED_TRACE(fmt::format("{} {} {} {} {}", version.name, type, data, n, seed));
            ASSERT_EQ(wrong_answers(filled, version, type), "");
          }
        }
      }
    }
  }
}

TEST_P(HostVersions, follow_data_that_changes) {
  const auto assignment = assignment_called(GetParam());
  for (const HostVersion& version : assignment->host_versions()) {
    const std::string type = assignment->data_classes("int").empty()
                                 ? (assignment->data_classes("float").empty() ? "double" : "float")
                                 : "int";
    FilledCase filled(GetParam(), {type, assignment->data_classes(type).front(), 10'000, 0, 7});
    for (const std::uint64_t seed : {1, 2, 3}) {
      ASSERT_TRUE(filled.patch(seed, 8));
      ASSERT_EQ(wrong_answers(filled, version, type), "") << version.name;
    }
  }
}

TEST_P(HostVersions, have_one_on_one_core_and_one_on_all_where_there_are_any) {
  int threaded = 0;
  int sequential = 0;
  const auto assignment = assignment_called(GetParam());
  for (const HostVersion& version : assignment->host_versions()) ++(version.threaded ? threaded : sequential);
  EXPECT_EQ(threaded > 0, sequential > 0);
}

INSTANTIATE_TEST_SUITE_P(Of, HostVersions, testing::ValuesIn(names_of_assignments()),
                         [](const auto& one) { return one.param; });

Work work_of(const std::string& assignment, const Case& which) {
  return assignment_called(assignment)->make(which)->work();
}

TEST(Work, is_all_inputs_and_outputs_once_unless_an_assignment_knows_better) {
  EXPECT_EQ(work_of("reduction", {"int", "uniform", 1000, 0, 1}).bytes, 4004);
  EXPECT_EQ(work_of("sort", {"int", "uniform", 1000, 0, 1}).bytes, 4 * 4000);
  EXPECT_EQ(work_of("sort", {"int", "uniform", 1000, 0, 1}).operations, 0);
}

TEST(Work, of_a_product_is_two_operations_for_each_of_its_products) {
  const Work work = work_of("matmul", {"float", "exact", 1024 * 1024, 0, 1});
  EXPECT_EQ(work.operations, 2.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(work.bytes, 3.0 * 4 * 1024 * 1024);
  EXPECT_FALSE(work.doubles);
}

TEST(Work, of_grids_leaves_out_padding_and_what_stood_in_the_result) {
  EXPECT_EQ(work_of("grids", {"int", "square", 1000 * 1000, 0, 1}).bytes, 4.0 * (2e6 + 2e3));
}

TEST(Work, of_pi_is_arithmetic_alone) {
  const Work work = work_of("pi", {"double", "flat", 1000, 0, 1});
  EXPECT_EQ(work.operations, 7000);
  EXPECT_EQ(work.bytes, 0);
  EXPECT_TRUE(work.doubles);
}

}  // namespace
}  // namespace warpmark
