#include "harness/assignments/plain/alternates.h"

#include <chrono>
#include <set>
#include <thread>

#include <gtest/gtest.h>

namespace warpmark::plain {
namespace {

struct Pool {
  Alternates alternates{std::make_shared<const std::vector<Bytes>>(1, Bytes(8)), 0};
  std::size_t made = 0;
  std::chrono::milliseconds each{0};

  std::shared_ptr<const Alternate> next(std::uint64_t seed, const Alternate* current = nullptr) {
    return alternates.next(seed, current, [&](std::uint64_t drawn, Bytes& /*contents*/) {
      ++made;
      std::this_thread::sleep_for(each);
      return std::optional(Alternate{{{0, 8, drawn}}, {{0, 8, 0}}});
    });
  }
};

TEST(Alternates, every_call_gets_an_input_of_its_own_where_answers_are_quick) {
  Pool pool;
  std::set<std::uint64_t> values;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) values.insert(pool.next(seed)->changes[0].value);
  EXPECT_EQ(values.size(), 300U);
}

TEST(Alternates, a_seed_gives_the_same_input_again_without_computing_its_answer_again) {
  Pool pool;
  const auto first = pool.next(1);
  EXPECT_NE(pool.next(2), first);
  EXPECT_EQ(pool.next(1), first);
  EXPECT_EQ(pool.made, 2U);
}

TEST(Alternates, are_no_more_than_there_is_time_for_and_then_never_the_current_one) {
  Pool pool;
  pool.each = std::chrono::milliseconds(800);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) ASSERT_TRUE(pool.next(seed));
  std::shared_ptr<const Alternate> current;
  for (std::uint64_t seed = 7; seed <= 60; ++seed) {
    const auto next = pool.next(seed, current.get());
    ASSERT_TRUE(next);
    ASSERT_NE(next, current);
    current = next;
  }
  EXPECT_EQ(pool.made, 6U);
}

TEST(Alternates, there_are_none_where_nothing_can_change) {
  Alternates none(std::make_shared<const std::vector<Bytes>>(1, Bytes(8)), 0);
  EXPECT_FALSE(none.next(1, nullptr, [](std::uint64_t, Bytes&) { return std::optional<Alternate>(); }));
}

}  // namespace
}  // namespace warpmark::plain
