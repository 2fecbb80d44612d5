#include "harness/build/depfile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

using testing::ElementsAre;

TEST(Depfile, ListsFilesOverContinuedLines) {
  EXPECT_THAT(files_of_depfile("library: /a/b.cu /usr/include/c.h \\\n  /d.h\n"),
              ElementsAre("/a/b.cu", "/usr/include/c.h", "/d.h"));
}

TEST(Depfile, OfNvccHasABlankBeforeTheColon) {
  EXPECT_THAT(files_of_depfile("library : /a/b.cu \\\n    /c.h \n"), ElementsAre("/a/b.cu", "/c.h"));
}

TEST(Depfile, UnescapesBlanksHashesAndDollars) {
  EXPECT_THAT(files_of_depfile("library: /my\\ course/a\\#b.h /c$$d.h /e\\f.h"),
              ElementsAre("/my course/a#b.h", "/c$d.h", "/e\\f.h"));
}

TEST(Depfile, NamesEachFileOnceAndStopsAtTheNextRule) {
  EXPECT_THAT(files_of_depfile("library: /a.h /b.h /a.h\n\n/a.h:\n"), ElementsAre("/a.h", "/b.h"));
}

TEST(Depfile, WithoutARuleIsEmpty) {
  EXPECT_THAT(files_of_depfile(""), ElementsAre());
  EXPECT_THAT(files_of_depfile("no rule"), ElementsAre());
}

}  // namespace
}  // namespace warpmark::build
