#include "harness/judge/intake/same_code.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::judge {
namespace {

using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

Submission with(const std::map<std::string, std::string>& texts) {
  Submission submission;
  for (const auto& [name, text] : texts) submission.files[name] = {{}, name + ".cu", text, {}};
  return submission;
}

std::map<std::string, std::string> same_code_of(const Submission& submission) {
  return same_code(submission, {}, {});
}

TEST(SameCode, is_found_under_other_names_and_layout) {
  const auto same =
      same_code_of(with({{"v1",
                          "__global__ void tree(int* values) { values[0] = 1; }\nextern \"C\" "
                          "void v1() { tree<<<1, 1>>>(0); }"},
                         {"v2",
                          "// mine\n__global__ void other(int* x) {\n  x[0] = 1;\n}\nextern \"C\" "
                          "void v2() { other<<<1, 1>>>(0); }"}}));
  EXPECT_THAT(same, UnorderedElementsAre(Pair("v2", "v1")));
}

TEST(SameCode, is_not_found_where_a_call_or_a_number_differs) {
  EXPECT_THAT(same_code_of(with({{"v1", "void v1() { min(1, 2); }"},
                                 {"v2", "void v2() { max(1, 2); }"},
                                 {"v3", "void v3() { min(1, 3); }"}})),
              IsEmpty());
}

TEST(SameCode, is_not_told_of_files_that_are_not_there) {
  EXPECT_THAT(same_code_of(with({{"v1", ""}, {"v2", ""}})), IsEmpty());
}

// A kernel in a header of the student's: the files themselves need have nothing in common.
TEST(SameCode, is_found_by_what_was_compiled_and_counted) {
  Rubric rubric;
  for (const auto& [name, limit] :
       {std::pair{"v1", 1.0}, {"v2", 2.0}, {"v3", 2.0}, {"v4", 1.0}, {"v5", 3.0}}) {
    VersionRule version;
    version.name = name;
    version.work = {{WorkCounter::launches, false, limit, "once"}};
    rubric.versions.push_back(version);
  }
  const auto submission =
      with({{"v1", "ONE(1)"}, {"v2", "ONE(2)"}, {"v3", "ONE(3)"}, {"v4", "ONE(4)"}, {"v5", "ONE(5)"}});
  EXPECT_THAT(
      same_code(submission, rubric, {{"v1", "a"}, {"v2", "b"}, {"v3", "b"}, {"v4", "a"}, {"v5", "a"}}),
      UnorderedElementsAre(Pair("v5", "v1")))
      << "v3 has the limits of v2, and v4 those of v1: such versions may be the same code";
}

TEST(SameCode, is_told_by_code_without_names_and_by_every_counter) {
  Counted counted;
  counted.n = 1000;
  counted.kernels = {{"tree", 2, {{"barriers", 8}}}};
  const auto ptx = [](const std::string& name, int value) {
    return fmt::format(".visible .entry {0}(\n.param .u64 {0}_param_0\n)\n{{\nadd.s32 %r1, %r2, {1};\n}}\n",
                       name, value);
  };
  const std::string identity = identity_of(ptx("_Z4treePi", 1), counted);
  EXPECT_EQ(identity_of(ptx("_Z5otherPi", 1), counted), identity);
  EXPECT_NE(identity_of(ptx("_Z4treePi", 2), counted), identity);
  Counted more = counted;
  more.kernels[0].kernel = "other";
  EXPECT_EQ(identity_of(ptx("_Z4treePi", 1), more), identity);
  more.kernels[0].counters[0].second = 9;
  EXPECT_NE(identity_of(ptx("_Z4treePi", 1), more), identity);
}

}  // namespace
}  // namespace warpmark::judge
