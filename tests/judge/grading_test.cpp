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

}  // namespace
}  // namespace warpmark::judge
