// Checks of submissions that exist only as the names of behaviours (see fake_device.h).
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "harness/assignments/assignment.h"
#include "harness/judge/checks/version_checks.h"
#include "tests/assignment_called.h"
#include "tests/judge/fake_installation.h"
#include "tests/judge/secret.h"

namespace warpmark::judge {

class FakeChecks : public testing::Test {
 protected:
  FakeChecks() {
    course.rubric.assignment = "reduction";
    course.rubric.types = {"int", "float"};
    course.rubric.naive = "naive";
    course.rubric.upload = "upload";
    course.rubric.correct.sizes = {0, 1, 33, 1000};
    course.rubric.correct.secret = secret_below(1, 100);
    course.rubric.correct.shifted_size = 77;
    course.rubric.clean.sizes = {0, 33};
    course.rubric.clean.schedules = 3;
    course.rubric.upload_once.size = 1000;
    course.rubric.upload_once.allowance_bytes = 100;
    course.rubric.fast.type = "int";
    course.timed_size = 1000;
    course.rubric.limits.call = std::chrono::seconds(60);
    submission.folder = fake.folder.path();
    for (const char* name : {"v", "w", "upload"}) {
      submission.files[name].name = std::string(name) + ".cu";
      submission.files[name].path = submission.folder / submission.files[name].name;
    }
  }

  [[nodiscard]] static BuiltTypes built(const std::string& behaviour, Engine engine = Engine::simulator) {
    BuiltTypes types{engine, {}, {}};
    for (const char* type : {"int", "float"}) {
      types.versions[type].library = "/fake/" + behaviour;
      types.adapters[type] = std::string("/fake/") + type;
    }
    return types;
  }
  [[nodiscard]] GradingContext bench() const {
    return {fake.installation, course, *reduction, submission, 0x5eed, [this] { return fake.clock_ms(); }};
  }
  [[nodiscard]] std::vector<Cause> correct(const std::string& behaviour,
                                           Engine engine = Engine::simulator) const {
    return check_correct(bench(), "v", built(behaviour, engine)).causes;
  }
  [[nodiscard]] std::vector<Cause> clean(const std::string& behaviour) const {
    const auto remarks = check_correct(bench(), "v", built(behaviour)).remarks;
    return check_clean(bench(), "v", built(behaviour), *remarks).causes;
  }
  // The names of the kinds, in order.
  [[nodiscard]] static std::vector<std::string> kinds(const std::vector<Cause>& causes) {
    std::vector<std::string> names;
    names.reserve(causes.size());
    for (const Cause& cause : causes) names.emplace_back(name_of(cause.kind));
    return names;
  }

  FakeInstallation fake;
  std::shared_ptr<const Assignment> reduction = assignment_called("reduction");
  Course course;
  Submission submission;
};

}  // namespace warpmark::judge
