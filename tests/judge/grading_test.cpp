// A grading whose steps fail where nobody expects it.
#include "harness/judge/grading.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/checks/call_causes.h"
#include "harness/judge/consequences.h"
#include "tests/judge/checks_fixture.h"

namespace warpmark::judge {
namespace {

class GradingThatFails : public FakeChecks {
 protected:
  GradingThatFails() {
    VersionRule version;
    version.name = "v";
    version.checks = {Check::builds, Check::correct, Check::fast};
    version.points = {{Check::builds, 1}, {Check::correct, 1}, {Check::fast, 1}};
    version.steps = {{2, 1}};
    course.rubric.versions = {version};
    engines.toolchains[Engine::gpu] = {Engine::gpu, "/nowhere/nvcc", "none", "none"};
    engines.devices[Engine::gpu] = {"a fake GPU", 0, "", ""};
    options.jobs = 1;
    options.cache = fake.folder.path() / "cache";
  }

  Engines engines;
  GradeOptions options;
};

// The libraries that were not built are waited for by the preparation of `fast`, on a thread of its own.
TEST_F(GradingThatFails, ends_with_the_error_of_a_step_that_throws_while_building) {
  std::atomic<int> lines = 0;
  options.progress = [&](const std::string&) {
    if (++lines == 1) throw std::runtime_error("the terminal is gone");
  };
  EXPECT_THROW(
      Grading(fake.installation, options, course, *reduction, submission, engines, Engine::gpu, 1).run(),
      std::runtime_error);
  EXPECT_EQ(lines, 1);
}

TEST_F(GradingThatFails, no_longer_waits_for_libraries_once_given_up) {
  Libraries libraries({fake.installation, course.rubric, submission, engines, Engine::gpu, options.cache, 1,
                       [](const VersionRule&) { return true; }, false, [](const std::string&) {}});
  auto waiting = std::async(std::launch::async, [&] { libraries.wait_for_course(Engine::gpu); });
  libraries.give_up();
  EXPECT_THROW(waiting.get(), std::runtime_error);
}

using BesideAGpu = FakeChecks;

TEST_F(BesideAGpu, what_the_simulator_sees_fails_a_version_unless_it_leaves_it_to_the_gpu) {
  const std::vector<Cause> seen{make_cause(CauseKind::no_kernel, "the host added"),
                                make_cause(CauseKind::unsupported, "tensor cores"),
                                make_cause(CauseKind::internal, "no memory"),
                                make_cause(CauseKind::cuda_error, "too much shared memory"),
                                make_cause(CauseKind::timed_out, "never ends")};
  EXPECT_EQ(std::ranges::count_if(seen, leaves_to_gpu), 3);
  const auto causes = failures_beside_gpu(seen);
  EXPECT_THAT(kinds(causes), testing::ElementsAre("no_kernel", "unsupported"));
  EXPECT_THAT(causes.front().message,
              testing::AllOf(testing::HasSubstr("simulator"), testing::EndsWith("the host added")));
}

std::vector<Cause> reasons(const std::vector<Cause>& on_gpu, const CheckOutcome& correct,
                           const CheckOutcome* clean = nullptr) {
  return reasons_on_simulator(on_gpu, correct, clean, [](CauseKind kind) { return kind == CauseKind::race; });
}

Cause at_line(CauseKind kind, int line) {
  Cause cause = make_cause(kind, "what was seen", "v.cu");
  cause.line = line;
  return cause;
}

TEST_F(BesideAGpu, a_failure_has_the_reasons_of_correct_on_the_simulator_else_those_of_clean) {
  const std::vector<Cause> wrong{make_cause(CauseKind::wrong_sum, "3, not 4")};
  const CheckOutcome right, clean{{at_line(CauseKind::race, 7)}, 0};
  const CheckOutcome failed{{at_line(CauseKind::out_of_bounds, 3), make_cause(CauseKind::unsupported, "")},
                            0};
  EXPECT_THAT(kinds(reasons(wrong, failed, &clean)), testing::ElementsAre("out_of_bounds"));
  EXPECT_THAT(kinds(reasons(wrong, right, &clean)), testing::ElementsAre("race"));
  CheckOutcome remarked;
  remarked.remarks = {at_line(CauseKind::race, 7), at_line(CauseKind::leak, 9)};
  EXPECT_THAT(kinds(reasons(wrong, remarked)), testing::ElementsAre("race")) << "clean was not selected";
  EXPECT_THAT(reasons(wrong, remarked, &right), testing::IsEmpty()) << "clean was, and it passed";
}

TEST_F(BesideAGpu, a_call_that_ends_too_late_on_the_simulator_explains_only_one_that_does_on_the_gpu) {
  const CheckOutcome slow{{make_cause(CauseKind::timed_out, "never ends")}, 0};
  EXPECT_THAT(reasons({make_cause(CauseKind::wrong_sum, "")}, slow), testing::IsEmpty());
  EXPECT_THAT(kinds(reasons({make_cause(CauseKind::timed_out, "")}, slow)),
              testing::ElementsAre("timed_out"));
}

TEST_F(BesideAGpu, a_call_that_ends_too_late_on_the_simulator_decides_where_the_gpu_says_nothing) {
  const CheckOutcome slow{{make_cause(CauseKind::timed_out, "never ends")}, 0};
  EXPECT_THAT(kinds(reasons({make_cause(CauseKind::internal, "")}, slow)), testing::ElementsAre("timed_out"));
}

TEST_F(BesideAGpu, the_simulators_cause_is_the_first_and_gives_its_line_to_what_the_gpu_adds) {
  const auto both = explained_first({at_line(CauseKind::out_of_bounds, 3)},
                                    {make_cause(CauseKind::cuda_error, "an illegal access", "v.cu")});
  ASSERT_THAT(kinds(both), testing::ElementsAre("out_of_bounds", "cuda_error"));
  EXPECT_EQ(both[1].line, 3);
  EXPECT_THAT(both[0].message, testing::StartsWith("seen on the simulator: "));
  const auto answers = explained_first({at_line(CauseKind::wrong_when_called_again, 3)},
                                       {make_cause(CauseKind::wrong_sum, "3, not 4", "v.cu")});
  EXPECT_THAT(kinds(answers), testing::ElementsAre("wrong_when_called_again"))
      << "one wrong answer, told once";
  EXPECT_THAT(kinds(explained_first({}, answers)), testing::SizeIs(1));
}

}  // namespace
}  // namespace warpmark::judge
