#include "harness/build/manifest.h"

#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

Manifest sample() {
  return {"abc", true, {{0, "my header\n1:x.h", 12, -5, "def"}, {kOutside, "/usr/include/math.h", 0, 7, ""}}};
}

TEST(BuildManifest, is_read_as_it_was_written) {
  const auto back = manifest_from(to_text(sample()));
  ASSERT_TRUE(back);
  EXPECT_EQ(to_text(*back), to_text(sample()));
  EXPECT_EQ(back->library_digest, "abc");
  EXPECT_TRUE(back->uses_thrust);
  ASSERT_EQ(back->included.size(), 2U);
  EXPECT_EQ(back->included[0].name, "my header\n1:x.h");
  EXPECT_EQ(back->included[0].modified_ns, -5);
  EXPECT_EQ(back->included[1].folder, kOutside);
}

TEST(BuildManifest, that_ends_early_or_late_is_not_read) {
  const std::string text = to_text(sample());
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(manifest_from(std::string_view(text).substr(0, size))) << size;
  }
  EXPECT_FALSE(manifest_from(text + "1:x"));
}

TEST(BuildManifest, of_another_format_or_with_a_bad_number_is_not_read) {
  std::string other = to_text(sample());
  EXPECT_FALSE(manifest_from(other.replace(other.find("/5"), 2, "/1")));
  std::string bad = to_text(sample());
  EXPECT_FALSE(manifest_from(bad.replace(bad.find("2:12"), 4, "2:1x")));
  EXPECT_FALSE(manifest_from("99999999999999999999999:x"));
}

}  // namespace
}  // namespace warpmark::build
