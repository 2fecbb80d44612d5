// Which bytes a launch used: neighbours become one range, whatever way they were recorded.
#include "harness/simulator/watch/footprint.h"

#include <gtest/gtest.h>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator::test {
namespace {

constexpr Address kPage = FootprintPages::kPage;

Program two_lines() {
  Program program;
  program.locations = {{}, {.file = 1, .line = 5}, {.file = 1, .line = 6}};
  program.files[1] = "a.cu";
  program.sites = {{}, {.location = 1}, {.location = 2}};
  return program;
}

using Edges = std::vector<std::pair<Address, Address>>;
Edges edges(const std::vector<Range>& ranges) {
  Edges all;
  for (const Range& range : ranges) all.emplace_back(range.begin, range.end);
  return all;
}

TEST(Footprint, of_words_together_is_that_of_each) {
  FootprintPages together;
  FootprintPages each;
  together.add_words(kPage + 64, 40, Access::read, 1);
  together.add_words(kPage + 128, 8, Access::write, 2);
  for (unsigned i = 0; i < 40; ++i) each.add(kPage + 64 + 4 * i, 4, Access::read, false, 1);
  for (unsigned i = 0; i < 8; ++i) each.add(kPage + 128 + 4 * i, 4, Access::write, false, 2);
  const Footprint one = together.footprint(two_lines());
  EXPECT_EQ(one, each.footprint(two_lines()));
  EXPECT_EQ(edges(one.reads), (Edges{{kPage + 64, kPage + 224}}));
  EXPECT_EQ(edges(one.writes), (Edges{{kPage + 128, kPage + 160}}));
  EXPECT_EQ(one.places[one.writes[0].place], "a.cu:6");
}

TEST(Footprint, of_parts_of_words_has_their_bytes_alone) {
  FootprintPages pages;
  for (unsigned i = 0; i < 4; ++i) pages.add(kPage + 4 * i, 1, Access::write, false, 1);  // the first of four
  pages.add_words(kPage + 16, 2, Access::write, 1);
  pages.add_words(kPage + 24, 2, Access::write, 2);
  const Footprint used = pages.footprint(two_lines());
  EXPECT_EQ(edges(used.writes), (Edges{{kPage, kPage + 1},
                                       {kPage + 4, kPage + 5},
                                       {kPage + 8, kPage + 9},
                                       {kPage + 12, kPage + 13},
                                       {kPage + 16, kPage + 24},
                                       {kPage + 24, kPage + 32}}));
}

TEST(Footprint, of_neighbouring_pages_is_one_range) {
  FootprintPages pages;
  pages.add_words(kPage, kPage / 4, Access::read, 1);
  pages.add_words(2 * kPage, kPage / 4, Access::read, 1);
  EXPECT_EQ(edges(pages.footprint(two_lines()).reads), (Edges{{kPage, 3 * kPage}}));
}

}  // namespace
}  // namespace warpmark::simulator::test
