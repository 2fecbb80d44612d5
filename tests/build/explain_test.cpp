#include "harness/build/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

using testing::HasSubstr;
using testing::Not;

Request wants(std::vector<std::string> exports) {
  Request request;
  request.display_name = "v01.cu";
  request.exports = std::move(exports);
  return request;
}

TEST(MissingFunction, is_none_when_all_are_there) {
  EXPECT_FALSE(missing_function_cause(wants({"a", "b"}), {"a", "b", "c"}));
  EXPECT_FALSE(missing_function_cause(wants({}), {}));
}

TEST(MissingFunction, names_what_is_there_instead) {
  const std::optional<Cause> cause =
      missing_function_cause(wants({"v01"}), {"_Z3addi", "_init", "v02", "v03"});
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->kind, CauseKind::missing_function);
  EXPECT_EQ(cause->file, "v01.cu");
  EXPECT_EQ(cause->expected, "v01");
  EXPECT_EQ(cause->actual, "v02, v03");
  EXPECT_EQ(cause->message, "v01.cu does not define v01; it defines v02, v03.");
}

TEST(MissingFunction, of_the_same_name_in_cpp_gets_the_remedy) {
  const std::optional<Cause> cause = missing_function_cause(wants({"v01"}), {"_Z3v01Pim"});
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message, HasSubstr("extern \"C\" before it"));
  EXPECT_THAT(missing_function_cause(wants({"v01"}), {"_Z4v01xPim"})->message, Not(HasSubstr("before it")));
}

TEST(MissingFunction, suggests_a_name_that_differs_by_few_letters) {
  const auto cause = missing_function_cause(wants({"v07_tree_sequential"}), {"v07_tree_sequental"});
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message,
              HasSubstr("Did you mean v07_tree_sequential? It is written v07_tree_sequental"));
  EXPECT_THAT(missing_function_cause(wants({"v07_tree_sequential"}), {"v06_tree_strided"})->message,
              Not(HasSubstr("Did you mean")));
}

TEST(Excerpt, has_three_lines_on_each_side) {
  const std::string text = "1\n2\n3\n4\r\n5\n6\n7\n8\n9\n";
  const std::vector<SourceLine> middle = excerpt_of(text, 5);
  ASSERT_EQ(middle.size(), 7U);
  EXPECT_EQ(middle.front().number, 2);
  EXPECT_EQ(middle.front().text, "2");
  EXPECT_EQ(middle[2].text, "4");
  EXPECT_EQ(middle.back().number, 8);
  EXPECT_EQ(excerpt_of(text, 1).size(), 4U);
  EXPECT_EQ(excerpt_of(text, 9).size(), 4U);
  EXPECT_TRUE(excerpt_of(text, 100).empty());
}

TEST(Excerpt, cuts_long_lines) {
  EXPECT_EQ(excerpt_of(std::string(1 << 20, 'x'), 1).front().text.size(), 203U);
}

}  // namespace
}  // namespace warpmark::build
