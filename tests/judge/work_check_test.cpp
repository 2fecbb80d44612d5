// `work`: from a worker's counts to the counters of a rubric, and from those to causes.
#include "harness/judge/checks/work_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/counters.h"
#include "harness/judge/cases/counted.h"
#include "harness/judge/selection.h"
#include "tests/judge/checks_fixture.h"

namespace warpmark::judge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

wire::Launch launch(wire::Size grid, wire::Size block,
                    std::initializer_list<std::pair<std::string_view, double>> counters) {
  wire::Launch launch;
  launch.kernel = "sum";
  launch.grid = grid;
  launch.block = block;
  wire::CountedWork& work = launch.work.emplace();
  for (const auto& [name, value] : counters) work.counters.set(name, value);
  return launch;
}

// 1,000 values: two launches of 10 blocks in all, 500 threads, 20 warps.
std::vector<wire::Launch> two_launches() {
  std::vector<wire::Launch> launches{launch({2, 4, 1}, {50, 1, 1},
                                            {{counter::kGlobalAtomics, 250},
                                             {counter::kSharedAtomics, 50},
                                             {counter::kLoadRequests, 30},
                                             {counter::kLoadSectors, 240},
                                             {counter::kSharedLoads, 60},
                                             {counter::kLoadConflicts, 7},
                                             {counter::kInstructions, 100},
                                             {counter::kActiveLanes, 32},
                                             {counter::kShuffles, 5},
                                             {counter::kBarriers, 35}}),
                                     launch({2, 1, 1}, {5, 10, 1},
                                            {{counter::kLoadRequests, 10},
                                             {counter::kLoadSectors, 80},
                                             {counter::kSharedStores, 20},
                                             {counter::kStoreConflicts, 1},
                                             {counter::kBarriers, 5}})};
  launches[0].work->stored_values = 12;
  launches[1].work->stored_values = 3;
  launches[0].work->real_operations = 7000;
  return launches;
}

TEST(WorkCounters, are_sums_over_all_launches_of_a_call_in_proportion) {
  for (const auto& [counter, value] : {std::pair{WorkCounter::atomics_a_value, 0.25},
                                       {WorkCounter::atomics_a_thread, 0.5},
                                       {WorkCounter::shared_atomics_a_thread, 0.1},
                                       {WorkCounter::threads_a_value, 0.5},
                                       {WorkCounter::block_y, 2.8},
                                       {WorkCounter::busy_threads_a_value, 0.5},
                                       {WorkCounter::instructions_a_value, 3.2},
                                       {WorkCounter::launches, 2},
                                       {WorkCounter::busy_launches, 1.6},
                                       {WorkCounter::library_share, 0},
                                       {WorkCounter::shuffles_a_warp, 0.25},
                                       {WorkCounter::span, 0},
                                       {WorkCounter::load_requests_a_value, 0.04},
                                       {WorkCounter::sectors_a_request, 8},
                                       {WorkCounter::bytes_read_a_value, 10.24},
                                       {WorkCounter::stores_a_block, 1.5},
                                       {WorkCounter::stores_a_thread, 0.03},
                                       {WorkCounter::real_operations_a_value, 7},
                                       {WorkCounter::shared_requests_a_warp, 4},
                                       {WorkCounter::conflicts_a_request, 0.1},
                                       {WorkCounter::barriers_a_block, 4}}) {
    EXPECT_DOUBLE_EQ(value_of(counter, {two_launches()}, 1000), value) << rule_of(counter).name;
  }
}

// 1,000 values: 16 blocks of 2 warps, of which half of the blocks loads 100 sectors by its first warp and the
// others wait.
std::vector<wire::Launch> half_idle(double sectors) {
  std::vector<wire::Launch> launches{launch({16, 1, 1}, {64, 1, 1},
                                            {{counter::kGlobalAtomics, 256},
                                             {counter::kLoadRequests, sectors},
                                             {counter::kLoadSectors, sectors},
                                             {counter::kSharedLoads, 80},
                                             {counter::kInstructions, 400},
                                             {counter::kActiveLanes, 16},
                                             {counter::kBarriers, 8}})};
  launches[0].work->stored_values = 8;
  launches[0].work->of_warps = {8 * 100 * 100, 4 * 1600 * 1600};
  launches[0].work->of_blocks = {8 * 100 * 100, 4 * 1600 * 1600};
  return launches;
}

TEST(WorkCounters, are_per_busy_warp_and_not_per_launched_one) {
  const DeviceWork work{half_idle(800)};
  for (const auto& [counter, value] : {std::pair{WorkCounter::threads_a_value, 1.024},
                                       {WorkCounter::busy_threads_a_value, 0.256},
                                       {WorkCounter::atomics_a_thread, 1},
                                       {WorkCounter::shared_requests_a_warp, 10},
                                       {WorkCounter::stores_a_block, 1},
                                       {WorkCounter::barriers_a_block, 1}}) {
    EXPECT_DOUBLE_EQ(value_of(counter, work, 1000), value) << rule_of(counter).name;
  }
}

TEST(WorkCounters, share_instructions_where_next_to_nothing_is_loaded) {
  // 6,400 instructions in all, 1,600 by each of four warps.
  EXPECT_DOUBLE_EQ(value_of(WorkCounter::busy_threads_a_value, {half_idle(8)}, 1000), 0.128);
}

TEST(WorkCounters, add_the_longest_warps_of_launches) {
  DeviceWork work{two_launches()};
  work.launches[0].work->longest_warp = 50;
  work.launches[1].work->longest_warp = 7;
  EXPECT_DOUBLE_EQ(value_of(WorkCounter::span, work, 1000), 57);
}

TEST(WorkCounters, tell_the_share_of_a_library) {
  DeviceWork work{half_idle(800)};
  work.launches.push_back(
      launch({1, 1, 1}, {64, 1, 1}, {{counter::kInstructions, 600}, {counter::kActiveLanes, 32}}));
  work.launches.back().of_library = true;
  EXPECT_DOUBLE_EQ(value_of(WorkCounter::library_share, work, 1000), 0.75);
}

TEST(WorkCounters, a_launch_without_loads_adds_no_busy_warps) {
  DeviceWork work{half_idle(800)};
  work.launches.push_back(launch({1000, 1, 1}, {64, 1, 1}, {{counter::kInstructions, 2000}}));
  EXPECT_DOUBLE_EQ(value_of(WorkCounter::barriers_a_block, work, 1000), 1);
}

TEST(WorkCounters, loads_of_constants_atomics_and_copies_on_the_device_are_loads) {
  DeviceWork work{half_idle(800)};
  work.launches[0].work->other_requests = work.launches[0].work->other_sectors = 200;
  EXPECT_DOUBLE_EQ(value_of(WorkCounter::load_requests_a_value, work, 1000), 1);
  EXPECT_DOUBLE_EQ(value_of(WorkCounter::bytes_read_a_value, work, 1000), 32);
  work.copied = 12'800;
  EXPECT_DOUBLE_EQ(value_of(WorkCounter::load_requests_a_value, work, 1000), 1.1);
  EXPECT_DOUBLE_EQ(value_of(WorkCounter::bytes_read_a_value, work, 1000), 44.8);
}

TEST(WorkCounters, are_all_listed_on_the_page_for_instructors) {
  const std::string page =
      read_file(std::filesystem::path(WARPMARK_ROOT) / "harness/assignments/WRITING.md").value_or("");
  for (const WorkCounterRule& rule : kWorkCounters)
    EXPECT_THAT(page, HasSubstr(fmt::format("\n| `{}` | {} |\n", rule.name, rule.title)));
}

TEST(WorkCounters, are_0_where_nothing_was_counted) {
  wire::Launch uncounted;
  uncounted.kernel = "sum";
  for (const WorkCounterRule& rule : kWorkCounters) {
    EXPECT_EQ(value_of(rule.counter, {}, 1000), 0) << rule.name;
    EXPECT_EQ(value_of(rule.counter, {{uncounted}}, 1000), 0) << rule.name;
  }
}

TEST(WorkLimit, holds_up_to_its_own_value) {
  EXPECT_TRUE((WorkLimit{WorkCounter::launches, false, 2, ""}.holds(2)));
  EXPECT_FALSE((WorkLimit{WorkCounter::launches, false, 2, ""}.holds(2.5)));
  EXPECT_TRUE((WorkLimit{WorkCounter::launches, true, 2, ""}.holds(2)));
  EXPECT_FALSE((WorkLimit{WorkCounter::launches, true, 2, ""}.holds(1.5)));
}

TEST(WorkLimit, names_what_is_to_be_limited_beside_it) {
  const auto bounds = [](WorkCounter counter, bool at_least, double limit) {
    const auto found = missing_bounds({counter, at_least, limit, ""}, {});
    return std::vector<WorkCounter>(found.begin(), found.end());
  };
  const auto of_loads = ElementsAre(WorkCounter::bytes_read_a_value, WorkCounter::load_requests_a_value);
  EXPECT_THAT(bounds(WorkCounter::atomics_a_thread, false, 0.02), of_loads);
  EXPECT_THAT(bounds(WorkCounter::atomics_a_thread, false, 0), IsEmpty()) << "nothing stays nothing";
  EXPECT_THAT(bounds(WorkCounter::atomics_a_thread, true, 0.5), IsEmpty()) << "idle threads do not help";
  EXPECT_THAT(bounds(WorkCounter::busy_threads_a_value, true, 0.5), of_loads);
  EXPECT_THAT(bounds(WorkCounter::busy_launches, true, 40), of_loads);
  EXPECT_THAT(bounds(WorkCounter::conflicts_a_request, false, 0.02),
              ElementsAre(WorkCounter::shared_requests_a_warp));
  EXPECT_THAT(bounds(WorkCounter::bytes_read_a_value, false, 6), IsEmpty());
  const WorkLimit atomics{WorkCounter::atomics_a_thread, false, 0.02, ""};
  EXPECT_THAT(missing_bounds(atomics, std::array{WorkLimit{WorkCounter::bytes_read_a_value, false, 6, ""}}),
              IsEmpty());
  EXPECT_THAT(missing_bounds(atomics, std::array{WorkLimit{WorkCounter::bytes_read_a_value, true, 6, ""}}),
              Not(IsEmpty()))
      << "a minimum bounds nothing";
}

// No limit of the course's own assignments can be kept by work that adds nothing to the answer.
TEST(WorkLimit, is_bounded_in_every_assignment) {
  const auto homes = all_assignments(WARPMARK_ROOT);
  ASSERT_TRUE(homes) << homes.error().message;
  for (const AssignmentHome& home : *homes) {
    const auto rubric = read_rubric(home);
    ASSERT_TRUE(rubric) << rubric.error().message;
    for (const VersionRule& version : rubric->versions) {
      for (const WorkLimit& limit : version.work)
        EXPECT_THAT(missing_bounds(limit, version.work), IsEmpty())
            << version.name << ": " << rule_of(limit.counter).name;
    }
  }
}

class LimitOfWork : public testing::Test {
 protected:
  void SetUp() override {
    const std::string text =
        "// <<< is in this comment\n"
        "__global__ void sum() {\n"
        "  a();\n"
        "  b();\n"
        "}\n"
        "void v() { sum<<<1, 1>>>(); }\n";
    ASSERT_TRUE(write_file(folder.path() / "v.cu", text));
    submission.folder = std::filesystem::canonical(folder.path());
    file.name = "v.cu";
    file.text = text;
    counted.n = 1000;
    counted.type = "int";
    for (const int line : {3, 4}) {
      CountedLine one;
      one.file = "v.cu";
      one.line = line;
      one.atomics = line == 4 ? 9 : 1;
      one.bank_conflicts = line == 3 ? 9 : 1;
      counted.lines.push_back(one);
    }
  }
  std::optional<Cause> judge(WorkCounter counter, double value) {
    return judge_limit({counter, false, 2, "use fewer"}, value, file, submission, which, counted);
  }

  const TemporaryFolder folder;
  Submission submission;
  SubmittedFile file;
  Case which{.type = "int", .data = "A", .n = 1000};
  Counted counted;
};

TEST_F(LimitOfWork, that_holds_is_shown_and_no_cause) {
  EXPECT_FALSE(judge(WorkCounter::atomics_a_value, 2));
  ASSERT_EQ(counted.limits.size(), 1U);
  EXPECT_TRUE(counted.limits[0].holds);
  EXPECT_EQ(counted.limits[0].counter, "atomics_a_value");
  EXPECT_EQ(counted.limits[0].value, 2);
  EXPECT_EQ(counted.limits[0].limit, 2);
}

TEST_F(LimitOfWork, that_does_not_hold_says_value_rule_and_lesson) {
  const auto cause = judge(WorkCounter::atomics_a_value, 3.5);
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->kind, CauseKind::too_much_work);
  EXPECT_EQ(cause->message,
            "global atomics per value: 3.5 in a call with 1000 values; required: at most 2; use fewer");
  EXPECT_EQ(cause->expected, "at most 2");
  EXPECT_EQ(cause->actual, "3.5");
  EXPECT_EQ(cause->n, 1000U);
  EXPECT_FALSE(counted.limits.at(0).holds);
}

TEST_F(LimitOfWork, that_does_not_hold_names_every_part_of_the_size) {
  which.n = 16384;
  which.size = Size({128, 128, 4});
  which.names = {"ny", "nx", "radius"};
  which.seed = 0x2a;
  const auto cause = judge(WorkCounter::atomics_a_value, 3.5);
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message, HasSubstr("3.5 in a call with ny = 128, nx = 128, radius = 4; required"));
  EXPECT_EQ(cause->sizes, (std::vector<SizePart>{{"ny", 128}, {"nx", 128}, {"radius", 4}}));
  EXPECT_EQ(cause->seed, "0x2a");
  EXPECT_THAT(command_again({}, "convolution", {"v", Check::work}, *cause), HasSubstr(" --size 128,128,4"));
}

TEST_F(LimitOfWork, that_does_not_hold_names_the_line_that_costs_most) {
  EXPECT_EQ(judge(WorkCounter::atomics_a_value, 3)->line, 4);
  EXPECT_EQ(judge(WorkCounter::conflicts_a_request, 3)->line, 3);
  EXPECT_THAT(judge(WorkCounter::conflicts_a_request, 3)->excerpt, testing::Not(IsEmpty()));
}

TEST_F(LimitOfWork, on_the_shape_of_a_launch_names_the_launch) {
  EXPECT_EQ(judge(WorkCounter::launches, 3)->line, 6);
  EXPECT_EQ(judge(WorkCounter::threads_a_value, 3)->line, 6);
}

class WorkOfFakes : public FakeChecks {
 protected:
  WorkOfFakes() {
    VersionRule rule;
    rule.name = "v";
    rule.checks = {Check::builds, Check::work};
    rule.work = {{WorkCounter::launches, false, 1, "launch once"}};
    course.rubric.versions = {rule};
    course.rubric.work.type = "int";
    course.rubric.work.size = 5000;
  }
  [[nodiscard]] CheckOutcome work(const std::string& behaviour) const {
    return check_work(bench(), "v", built(behaviour));
  }
};

TEST_F(WorkOfFakes, fails_with_what_the_call_fails_with) {
  EXPECT_THAT(kinds(work("zero").causes), ElementsAre("wrong_sum"));
  EXPECT_THAT(kinds(work("crashes").causes), ElementsAre("crashed"));
  EXPECT_THAT(kinds(work("not_loadable").causes), ElementsAre("compile_error"));
}

TEST_F(WorkOfFakes, of_a_call_without_a_kernel_fails) {
  EXPECT_THAT(kinds(work("on_the_cpu").causes), ElementsAre("no_kernel"));
}

TEST_F(WorkOfFakes, of_kernels_that_do_not_read_the_input_fails) {
  CountedCall counted;
  counted.which = {.type = "int", .data = "A", .n = 5000};
  counted.work.launches = {two_launches().front()};
  course.rubric.work.reads_at_least = 3;
  const auto causes = check_work(bench(), "v", built("sum"), &counted).causes;
  ASSERT_THAT(kinds(causes), ElementsAre("no_kernel"));
  EXPECT_THAT(causes.front().message, HasSubstr("reads at least 3"));
  course.rubric.work.reads_at_least = 0.1;
  EXPECT_THAT(check_work(bench(), "v", built("sum"), &counted).causes, IsEmpty());
}

TEST_F(WorkOfFakes, of_one_thread_fails) {
  CountedCall counted;
  counted.which = {.type = "int", .data = "A", .n = 5000};
  counted.work.launches = {two_launches().front()};
  counted.work.launches[0].work->longest_warp = 6001;
  counted.work.launches[0].work->stored_values = 5000;  // the fake's call, made once more, stores less
  course.rubric.work.span_at_most = 6000;
  const auto causes = check_work(bench(), "v", built("sum"), &counted).causes;
  ASSERT_THAT(kinds(causes), ElementsAre("too_much_work"));
  EXPECT_THAT(causes.front().message, HasSubstr("6001 instructions follow one another"));
  course.rubric.work.span_at_most = 6001;
  EXPECT_THAT(check_work(bench(), "v", built("sum"), &counted).causes, IsEmpty());
}

TEST_F(WorkOfFakes, is_not_asked_of_another_size_or_type) {
  EXPECT_FALSE(course.obstacle_to_work());
  course.focus.size = 5000;
  course.focus.type = "int";
  EXPECT_FALSE(course.obstacle_to_work()) << "to see it again";
  course.focus.size = 33;
  EXPECT_EQ(course.obstacle_to_work()->kind, CauseKind::not_calibrated);
  course.focus.size.reset();
  course.focus.type = "float";
  EXPECT_THAT(course.obstacle_to_work()->message, HasSubstr("5000 values of type int"));
}

class SharedWork : public FakeChecks {
 protected:
  SharedWork() {
    VersionRule rule;
    rule.name = "v";
    rule.checks = {Check::correct, Check::work};
    course.rubric.versions = {rule};
    course.rubric.work.type = "int";
    course.rubric.work.size = 1000;
  }
};

TEST_F(SharedWork, correct_counts_its_call_with_the_input_that_work_asks_for) {
  const auto counted = check_correct(bench(), "v", built("sum")).counted_call;
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->which.n, 1000U);
  EXPECT_EQ(counted->which.type, "int");
  EXPECT_EQ(counted->work.launches.size(), 1U);
  EXPECT_EQ(counted->multiprocessors, 1U);
  EXPECT_FALSE(check_correct(bench(), "v", built("sum", Engine::gpu)).counted_call) << "a GPU counts nothing";
  course.rubric.work.size = 999;
  const auto added = check_correct(bench(), "v", built("sum")).counted_call;
  ASSERT_TRUE(added) << "`correct` makes the call, although its own sizes lack it";
  EXPECT_EQ(added->which.n, 999U);
}

TEST_F(SharedWork, a_call_that_correct_counted_is_not_made_again) {
  CountedCall counted;
  counted.which = {.type = "int", .data = "A", .n = 1000};
  counted.work.launches = two_launches();
  counted.multiprocessors = 16;
  const auto outcome = check_work(bench(), "v", built("crashes"), &counted);
  EXPECT_THAT(outcome.causes, IsEmpty());
  ASSERT_TRUE(outcome.counted);
  EXPECT_EQ(outcome.counted->multiprocessors, 16U);
  EXPECT_THAT(kinds(check_work(bench(), "v", built("crashes")).causes), ElementsAre("crashed"));
}

}  // namespace
}  // namespace warpmark::judge
