#include "harness/source_edits/variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::source_edits {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kText = "#include \"a.h\"\nvoid f(int n) {\n  if (n <= 1) return;\n  g(n);\n}\n";

TEST(Variants, stand_beside_each_other_under_names_of_their_own) {
  const auto repairs = repairs_of(kText);
  ASSERT_EQ(repairs.at(0).mistake, "wrong_comparison");
  const std::vector<std::size_t> both{0, 1};
  const std::string source = source_of_variants(kText, repairs, both, "f");
  EXPECT_THAT(source, StartsWith("#include \"a.h\"\nnamespace variant0 {\n"));
  EXPECT_THAT(source, HasSubstr("extern \"C\" decltype(::f) f_variant1;\n#define f f_variant1\n"));
  EXPECT_THAT(source, HasSubstr("#line 1 \"variant0\"\n\nvoid f(int n) {\n  if (n < 1) return;\n"));
  EXPECT_EQ(source.find("#include", 1), std::string::npos);
  const std::vector<std::size_t> one{1};
  EXPECT_THAT(source_of_variants(kText, repairs, one, "f"), Not(HasSubstr("variant0")));
}

TEST(Variants, that_a_compiler_refuses_are_found_in_its_messages) {
  EXPECT_THAT(variants_named_in("variant12:3:5: error: no such name\nf.cu:1:1: note: f_variant4 is here\n"
                                "variant3:9:1: error: too few\n"),
              ElementsAre(3, 12));
}

}  // namespace
}  // namespace warpmark::source_edits
