// What a CI job sees and what its files say.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "harness/base/text.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

class CiJob : public CommandTest {
 protected:
  CiJob() {
    fs::create_directories(mine.parent_path());
    fs::copy(root / "student_template/warmup", mine, fs::copy_options::recursive);
    // It prints what a log would take for commands, and is wrong.
    EXPECT_TRUE(write_file(mine / "w01_thread_per_element.cu",
                           "#include \"warmup.h\"\n#include <cstdio>\n"
                           "extern \"C\" void w01_thread_per_element() {\n"
                           "  std::puts(\"\\n::error::forged\\n::add-mask::a\");\n}\n"));
  }
  Child grade(const std::string& server) const {
    const char* path = std::getenv("PATH");
    return run_child({WARPMARK_CLI, "grade", mine.string(), "--engine", "simulator", "--ci", server, "--out",
                      out.string()},
                     {{"PATH", path != nullptr ? path : "/usr/bin:/bin"},
                      {"GITHUB_WORKSPACE", folder.path().string()},
                      {"GITHUB_STEP_SUMMARY", (folder.path() / "summary").string()},
                      {"GITHUB_OUTPUT", (folder.path() / "output").string()}},
                     folder.path());
  }
  [[nodiscard]] std::string written(const std::string& name) const {
    return read_file(folder.path() / name).value_or("");
  }
  [[nodiscard]] std::string handout_file(const std::string& name) const {
    const fs::path there = folder.path() / "handout";
    if (!fs::exists(there)) {
      EXPECT_EQ(run({"handout", there.string(), "--assignment", "warmup"}).status, 0);
    }
    return read_file(there / name).value_or("");
  }

  const fs::path mine = folder.path() / "sub" / "mine";
};

TEST_F(CiJob, on_github_has_annotations_a_summary_and_points) {
  const Child child = grade("github");
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, HasSubstr("\n::error file=sub/mine/w01_thread_per_element.cu,line="));
  EXPECT_THAT(written("summary"), StartsWith("## warmup"));
  EXPECT_THAT(written("output"), MatchesRegex("result=[A-Za-z0-9+/=]+\n"));
  EXPECT_TRUE(fs::exists(out / "index.html"));
  EXPECT_TRUE(fs::exists(out / "junit.xml"));
}

TEST_F(CiJob, on_github_obeys_no_command_of_a_student) {
  const Child child = grade("github");
  bool stopped = false;
  std::string token;
  for (const std::string& line : lines_of(child.output)) {
    if (line.starts_with("::stop-commands::")) {
      stopped = true;
      token = line.substr(std::string("::stop-commands::").size());
    } else if (stopped && line == "::" + token + "::") {
      stopped = false;
    } else if (!stopped && line.starts_with("::")) {
      EXPECT_THAT(line, testing::AnyOf(StartsWith("::error file="), StartsWith("::warning file="),
                                       StartsWith("::notice title=")));
    }
  }
  EXPECT_FALSE(stopped);
  EXPECT_GE(token.size(), 32U);
  EXPECT_THAT(grade("github").output, Not(HasSubstr(token)));
}

TEST_F(CiJob, on_github_without_a_grade_has_an_error) {
  fs::remove_all(mine);
  const Child child = grade("github");
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(lines_of(child.output), Contains(StartsWith("::error title=Warpmark::")));
}

TEST_F(CiJob, on_gitlab_has_a_code_quality_report) {
  const Child child = grade("gitlab");
  EXPECT_EQ(child.status, 1);
  EXPECT_THAT(child.output, Not(HasSubstr("stop-commands")));
  EXPECT_THAT(read_file(out / "gl-code-quality-report.json").value_or(""),
              HasSubstr("\"path\": \"sub/mine/w01_thread_per_element.cu\""));
}

// Beyond what the published schema asks: what a job of somebody else's code must not be able to do.
void expect_no_rights(const std::string& text) {
  const YAML::Node yaml = YAML::Load(text);
  ASSERT_TRUE(yaml["permissions"]);
  for (const auto& job : yaml["jobs"]) {
    EXPECT_TRUE(job.second["runs-on"]) << job.first;
    const YAML::Node rights = job.second["permissions"] ? job.second["permissions"] : yaml["permissions"];
    const bool writes = std::any_of(rights.begin(), rights.end(), [](const auto& right) {
      return right.second.template as<std::string>() != "read";
    });
    EXPECT_GT(job.second["timeout-minutes"].as<int>(), 0);
    if (job.second["runs-on"].IsSequence()) {  // a machine of somebody's: not for pull requests of forks
      EXPECT_THAT(job.second["if"].as<std::string>(),
                  HasSubstr("(github.event_name != 'pull_request' || "
                            "github.event.pull_request.head.repo.full_name == github.repository)"));
    }
    for (const auto& step : job.second["steps"]) {
      EXPECT_TRUE(step["uses"].IsDefined() != step["run"].IsDefined());
      if (step["uses"]) {
        EXPECT_THAT(step["uses"].as<std::string>(), ContainsRegex("^[a-z/-]+@[0-9a-f]{40}$"));
        if (step["uses"].as<std::string>().starts_with("actions/checkout")) {
          EXPECT_FALSE(step["with"]["persist-credentials"].as<bool>());
          EXPECT_FALSE(writes) << job.first << " runs what the repository holds";
        }
      }
      // What comes from outside never becomes a part of a script.
      if (step["run"]) {
        EXPECT_THAT(step["run"].as<std::string>(), Not(HasSubstr("${{")));
      }
    }
  }
  for (const std::string& line : lines_of(text)) {
    if (line.find("uses:") != std::string::npos) {
      EXPECT_THAT(line, ContainsRegex("@[0-9a-f]{40} # v[0-9.]+$"));
    }
  }
}

TEST_F(CiJob, workflow_for_github_gives_students_code_no_rights) {
  expect_no_rights(handout_file(".github/workflows/grade.yml"));
  const YAML::Node yaml = YAML::Load(handout_file(".github/workflows/grade.yml"));
  EXPECT_EQ(yaml["permissions"]["contents"].as<std::string>(), "read");
  EXPECT_EQ(yaml["permissions"].size(), 1U);
  // A push is graded once, with a pull request and without.
  EXPECT_EQ(yaml["on"].as<std::vector<std::string>>(),
            (std::vector<std::string>{"push", "workflow_dispatch"}));
  std::size_t graded = 0;
  for (const auto& job : yaml["jobs"]) {
    for (const auto& step : job.second["steps"]) {
      if (step["run"] && step["run"].as<std::string>().find(".warpmark/grade github") != std::string::npos)
        ++graded;
    }
  }
  EXPECT_EQ(graded, 2U);
  EXPECT_EQ(yaml["jobs"]["gpu"]["runs-on"].as<std::vector<std::string>>(),
            (std::vector<std::string>{"self-hosted", "linux", "gpu"}));
}

TEST_F(CiJob, workflows_of_the_repository_give_others_code_no_rights) {
  for (const auto& entry : fs::directory_iterator(root / ".github/workflows")) {
    SCOPED_TRACE(entry.path().filename().string());
    expect_no_rights(read_file(entry.path()).value_or(""));
  }
  const YAML::Node yaml = YAML::Load(read_file(root / ".github/workflows/ci.yml").value_or(""));
  EXPECT_EQ(yaml["on"]["push"]["branches"].size(), 1U);
  EXPECT_TRUE(yaml["on"]["pull_request"].IsDefined());
}

TEST_F(CiJob, file_for_gitlab_keeps_the_reports_of_both_jobs) {
  const YAML::Node yaml = YAML::Load(handout_file(".gitlab-ci.yml"));
  // Branches alone have pipelines: a push has one, and a fork's merge request none here.
  EXPECT_EQ(yaml["workflow"]["rules"][0]["if"].as<std::string>(),
            "$CI_PIPELINE_SOURCE == \"merge_request_event\"");
  EXPECT_EQ(yaml["workflow"]["rules"][0]["when"].as<std::string>(), "never");
  const YAML::Node common = yaml[".grade"];
  EXPECT_EQ(common["artifacts"]["when"].as<std::string>(), "always");
  EXPECT_EQ(common["artifacts"]["reports"]["junit"].as<std::string>(), "warpmark-out/ci/junit.xml");
  EXPECT_EQ(common["artifacts"]["reports"]["codequality"].as<std::string>(),
            "warpmark-out/ci/gl-code-quality-report.json");
  for (const char* job : {"simulator", "gpu"}) {
    EXPECT_EQ(yaml[job]["extends"].as<std::string>(), ".grade");
    const auto script = yaml[job]["script"].as<std::vector<std::string>>();
    EXPECT_THAT(script, Contains(HasSubstr(".warpmark/grade gitlab")));
  }
  EXPECT_THAT(yaml["gpu"]["tags"].as<std::vector<std::string>>(), Contains("gpu"));
  EXPECT_TRUE(yaml["gpu"]["rules"].IsSequence());
}

}  // namespace
}  // namespace warpmark
