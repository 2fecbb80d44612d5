// Versions in C++: how a rubric declares them, what is asked of them and where their files are looked for.
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/course.h"
#include "harness/judge/workers/causes.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::string_view kRubric = R"(title = "Sums"
contract = "sums.h"
types = ["int"]

[points]
builds = 1
correct = 4
clean = 3
fast = 2

[correct]
sizes = [0, 1]
gpu_sizes = [100]
host_sizes = [500]

[clean]
sizes = [33]
schedules = 3

[host]
contract = "sums_host.h"
naive = "one_thread"
type = "int"
size = 4096

[[version]]
name = "one_thread"
engine = "host"
given = true
checks = ["builds", "correct"]

[[version]]
name = "threads"
engine = "host"
checks = ["builds", "correct", "clean", "fast"]
efficiency = 0.5

[[version]]
name = "kernel"
checks = ["builds", "correct"]
)";

Rubric read(std::string_view text) {
  auto rubric = parse_rubric(text, "rubric.toml", "sums");
  if (!rubric) throw std::runtime_error(rubric.error().message);
  return std::move(*rubric);
}

std::string refusal_of(std::string_view what, std::string_view by) {
  std::string text(kRubric);
  text.replace(text.find(what), what.size(), by);
  const auto rubric = parse_rubric(text, "rubric.toml", "sums");
  return rubric ? "not refused" : rubric.error().message;
}

TEST(HostVersions, are_declared_by_their_engine) {
  const Rubric rubric = read(kRubric);
  EXPECT_TRUE(rubric.find("threads")->host);
  EXPECT_FALSE(rubric.find("kernel")->host);
  EXPECT_EQ(rubric.find("threads")->file(), "threads.cpp");
  EXPECT_EQ(rubric.file_of("kernel"), "kernel.cu");
  EXPECT_EQ(rubric.host.contract, "sums_host.h");
  EXPECT_EQ(rubric.host.naive, "one_thread");
  EXPECT_EQ(rubric.host.size, 4096U);
}

TEST(HostVersions, share_the_contract_where_the_rubric_names_no_other) {
  std::string text(kRubric);
  text.erase(text.find("contract = \"sums_host.h\""), std::string_view("contract = \"sums_host.h\"").size());
  EXPECT_EQ(read(text).host.contract, "sums.h");
}

TEST(HostVersions, with_what_kernels_alone_have_are_refused) {
  EXPECT_THAT(refusal_of("efficiency = 0.5", "efficiency = 0.5\nuses = [\"thrust\"]"),
              HasSubstr("gpu_only, uses and libraries are for versions of CUDA"));
  EXPECT_THAT(refusal_of("[\"builds\", \"correct\", \"clean\", \"fast\"]", "[\"builds\", \"work\"]"),
              HasSubstr("the check \"work\" counts what kernels do"));
  EXPECT_THAT(refusal_of("engine = \"host\"", "engine = \"simulator\""),
              HasSubstr("must be \"gpu\" or \"host\""));
}

TEST(HostVersions, are_timed_only_where_the_rubric_says_how) {
  EXPECT_THAT(refusal_of("efficiency = 0.5", "efficiency = 1.5"), HasSubstr("above 0 and at most 1"));
  EXPECT_THAT(refusal_of("efficiency = 0.5", ""), HasSubstr("efficiency is missing"));
  EXPECT_THAT(refusal_of("naive = \"one_thread\"\ntype = \"int\"\nsize = 4096", ""),
              HasSubstr("needs a [host] table with naive, type and size"));
  EXPECT_THAT(refusal_of("naive = \"one_thread\"", "naive = \"kernel\""),
              HasSubstr("no version with engine = \"host\""));
}

TEST(HostVersions, are_asked_for_a_speedup_by_the_cores_of_the_machine) {
  const Course course = resolve(read(kRubric), std::nullopt, {.focus = {}, .only = "*", .cores = 8});
  EXPECT_THAT(course.required_speeds(*course.rubric.find("threads")), testing::ElementsAre(4));
  EXPECT_FALSE(course.obstacle_to_host_fast({}));
}

TEST(HostVersions, are_asked_no_more_than_what_the_rubric_expects_of_many_cores) {
  std::string text(kRubric);
  const std::string_view size = "size = 4096";
  text.replace(text.find(size), size.size(), "size = 4096\nmost_cores = 4");
  const auto speedup = [&](unsigned cores) {
    const Course course = resolve(read(text), std::nullopt, {.focus = {}, .only = "*", .cores = cores});
    return course.required_speeds(*course.rubric.find("threads")).front();
  };
  EXPECT_EQ(speedup(64), 2);
  EXPECT_EQ(speedup(2), 1);
}

TEST(HostVersions, are_not_timed_on_one_core_or_for_another_size) {
  const Course one = resolve(read(kRubric), std::nullopt, {.focus = {}, .only = "*", .cores = 1});
  ASSERT_TRUE(one.obstacle_to_host_fast({}));
  EXPECT_EQ(one.obstacle_to_host_fast({})->kind, CauseKind::no_cores);
  Focus other;
  other.size = 77;
  const Course sized = resolve(read(kRubric), std::nullopt, {.focus = other, .only = "*", .cores = 2});
  ASSERT_TRUE(sized.obstacle_to_host_fast({}));
  EXPECT_EQ(sized.obstacle_to_host_fast({})->kind, CauseKind::not_calibrated);
}

TEST(HostVersions, have_the_cores_that_this_process_may_use) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(resolve(read(kRubric)).cores, 1U);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(resolve(read(kRubric)).cores, static_cast<unsigned>(CPU_COUNT(&before)));
}

TEST(HostVersions, are_looked_for_with_their_own_ending) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "threads.cpp", "int x;"));
  ASSERT_TRUE(write_file(folder.path() / "one_thread.cu", "int x;"));
  const auto submission = take_in(folder.path(), read(kRubric), WARPMARK_ROOT);
  ASSERT_TRUE(submission) << submission.error().message;
  EXPECT_EQ(submission->files.at("threads").text, "int x;");
  ASSERT_EQ(submission->files.at("one_thread").causes.size(), 1U);
  EXPECT_THAT(submission->files.at("one_thread").causes.front().message,
              HasSubstr("one_thread.cu is not the name of a version; did you mean one_thread.cpp?"));
}

TEST(HostVersions, whose_second_place_is_not_known_keep_the_first) {
  wire::Observation seen;
  wire::Finding race;
  race.kind = CauseKind::race;
  race.message = "two writes";
  race.file = "threads.cpp";
  race.line = 4;
  race.other_frames = {0x10};
  seen.findings = {race};
  // Without a library there is nothing that tells the second line: the first stands.
  const auto causes = causes_of(seen, {}, {});
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes.front().line, 4);
  EXPECT_EQ(causes.front().other_line, 0);
}

}  // namespace
}  // namespace warpmark::judge
