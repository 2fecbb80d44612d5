#include "harness/assignments/size.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Size, of_one_number_is_made_of_it) {
  const Size size = 33;
  EXPECT_EQ(size.parts, std::vector<std::uint64_t>{33});
  EXPECT_EQ(Size().parts, std::vector<std::uint64_t>{0});
}

TEST(Size, is_ordered_by_its_numbers_in_turn) {
  const Size wide(std::vector<std::uint64_t>{33, 7});
  EXPECT_EQ(wide, Size(std::vector<std::uint64_t>{33, 7}));
  EXPECT_NE(wide, Size(33));
  EXPECT_LT(Size(33), wide);
  EXPECT_LT(wide, Size(std::vector<std::uint64_t>{33, 8}));
  EXPECT_LT(wide, Size(34));
}

TEST(Size, is_read_as_it_is_written) {
  for (const char* text : {"0", "33", "33,7", "0,1,18446744073709551615"}) {
    const auto size = size_from(text);
    ASSERT_TRUE(size) << size.error().message;
    EXPECT_EQ(to_text(*size), text);
  }
  EXPECT_EQ(size_from("33,7").value().parts, (std::vector<std::uint64_t>{33, 7}));
  EXPECT_EQ(to_text(size_from("007,08").value()), "7,8");
}

TEST(Size, that_is_none_is_quoted_with_what_one_looks_like) {
  for (const char* text : {"", ",", "33,", ",7", "33,,7", "-1", "+1", "1.5", "33 ,7", "33, 7", " 33", "33x7",
                           "n", "18446744073709551616"}) {
    const auto size = size_from(text);
    ASSERT_FALSE(size) << text << " was read as " << to_text(*size);
    EXPECT_THAT(size.error().message, AllOf(HasSubstr("\"" + std::string(text) + "\""), HasSubstr("33,7")));
  }
}

}  // namespace
}  // namespace warpmark
