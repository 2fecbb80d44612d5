#include "harness/class/roster/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::classroom {
namespace {

using testing::HasSubstr;

TEST(Csv, gives_back_every_byte_that_it_read) {
  for (const char* text : {"a,b\n1,2\n", "\xEF\xBB\xBFname;grade\r\n\"Doe, Jane\";\"1\"\"2\"\r\n\r\nx;", "",
                           "\n", "a,b", "\"two\nlines\",x\n", "a\t b \t\n", "a,\"b\" ,c\n"}) {
    const auto csv = parse_csv(text);
    ASSERT_TRUE(csv) << text;
    EXPECT_EQ(to_text(*csv), text);
  }
}

TEST(Csv, understands_quotes_separators_and_marks) {
  const auto csv = parse_csv(
      "\xEF\xBB\xBF"
      "Name;Grade\r\n\"Doe; \"\"J\"\"\";7\r\n");
  ASSERT_TRUE(csv);
  EXPECT_EQ(csv->column({"grade"}), 1U);
  EXPECT_EQ(csv->column({"points"}), Csv::kNoColumn);
  EXPECT_EQ(csv->at(csv->rows[1], 0), "Doe; \"J\"");
  EXPECT_EQ(csv->at(csv->rows[1], 5), "");
}

TEST(Csv, counts_no_separators_inside_of_quoted_titles) {
  const auto csv = parse_csv("\"Name; first; last\",\"Points\n;;\",Id\nAda,7,1\n");
  ASSERT_TRUE(csv);
  EXPECT_EQ(csv->separator, ',');
  EXPECT_EQ(csv->column({"id"}), 2U);
  EXPECT_EQ(parse_csv("\"A \"\"b;c;d\"\" e\",f,g\n")->separator, ',');
}

TEST(Csv, says_where_a_quoted_cell_never_ends) {
  const auto csv = parse_csv("a,b\nc,\"d\n");
  ASSERT_FALSE(csv);
  EXPECT_THAT(csv.error().message, HasSubstr("line 2"));
}

TEST(CsvCell, neutralises_formulas_and_quotes_what_must_be) {
  EXPECT_EQ(csv_cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
  EXPECT_EQ(csv_cell("+1+1"), "'+1+1");
  EXPECT_EQ(csv_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_cell("\tx"), "'\tx");
  EXPECT_EQ(csv_cell(" =1+1"), "' =1+1");
  EXPECT_EQ(csv_cell("-3.5"), "-3.5");
  EXPECT_EQ(csv_cell("-inf"), "'-inf") << "a name of a spreadsheet, and no number of ours";
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a;b", ';'), "\"a;b\"");
  EXPECT_EQ(csv_cell("plain"), "plain");
}

TEST(CsvNumber, is_short) {
  EXPECT_EQ(csv_number(74), "74");
  EXPECT_EQ(csv_number(0.5), "0.5");
  EXPECT_EQ(csv_number(-0.0), "0");
  EXPECT_EQ(csv_number(-0.00001), "0");
  EXPECT_EQ(csv_number(-2.5), "-2.5");
  EXPECT_EQ(csv_number(0.1 + 0.2), "0.3");
  EXPECT_EQ(csv_number(1e6), "1000000");
}

}  // namespace
}  // namespace warpmark::classroom
