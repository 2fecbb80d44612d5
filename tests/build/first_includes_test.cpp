#include "harness/build/first_includes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FirstIncludes, are_those_before_anything_but_comments) {
  EXPECT_THAT(first_includes("// A version.\n"
                             "/* of two\n lines */ // and more\n\n"
                             "#include <thrust/reduce.h>\n"
                             "  #  include<vector>  // for the sums\n"
                             "#include \"reduction.h\"\n"
                             "#include <cmath>\n"),
              ElementsAre("thrust/reduce.h", "vector"));
}

TEST(FirstIncludes, are_none_behind_a_macro_or_a_condition) {
  EXPECT_THAT(first_includes("#define NDEBUG\n#include <vector>\n"), IsEmpty());
  EXPECT_THAT(first_includes("#if 1\n#include <vector>\n#endif\n"), IsEmpty());
  EXPECT_THAT(first_includes("/* #define A */ int a;\n#include <vector>\n"), IsEmpty());
  EXPECT_THAT(first_includes("/* not closed\n#include <vector>\n"), IsEmpty());
}

TEST(FirstIncludes, end_where_a_line_goes_on) {
  EXPECT_THAT(first_includes("#include <vector> \\\n\n#include <map>\n"), IsEmpty());
  EXPECT_THAT(first_includes("#include <vector> // a \\\n#define A\n#include <map>\n"), IsEmpty());
  EXPECT_THAT(first_includes("// a \\\n#include <vector>\n#include <map>\n"), IsEmpty());
  EXPECT_THAT(first_includes("#include <vector> /* a\n*/\n#include <map>\n"), IsEmpty());
}

TEST(FirstIncludes, end_at_a_name_that_is_none_of_a_header) {
  EXPECT_THAT(first_includes("#include </etc/passwd>\n"), IsEmpty());
  EXPECT_THAT(first_includes("#include <../reduction.h>\n"), IsEmpty());
  EXPECT_THAT(first_includes("#include <-o>\n"), IsEmpty());
  EXPECT_THAT(first_includes("#include <a b>\n"), IsEmpty());
  EXPECT_THAT(first_includes("#include <>\n"), IsEmpty());
}

}  // namespace
}  // namespace warpmark::build
