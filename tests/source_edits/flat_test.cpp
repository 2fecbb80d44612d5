#include "harness/source_edits/flat.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::source_edits {
namespace {

TEST(Flatten, puts_own_headers_in_place_of_their_includes_once) {
  const std::map<std::string, std::string> headers{
      {"list.h", "#pragma once\n#include \"base.h\"\nint in_list;\n"},
      {"base.h", "#ifndef BASE_H\n#define BASE_H\nint in_base;\n#endif\n"}};
  const Flat flat = flatten(
      "v.cu", "#include <cuda.h>\n#include \"list.h\"\n#include \"base.h\"\n#include \"sum.h\"\nint v;\n",
      [&](const std::string& name) -> std::optional<std::string> {
        const auto found = headers.find(name);
        return found == headers.end() ? std::nullopt : std::optional(found->second);
      });
  EXPECT_EQ(flat.text, "#include <cuda.h>\n\n\n\nint in_base;\n\nint in_list;\n#include \"sum.h\"\nint v;\n");
  ASSERT_EQ(flat.lines.size(), 9U);
  EXPECT_EQ(flat.lines[4], (Origin{"base.h", 3}));
  EXPECT_EQ(flat.lines[6], (Origin{"list.h", 3}));
  EXPECT_EQ(flat.lines[8], (Origin{"v.cu", 5}));
  EXPECT_THAT(flat.places_of({{"v.cu", 5}, {"list.h", 3}, {"list.h", 77}}), testing::ElementsAre(7, 9));
}

}  // namespace
}  // namespace warpmark::source_edits
