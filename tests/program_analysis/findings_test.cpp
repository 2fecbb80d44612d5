#include "harness/program_analysis/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::program_analysis {
namespace {

using Runs = std::vector<ProgramRun>;

using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

wire::Finding raw(CauseKind kind, std::string kernel, int line, int other_line, std::string message = "m") {
  return {.kind = kind,
          .kernel = std::move(kernel),
          .file = line > 0 ? "a.cu" : "",
          .line = line,
          .other_line = other_line,
          .message = std::move(message),
          .frames = {}};
}

ProgramRun run_with(std::vector<wire::Finding> findings, std::uint64_t schedule = 0) {
  ProgramRun run;
  run.mode.schedule = schedule;
  run.ending.kind = sandbox::Ending::Kind::exited;
  run.journal.findings = std::move(findings);
  return run;
}

TEST(Findings, are_told_once_a_pair_of_lines) {
  const Runs runs{run_with({raw(CauseKind::race, "k", 3, 7, "thread 1 and 2"),
                            raw(CauseKind::race, "k", 7, 3, "3 and 4")}),
                  run_with({raw(CauseKind::race, "k", 3, 7, "5 and 6"), raw(CauseKind::race, "k", 3, 9)}, 1)};
  const auto findings = merge_findings(runs, {}, {});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].message, "thread 1 and 2");
  EXPECT_EQ(findings[0].seen, "");
  EXPECT_EQ(findings[1].other_line, 9);
  EXPECT_THAT(findings[1].seen, HasSubstr("seed 1"));
}

TEST(Findings, without_a_line_are_told_once_a_message) {
  const Runs runs{run_with({raw(CauseKind::cuda_error, "", 0, 0, "cudaFree(0x7ffc12ab): not yours")}),
                  run_with({raw(CauseKind::cuda_error, "", 0, 0, "cudaFree(0x7ffd00f0): not yours"),
                            raw(CauseKind::cuda_error, "", 0, 0, "cudaMemset: no such memory")},
                           1)};
  EXPECT_EQ(merge_findings(runs, {}, {}).size(), 2U);
}

TEST(Findings, notes_are_no_errors) {
  const auto findings =
      merge_findings({run_with({raw(CauseKind::leak, "", 0, 0), raw(CauseKind::race, "k", 1, 2)})}, {}, {});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_TRUE(findings[0].note);
  EXPECT_FALSE(findings[1].note);
}

TEST(Findings, of_host_code_get_the_first_place_in_the_users_files) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "a.cu", "one\ntwo\nthree\n"));
  wire::Finding finding = raw(CauseKind::bad_copy, "", 0, 0);
  finding.frames = {16, 32};
  const build::PlacesOfAddresses places{{16, {{"/usr/include/thrust/copy.h", 99}}},
                                        {32, {{"a.cu", 2}, {"a.cu", 3}}}};
  const auto found = merge_findings({run_with({finding})}, places, {folder.path()});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].file, "a.cu");
  EXPECT_EQ(found[0].line, 2);
  EXPECT_EQ(found[0].excerpt.at(1).text, "two");
  // The kernel's stub comes before the place of the launch.
  finding.kernel = "k";
  const auto launched = merge_findings({run_with({finding})}, places, {folder.path()});
  EXPECT_EQ(launched[0].line, 3);
}

TEST(Findings, addresses_are_asked_for_once) {
  wire::Finding one = raw(CauseKind::leak, "", 0, 0);
  one.frames = {1, 2};
  wire::Finding other = raw(CauseKind::bad_copy, "", 0, 0);
  other.frames = {2, 3};
  EXPECT_THAT(addresses_in({run_with({one}), run_with({other})}), UnorderedElementsAre(1, 2, 3));
}

ProgramRun ended(Stopped stopped, int signal = 0) {
  auto run = run_with({});
  run.stopped = stopped;
  if (signal != 0) {
    run.ending.kind = sandbox::Ending::Kind::signalled;
    run.ending.code = signal;
  }
  return run;
}

TEST(Endings, that_are_not_the_programs_own_are_findings) {
  const RunLimits limits{.deadline = {}, .memory = std::size_t{2} << 30, .output = std::size_t{64} << 20};
  const auto kind = [&](const auto& run) {
    const auto findings = findings_of_ending(run, limits, 300);
    return findings.empty() ? std::string_view() : name_of(findings[0].kind);
  };
  EXPECT_EQ(kind(ended(Stopped::by_itself)), "");
  EXPECT_EQ(kind(ended(Stopped::time, 9)), "timed_out");
  EXPECT_EQ(kind(ended(Stopped::memory, 9)), "memory_limit");
  EXPECT_EQ(kind(ended(Stopped::output, 9)), "output_limit");
  EXPECT_EQ(kind(ended(Stopped::processes, 9)), "process_limit");
  EXPECT_EQ(kind(ended(Stopped::by_itself, 6)), "crashed");
  EXPECT_THAT(findings_of_ending(ended(Stopped::memory, 9), limits, 300)[0].message, HasSubstr("2048 MiB"));
}

TEST(Endings, before_the_answer_are_those_of_fatal_findings) {
  EXPECT_FALSE(ended_early(run_with({})));
  EXPECT_FALSE(ended_early(run_with({raw(CauseKind::leak, "", 0, 0), raw(CauseKind::race, "k", 1, 2)})));
  EXPECT_TRUE(ended_early(run_with({raw(CauseKind::out_of_bounds, "k", 1, 0)})));
  EXPECT_TRUE(ended_early(ended(Stopped::time, 9)));
  EXPECT_TRUE(ended_early(ended(Stopped::by_itself, 11)));
}

TEST(Endings, a_crash_is_told_once) {
  auto run = ended(Stopped::by_itself, 11);
  run.journal.findings.push_back(raw(CauseKind::device_pointer, "", 0, 0));
  EXPECT_THAT(findings_of_ending(run, {}, 300), IsEmpty());
}

TEST(Endings, are_the_programs_own_when_it_aborts_at_the_error_of_a_kernel) {
  auto run = ended(Stopped::by_itself, 6);
  run.journal.findings.push_back(raw(CauseKind::deadlock, "k", 3, 0));
  EXPECT_THAT(findings_of_ending(run, {}, 300), IsEmpty());
  run.journal.findings[0] = raw(CauseKind::race, "k", 3, 4);
  EXPECT_EQ(findings_of_ending(run, {}, 300).size(), 1U) << "the kernel ran to its end";
  auto fault = ended(Stopped::by_itself, 11);
  fault.journal.findings.push_back(raw(CauseKind::deadlock, "k", 3, 0));
  EXPECT_EQ(findings_of_ending(fault, {}, 300).size(), 1U) << "no handling of an error";
}

TEST(Endings, name_the_kernel_that_ran) {
  auto run = ended(Stopped::time, 9);
  run.journal.running.emplace().kernel = "slow";
  const auto findings = findings_of_ending(run, {}, 300);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kernel, "slow");
}

}  // namespace
}  // namespace warpmark::program_analysis
