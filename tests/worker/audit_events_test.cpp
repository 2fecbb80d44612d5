#include "harness/wire/audit_events.h"

#include <gtest/gtest.h>

namespace warpmark {
namespace {

using wire::Direction;

wire::Transfer copy(std::uint64_t bytes, std::uint64_t launches_before,
                    Direction direction = Direction::host_to_device) {
  return {.direction = direction, .bytes = bytes, .launches_before = launches_before, .when = {}};
}
wire::Launch launch(const char* kernel) {
  return {.kernel = kernel, .work = {}, .when = {}};
}
std::vector<wire::AuditEvent> events_of(std::vector<wire::Launch> launches,
                                        std::vector<wire::Transfer> transfers, std::size_t most = 2000) {
  wire::Observation seen;
  seen.launches = std::move(launches);
  seen.transfers = std::move(transfers);
  return in_order(seen, most).events.value();
}

TEST(InOrder, puts_launches_and_transfers_in_order) {
  const auto events = events_of({launch("first"), launch("second")}, {copy(8, 0), copy(4, 1)});
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0].transfer.value().bytes, 8U);
  EXPECT_EQ(events[1].launch.value().kernel, "first");
  EXPECT_EQ(events[2].transfer.value().bytes, 4U);
  EXPECT_EQ(events[3].launch.value().kernel, "second");
}

TEST(InOrder, makes_one_of_neighbours_of_the_same_sort) {
  const auto events =
      events_of({launch("k"), launch("k")}, {copy(8, 0), copy(5, 0), copy(3, 0, Direction::device_to_host)});
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].transfer.value().bytes, 13U);
  EXPECT_EQ(events[0].count, 2U);
  EXPECT_EQ(events[1].count, 1U);
  EXPECT_EQ(events[2].count, 2U);
}

TEST(InOrder, spans_the_times_of_what_it_makes_one) {
  wire::Transfer first = copy(8, 0);
  first.when = {10, 20};
  wire::Transfer second = copy(8, 0);
  second.when = {30, 40};
  const auto events = events_of({}, {first, second});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].when, (wire::Period{10, 40}));
}

TEST(InOrder, keeps_copies_from_different_places_apart_until_there_are_too_many) {
  const auto from = [](std::uint64_t frame) {
    wire::Transfer transfer = copy(8, 0);
    transfer.frames = {frame};
    return transfer;
  };
  const auto events = events_of({}, {from(1), from(1), from(2)});
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].transfer->bytes, 16U);
  EXPECT_EQ(events[1].transfer->frames, std::vector<std::uint64_t>{2});
  const auto few = events_of({}, {from(1), from(2), from(3), from(4)}, 2);
  ASSERT_EQ(few.size(), 2U);
  EXPECT_EQ(few[1].transfer->bytes, 24U) << "no byte is lost";
}

TEST(InOrder, keeps_findings_and_notes) {
  wire::Observation seen;
  seen.findings.emplace_back().message = "found";
  seen.notes.push_back({"k", "noted"});
  const wire::Observation ordered = in_order(seen);
  EXPECT_EQ(ordered.findings, seen.findings);
  EXPECT_EQ(ordered.notes, seen.notes);
}

TEST(InOrder, stays_short_and_loses_no_byte) {
  std::vector<wire::Launch> launches;
  std::vector<wire::Transfer> transfers;
  for (std::size_t i = 0; i < 100; ++i) {
    transfers.push_back(copy(7, i));
    launches.push_back(launch("k"));
  }
  const auto events = events_of(launches, transfers, 10);
  EXPECT_LE(events.size(), 12U);
  std::uint64_t bytes = 0;
  std::uint64_t launched = 0;
  for (const wire::AuditEvent& event : events) {
    if (event.transfer) bytes += event.transfer->bytes;
    if (event.launch) launched += event.count;
  }
  EXPECT_EQ(bytes, 700U);
  EXPECT_EQ(launched, 100U);
}

}  // namespace
}  // namespace warpmark
