#include "harness/base/processor_time.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpmark {
namespace {

constexpr std::string_view kStat =
    "cpu  100 1 20 800 30 2 3 44 5 6\ncpu0 1 1 1 1\ncpu1 10 0 5 80 5 0 0 0 0 0\nintr 12\n";

TEST(ParseCpuTime, adds_up_the_first_line) {
  const CpuTime time = parse_cpu_time(kStat);
  EXPECT_EQ(time.all, 1000);
  EXPECT_EQ(time.idle, 830);
  EXPECT_EQ(time.stolen, 44);
  EXPECT_EQ(parse_cpu_time("").all, 0);
}

TEST(ParseCpuTime, takes_the_line_of_one_processor) {
  EXPECT_EQ(parse_cpu_time(kStat, "cpu1").all, 100);
  EXPECT_EQ(parse_cpu_time(kStat, "cpu1").idle, 85);
  EXPECT_EQ(parse_cpu_time(kStat, "cpu2").all, 0);
}

TEST(ParseProcessTime, finds_the_parent_behind_any_name) {
  const ProcessTime time =
      parse_process_time("812 (a ) R 1 (b) S 77 812 812 0 -1 4194560 1 2 3 4 500 60 7 8 20 0 1 0 99");
  EXPECT_EQ(time.parent, 77);
  EXPECT_EQ(time.used, 575);
  EXPECT_EQ(parse_process_time("").used, 0);
}

TEST(UsedByTree, counts_the_process_and_all_below_it) {
  const std::map<pid_t, ProcessTime> processes{{1, {0, 1000}}, {10, {1, 100}}, {11, {10, 20}},
                                               {12, {11, 3}},  {20, {1, 500}}, {21, {99, 7}}};
  EXPECT_EQ(used_by_tree(processes, 10), 123);
  EXPECT_EQ(used_by_tree(processes, 12), 3);
  EXPECT_EQ(used_by_tree({{5, {6, 1}}, {6, {5, 1}}}, 10), 0) << "a ring, as reused numbers can make one";
}

// Ours, and that of a child which has not been waited for.
TEST(SecondsTakenByOthers, leaves_out_what_we_and_our_children_use) {
  constexpr double kOurs = 0.5;   // seconds, of this process alone
  constexpr double kTicks = 0.2;  // what is not seen to the tick
  const auto begin = std::chrono::steady_clock::now();
  const double taken_before = seconds_taken_by_others();
  const pid_t child = ::fork();
  for (const std::clock_t start = std::clock(); std::clock() - start < kOurs * CLOCKS_PER_SEC;) {
  }
  if (child == 0) ::pause();
  ASSERT_GT(child, 0);
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double taken = seconds_taken_by_others() - taken_before;
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_LT(taken, std::thread::hardware_concurrency() * elapsed - kOurs + kTicks);
  EXPECT_GT(taken, -kTicks);
}

// What somebody uses who is not of our tree: a grandchild whose parent has ended.
TEST(SecondsTakenByOthers, holds_what_a_stranger_uses) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (const pid_t stranger = ::fork(); stranger != 0) {
      static_cast<void>(!::write(ready[1], &stranger, sizeof stranger));
      ::_exit(0);
    }
    for (;;) {
    }
  }
  pid_t stranger = 0;
  ASSERT_EQ(::read(ready[0], &stranger, sizeof stranger), static_cast<ssize_t>(sizeof stranger));
  ::waitpid(child, nullptr, 0);
  const double taken_before = seconds_taken_by_others();
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  const double taken = seconds_taken_by_others() - taken_before;
  ::kill(stranger, SIGKILL);
  ::close(ready[0]);
  ::close(ready[1]);
  EXPECT_GT(taken, 0.1);
}

// Where all of them share one processor, threads get no more done than one does, whatever /proc says.
TEST(SpreadOverCores, takes_hyperthreads_last) {
  const auto siblings = [](int cpu) { return cpu < 4 ? std::to_string(cpu / 2) + ",x" : std::string(); };
  EXPECT_EQ(spread_over_cores({0, 1, 2, 3}, 2, siblings), (std::vector<int>{0, 2}));
  EXPECT_EQ(spread_over_cores({0, 1, 2, 3}, 3, siblings), (std::vector<int>{0, 2, 1}));
  EXPECT_EQ(spread_over_cores({1, 4, 5}, 3, siblings), (std::vector<int>{1, 4, 5}))
      << "nothing is known of 4 and 5";
  EXPECT_TRUE(spread_over_cores({0, 1}, 3, siblings).empty());
}

TEST(CoresAtOnce, threads_of_one_processor_are_one_core) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  CPU_SET(first, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  std::vector<double> seen;
  for (int i = 0; i < 9; ++i) seen.push_back(cores_at_once(3));
  EXPECT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
  std::ranges::sort(seen);
  EXPECT_LT(seen[4], 1.5);
  EXPECT_GT(seen[4], 0.3);
}

// The best of several looks: others may have the cores for a while.
TEST(CoresAtOnce, one_thread_is_one_core) {
  double best = 0;
  for (int i = 0; i < 9; ++i) best = std::max(best, cores_at_once(1));
  EXPECT_GT(best, 0.8);
}

}  // namespace
}  // namespace warpmark
