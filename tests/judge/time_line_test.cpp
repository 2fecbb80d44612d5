#include "harness/judge/checks/time_line.h"

#include <initializer_list>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::judge {
namespace {

using testing::HasSubstr;

constexpr auto kToHost = wire::Direction::device_to_host;

wire::AuditEvent transfer(std::uint64_t bytes, std::uint64_t count = 1,
                          wire::Direction direction = wire::Direction::host_to_device) {
  wire::AuditEvent event;
  event.transfer = {direction, wire::TransferKind::copy, bytes};
  event.count = count;
  return event;
}
wire::AuditEvent launch(const char* kernel, std::uint64_t count) {
  wire::AuditEvent event;
  event.launch = {kernel};
  event.count = count;
  return event;
}
wire::Observation seen(std::initializer_list<wire::AuditEvent> events) {
  wire::Observation observation;
  observation.events.emplace(events);
  return observation;
}

TEST(TimeLine, keeps_transfers_and_launches_in_one_order) {
  TimeLine line;
  line.add(seen({transfer(8), launch("k", 3), transfer(4)}), "v", Phase::call);
  ASSERT_EQ(line.transfers.size(), 2U);
  ASSERT_EQ(line.launches.size(), 1U);
  EXPECT_EQ(line.transfers[0].order, 0U);
  EXPECT_EQ(line.launches[0].order, 1U);
  EXPECT_EQ(line.launches[0].count, 3U);
  EXPECT_EQ(line.transfers[1].order, 2U);
}

TEST(TimeLine, places_what_crossed_to_the_device) {
  wire::AuditEvent in = transfer(8);
  in.transfer->frames = {7};
  wire::AuditEvent back = transfer(8, 1, kToHost);
  back.transfer->frames = {7};
  TimeLine line;
  line.add(seen({in, back, transfer(8)}), "v", Phase::call, std::nullopt,
           [](AuditedTransfer& transfer, const std::vector<std::uint64_t>& frames) {
             transfer.line = static_cast<int>(frames.front());
           });
  EXPECT_EQ(line.transfers[0].line, 7);
  EXPECT_EQ(line.transfers[1].line, 0);
  EXPECT_EQ(line.transfers[2].line, 0);
}

TEST(TimeLine, marks_the_harness_s_own_copy_once) {
  TimeLine line;
  EXPECT_TRUE(line.add(seen({transfer(5), transfer(77), transfer(77)}), "v", Phase::between,
                       OwnCopy{wire::Direction::host_to_device, 77}));
  EXPECT_FALSE(line.transfers[0].canary);
  EXPECT_TRUE(line.transfers[1].canary);
  EXPECT_FALSE(line.transfers[2].canary);
}

TEST(TimeLine, takes_the_harness_s_own_copy_out_of_an_event_of_several) {
  TimeLine line;
  EXPECT_TRUE(
      line.add(seen({transfer(100, 3)}), "v", Phase::between, OwnCopy{wire::Direction::host_to_device, 77}));
  ASSERT_EQ(line.transfers.size(), 2U);
  EXPECT_TRUE(line.transfers[0].canary);
  EXPECT_EQ(line.transfers[0].bytes, 77U);
  EXPECT_EQ(line.transfers[1].bytes, 23U);
  EXPECT_EQ(line.transfers[1].count, 2U);
}

TEST(TimeLine, does_not_take_another_copy_for_its_own) {
  TimeLine line;
  EXPECT_FALSE(line.add(seen({transfer(78), transfer(77, 1, kToHost)}), "v", Phase::between,
                        OwnCopy{wire::Direction::host_to_device, 77}));
}

TEST(TimeLine, counts_time_from_the_first_event) {
  TimeLine line;
  wire::AuditEvent first = transfer(1);
  first.when = {5'000'000, 5'001'000};
  wire::AuditEvent second = transfer(2);
  second.when = {7'000'000, 7'500'000};
  line.add(seen({first}), "upload", Phase::call);
  line.add(seen({second}), "v", Phase::call);
  ASSERT_TRUE(line.transfers[1].when.has_value());
  EXPECT_EQ(line.transfers[0].when->start_us, 0);
  EXPECT_EQ(line.transfers[1].when->start_us, 2000);
  EXPECT_EQ(line.transfers[1].when->end_us, 2500);
  EXPECT_THAT(text_of(sent_to_device(line.transfers)[1]), HasSubstr("(2.00 to 2.50 ms into the audit)"));
}

TEST(SentToDevice, adds_up_by_version_phase_and_kind) {
  TimeLine line;
  line.add(seen({transfer(8), transfer(5, 1, kToHost)}), "v", Phase::load);
  line.add(seen({transfer(8, 2)}), "v", Phase::call);
  line.add(seen({transfer(1)}), "w", Phase::call);
  const auto sent = sent_to_device(line.transfers);
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[0].bytes, 16U);
  EXPECT_EQ(text_of(sent[0]),
            "8 bytes in 1 copy while its library was loaded, and 8 bytes in 2 copies during its call");
  EXPECT_EQ(text_of(sent[1]), "1 bytes in 1 copy during its call");
}

}  // namespace
}  // namespace warpmark::judge
