// Launches that need not run again.
#include "harness/simulator/device/launch/repeated_launches.h"

#include "harness/simulator/ptx/program.h"
#include "harness/simulator/watch/footprint.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

constexpr const char* kCopy = "ld.global.u32 %r10, [%rd3]; st.global.u32 [%rd4], %r10;";

class RepeatedLaunch : public testing::Test {
 protected:
  // Whether the launch had to run.
  bool runs(Address first, Address second, LaunchOptions options = {.host_threads = 1},
            Dim3 cluster = {1, 1, 1}) {
    const std::array<const void*, 2> arguments{&first, &second};
    const LaunchParameters launch{.kernel = device.module->find("k"),
                                  .grid = {2},
                                  .block = {64},
                                  .arguments = arguments.data(),
                                  .cluster = cluster};
    if (known.outcome_of(launch, options, device.memory) != nullptr) return false;
    const std::uint64_t before = device.memory.changes();
    const Outcome outcome = run(launch, options, device.memory);
    EXPECT_TRUE(outcome.completed);
    known.ran(launch, options, outcome, before, device.memory);
    return true;
  }

  SimulatedDevice device;
  RepeatedLaunches known;
};

TEST_F(RepeatedLaunch, does_not_run_once_it_has_changed_nothing) {
  device.load(kernel_text(kCopy));
  const Address in = device.upload(counting(128));
  const Address out = device.upload(std::vector<std::int32_t>(128, -1));
  EXPECT_TRUE(runs(in, out));
  EXPECT_TRUE(runs(in, out)) << "the first one changed memory";
  EXPECT_FALSE(runs(in, out));
  EXPECT_FALSE(runs(in, out));
  EXPECT_EQ(device.download<std::int32_t>(out, 128), counting(128));
}

TEST_F(RepeatedLaunch, says_which_memory_it_used_where_that_is_asked) {
  device.load(kernel_text(kCopy));
  const Address in = device.upload(counting(128));
  const Address out = device.upload(counting(128));
  const std::array<const void*, 2> arguments{&in, &out};
  const LaunchParameters launch{
      .kernel = device.module->find("k"), .grid = {2}, .block = {64}, .arguments = arguments.data()};
  const Program& program = program_of(*launch.kernel);
  const auto run_with = [&](FootprintRecorder& recorder, bool asked) {
    const LaunchOptions options{.host_threads = 1, .check_accesses = true, .footprint = &recorder};
    if (known.outcome_of(launch, options, device.memory, asked) != nullptr) return false;
    const std::uint64_t before = device.memory.changes();
    known.ran(launch, options, run(launch, options, device.memory), before, device.memory, asked);
    return true;
  };
  FootprintRecorder unasked(device.memory, true);
  EXPECT_TRUE(run_with(unasked, false));
  FootprintRecorder first(device.memory, true);
  EXPECT_TRUE(run_with(first, true)) << "nobody knows which memory it used";
  FootprintRecorder second(device.memory, true);
  EXPECT_FALSE(run_with(second, true));
  const Footprint used = second.footprint(program);
  EXPECT_EQ(used, first.footprint(program));
  ASSERT_EQ(used.reads.size(), 1U);
  EXPECT_EQ(used.reads[0].begin, in);
  EXPECT_EQ(used.reads[0].end, in + 512);
  ASSERT_EQ(used.writes.size(), 1U);
  EXPECT_EQ(used.writes[0].begin, out);
}

TEST_F(RepeatedLaunch, runs_when_the_host_has_changed_memory) {
  device.load(kernel_text(kCopy));
  const Address in = device.upload(counting(128));
  const Address out = device.upload(counting(128));
  EXPECT_TRUE(runs(in, out));
  EXPECT_FALSE(runs(in, out));
  std::memset(device.memory.host_view(in, 4), 9, 4);
  device.memory.written_by_host(in, 4);
  EXPECT_TRUE(runs(in, out));
  EXPECT_EQ(device.download<std::int32_t>(out, 1)[0], 0x09090909);
}

TEST_F(RepeatedLaunch, runs_when_another_one_has_changed_memory) {
  device.load(kernel_text(kCopy));
  const Address in = device.upload(counting(128));
  const Address out = device.upload(counting(128));
  const Address other = device.upload(counting(128, 7));
  EXPECT_TRUE(runs(in, out));
  EXPECT_TRUE(runs(other, in));
  EXPECT_TRUE(runs(in, out));
  EXPECT_EQ(device.download<std::int32_t>(out, 128), counting(128, 7));
}

TEST_F(RepeatedLaunch, is_one_of_several_that_take_turns) {
  device.load(kernel_text(kCopy));
  const Address in = device.upload(counting(128));
  const Address out = device.upload(counting(128));
  const Address other = device.upload(counting(128));
  EXPECT_TRUE(runs(in, out));
  EXPECT_TRUE(runs(in, other));
  EXPECT_FALSE(runs(in, out));
  EXPECT_FALSE(runs(in, other));
}

TEST_F(RepeatedLaunch, runs_when_it_is_checked_or_ordered_in_another_way) {
  device.load(kernel_text(kCopy));
  const Address in = device.upload(counting(128));
  const Address out = device.upload(counting(128));
  EXPECT_TRUE(runs(in, out));
  EXPECT_TRUE(runs(in, out, {.schedule = 5, .host_threads = 1}));
  EXPECT_TRUE(runs(in, out, {.host_threads = 1, .check_accesses = true}));
  EXPECT_TRUE(runs(in, out, {.host_threads = 1, .count_work = true}));
  EXPECT_FALSE(runs(in, out));
}

TEST_F(RepeatedLaunch, runs_when_its_blocks_form_other_clusters_or_it_begins_with_another_block) {
  device.load(kernel_text(kCopy));
  const Address in = device.upload(counting(128));
  const Address out = device.upload(counting(128));
  EXPECT_TRUE(runs(in, out));
  EXPECT_TRUE(runs(in, out, {.host_threads = 1}, {2, 1, 1}));
  EXPECT_FALSE(runs(in, out, {.host_threads = 1}, {2, 1, 1}));
  EXPECT_TRUE(runs(in, out, {.first_block = 1, .host_threads = 1}));
}

TEST_F(RepeatedLaunch, gives_the_counts_of_the_one_before) {
  device.load(kernel_text(kCopy));
  Address in = device.upload(counting(128));
  Address out = device.upload(counting(128));
  const std::array<const void*, 2> arguments{&in, &out};
  const LaunchParameters launch{
      .kernel = device.module->find("k"), .grid = {2}, .block = {64}, .arguments = arguments.data()};
  const LaunchOptions options{.host_threads = 1, .count_work = true};
  EXPECT_EQ(known.outcome_of(launch, options, device.memory), nullptr);
  const Outcome ran = run(launch, options, device.memory);
  known.ran(launch, options, ran, device.memory.changes(), device.memory);
  const Outcome* again = known.outcome_of(launch, options, device.memory);
  ASSERT_NE(again, nullptr);
  ASSERT_TRUE(again->work && ran.work);
  EXPECT_EQ(again->work->lines.size(), ran.work->lines.size());
}

struct Lasting {
  const char* name;
  const char* body;
};
class RepeatedLaunchWithEffect : public RepeatedLaunch, public testing::WithParamInterface<Lasting> {};

TEST_P(RepeatedLaunchWithEffect, runs_each_time) {
  device.load(kernel_text(GetParam().body));
  const Address in = device.upload(counting(128, 1));
  const Address out = device.upload(counting(128));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(runs(in, out)) << i;
}

INSTANTIATE_TEST_SUITE_P(Effects, RepeatedLaunchWithEffect,
                         testing::Values(Lasting{"adds_each_time",
                                                 "ld.global.u32 %r10, [%rd4]; add.s32 %r10, %r10, 1; "
                                                 "st.global.u32 [%rd4], %r10;"},
                                         Lasting{"adds_through_a_generic_address",
                                                 "ld.u32 %r10, [%rd4]; add.s32 %r10, %r10, 1; "
                                                 "st.u32 [%rd4], %r10;"},
                                         Lasting{"adds_atomically", "red.global.add.u32 [%rd2], 1;"},
                                         Lasting{"reads_the_clock",
                                                 "mov.u64 %rd10, %clock64; setp.eq.u64 %p1, %rd10, 77777777; "
                                                 "@%p1 st.global.u64 [%rd4], %rd10;"}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(RepeatedLaunch, runs_each_time_when_it_reads_memory_that_the_host_can_write) {
  device.load(kernel_text(kCopy));
  const auto pinned = device.memory.allocate(512, Allocation::Kind::host_pinned);
  ASSERT_TRUE(pinned);
  const Address out = device.upload(std::vector<std::int32_t>(128, 0));
  for (const int value : {1, 2, 2, 3}) {
    std::memset(device.memory.host_view(*pinned, 512), value, 512);  // seen by nobody
    EXPECT_TRUE(runs(*pinned, out));
    EXPECT_EQ(device.download<std::int32_t>(out, 1)[0], value * 0x01010101);
  }
}

}  // namespace
}  // namespace warpmark::simulator::test
