// What is said of headers and libraries that are not there.
#include "harness/build/foreign_libraries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(ForeignLibraries, openmp_is_a_package_away) {
  for (const char* message :
       {"'omp.h' file not found", "/usr/bin/ld: cannot find -lomp: No such file or directory",
        "/usr/bin/ld: cannot find -lomp", "ld.lld: error: unable to find library -lomp"})
    EXPECT_THAT(missing_library_advice(message), HasSubstr("apt-get install libomp-dev")) << message;
}

TEST(ForeignLibraries, a_header_of_a_library_that_nothing_is_linked_to_is_named_with_it) {
  EXPECT_THAT(missing_library_advice("'GL/freeglut.h' file not found"), HasSubstr("a header of GLUT: "));
  EXPECT_THAT(missing_library_advice("'opencv2/opencv.hpp' file not found"),
              HasSubstr("a header of OpenCV: "));
}

TEST(ForeignLibraries, of_other_messages_nothing_is_known) {
  for (const char* message : {"'mine.h' file not found", "unknown type name 'omp'", "'' file not found", "'",
                              "' file not found", ""})
    EXPECT_THAT(missing_library_advice(message), IsEmpty()) << message;
}

}  // namespace
}  // namespace warpmark::build
