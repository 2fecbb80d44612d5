// The drawings of threads and ranks: what is marked, what the text beside them says, and when there is none.
#include "reports/drawing/thread_pictures.h"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/evidence.h"
#include "tests/reports/page.h"
#include "tests/reports/sample_grade.h"

namespace warpmark {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// Threads 0, 1, ... of a block access these elements of an array of 8 ints.
WarpAccess access_to(std::vector<std::uint64_t> positions, std::uint64_t elements = 8) {
  WarpAccess access{
      .array = "a", .block = "block (0,0,0)", .line = 12, .bytes = 4, .elements = elements, .number = 0};
  for (std::size_t i = 0; i < positions.size(); ++i) access.threads.push_back(fmt::format("({},0,0)", i));
  access.positions = std::move(positions);
  return access;
}

std::ptrdiff_t drawn(const std::string& svg, const std::string& css) {
  const Document document = parse_document(svg);
  EXPECT_EQ(document.error, "");
  return std::ranges::count_if(document.elements, [&](const Element& each) {
    const auto found = each.attributes.find("class");
    return found != each.attributes.end() && found->second == css;
  });
}

TEST(AccessPicture, is_not_drawn_where_each_thread_accesses_the_next_element) {
  EXPECT_FALSE(access_picture(access_to({0, 1, 2, 3})));
  EXPECT_FALSE(access_picture(access_to({5})));
  EXPECT_FALSE(access_picture(access_to({})));
}

TEST(AccessPicture, shows_a_stride) {
  const auto picture = access_picture(access_to({0, 2, 4, 6}));
  ASSERT_TRUE(picture);
  EXPECT_EQ(drawn(picture->svg, "touch"), 4);
  EXPECT_THAT(picture->words,
              ElementsAre("threads (0,0,0) to (3,0,0): a[0] to a[6], each 2 further than the one before"));
  EXPECT_THAT(picture->caption, AllOf(HasSubstr("read at line 12"), HasSubstr("from a[0] to a[6]")));
  EXPECT_THAT(picture->svg,
              AllOf(HasSubstr("<title>What threads (0,0,0) to (3,0,0)"), HasSubstr("<desc>threads (0,0,0)")));
}

TEST(AccessPicture, crosses_out_what_is_outside_of_the_array) {
  const auto picture = access_picture(access_to({6, 7, 8, 9}));
  ASSERT_TRUE(picture);
  EXPECT_EQ(drawn(picture->svg, "touch"), 2);
  EXPECT_EQ(drawn(picture->svg, "touch-outside"), 2);
  EXPECT_EQ(drawn(picture->svg, "touch-line"), 2);
  EXPECT_TRUE(picture->marks.outside);
  EXPECT_EQ(picture->words.front(),
            "2 of these 4 threads read outside of the array, which has a[0] to a[7].");
}

TEST(AccessPicture, numbers_elements_below_the_array_from_0_downwards) {
  WarpAccess access = access_to({0, 1, 2});
  access.before = access.first = 1;
  access.writes = true;
  const auto picture = access_picture(access);
  ASSERT_TRUE(picture);
  EXPECT_EQ(drawn(picture->svg, "touch-outside"), 1);
  EXPECT_THAT(picture->words, ElementsAre(HasSubstr("1 of these 3 threads writes outside"),
                                          HasSubstr("a[-1] to a[1], side by side")));
}

TEST(AccessPicture, shows_a_shift_against_the_threads_numbers) {
  const auto picture = access_picture(access_to({1, 2, 3}));
  ASSERT_TRUE(picture);
  EXPECT_EQ(drawn(picture->svg, "touch-own"), 3);
  EXPECT_EQ(picture->words.front(), "Each thread's element is 1 above its own number in the grid.");
  WarpAccess of_a_plane = access_to({1, 2, 3});
  of_a_plane.number.reset();
  EXPECT_FALSE(access_picture(of_a_plane)) << "threads have no numbers to compare with";
}

TEST(AccessPicture, marks_threads_that_meet_in_a_bank) {
  WarpAccess access = access_to({0, 32, 1, 64}, 128);
  access.shared = true;
  access.passes = 3;
  const auto picture = access_picture(access);
  ASSERT_TRUE(picture);
  EXPECT_EQ(drawn(picture->svg, "touch-outside"), 3);
  EXPECT_EQ(drawn(picture->svg, "touch"), 1) << "bank 1 has one thread";
  EXPECT_THAT(picture->words.front(), HasSubstr("3 passes"));
  access.positions = {0, 0, 0, 0};
  EXPECT_FALSE(access_picture(access)->marks.clash) << "one word for all";
}

TEST(AccessPicture, draws_the_sectors_that_an_access_moves) {
  WarpAccess access = access_to({0, 8, 16, 24}, 64);
  access.passes = 4;
  const auto picture = access_picture(access);
  ASSERT_TRUE(picture);
  EXPECT_EQ(drawn(picture->svg, "touch-sector"), 3);
  EXPECT_EQ(picture->words.front(),
            "The access moves 4 sectors of 32 bytes; elements side by side would fit into 1.");
}

TEST(AccessPicture, bears_numbers_that_nobody_checked) {
  WarpAccess access = access_to({0, UINT64_MAX});
  EXPECT_FALSE(access_picture(access));
  access = access_to({0, 1ULL << 40});
  ASSERT_TRUE(access_picture(access));
  access.threads.pop_back();
  EXPECT_FALSE(access_picture(access));
  access = access_to({0, 5});
  access.array = "<b>&";
  EXPECT_THAT(access_picture(access)->svg, AllOf(HasSubstr("&lt;b&gt;&amp;[0]"), Not(HasSubstr("<b>"))));
}

TEST(BlockPicture, has_a_row_per_state_and_line) {
  const auto picture = block_picture({{0, 15, ThreadState::waits, 12},
                                      {16, 31, ThreadState::past, 14},
                                      {32, 47, ThreadState::waits, 12},
                                      {48, 63, ThreadState::returned, 0}});
  ASSERT_TRUE(picture);
  EXPECT_EQ(drawn(picture->svg, "thread-waits"), 2);
  EXPECT_EQ(drawn(picture->svg, "thread-past"), 1);
  EXPECT_EQ(drawn(picture->svg, "thread-returned"), 1);
  EXPECT_THAT(picture->rows, ElementsAre("line 12: waits", "line 14: past it", "returned"));
  EXPECT_THAT(picture->words,
              ElementsAre("32 threads wait at line 12: 0 to 15, 32 to 47",
                          "16 threads are past the others, and wait for them, at line 14: 16 to 31",
                          "16 threads have returned from the kernel: 48 to 63"));
  EXPECT_FALSE(block_picture({{0, 63, ThreadState::waits, 12}}));
  EXPECT_FALSE(block_picture({{5, 2, ThreadState::waits, 12}, {0, 1ULL << 60, ThreadState::past, 3}}));
}

TEST(RacePicture, places_the_accesses_behind_the_barriers_that_both_have_passed) {
  RacingAccess one{"thread (0,0,0)", "s[0]", 31, true, 2, 28};
  RacingAccess other{"thread (32,0,0)", "s[0]", 29, false, 2, 28};
  ThreadPicture picture = race_picture(one, other);
  EXPECT_EQ(drawn(picture.svg, "race-barrier"), 2);
  EXPECT_THAT(picture.words,
              ElementsAre(HasSubstr("Both threads have passed 2 barriers before, the last one at line 28")));
  one.barriers = other.barriers = 0;
  EXPECT_THAT(race_picture(one, other).words, ElementsAre(HasSubstr("before the block's first one")));
  one.barriers = other.barriers = std::nullopt;
  picture = race_picture(one, other);
  EXPECT_EQ(drawn(picture.svg, "race-barrier"), 0);
  EXPECT_THAT(picture.words, SizeIs(0));
}

TEST(RanksPicture, has_a_column_per_rank_and_marks_the_call_that_does_not_return) {
  Cause cause;
  add_evidence(cause);
  const auto picture = ranks_picture(cause.rank_calls);
  ASSERT_TRUE(picture);
  EXPECT_EQ(drawn(picture->svg, "rank-call"), 2);
  EXPECT_EQ(drawn(picture->svg, "rank-waits"), 1);
  EXPECT_EQ(drawn(picture->svg, "rank-returned"), 1);
  EXPECT_THAT(picture->words,
              ElementsAre("rank 0: MPI_Bcast (root 0) at line 12, waits in MPI_Recv (rank 1) at line 14",
                          "rank 1: 3 earlier calls, MPI_Barrier, has returned from the version"));
}

TEST(RanksPicture, is_not_drawn_where_the_message_names_all_calls) {
  EXPECT_FALSE(ranks_picture(
      {{0, false, 0, {{"MPI_Recv (rank 1)", 14, true}}}, {1, false, 0, {{"MPI_Recv (rank 0)", 14, true}}}}));
  EXPECT_FALSE(ranks_picture({}));
}

TEST(ThreadPictures, stand_on_the_page_with_their_words) {
  Grade grade = sample_grade();
  EXPECT_EQ(text_of(parsed(grade), "desc").find("MPI_"), std::string::npos);
  for (CheckResult& check : grade.checks) {
    for (Cause& cause : check.causes) add_evidence(cause);
  }
  const Document document = parsed(grade);
  EXPECT_THAT(
      text_of(document, "figcaption"),
      AllOf(HasSubstr("What threads (0,0,0) to (1,0,0)"), HasSubstr("Where the threads of the block are"),
            HasSubstr("The calls of MPI"), HasSubstr("passed barrier")));
  EXPECT_THAT(text_of(document, "li"), AllOf(HasSubstr("16 threads wait at line 31: 0 to 15"),
                                             HasSubstr("waits in MPI_Recv (rank 1) at line 14")));
}

}  // namespace
}  // namespace warpmark
