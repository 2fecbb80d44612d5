#include "harness/build/depfile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

using testing::ElementsAre;

TEST(Depfile, lists_files_over_continued_lines) {
  EXPECT_THAT(files_of_depfile("library: /a/b.cu /usr/include/c.h \\\n  /d.h\n"),
              ElementsAre("/a/b.cu", "/usr/include/c.h", "/d.h"));
}

TEST(Depfile, of_nvcc_has_a_blank_before_the_colon) {
  EXPECT_THAT(files_of_depfile("library : /a/b.cu \\\n    /c.h \n"), ElementsAre("/a/b.cu", "/c.h"));
}

TEST(Depfile, unescapes_blanks_hashes_and_dollars) {
  EXPECT_THAT(files_of_depfile("library: /my\\ course/a\\#b.h /c$$d.h /e\\f.h"),
              ElementsAre("/my course/a#b.h", "/c$d.h", "/e\\f.h"));
}

TEST(Depfile, names_each_file_once_and_stops_at_the_next_rule) {
  EXPECT_THAT(files_of_depfile("library: /a.h /b.h /a.h\n\n/a.h:\n"), ElementsAre("/a.h", "/b.h"));
}

TEST(Depfile, without_a_rule_is_empty) {
  EXPECT_THAT(files_of_depfile(""), ElementsAre());
  EXPECT_THAT(files_of_depfile("no rule"), ElementsAre());
}

}  // namespace
}  // namespace warpmark::build
