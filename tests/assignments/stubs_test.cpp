#include "harness/assignments/stubs.h"

#include <filesystem>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;

std::string cut(std::string_view reference) {
  const auto stub = cut_stub(reference, "v.cu");
  return stub ? *stub : "error: " + stub.error().message;
}

std::string error_of(std::string_view reference) {
  const auto stub = cut_stub(reference, "v.cu");
  return stub ? "no error" : stub.error().message;
}

TEST(CutStub, copies_a_file_without_regions) {
  EXPECT_EQ(cut(""), "");
  EXPECT_EQ(cut("int a;  \n\n\t// a < b, see <cstddef>\r\nint b;"),
            "int a;  \n\n\t// a < b, see <cstddef>\r\nint b;");
}

TEST(CutStub, puts_the_text_for_the_student_in_place_of_the_solution) {
  EXPECT_EQ(cut("void f() {\n"
                "  // <solution> TODO: add up\n"
                "  int a = 1;  // TODO no marker\n"
                "\n"
                "  // </solution>\n"
                "}\n"),
            "void f() {\n"
            "  // TODO: add up\n"
            "}\n");
}

TEST(CutStub, takes_several_lines_of_text_with_their_indentation) {
  EXPECT_EQ(cut("\t// <solution> TODO: one\n\t// <solution>   two\n\tx;\n\t// </solution>\n"),
            "\t// TODO: one\n\t//   two\n");
}

TEST(CutStub, a_region_without_text_leaves_nothing) {
  EXPECT_EQ(cut("a\n// <solution>\nb\n// </solution>\nc\n"), "a\nc\n");
}

TEST(CutStub, writes_stub_lines_as_code_wherever_they_stand) {
  EXPECT_EQ(cut("  // <solution> TODO\n  // <stub> (void)n;\n  x;\n  // <stub> return 0;  // delete this\n  "
                "// </solution>\n"),
            "  // TODO\n  (void)n;\n  return 0;  // delete this\n");
}

TEST(CutStub, text_may_go_on_behind_a_stub_line) {
  EXPECT_EQ(cut("// <solution> a\n// <stub> b;\n// <solution> c\nx;\n// </solution>"), "// a\nb;\n// c\n");
}

TEST(CutStub, cuts_every_region) {
  EXPECT_EQ(cut("// <solution> a\nx\n// </solution>\nkept\n// <solution> b\ny\n// </solution>\n"),
            "// a\nkept\n// b\n");
}

TEST(CutStub, does_not_mind_blanks_behind_a_marker) {
  EXPECT_EQ(cut("// <solution> a \t\nx\n// <stub> b; \n// </solution>  \nc \n"), "// a\nb;\nc \n");
}

TEST(CutStub, keeps_windows_line_ends) {
  EXPECT_EQ(cut("a\r\n// <solution> t\r\nx\r\n// <stub> s;\r\n// </solution>\r\nb\r\n"),
            "a\r\n// t\r\ns;\r\nb\r\n");
}

TEST(CutStub, accepts_a_file_that_does_not_end_its_last_line) {
  EXPECT_EQ(cut("// <solution> t\nx\n// </solution>"), "// t\n");
}

TEST(CutStub, refuses_a_region_that_is_never_closed) {
  EXPECT_THAT(error_of("a\n// <solution> t\nx\n"), StartsWith("v.cu:2: `// <solution>` is never closed"));
}

TEST(CutStub, refuses_an_end_without_a_region) {
  EXPECT_THAT(error_of("a\n// </solution>\n"), StartsWith("v.cu:2: `// </solution>` closes no region"));
  EXPECT_THAT(error_of("// <solution>\n// </solution>\n// </solution>\n"), StartsWith("v.cu:3: "));
}

TEST(CutStub, refuses_nested_regions_and_names_the_outer_one) {
  const std::string error =
      error_of("a\n// <solution>\nx\n  // <solution> t\ny\n// </solution>\n// </solution>\n");
  EXPECT_THAT(error, StartsWith("v.cu:4: "));
  EXPECT_THAT(error, HasSubstr("line 2"));
}

TEST(CutStub, refuses_a_stub_line_outside_a_region) {
  EXPECT_THAT(error_of("// <stub> (void)n;\n"), StartsWith("v.cu:1: `// <stub>` outside a region"));
}

class MisspeltMarker : public testing::TestWithParam<std::string_view> {};

// Each of these, taken for an ordinary comment, would hand the solution to the students.
TEST_P(MisspeltMarker, is_refused_with_its_line) {
  EXPECT_THAT(error_of("a\r\n" + std::string(GetParam()) + "\r\nb\r\n"), StartsWith("v.cu:2: `"));
  EXPECT_THAT(error_of("// <solution>\n" + std::string(GetParam()) + "\n// </solution>\n"),
              StartsWith("v.cu:2: `"));
}

INSTANTIATE_TEST_SUITE_P(Markers, MisspeltMarker,
                         testing::Values("// <solutoin> TODO", "//<solution>", "// <Solution>",
                                         "// < solution >", "// <solution>TODO", "/// <solution>",
                                         "// <\\solution>", "// </solution> end", "// </ solution>",
                                         "// </stub>", "  x = 1;  // <solution>", "/* <solution> */",
                                         "/* </SOLUTION> */", "# <stub> x;", "// <stub>x;", "// <solutions>",
                                         "// <reference only>", "//<reference only>", "// <reference-only>",
                                         "x;  // <Reference only>"));

TEST(ReferenceOnly, is_said_by_the_first_line_alone) {
  EXPECT_TRUE(is_reference_only("// <reference only>\nx\n"));
  EXPECT_TRUE(is_reference_only("// <reference only> \t\r\nx\r\n"));
  EXPECT_TRUE(is_reference_only("// <reference only>"));
  EXPECT_FALSE(is_reference_only(""));
  EXPECT_FALSE(is_reference_only("\n// <reference only>\n"));
  EXPECT_FALSE(is_reference_only("// <reference only> x\n"));
  EXPECT_FALSE(is_reference_only(" // <reference only>\n"));
}

// The whole solution would be handed out, as a file without regions is.
TEST(ReferenceOnly, misspelt_in_the_first_line_is_refused) {
  for (const char* first : {"//<reference only>", "// <Reference only>", " // <reference only>",
                            "// <reference only> x", "/* <reference only> */", "// reference only>"}) {
    EXPECT_THAT(error_of(std::string(first) + "\nx\n"), StartsWith("v.cu:1: `")) << first;
  }
}

TEST(ReferenceOnly, a_file_has_no_stub) {
  EXPECT_THAT(error_of("// <reference only>\nx\n"),
              HasSubstr("v.cu:1: `// <reference only>`: this file has no stub"));
}

TEST(ReferenceOnly, files_of_a_folder_are_left_out) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "a.cu", "x\n"));
  ASSERT_TRUE(write_file(folder.path() / "b.cu", "// <reference only>\ny\n"));
  const auto stubs = cut_stubs(folder.path());
  ASSERT_TRUE(stubs) << stubs.error().message;
  EXPECT_THAT(*stubs, ElementsAre(Pair("a.cu", "x\n")));
}

TEST(CutStubs, cuts_every_file_of_a_folder) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "more");
  ASSERT_TRUE(write_file(folder.path() / "a.cu", "// <solution> t\nx\n// </solution>\n"));
  ASSERT_TRUE(write_file(folder.path() / "more/b.h", "int b;\n"));
  ASSERT_TRUE(write_file(folder.path() / ".hidden", "h"));
  const auto stubs = cut_stubs(folder.path());
  ASSERT_TRUE(stubs) << stubs.error().message;
  EXPECT_THAT(*stubs, ElementsAre(Pair("a.cu", "// t\n"), Pair("more/b.h", "int b;\n")));
}

TEST(CutStubs, names_the_file_of_a_bad_marker) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "bad.cu", "\n// </solution>\n"));
  const auto stubs = cut_stubs(folder.path());
  ASSERT_FALSE(stubs);
  EXPECT_THAT(stubs.error().message, HasSubstr("bad.cu:2: "));
}

TEST(CutStubs, refuses_a_folder_without_files) {
  const TemporaryFolder folder;
  EXPECT_FALSE(cut_stubs(folder.path()));
  EXPECT_FALSE(cut_stubs(folder.path() / "missing"));
}

// A reference of one assignment with one version, and a place for its template.
class WriteStubs : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(reference / "sum");
    write(reference / "sum/v1.cu", "// <solution> t\nx\n// </solution>\n");
    write(reference / "sum/help.h", "int h;\n");
  }
  static void write(const fs::path& path, std::string_view text) { ASSERT_TRUE(write_file(path, text)); }
  static std::string text_of(const fs::path& path) { return read_file(path).value_or("cannot be read"); }
  StubsReport report(bool check_only) const {
    auto result = write_stubs(reference, stubs, check_only);
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : StubsReport{};
  }

  const TemporaryFolder folder;
  const fs::path reference = folder.path() / "reference";
  const fs::path stubs = folder.path() / "template";
};

TEST_F(WriteStubs, makes_the_template_and_tells_what_it_wrote) {
  const StubsReport first = report(false);
  EXPECT_THAT(first.written, ElementsAre("sum/help.h", "sum/v1.cu"));
  EXPECT_TRUE(first.in_step());
  EXPECT_EQ(text_of(stubs / "sum/v1.cu"), "// t\n");
  EXPECT_EQ(text_of(stubs / "sum/help.h"), "int h;\n");
}

TEST_F(WriteStubs, leaves_alone_what_is_in_step) {
  report(false);
  EXPECT_THAT(report(false).written, IsEmpty());
}

TEST_F(WriteStubs, checking_tells_what_differs_and_writes_nothing) {
  report(false);
  write(stubs / "sum/v1.cu", "// other\n");
  fs::remove(stubs / "sum/help.h");
  const StubsReport check = report(true);
  EXPECT_THAT(check.differing, ElementsAre("sum/help.h", "sum/v1.cu"));
  EXPECT_THAT(check.written, IsEmpty());
  EXPECT_FALSE(check.in_step());
  EXPECT_EQ(text_of(stubs / "sum/v1.cu"), "// other\n");
  EXPECT_FALSE(fs::exists(stubs / "sum/help.h"));
}

TEST_F(WriteStubs, tells_what_is_superfluous_and_deletes_nothing) {
  report(false);
  fs::create_directory(stubs / "gone");
  write(stubs / "gone/v1.cu", "");
  write(stubs / "sum/v2.cu", "");
  for (const bool check_only : {true, false}) {
    const StubsReport now = report(check_only);
    EXPECT_THAT(now.superfluous, ElementsAre("gone/v1.cu", "sum/v2.cu"));
    EXPECT_FALSE(now.in_step());
  }
  EXPECT_TRUE(fs::exists(stubs / "sum/v2.cu"));
}

TEST_F(WriteStubs, a_file_that_is_reference_only_is_superfluous_in_the_template) {
  write(reference / "sum/v9.cu", "// <reference only>\ny\n");
  report(false);
  EXPECT_FALSE(fs::exists(stubs / "sum/v9.cu"));
  write(stubs / "sum/v9.cu", "y\n");
  EXPECT_THAT(report(true).superfluous, ElementsAre("sum/v9.cu"));
}

TEST_F(WriteStubs, leaves_the_readme_of_the_template_to_its_author) {
  report(false);
  write(stubs / "sum/README.md", "by hand");
  EXPECT_TRUE(report(true).in_step());
  report(false);
  EXPECT_EQ(text_of(stubs / "sum/README.md"), "by hand");
}

TEST_F(WriteStubs, writes_nothing_when_any_marker_is_bad) {
  write(reference / "sum/z.cu", "// <solution>\n");
  EXPECT_FALSE(write_stubs(reference, stubs, false));
  EXPECT_FALSE(fs::exists(stubs));
}

TEST_F(WriteStubs, fails_when_there_is_no_reference) {
  const auto result = write_stubs(folder.path() / "missing", stubs, true);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("missing"));
}

}  // namespace
}  // namespace warpmark
