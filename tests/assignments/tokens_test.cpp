#include "harness/assignments/tokens.h"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct TokenPair {
  const char* name;
  std::string_view a, b;
};

std::ostream& operator<<(std::ostream& out, const TokenPair& pair) {
  return out << pair.name;
}
std::string name_of(const testing::TestParamInfo<TokenPair>& info) {
  return info.param.name;
}

class SameTokens : public testing::TestWithParam<TokenPair> {};
class OtherTokens : public testing::TestWithParam<TokenPair> {};

TEST_P(SameTokens, whatever_the_comments_and_the_layout) {
  EXPECT_EQ(tokens_of(GetParam().a), tokens_of(GetParam().b));
  EXPECT_TRUE(same_tokens(GetParam().a, GetParam().b));
}

TEST_P(OtherTokens, when_the_compiler_would_see_a_difference) {
  EXPECT_NE(tokens_of(GetParam().a), tokens_of(GetParam().b));
  EXPECT_FALSE(same_tokens(GetParam().a, GetParam().b));
}

INSTANTIATE_TEST_SUITE_P(
    Tokens, SameTokens,
    testing::Values(
        TokenPair{"both_empty", "", " \t\r\n\v\f"},
        TokenPair{"line_comment", "int a; // mine\nint b;", "int a;\nint b;"},
        TokenPair{"line_comment_at_the_end_of_the_file", "int a;//x", "int a;"},
        TokenPair{"continued_line_comment", "int a; // goes on \\\n here\nint b;", "int a; int b;"},
        TokenPair{"block_comment_separates", "int/**/a;", "int a;"},
        TokenPair{"block_comment_with_stars", "a /*** * / **/ b", "a b"},
        TokenPair{"quote_in_a_comment", "a; // don't \" stop\nb;", "a; b;"},
        TokenPair{"windows_line_ends", "int a;\r\nint b;\r\n", "int a;\nint b;\n"},
        TokenPair{"byte_order_mark", "\xEF\xBB\xBFint a;", "int a;"},
        TokenPair{"continuation_between_tokens", "int \\\n a;", "int a;"},
        TokenPair{"continuation_inside_a_word", "re\\\nturn 1\\\r\n2;", "return 12;"},
        TokenPair{"continuation_inside_a_comment_opener", "a /\\\n/ gone\nb", "a b"},
        TokenPair{"continuation_inside_a_string", "\"ab\\\ncd\"", "\"abcd\""},
        TokenPair{"continued_directive", "#define A \\\n  1\nb", "#define A 1\nb"},
        TokenPair{"space_around_a_directive", "  #  include   <a.h> // why\n", "#include <a.h>\n"},
        TokenPair{"spaces_between_operators", "a<b>>c", "a < b >> c"},
        TokenPair{"launch", "k<<<g,b>>>(x);", "k <<< g , b >>> ( x ) ;"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Tokens, OtherTokens,
    testing::Values(TokenPair{"one_character", "s > 0", "s < 0"},
                    TokenPair{"words_grow_together", "int a", "inta"},
                    TokenPair{"increment_is_not_two_signs", "a++b", "a+ +b"},
                    TokenPair{"space_in_a_string", "\"a b\"", "\"a  b\""},
                    TokenPair{"comment_in_a_string", "\"a // b\";", "\"a \";"},
                    TokenPair{"block_comment_in_a_string", "\"/*\" x \"*/\"", "\"/*\" y \"*/\""},
                    TokenPair{"escaped_quote_does_not_end_a_string", R"("a\"// b" c)", R"("a\"// x" c)"},
                    TokenPair{"escaped_backslash_does", R"("a\\" // b
c)",
                              R"("a\\" c d)"},
                    TokenPair{"quote_in_a_character", "'\"' // one\n x", "'\"' y"},
                    TokenPair{"escaped_quote_in_a_character", R"('\'' /* ' */ x)", R"('\'' y)"},
                    TokenPair{"raw_string_keeps_its_comment", R"--(R"(a // b)" x)--", R"--(R"(a)" x)--"},
                    TokenPair{"raw_string_keeps_its_continuation", "R\"(a\\\nb)\"", "R\"(ab)\""},
                    TokenPair{"raw_string_ends_at_its_delimiter", R"--(R"x(a)" // )x" y)--",
                              R"--(R"x(a)" // )x" z)--"},
                    TokenPair{"raw_string_with_a_prefix", R"--(u8R"(/*)" a)--", R"--(u8R"(/*)" b)--"},
                    TokenPair{"separator_in_a_number_opens_no_character", "1'000 // a'\n b", "1'000 c"},
                    TokenPair{"exponent_takes_its_sign", "1e+5", "1e + 5"},
                    TokenPair{"hexadecimal_takes_none", "0x1f+1", "0x1f+2"},
                    TokenPair{"end_of_a_directive", "#define A\n(b)", "#define A (b)"},
                    TokenPair{"header_name_with_slashes", "#include <a//b.h>\n", "#include <a//c.h>\n"},
                    TokenPair{"header_name_with_spaces", "#include <a b>\n", "#include <a  b>\n"},
                    TokenPair{"statement_behind_a_comment", "a; /* */ b;", "a; /* b; */"}),
    name_of);

TEST(TokensOf, keeps_the_order_and_the_longest_operators) {
  EXPECT_THAT(
      tokens_of("x<<=y->*z<=>w...k<<<1>>>();"),
      ElementsAre("x", "<<=", "y", "->*", "z", "<=>", "w", "...", "k", "<<<", "1", ">>>", "(", ")", ";"));
}

TEST(TokensOf, keeps_literals_whole) {
  EXPECT_THAT(tokens_of(R"--(L'x' u8"a b" R"d(1)2)d" .5f 0x1p-3 1'0u "s"_km)--"),
              ElementsAre("L'x'", "u8\"a b\"", "R\"d(1)2)d\"", ".5f", "0x1p-3", "1'0u", "\"s\"", "_km"));
}

TEST(TokensOf, ends_directives_but_not_other_lines) {
  EXPECT_THAT(tokens_of("#if A // why\nb\n# endif"),
              ElementsAre("#", "if", "A", "\n", "b", "#", "endif", "\n"));
}

TEST(TokensOf, a_hash_inside_a_line_begins_no_directive) {
  EXPECT_THAT(tokens_of("a # b\nc"), ElementsAre("a", "#", "b", "c"));
}

// A student's file may be in any state; the compiler complains later, with the line.
TEST(TokensOf, survives_what_does_not_end) {
  EXPECT_THAT(tokens_of("a /* b"), ElementsAre("a"));
  EXPECT_THAT(tokens_of("a \"b\nc"), ElementsAre("a", "\"b", "c"));
  EXPECT_THAT(tokens_of("'"), ElementsAre("'"));
  EXPECT_THAT(tokens_of("\"\\"), ElementsAre("\"\\"));
  EXPECT_THAT(tokens_of("R\"(a\nb"), ElementsAre("R\"(a\nb"));
  EXPECT_THAT(tokens_of("R\"no parenthesis"), ElementsAre("R\"no parenthesis"));
  EXPECT_THAT(tokens_of("\\"), ElementsAre("\\"));
  EXPECT_THAT(tokens_of("\\\n"), IsEmpty());
  EXPECT_THAT(tokens_of("#include <a"), ElementsAre("#", "include", "<a", "\n"));
  EXPECT_THAT(tokens_of(std::string_view("a\0b", 3)), ElementsAre("a", std::string(1, '\0'), "b"));
}

}  // namespace
}  // namespace warpmark
