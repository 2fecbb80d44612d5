// doctor as a child process. What facts mean is tested in tests/doctor; here the machine is whatever it is.
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/sandbox/process.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

using testing::AnyOf;
using testing::ContainsRegex;
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

// A compiler that takes a kernel and refuses Thrust's vector, as one that is too old or too new for it does.
TEST_F(DoctorCommand, fails_a_thrust_that_does_not_compile_with_the_first_error_though_a_kernel_runs) {
  const auto clang = sandbox::find_program("clang++");
  if (!clang || !std::filesystem::exists("/usr/include/thrust/device_vector.h"))
    GTEST_SKIP() << "needs clang and thrust";
  const auto compiler = folder.path() / "clang++";
  ASSERT_TRUE(write_file(compiler,
                         "#!/bin/sh\ncase \"$*\" in *'-x cuda'*) set -- -Ddevice_vector=7 \"$@\";; "
                         "esac\nexec " +
                             clang->string() + " \"$@\"\n"));
  std::filesystem::permissions(compiler, std::filesystem::perms(0755));
  const Child child =
      run_child({WARPMARK_CLI, "doctor"}, {{"PATH", "/usr/bin:/bin"}, {"WARPMARK_CLANG", compiler.string()}},
                folder.path());
  EXPECT_THAT(child.output, HasSubstr("PASS     kernel"));
  EXPECT_THAT(child.output, ContainsRegex("FAIL     thrust .*[0-9]+: [a-z]"));
  EXPECT_EQ(child.status, 1) << child.output;
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
