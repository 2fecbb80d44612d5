// Which files of a folder make a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/program_analysis/project.h"

namespace warpmark::program_analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(ProjectSources, files_without_main_belong_to_the_one_that_has_it) {
  const auto programs = programs_in({{"main.cu", "int main(int argc, char** argv)\n{\n}\n"},
                                     {"kernels.cu", "__global__ void k() {}\n"},
                                     {"src/more.cpp", "int domain(int a) { return a; }\n"}});
  ASSERT_THAT(programs, SizeIs(1));
  EXPECT_THAT(programs[0].sources, ElementsAre("main.cu", "kernels.cu", "src/more.cpp"));
}

TEST(ProjectSources, an_included_source_is_no_file_of_its_own) {
  const auto programs = programs_in(
      {{"main.cu", "#include \"kernels.cu\"\nint main() {}\n"}, {"kernels.cu", "__global__ void k() {}\n"}});
  ASSERT_THAT(programs, SizeIs(1));
  EXPECT_THAT(programs[0].sources, ElementsAre("main.cu"));
}

TEST(ProjectSources, each_main_is_a_program_with_the_files_beside_it) {
  const auto programs = programs_in({{"one/a.cu", "int main() {}\n"},
                                     {"one/part.cu", "void part() {}\n"},
                                     {"two/b.cu", "void main() {}\n"}});
  ASSERT_THAT(programs, SizeIs(2));
  EXPECT_THAT(programs[0].sources, ElementsAre("one/a.cu", "one/part.cu"));
  EXPECT_THAT(programs[1].sources, ElementsAre("two/b.cu"));
}

TEST(ProjectSources, the_folders_of_headers_are_found) {
  const auto programs =
      programs_in({{"src/main.cu", "#include \"book.h\"\n#include <deep/x.h>\nint main() {}\n"},
                   {"common/book.h", "#include \"beside.h\"\n"},
                   {"common/beside.h", ""},
                   {"inc/deep/x.h", ""}});
  ASSERT_THAT(programs, SizeIs(1));
  EXPECT_THAT(programs[0].include_folders, ElementsAre("common", "inc"));
}

TEST(ProjectSources, comments_and_calls_define_nothing) {
  EXPECT_THAT(
      programs_in({{"a.cu", "// int main() { }\n/* int main() {} */\nvoid f() { main(); }\nint main();\n"}}),
      IsEmpty());
}

}  // namespace
}  // namespace warpmark::program_analysis
