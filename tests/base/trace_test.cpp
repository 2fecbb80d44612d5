#include "harness/base/trace.h"

#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

namespace warpmark {
namespace {

using namespace std::chrono_literals;

const Trace::Event* find(const std::vector<Trace::Event>& events, std::string_view name) {
  const auto found = std::ranges::find(events, name, &Trace::Event::name);
  return found == events.end() ? nullptr : &*found;
}

TEST(Trace, OwnSecondsLeaveOutWhatASpanContains) {
  const Trace trace;
  {
    const TraceSpan outer("outside", "outer");
    const TraceSpan inner("inside", "inner");
    std::this_thread::sleep_for(30ms);
  }
  const auto events = trace.events();
  ASSERT_EQ(events.size(), 2U);
  const auto* outer = find(events, "outer");
  const auto* inner = find(events, "inner");
  ASSERT_TRUE(outer != nullptr && inner != nullptr);
  EXPECT_EQ(outer->lane, inner->lane);
  EXPECT_LE(outer->begin_seconds, inner->begin_seconds);
  EXPECT_GE(outer->seconds, inner->seconds);
  EXPECT_GE(inner->own_seconds, 0.03);
  EXPECT_LT(outer->own_seconds, inner->own_seconds);
  const auto sums = trace.sums();
  ASSERT_EQ(sums.size(), 2U);
  EXPECT_EQ(sums.front().kind, "inside");
  EXPECT_GE(sums.back().in_all, sums.front().in_all) << "of the outer span with the inner one";
}

TEST(Trace, ThreadsAtOnceHaveLanesOfTheirOwnAndLaterOnesReuseThem) {
  const Trace trace;
  {
    const TraceSpan here("kind", "here");
    std::thread([] { const TraceSpan there("kind", "there"); }).join();
    std::thread([] { const TraceSpan later("kind", "later"); }).join();
  }
  const auto events = trace.events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_NE(find(events, "here")->lane, find(events, "there")->lane);
  EXPECT_EQ(find(events, "later")->lane, find(events, "there")->lane);
}

TEST(Trace, WithoutOneNothingIsRecorded) {
  { const TraceSpan nobody("kind", "unseen"); }
  const Trace trace;
  EXPECT_TRUE(trace.events().empty());
}

}  // namespace
}  // namespace warpmark
