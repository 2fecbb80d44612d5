// What host code and device handed to one another in two calls, and whether it shows that the host knows the
// data.
#include "harness/judge/checks/host_knowledge.h"

#include <vector>

#include <gtest/gtest.h>

#include "harness/judge/workers/device_record.h"

namespace warpmark::judge {
namespace {

wire::Handover launch(std::uint64_t blocks, std::uint64_t argument) {
  return {.what = "add", .launch = true, .values = {blocks, 1, 1, 256, 1, 1, 0, 42, argument}};
}

wire::Handover copy(bool to_host, std::uint64_t contents) {
  return {.what = "cudaMemcpyAsync", .to_host = to_host, .values = {4, 7, contents}};
}

TEST(Handovers, that_are_the_same_show_nothing) {
  EXPECT_FALSE(unexplained({}, {}));
  EXPECT_FALSE(unexplained({launch(4, 1), copy(true, 5)}, {launch(4, 1), copy(true, 5)}));
  auto elsewhere = launch(4, 1);
  elsewhere.frames = {1, 2};
  EXPECT_FALSE(unexplained({launch(4, 1)}, {elsewhere})) << "where it was called from is no matter";
}

TEST(Handovers, that_differ_without_a_copy_to_the_host_are_found) {
  const auto argument = unexplained({launch(4, 1), launch(4, 1)}, {launch(4, 1), launch(4, 2)});
  ASSERT_TRUE(argument);
  EXPECT_EQ(argument->number, 1U);
  EXPECT_EQ(argument->value, wire::kFirstArgument + 1);
  EXPECT_EQ(unexplained({launch(4, 1)}, {launch(5, 1)})->value, 0U) << "the grid";
  EXPECT_EQ(unexplained({copy(false, 1)}, {copy(false, 2)})->value, 2U) << "what was copied to the device";
  EXPECT_FALSE(unexplained({copy(false, 1)}, {launch(4, 1)})->value);
}

TEST(Handovers, of_one_call_alone_are_found) {
  const auto more = unexplained({launch(4, 1)}, {launch(4, 1), launch(4, 1)});
  ASSERT_TRUE(more);
  EXPECT_EQ(more->number, 1U);
  EXPECT_FALSE(more->value);
}

TEST(Handovers, may_differ_once_the_host_was_shown_what_differs) {
  EXPECT_FALSE(unexplained({copy(true, 5), launch(4, 1)}, {copy(true, 6), launch(9, 2), launch(1, 1)}));
}

TEST(Handovers, are_not_explained_by_a_copy_of_what_is_the_same) {
  EXPECT_EQ(unexplained({copy(true, 5), launch(4, 1)}, {copy(true, 5), launch(4, 2)})->number, 1U);
  EXPECT_EQ(unexplained({launch(4, 1), copy(true, 5)}, {launch(4, 2), copy(true, 6)})->number, 0U)
      << "nor by a later copy";
}

TEST(WhatIsDoneBeforeACall, counts_as_the_calls_with_its_copies_and_handovers) {
  wire::Observation before;
  before.launches.resize(1);
  before.transfers.push_back({.direction = wire::Direction::host_to_device, .bytes = 8});
  before.handovers = {launch(1, 7)};
  wire::Observation call;
  call.transfers.push_back({.direction = wire::Direction::device_to_host, .bytes = 4});
  call.handovers = {launch(2, 7)};
  count_as_the_calls(before, call);
  ASSERT_EQ(call.transfers.size(), 2U);
  EXPECT_EQ(call.transfers[0].bytes, 8U);
  EXPECT_EQ(call.transfers[1].launches_before, 1U);
  EXPECT_EQ(call.handovers, (std::vector{launch(1, 7), launch(2, 7)}));
}

}  // namespace
}  // namespace warpmark::judge
