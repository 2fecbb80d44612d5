#include "harness/ranks/watch.h"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::ranks {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr DeadlockWatch::Time kStart{};

Seen waits_in(Function function, int peer, std::uint64_t frame) {
  return {.calls = 1, .in_version = true, .function = function, .peer = peer, .frame = frame, .entries = 1};
}
Seen computes() {
  return {.calls = 1, .in_version = true};
}
Seen returned() {
  return {.calls = 1};
}

// What a watch says that sees the same for long enough.
std::optional<wire::RanksFailure> seen_for_long(const std::vector<Seen>& ranks) {
  DeadlockWatch watch;
  EXPECT_FALSE(watch.look(ranks, kStart));
  EXPECT_FALSE(watch.look(ranks, kStart + kDeadlockPatience - 1ms));
  return watch.look(ranks, kStart + kDeadlockPatience);
}

TEST(DeadlockWatch, finds_ranks_that_wait_for_each_other) {
  const auto failure = seen_for_long({waits_in(Function::Recv, 1, 10), waits_in(Function::Recv, 0, 20)});
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->end, wire::RanksEnd::deadlock);
  ASSERT_EQ(failure->places.size(), 2U);
  EXPECT_EQ(failure->places[0].what, "waits in MPI_Recv for rank 1");
  EXPECT_EQ(failure->places[1].frame, 20U);
  EXPECT_THAT(failure->advice, HasSubstr("a matching send and receive"));
}

TEST(DeadlockWatch, names_collective_calls_that_differ) {
  const auto failure = seen_for_long({waits_in(Function::Bcast, 0, 10), waits_in(Function::Scatter, 0, 20)});
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->places[0].what, "waits in MPI_Bcast with root 0");
  EXPECT_THAT(failure->advice, HasSubstr("same collective calls"));
}

TEST(DeadlockWatch, finds_a_rank_that_waits_for_one_that_has_returned) {
  const auto failure = seen_for_long({returned(), waits_in(Function::Recv, 0, 20)});
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->places[0].rank, 1) << "the one with a place comes first";
  EXPECT_EQ(failure->places[1].what, "has returned from the version");
  EXPECT_THAT(failure->advice, HasSubstr("a tag or a rank that differs between MPI_Send and MPI_Recv"));
}

TEST(DeadlockWatch, asks_for_one_receive_first_where_all_send) {
  const auto failure = seen_for_long({waits_in(Function::Send, 1, 10), waits_in(Function::Ssend, 0, 20)});
  ASSERT_TRUE(failure);
  EXPECT_THAT(failure->advice, HasSubstr("one of two ranks receive first"));
}

TEST(DeadlockWatch, asks_for_tags_where_receives_and_sends_do_not_fit) {
  const auto failure = seen_for_long({waits_in(Function::Recv, 1, 10), waits_in(Function::Send, 0, 20)});
  ASSERT_TRUE(failure);
  EXPECT_THAT(failure->advice, HasSubstr("look for a rank, a tag or a number of messages that differs"));
}

TEST(DeadlockWatch, is_silent_while_somebody_computes) {
  EXPECT_FALSE(seen_for_long({computes(), waits_in(Function::Recv, 0, 20)}));
}

TEST(DeadlockWatch, is_silent_while_another_thread_of_a_rank_computes) {
  DeadlockWatch watch;
  std::vector<Seen> ranks{waits_in(Function::Recv, 1, 10), waits_in(Function::Recv, 0, 20)};
  EXPECT_FALSE(watch.look(ranks, kStart));
  ranks[0].time_of_others = 1;
  EXPECT_FALSE(watch.look(ranks, kStart + kDeadlockPatience));
  EXPECT_TRUE(watch.look(ranks, kStart + 2 * kDeadlockPatience));
}

TEST(DeadlockWatch, is_silent_between_two_calls) {
  EXPECT_FALSE(seen_for_long({returned(), returned()}));
}

TEST(DeadlockWatch, is_silent_while_a_rank_has_not_entered_the_call) {
  Seen late = returned();
  late.calls = 0;
  EXPECT_FALSE(seen_for_long({waits_in(Function::Bcast, 0, 10), late}));
}

TEST(DeadlockWatch, waits_anew_whenever_something_moves) {
  DeadlockWatch watch;
  std::vector<Seen> ranks{waits_in(Function::Recv, 1, 10), waits_in(Function::Recv, 0, 20)};
  EXPECT_FALSE(watch.look(ranks, kStart));
  ranks[1].entries = 2;  // another call of the same function in the same line
  EXPECT_FALSE(watch.look(ranks, kStart + kDeadlockPatience));
  EXPECT_FALSE(watch.look(ranks, kStart + 2 * kDeadlockPatience - 1ms));
  EXPECT_TRUE(watch.look(ranks, kStart + 2 * kDeadlockPatience));
}

Seen in_order(std::vector<Seen::Collective> calls, bool in_version) {
  Seen rank = returned();
  rank.in_version = in_version;
  rank.collectives = std::move(calls);
  return rank;
}

TEST(Histories, name_the_calls_of_each_rank_and_the_one_that_has_not_returned) {
  Seen waiting = waits_in(Function::Recv, 1, 30);
  waiting.last_calls = {{Function::Bcast, 0, 10}, {Function::Recv, 1, 30}};
  Seen gone = returned();
  gone.last_calls = {{Function::Barrier, -1, 20}};
  gone.earlier_calls = 5;
  const auto all = histories_of({waiting, gone}, wire::RanksEnd::deadlock);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].calls, (std::vector<wire::RankCall>{{"MPI_Bcast (root 0)", 10, false},
                                                       {"MPI_Recv (rank 1)", 30, true}}));
  EXPECT_FALSE(all[0].returned);
  EXPECT_EQ(all[1].calls, (std::vector<wire::RankCall>{{"MPI_Barrier", 20, false}}));
  EXPECT_TRUE(all[1].returned);
  EXPECT_EQ(all[1].earlier, 5U);
}

TEST(Histories, are_of_ranks_that_wait_for_each_other) {
  EXPECT_TRUE(histories_of({waits_in(Function::Recv, 1, 30)}, wire::RanksEnd::deadlock).empty());
  EXPECT_TRUE(histories_of({returned(), returned()}, wire::RanksEnd::crashed).empty());
}

TEST(LookAt, returns_the_last_calls_of_a_rank_in_order) {
  Board board{};
  RankState& rank = board.ranks[0];
  constexpr std::uint64_t kCalls = kMostCalls + 3;
  for (std::uint64_t k = 0; k < kCalls; ++k) {
    rank.last_calls[k % kMostCalls].function = Function::Send;
    rank.last_calls[k % kMostCalls].frame = k;
  }
  rank.made = kCalls;
  const Seen seen = look_at(board, 1).at(0);
  EXPECT_EQ(seen.earlier_calls, 3U);
  ASSERT_EQ(seen.last_calls.size(), kMostCalls);
  EXPECT_EQ(seen.last_calls.front().frame, 3U);
  EXPECT_EQ(seen.last_calls.back().frame, kCalls - 1);
}

TEST(DifferentCollectives, names_the_first_call_that_only_one_rank_makes) {
  const Seen::Collective bcast{Function::Bcast, 0, 10}, barrier{Function::Barrier, -1, 20};
  const auto failure =
      different_collectives({in_order({bcast, bcast, barrier}, false), in_order({bcast, barrier}, false)},
                            wire::RanksEnd::deadlock);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->places.at(0).what, "calls MPI_Bcast with root 0 as collective call 2");
  EXPECT_EQ(failure->places.at(1).what, "calls MPI_Barrier as collective call 2");
  const auto shorter =
      different_collectives({in_order({bcast}, true), in_order({}, false)}, wire::RanksEnd::deadlock);
  ASSERT_TRUE(shorter);
  EXPECT_EQ(shorter->places.at(1).what, "returns from the version instead");
}

TEST(DifferentCollectives, is_silent_while_a_rank_may_still_make_the_call) {
  const Seen::Collective bcast{Function::Bcast, 0, 10};
  EXPECT_FALSE(
      different_collectives({in_order({bcast}, false), in_order({}, true)}, wire::RanksEnd::deadlock));
  EXPECT_FALSE(
      different_collectives({in_order({bcast}, false), in_order({bcast}, false)}, wire::RanksEnd::deadlock));
  Seen later = in_order({}, false);
  later.calls = 2;
  EXPECT_FALSE(different_collectives({in_order({bcast}, false), later}, wire::RanksEnd::deadlock));
}

TEST(TimeIsUp, blames_the_rank_that_computes) {
  const auto failure = time_is_up({waits_in(Function::Gather, 0, 10), computes(), returned()}, {0, 30, 0});
  EXPECT_EQ(failure.end, wire::RanksEnd::timed_out);
  ASSERT_EQ(failure.places.size(), 3U);
  EXPECT_EQ(failure.places[0].rank, 1);
  EXPECT_EQ(failure.places[0].frame, 30U);
}

TEST(Ended, tells_a_signal_from_an_exit) {
  const auto crashed = ended(2, 4, SIGSEGV, "host code read through a null pointer", 5);
  EXPECT_EQ(crashed.end, wire::RanksEnd::crashed);
  EXPECT_THAT(crashed.places.at(0).what, HasSubstr("null pointer"));
  EXPECT_THAT(crashed.advice, HasSubstr("rank 0 alone"));
  const auto exited = ended(1, 4, 7 << 8, "", 0);
  EXPECT_EQ(exited.end, wire::RanksEnd::exited);
  EXPECT_THAT(exited.places.at(0).what, HasSubstr("exit status 7"));
}

TEST(LookAt, takes_no_function_that_there_is_not) {
  Board board{};
  board.ranks[0].function = static_cast<Function>(12345);
  EXPECT_EQ(look_at(board, 1).at(0).function, Function::none);
}

}  // namespace
}  // namespace warpmark::ranks
