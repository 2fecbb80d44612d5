#include "harness/assignments/plain/element.h"

#include <cstddef>

#include <gtest/gtest.h>

namespace warpmark::plain {
namespace {

TEST(Elements, are_found_as_cpp_spells_them) {
  for (const char* name :
       {"char", "signed char", "unsigned char", "unsigned long long", "size_t", "std::size_t", "int8_t",
        "std::uint64_t", "float", "double", "bool", "float4", "uchar3", "ulonglong2"})
    EXPECT_NE(find_element(name), nullptr) << name;
  for (const char* name :
       {"", "value_t", "half", "long double", "unsigned  char", "float5", "float1", "int&", "const int"})
    EXPECT_EQ(find_element(name), nullptr) << name;
  EXPECT_EQ(find_element("float4")->bytes, 16U);
  EXPECT_EQ(find_element("float4")->components, 4U);
  EXPECT_EQ(find_element("uchar3")->bytes, 3U);
  EXPECT_TRUE(find_element("double2")->real());
  EXPECT_TRUE(find_element("bool")->boolean);
}

TEST(Elements, of_structs_lie_as_cpp_puts_them) {
  struct Extremes {
    float least;
    float greatest;
    unsigned long long least_at;
    char mark;
  };
  Element made{"Extremes", Number::u8, 1, 0};
  for (const char* type : {"float", "float", "unsigned long long", "char"})
    add_member(made, type, *find_element(type), "");
  EXPECT_EQ(made.bytes, sizeof(Extremes));
  EXPECT_EQ(made.members[1].offset, offsetof(Extremes, greatest));
  EXPECT_EQ(made.members[2].offset, offsetof(Extremes, least_at));
  EXPECT_EQ(made.members[3].offset, offsetof(Extremes, mark));
}

}  // namespace
}  // namespace warpmark::plain
