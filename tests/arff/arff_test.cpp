// What the reader of ARFF files takes, and what it says of what it refuses.
#include "harness/arff/arff.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::arff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Table table_of(const std::string& text) {
  auto table = parse(text, "flowers.arff");
  EXPECT_TRUE(table) << (table ? "" : table.error().message);
  return table.value_or(Table{});
}

std::string refusal(const std::string& text) {
  const auto table = parse(text, "flowers.arff");
  return table ? "nothing" : table.error().message;
}

// Two numbers and a class of a and b, then these rows; the first is line 5.
std::string with_rows(const std::string& rows) {
  return "@relation r\n@attribute x numeric\n@attribute y numeric\n@attribute class {a, b}\n@data " + rows;
}

TEST(Arff, reads_numbers_and_the_class) {
  const Table table = table_of(with_rows("\n1, -2.5, b\n+3e1,0.25,a\n"));
  EXPECT_EQ(table.columns, 2U);
  EXPECT_THAT(table.values, ElementsAre(1, -2.5, 30, 0.25));
  EXPECT_THAT(table.labels, ElementsAre(1, 0));
  EXPECT_THAT(table.label.values, ElementsAre("a", "b"));
}

TEST(Arff, takes_keywords_and_types_in_any_case) {
  const Table table = table_of(
      "@RELATION r\n@Attribute x REAL\n@attribute y Integer\n@ATTRIBUTE z Numeric\n@attribute c "
      "{u}\n@DATA\n1,2,3,u\n");
  EXPECT_THAT(table.values, ElementsAre(1, 2, 3));
  EXPECT_EQ(table.attributes.at(1).kind, Kind::integer);
}

TEST(Arff, leaves_out_comments_and_empty_lines) {
  const Table table = table_of(
      "% a comment\n\n  % another, @data\n@relation r % one more\n@attribute x real\n"
      "@attribute c {u, v} % of the class\n\n@data\n% 9,u\n\n1,v % 2,u\n");
  EXPECT_THAT(table.values, ElementsAre(1));
  EXPECT_THAT(table.labels, ElementsAre(1));
}

TEST(Arff, takes_names_and_values_in_quotes) {
  const Table table = table_of(
      "@relation 'two words'\n@attribute 'x, y' real\n@attribute \"50%\" real\n"
      "@attribute class {'it\\'s a', \"b \\\"c\\\"\", 'd}'}\n@data\n1,2,\"b \\\"c\\\"\"\n3,4,'d}'\n");
  EXPECT_EQ(table.attributes.at(0).name, "x, y");
  EXPECT_EQ(table.attributes.at(1).name, "50%");
  EXPECT_THAT(table.label.values, ElementsAre("it's a", "b \"c\"", "d}"));
  EXPECT_THAT(table.labels, ElementsAre(1, 2));
}

TEST(Arff, makes_a_nominal_attribute_a_number_for_each_value) {
  const Table table = table_of(
      "@relation r\n@attribute colour{red,green,blue}\n@attribute x real\n@attribute c "
      "{u}\n@data\ngreen,7,u\nblue,8,u\n");
  EXPECT_EQ(table.columns, 4U);
  EXPECT_THAT(table.values, ElementsAre(0, 1, 0, 7, 0, 0, 1, 8));
}

TEST(Arff, takes_lines_of_windows_a_byte_order_mark_and_a_last_line_without_an_end) {
  const Table table =
      table_of("\xef\xbb\xbf@relation r\r\n@attribute x real\r\n@attribute c {u}\r\n@data\r\n1,u\r\n2,u");
  EXPECT_THAT(table.values, ElementsAre(1, 2));
}

struct Refused {
  const char* name;
  std::string text;
  std::vector<const char*> words;
};

class ArffRefuses : public testing::TestWithParam<Refused> {};

TEST_P(ArffRefuses, with_file_line_rule_and_remedy) {
  const std::string message = refusal(GetParam().text);
  EXPECT_THAT(message, HasSubstr("flowers.arff"));
  for (const char* words : GetParam().words) EXPECT_THAT(message, HasSubstr(words));
}

INSTANTIATE_TEST_SUITE_P(
    Files, ArffRefuses,
    testing::Values(
        Refused{"nothing", "", {"empty", "@relation"}}, Refused{"spaces", " \r\n\n", {"empty"}},
        Refused{"no_data", "@relation r\n@attribute x real\n", {"line @data is missing"}},
        Refused{"no_rows", with_rows("\n% none\n"), {"no row"}},
        Refused{"no_attributes", "@relation r\n@data\n", {":2:", "without any @attribute"}},
        Refused{"a_class_alone", "@attribute c {u}\n@data\nu\n", {":2:", "no attribute but the class"}},
        Refused{"a_number_last",
                "@attribute c {u}\n@attribute x real\n@data\n",
                {":3:", "class is missing", "\"x\""}},
        Refused{"rows_before_data", "@attribute x real\n1,2\n", {":2:", "\"1\"", "after @data"}},
        Refused{"zero_bytes", std::string("@relation \0x\n", 13), {":1:", "zero byte"}}),
    [](const auto& each) { return each.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Attributes, ArffRefuses,
    testing::Values(Refused{"strings", "@attribute s string\n", {":1:", "string", "numeric"}},
                    Refused{"dates", "@attribute d date \"yyyy\"\n", {":1:", "date"}},
                    Refused{"no_type", "@attribute x\n", {":1:", "no type"}},
                    Refused{"no_name", "@attribute\n", {"without a name"}},
                    Refused{"two_of_a_name",
                            "@attribute x real\n@attribute x real\n",
                            {":2:", "second attribute", "\"x\""}},
                    Refused{"two_of_a_value", "@attribute c {u, u}\n", {":1:", "\"u\"", "twice"}},
                    Refused{"no_values", "@attribute c {}\n", {":1:", "value is missing"}},
                    Refused{"an_open_brace", "@attribute c {u, v\n", {":1:", "} is expected"}},
                    Refused{"an_open_quote", "@attribute 'x real\n", {":1:", "quote", "no closing quote"}},
                    Refused{"a_name_of_two_words", "@attribute petal length real\n", {":1:", "\"length\""}},
                    Refused{"text_behind_it", "@attribute x real 5\n", {":1:", "text after"}}),
    [](const auto& each) { return each.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Rows, ArffRefuses,
    testing::Values(
        Refused{"a_missing_value", with_rows("\n1,2,a\n1,?,b\n"), {":7:", "(?)", "\"y\""}},
        Refused{"a_missing_class_value", with_rows("\n1,2,?\n"), {":6:", "(?)", "\"class\""}},
        Refused{"a_missing_class", with_rows("\n1,2\n"), {":6:", "2 values where 3", "class missing"}},
        Refused{"a_short_row", with_rows("\n1\n"), {":6:", "1 value where 3"}},
        Refused{"a_short_row_with_a_class", with_rows("\n1,a\n"), {":6:", "2 values where 3"}},
        Refused{"a_long_row", with_rows("\n1,2,a,4\n"), {":6:", "4 values where 3"}},
        Refused{"a_number_too_many", with_rows("\n1,2,3,a\n"), {":6:", "4 values where 3"}},
        Refused{"text_for_a_number", with_rows("\n1,tall,a\n"), {":6:", "\"tall\"", "\"y\"", "number"}},
        Refused{"half_a_number", with_rows("\n1,2x,a\n"), {":6:", "\"2x\""}},
        Refused{"not_a_number", with_rows("\n1,nan,a\n"), {":6:", "\"nan\""}},
        Refused{"an_infinite_number", with_rows("\n1,inf,a\n"), {":6:", "\"inf\""}},
        Refused{"a_number_that_no_float_holds", with_rows("\n1,1e39,a\n"), {":6:", "1e39", "float"}},
        Refused{"a_number_that_no_double_holds", with_rows("\n1,1e999,a\n"), {":6:", "1e999", "float"}},
        Refused{"an_unknown_label", with_rows("\n1,2,c\n"), {":6:", "\"c\"", "\"a\", \"b\""}},
        Refused{"a_sparse_row", with_rows("\n{0 1, 2 a}\n"), {":6:", "sparse", "all values"}},
        Refused{"a_weight", with_rows("\n1,2,a,{3}\n"), {":6:"}},
        Refused{"a_weight_behind", with_rows("\n1,2,a {3}\n"), {":6:", "weight"}},
        Refused{"no_comma", with_rows("\n1 2,a,b\n"), {":6:", "comma"}},
        Refused{"an_open_quote_in_a_row", with_rows("\n1,2,'a\n"), {":6:", "quote"}},
        Refused{"a_fraction_for_an_integer",
                "@attribute i integer\n@attribute c {u}\n@data\n1.5,u\n",
                {":4:", "1.5", "integer"}}),
    [](const auto& each) { return each.param.name; });

TEST(Arff, refuses_more_numbers_a_row_than_are_read) {
  std::string text = "@attribute x {v0";
  for (int i = 1; i < 1024; ++i) text += ",v" + std::to_string(i);
  EXPECT_EQ(table_of(text + "}\n@attribute c {u}\n@data\nv5,u\n").columns, 1024U);
  EXPECT_THAT(refusal(text + ",v1024}\n@attribute c {u}\n@data\nv5,u\n"),
              AllOf(HasSubstr(":3:"), HasSubstr("1025")));
}

TEST(Arff, says_how_two_files_differ) {
  const Table table = table_of(with_rows("\n1,2,a\n"));
  EXPECT_EQ(difference(table, table_of(with_rows("\n3,4,b\n"))), "");
  const Table one = table_of("@attribute x real\n@attribute class {a, b}\n@data\n1,a\n");
  EXPECT_THAT(difference(table, one), HasSubstr("2 attributes beside the class, and 1"));
  const Table other =
      table_of("@attribute x real\n@attribute y real\n@attribute class {a, c}\n@data\n1,2,a\n");
  EXPECT_THAT(difference(table, other), HasSubstr("the class is {\"a\", \"b\"}, and {\"a\", \"c\"}"));
  const Table nominal =
      table_of("@attribute x real\n@attribute y {u}\n@attribute class {a, b}\n@data\n1,u,a\n");
  EXPECT_THAT(difference(table, nominal), HasSubstr("\"y\" is a number, and {\"u\"}"));
}

}  // namespace
}  // namespace warpmark::arff
