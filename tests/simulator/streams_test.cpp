#include "harness/simulator/device/order/streams.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "harness/simulator/device/order/late_work.h"
#include "harness/simulator/watch/footprint.h"

namespace warpmark::simulator {
namespace {

class StreamsTest : public testing::Test {
 protected:
  static cudaStream_t handle(int number) {
    static std::array<std::byte, 8> names;
    return reinterpret_cast<cudaStream_t>(&names.at(static_cast<std::size_t>(number)));
  }
  cudaStream_t blocking(int number) {
    streams.created(handle(number), true);
    return handle(number);
  }
  cudaStream_t non_blocking(int number) {
    streams.created(handle(number), false);
    return handle(number);
  }
  Streams streams;
};

TEST_F(StreamsTest, orders_the_work_of_one_stream_and_not_that_of_two) {
  cudaStream_t a = blocking(0);
  cudaStream_t b = blocking(1);
  const Stamp first = streams.queue(a);
  const Stamp second = streams.queue(a);
  const Stamp other = streams.queue(b);
  EXPECT_TRUE(first.is_before(second));
  EXPECT_FALSE(second.is_before(first));
  EXPECT_FALSE(second.is_before(other));
}

TEST_F(StreamsTest, puts_the_legacy_default_stream_between_the_work_of_blocking_streams) {
  cudaStream_t a = blocking(0);
  cudaStream_t b = blocking(1);
  cudaStream_t free = non_blocking(2);
  const Stamp before = streams.queue(a);
  const Stamp beside = streams.queue(free);
  const Stamp in_default = streams.queue(nullptr);
  const Stamp behind = streams.queue(b);
  EXPECT_TRUE(before.is_before(in_default));
  EXPECT_TRUE(before.is_before(behind));
  EXPECT_FALSE(beside.is_before(in_default));
  EXPECT_FALSE(in_default.is_before(streams.queue(free)));
}

TEST_F(StreamsTest, lets_a_stream_wait_for_what_was_queued_before_the_event_alone) {
  cudaStream_t a = non_blocking(0);
  cudaStream_t b = non_blocking(1);
  const Stamp before = streams.queue(a);
  const Clock event = streams.record(a);
  const Stamp behind = streams.queue(a);
  streams.wait(b, event);
  const Stamp waiting = streams.queue(b);
  EXPECT_TRUE(before.is_before(waiting));
  EXPECT_FALSE(behind.is_before(waiting));
}

TEST_F(StreamsTest, orders_all_that_comes_after_the_host_has_waited) {
  cudaStream_t a = non_blocking(0);
  cudaStream_t b = non_blocking(1);
  const Stamp first = streams.queue(a);
  EXPECT_FALSE(first.is_over_in(streams.host()));
  streams.host_waits_for(streams.end_of(a));
  EXPECT_TRUE(first.is_over_in(streams.host()));
  EXPECT_TRUE(first.is_before(streams.queue(b)));
}

TEST_F(StreamsTest, waits_for_blocking_streams_with_the_legacy_default_stream) {
  const Stamp blocked = streams.queue(blocking(0));
  const Stamp beside = streams.queue(non_blocking(1));
  streams.host_waits_for(streams.end_of(nullptr));
  EXPECT_TRUE(blocked.is_over_in(streams.host()));
  EXPECT_FALSE(beside.is_over_in(streams.host()));
}

TEST_F(StreamsTest, gives_each_thread_a_default_stream_of_its_own_where_asked) {
  streams.called_by({1, true});
  const Stamp mine = streams.queue(nullptr);
  streams.called_by({2, true});
  const Stamp theirs = streams.queue(nullptr);
  EXPECT_FALSE(mine.is_before(theirs));
  EXPECT_TRUE(mine.is_before(streams.queue(cudaStreamLegacy)));
  streams.called_by({1, false});
  EXPECT_TRUE(mine.is_before(streams.queue(cudaStreamPerThread)));
  EXPECT_TRUE(mine.is_before(streams.queue(nullptr)));
}

TEST_F(StreamsTest, knows_when_nothing_can_be_unordered) {
  EXPECT_FALSE(streams.can_be_unordered());
  blocking(0);
  EXPECT_FALSE(streams.can_be_unordered());
  blocking(1);
  EXPECT_TRUE(streams.can_be_unordered());
}

TEST_F(StreamsTest, uses_the_slot_of_a_stream_again_once_its_work_is_over) {
  const std::size_t slot = streams.slot_of(blocking(0));
  const Stamp last = streams.queue(handle(0));
  streams.destroyed(handle(0));
  EXPECT_NE(streams.slot_of(blocking(1)), slot);
  streams.host_waits_for(last);
  EXPECT_EQ(streams.slot_of(blocking(2)), slot);
  EXPECT_FALSE(streams.queue(handle(2)).is_over_in(streams.host()));
}

TEST_F(StreamsTest, does_late_work_when_something_waits_for_it) {
  cudaStream_t a = non_blocking(0);
  cudaStream_t b = non_blocking(1);
  LateWork late;
  std::vector<int> done;
  for (int i = 0; i < 4; ++i) late.add(streams.queue(i % 2 == 0 ? a : b), [&done, i] { done.push_back(i); });
  late.catch_up(streams.host());
  EXPECT_TRUE(done.empty());
  late.catch_up(streams.end_of(b));
  EXPECT_EQ(done, (std::vector<int>{1, 3}));
  late.catch_up();
  EXPECT_EQ(done, (std::vector<int>{1, 3, 0, 2}));
  EXPECT_TRUE(late.empty());
}

TEST(Footprint, has_what_two_lists_of_ranges_share) {
  const std::vector<Range> even{{0, 4, 1}, {8, 12, 1}};
  const std::vector<Range> odd{{4, 8, 2}, {12, 16, 2}};
  const std::vector<Range> last{{11, 13, 3}};
  EXPECT_FALSE(overlap(even, odd));
  const auto common = overlap(even, last);
  ASSERT_TRUE(common);
  EXPECT_EQ(common->begin(), 11U);
  EXPECT_EQ(common->end(), 12U);
  EXPECT_EQ(range_at(even, 7), nullptr);
  ASSERT_NE(range_at(odd, 15), nullptr);
  EXPECT_EQ(range_at(odd, 15)->begin, 12U);
}

// A record of each access to gigabytes would be larger than these.
TEST(Footprint, is_of_some_pages_where_there_is_very_much_memory) {
  const auto recorded = [](std::size_t bytes) {
    DeviceMemory memory;
    const Address begin = memory.allocate(bytes, Allocation::Kind::managed).value_or(0);
    memory.allocate(std::size_t{4} << 30, Allocation::Kind::device);
    const FootprintRecorder recorder(memory, false);
    std::size_t pages = 0;
    for (std::size_t page = 0; page < 1000; ++page)
      pages += recorder.records(begin + page * FootprintPages::kPage) ? 1 : 0;
    return pages;
  };
  EXPECT_EQ(recorded(std::size_t{100} << 20), 1000U);
  EXPECT_NEAR(static_cast<double>(recorded(std::size_t{2} << 30)), 200, 1);
}

}  // namespace
}  // namespace warpmark::simulator
