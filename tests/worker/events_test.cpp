#include "harness/worker/events.h"

#include <gtest/gtest.h>

namespace warpmark {
namespace {

using nlohmann::json;

json copy(std::uint64_t bytes, std::size_t launches_before, const char* direction = "host_to_device") {
  return {{"direction", direction}, {"kind", "copy"}, {"bytes", bytes}, {"launches_before", launches_before}};
}
json launch(const char* kernel) {
  return {{"kernel", kernel}, {"grid", {1, 1, 1}}};
}

TEST(EventsOf, puts_launches_and_transfers_in_order) {
  const json events = events_of({launch("first"), launch("second")}, {copy(8, 0), copy(4, 1)});
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0]["bytes"], 8U);
  EXPECT_EQ(events[1]["kernel"], "first");
  EXPECT_EQ(events[2]["bytes"], 4U);
  EXPECT_EQ(events[3]["kernel"], "second");
}

TEST(EventsOf, makes_one_of_neighbours_of_the_same_sort) {
  const json events =
      events_of({launch("k"), launch("k")}, {copy(8, 0), copy(5, 0), copy(3, 0, "device_to_host")});
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0]["bytes"], 13U);
  EXPECT_EQ(events[0]["count"], 2U);
  EXPECT_EQ(events[1]["count"], 1U);
  EXPECT_EQ(events[2]["count"], 2U);
}

TEST(EventsOf, spans_the_times_of_what_it_makes_one) {
  json first = copy(8, 0);
  first.update({{"start_ns", 10}, {"end_ns", 20}});
  json second = copy(8, 0);
  second.update({{"start_ns", 30}, {"end_ns", 40}});
  const json events = events_of(json::array(), {first, second});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["start_ns"], 10);
  EXPECT_EQ(events[0]["end_ns"], 40);
}

TEST(EventsOf, stays_short_and_loses_no_byte) {
  json launches = json::array();
  json transfers = json::array();
  for (std::size_t i = 0; i < 100; ++i) {
    transfers.push_back(copy(7, i));
    launches.push_back(launch("k"));
  }
  const json events = events_of(launches, transfers, 10);
  EXPECT_LE(events.size(), 12U);
  std::uint64_t bytes = 0;
  std::uint64_t launched = 0;
  for (const json& event : events) {
    bytes += event.value("bytes", std::uint64_t{0});
    if (event["event"] == "launch") launched += event["count"].get<std::uint64_t>();
  }
  EXPECT_EQ(bytes, 700U);
  EXPECT_EQ(launched, 100U);
}

}  // namespace
}  // namespace warpmark
