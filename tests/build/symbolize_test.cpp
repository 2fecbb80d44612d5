// The outputs are recorded: addr2line of binutils 2.40.
#include "harness/build/symbolize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Symbolize, reads_places_with_what_they_were_inlined_into) {
  const PlacesOfAddresses places = places_from(
      "0x0000000000001234\n./sum.cu:12\n0x00000000000012ff\n/usr/include/thrust/copy.h:40 (discriminator 3)\n"
      "main.cu:7\n");
  ASSERT_EQ(places.size(), 2U);
  EXPECT_THAT(places.at(0x1234), ElementsAre(SourcePlace{"sum.cu", 12}));
  EXPECT_THAT(places.at(0x12ff),
              ElementsAre(SourcePlace{"/usr/include/thrust/copy.h", 40}, SourcePlace{"main.cu", 7}));
}

TEST(Symbolize, what_is_not_known_has_no_place) {
  EXPECT_THAT(places_from("0x0000000000000001\n??:0\n0x0000000000000002\n??:?\n").at(1), IsEmpty());
  EXPECT_THAT(places_from(""), IsEmpty());
  EXPECT_THAT(places_from("addr2line: no such file\n"), IsEmpty());
}

}  // namespace
}  // namespace warpmark::build
