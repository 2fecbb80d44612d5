// doctor as a child process. What facts mean is tested in tests/doctor; here the machine is whatever it is.
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class DoctorCommand : public CommandTest {};

TEST_F(DoctorCommand, tells_of_this_machine_and_ends_as_its_findings_say) {
  const auto file = folder.path() / "doctor.json";
  const Child child = run({"doctor", "--json", file.string()});
  EXPECT_THAT(child.output, HasSubstr("Grading here uses "));
  const auto json = nlohmann::json::parse(read_file(file).value_or("{}"));
  ASSERT_EQ(json.at("schema"), "warpmark.doctor/1");
  EXPECT_THAT(json.at("engine"), AnyOf("gpu", "simulator", ""));
  bool fails = false;
  for (const auto& finding : json.at("findings")) {
    fails = fails || finding.at("status") == "fail";
    EXPECT_THAT(child.output, HasSubstr(finding.at("name").get<std::string>()));
    // What is wrong has a repair, what is right has none.
    EXPECT_EQ(finding.at("repair").get<std::string>().empty(), finding.at("status") == "pass") << finding;
  }
  EXPECT_EQ(child.status, fails ? 1 : 0) << child.output;
}

TEST_F(DoctorCommand, without_a_compiler_fails_and_says_what_to_install) {
  const Child child = run_child(
      {WARPMARK_CLI, "doctor"},
      {{"PATH", "/usr/bin:/bin"}, {"WARPMARK_CLANG", "none"}, {"WARPMARK_NVCC", "none"}}, folder.path());
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, HasSubstr("FAIL     clang"));
  EXPECT_THAT(child.output, HasSubstr("apt-get install clang"));
  EXPECT_THAT(child.output, HasSubstr("Grading here uses nothing"));
}

TEST_F(DoctorCommand, help_tells_the_exit_status) {
  EXPECT_THAT(run({"doctor", "--help"}).output, HasSubstr("Exit status"));
}

TEST_F(DoctorCommand, says_where_it_cannot_write) {
  const Child child = run({"doctor", "--json", "/nowhere/doctor.json"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, HasSubstr("/nowhere/doctor.json"));
}

}  // namespace
}  // namespace warpmark
