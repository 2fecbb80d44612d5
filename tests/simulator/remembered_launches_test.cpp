// Launches that need not run because an equal one began with the same memory.
#include "harness/simulator/device/launch/remembered_launches.h"

#include <chrono>
#include <thread>

#include "harness/simulator/ptx/program.h"
#include "harness/simulator/watch/footprint.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

constexpr const char* kRememberedCopy = "ld.global.u32 %r10, [%rd3]; st.global.u32 [%rd4], %r10;";
constexpr const char* kAdd =
    "ld.global.u32 %r10, [%rd3]; ld.global.u32 %r11, [%rd4]; add.s32 %r10, %r10, %r11; "
    "st.global.u32 [%rd4], %r10;";
constexpr std::size_t kBytes = 512;

class RememberedLaunch : public testing::Test {
 protected:
  // Whether the launch had to run. It takes long enough to be worth a look at memory.
  bool runs(Address first, Address second, LaunchOptions options = {.host_threads = 1}) {
    const std::array<const void*, 2> arguments{&first, &second};
    const LaunchParameters launch{
        .kernel = device.module->find("k"), .grid = {2}, .block = {64}, .arguments = arguments.data()};
    bool ran = false;
    last = known.outcome_of(launch, options, device.memory, [&] {
      ran = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return run(launch, options, device.memory);
    });
    EXPECT_TRUE(last.completed);
    return ran;
  }
  void set(Address to, const std::vector<std::int32_t>& values) {
    std::memcpy(device.memory.host_view(to, kBytes), values.data(), kBytes);
    device.memory.written_by_host(to, kBytes);
  }
  std::vector<std::int32_t> at(Address from) { return device.download<std::int32_t>(from, 128); }
  static std::vector<std::int32_t> all(std::int32_t value) { return std::vector<std::int32_t>(128, value); }

  SimulatedDevice device;
  RememberedLaunches known;
  Outcome last;
};

TEST_F(RememberedLaunch, does_not_run_where_its_data_were_restored) {
  device.load(kernel_text(kAdd));
  const Address in = device.upload(all(5));
  const Address sum = device.upload(all(1));
  EXPECT_TRUE(runs(in, sum)) << "nobody knows how long it takes";
  for (int i = 0; i < 4; ++i) {
    set(sum, all(1));
    EXPECT_EQ(runs(in, sum), i == 0) << i;
    EXPECT_EQ(at(sum), all(6)) << i;
  }
}

TEST_F(RememberedLaunch, runs_on_other_data) {
  device.load(kernel_text(kAdd));
  const Address in = device.upload(all(5));
  const Address sum = device.upload(all(0));
  for (int i = 1; i <= 5; ++i) {
    EXPECT_TRUE(runs(in, sum)) << "it goes on from what it left";
    EXPECT_EQ(at(sum), all(5 * i));
  }
  set(sum, all(5));
  EXPECT_FALSE(runs(in, sum));
  EXPECT_EQ(at(sum), all(10));
  EXPECT_FALSE(runs(in, sum)) << "as after its second run";
  EXPECT_EQ(at(sum), all(15));
}

TEST_F(RememberedLaunch, runs_after_another_one_that_nobody_asked_for) {
  device.load(kernel_text(kRememberedCopy));
  const Address in = device.upload(all(5));
  const Address out = device.upload(all(1));
  for (int i = 0; i < 3; ++i) runs(in, out);
  EXPECT_FALSE(runs(in, out));
  std::ranges::fill(std::span(device.memory.host_view(in, kBytes), kBytes), std::byte{3});  // by that one
  known.another_ran();
  EXPECT_TRUE(runs(in, out));
  EXPECT_EQ(at(out), all(0x03030303));
}

TEST_F(RememberedLaunch, is_the_same_where_memory_was_allocated_anew) {
  device.load(kernel_text(kRememberedCopy));
  const Address in = device.upload(all(5));
  for (int i = 0; i < 4; ++i) {
    const Address out = device.allocate(kBytes);
    EXPECT_EQ(runs(in, out), i < 2) << i;
    EXPECT_EQ(at(out), all(5)) << i;
    EXPECT_TRUE(device.memory.release(out));
  }
}

TEST_F(RememberedLaunch, runs_where_memory_points_to_what_was_allocated_anew) {
  device.load(
      kernel_text("ld.global.u64 %rd10, [%rd1]; add.s64 %rd10, %rd10, %rd5; ld.global.u32 %r10, [%rd10]; "
                  "st.global.u32 [%rd4], %r10;"));
  const Address out = device.upload(all(0));
  const Address pointer = device.upload(std::vector<Address>{0});
  for (int i = 0; i < 4; ++i) {
    const Address in = device.upload(all(5));
    std::memcpy(device.memory.host_view(pointer, 8), &in, 8);
    device.memory.written_by_host(pointer, 8);
    EXPECT_TRUE(runs(pointer, out)) << i;
    EXPECT_TRUE(device.memory.release(in));
  }
}

TEST_F(RememberedLaunch, sets_what_nobody_had_set) {
  device.load(kernel_text(kRememberedCopy));
  const Address in = device.upload(all(5));
  const LaunchOptions checked{.host_threads = 1, .check_accesses = true};
  for (int i = 0; i < 4; ++i) {
    const Address out = device.allocate(kBytes + 4);
    EXPECT_EQ(runs(in, out, checked), i < 2) << i;
    const auto unset = device.memory.undefined_in(out, kBytes + 4);
    EXPECT_EQ(unset.bytes, 4U) << i;
    EXPECT_EQ(unset.first, kBytes) << i;
    EXPECT_TRUE(device.memory.release(out));
  }
}

TEST_F(RememberedLaunch, says_which_memory_it_would_have_used) {
  device.load(kernel_text(kRememberedCopy));
  const Address in = device.upload(all(5));
  for (int i = 0; i < 4; ++i) {
    const Address out = device.allocate(kBytes);
    FootprintRecorder recorder(device.memory, true);
    EXPECT_EQ(runs(in, out, {.host_threads = 1, .check_accesses = true, .footprint = &recorder}), i < 2);
    const Footprint used = recorder.footprint(program_of(*device.module->find("k")));
    ASSERT_EQ(used.reads.size(), 1U);
    EXPECT_EQ(used.reads[0].begin, in);
    ASSERT_EQ(used.writes.size(), 1U);
    EXPECT_EQ(used.writes[0].begin, out);
    EXPECT_EQ(used.writes[0].end, out + kBytes);
    EXPECT_TRUE(device.memory.release(out));
  }
}

TEST_F(RememberedLaunch, runs_when_it_is_checked_or_ordered_in_another_way) {
  device.load(kernel_text(kRememberedCopy));
  const Address in = device.upload(all(5));
  const Address out = device.upload(all(1));
  for (int i = 0; i < 3; ++i) runs(in, out);
  EXPECT_FALSE(runs(in, out));
  EXPECT_TRUE(runs(in, out, {.schedule = 5, .host_threads = 1}));
  EXPECT_TRUE(runs(in, out, {.host_threads = 1, .check_accesses = true}));
  EXPECT_TRUE(runs(in, out, {.host_threads = 1, .count_work = true}));
}

TEST_F(RememberedLaunch, gives_the_counts_of_the_one_before) {
  device.load(kernel_text(kRememberedCopy));
  const Address in = device.upload(all(5));
  const Address out = device.upload(all(1));
  const LaunchOptions counting{.host_threads = 1, .count_work = true};
  for (int i = 0; i < 3; ++i) runs(in, out, counting);
  ASSERT_TRUE(last.work);
  const auto lines = last.work->lines.size();
  EXPECT_FALSE(runs(in, out, counting));
  ASSERT_TRUE(last.work);
  EXPECT_EQ(last.work->lines.size(), lines);
}

TEST_F(RememberedLaunch, runs_each_time_when_it_reads_the_clock) {
  device.load(kernel_text("mov.u64 %rd10, %clock64; cvt.u32.u64 %r10, %rd10; st.global.u32 [%rd4], %r10;"));
  const Address in = device.upload(all(5));
  const Address out = device.upload(all(1));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(runs(in, out)) << i;
}

TEST_F(RememberedLaunch, runs_when_the_host_has_changed_memory_without_a_call) {
  device.load(kernel_text(kRememberedCopy));
  const auto managed = device.memory.allocate(kBytes, Allocation::Kind::managed);
  ASSERT_TRUE(managed);
  const Address out = device.upload(all(0));
  for (const int value : {1, 2, 3, 4, 3, 4}) {
    std::memset(device.memory.host_view(*managed, kBytes), value, kBytes);  // seen by nobody
    runs(*managed, out);
    EXPECT_EQ(at(out), all(value * 0x01010101));
  }
}

TEST_F(RememberedLaunch, runs_each_time_when_it_talks_to_the_host) {
  device.load(kernel_text("ld.volatile.global.u32 %r10, [%rd3]; st.global.u32 [%rd4], %r10;"));
  const auto managed = device.memory.allocate(kBytes, Allocation::Kind::managed);
  ASSERT_TRUE(managed);
  const Address out = device.upload(all(0));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(runs(*managed, out)) << i;
}

}  // namespace
}  // namespace warpmark::simulator::test
