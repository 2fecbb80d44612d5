#include "harness/judge/intake/same_code.h"

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

TEST(SameCode, is_found_under_other_names_and_layout) {
  const auto same = same_code(with({{"v1",
                                     "__global__ void tree(int* values) { values[0] = 1; }\nextern \"C\" "
                                     "void v1() { tree<<<1, 1>>>(0); }"},
                                    {"v2",
                                     "// mine\n__global__ void other(int* x) {\n  x[0] = 1;\n}\nextern \"C\" "
                                     "void v2() { other<<<1, 1>>>(0); }"}}));
  EXPECT_THAT(same, UnorderedElementsAre(Pair("v2", "v1")));
}

TEST(SameCode, is_not_found_where_a_call_or_a_number_differs) {
  EXPECT_THAT(same_code(with({{"v1", "void v1() { min(1, 2); }"},
                              {"v2", "void v2() { max(1, 2); }"},
                              {"v3", "void v3() { min(1, 3); }"}})),
              IsEmpty());
}

TEST(SameCode, is_not_told_of_files_that_are_not_there) {
  EXPECT_THAT(same_code(with({{"v1", ""}, {"v2", ""}})), IsEmpty());
}

}  // namespace
}  // namespace warpmark::judge
