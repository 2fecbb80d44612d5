// What students get: everything that grades, and nothing that gives a solution away.
#include "harness/handout/handout.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "tests/cli/child.h"
#include "tests/handout/solutions.h"
#include "tests/home.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using handout::Files;
using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

const fs::path kRoot = WARPMARK_ROOT;
const handout::Package kPackage{
    "warpmark_1.2.3_amd64.deb", "https://example.edu/warpmark_1.2.3_amd64.deb", {}};

judge::Installation installation() {
  return {kRoot, fs::path(WARPMARK_CLI).parent_path(), kRoot};
}

handout::Source source_of(const judge::Installation& at, const std::string& assignment) {
  auto source = handout::open_source(at, assignment, {}, "1.2.3");
  if (!source) throw std::runtime_error(source.error().message);
  return std::move(*source);
}

std::vector<std::string> names_of(const Files& files) {
  std::vector<std::string> names;
  for (const auto& [name, file] : files) names.push_back(name);
  return names;
}

// Files that hold a part of a solution, with that part.
std::vector<std::string> leaks_in(const Files& files, const std::set<std::string>& solutions) {
  std::vector<std::string> leaks;
  for (const auto& [name, file] : files) {
    const auto windows = windows_of(file.text);
    const auto leak =
        std::ranges::find_if(windows, [&](const std::string& each) { return solutions.contains(each); });
    if (leak != windows.end()) leaks.push_back(name + ": " + *leak);
  }
  return leaks;
}

class EveryHandout : public testing::TestWithParam<std::string> {
 protected:
  const judge::Installation at = installation();
  const handout::Source source = source_of(at, GetParam());
};

TEST_P(EveryHandout, holds_no_solution) {
  const auto solutions = solution_windows(kRoot, GetParam());
  ASSERT_FALSE(solutions.empty());
  const auto students = handout::handout_files(source, {});
  ASSERT_TRUE(students) << students.error().message;
  EXPECT_THAT(leaks_in(*students, solutions), IsEmpty());
  const auto gradescope = handout::gradescope_files(source, kPackage);
  ASSERT_TRUE(gradescope) << gradescope.error().message;
  EXPECT_THAT(leaks_in(*gradescope, solutions), IsEmpty());
  const auto submission = handout::submission_files(source, {"warpmark", "warpmark"});
  ASSERT_TRUE(submission) << submission.error().message;
  EXPECT_THAT(leaks_in(*submission, solutions), IsEmpty());
}

TEST_P(EveryHandout, is_small_and_holds_no_source_of_the_grader) {
  const auto files = handout::handout_files(source, kPackage);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_LT(files->size(), 60U);
  for (const std::string& name : names_of(*files)) {
    if (name.starts_with(GetParam() + "/")) continue;
    for (const char* ending : {".cpp", ".h", ".cu", ".cuh", ".in", ".inc"})
      EXPECT_FALSE(name.ends_with(ending)) << name;
    EXPECT_THAT(name, Not(HasSubstr("harness/")));
    EXPECT_THAT(name, Not(HasSubstr("reference/")));
  }
  for (const std::string& other : names_of_assignments()) {
    if (other == GetParam()) continue;
    EXPECT_THAT(names_of(*files), Each(Not(StartsWith(other + "/"))));
  }
}

TEST_P(EveryHandout, asks_every_check_that_students_can_earn) {
  const auto files = handout::handout_files(source, {});
  ASSERT_TRUE(files) << files.error().message;
  const std::string& cmake = files->at("CMakeLists.txt").text;
  for (const judge::VersionRule& version : source.rubric.versions) {
    EXPECT_EQ(cmake.find(" " + version.name + ".builds\n") == std::string::npos, version.reference_only)
        << version.name;
    if (!version.reference_only) {
      EXPECT_TRUE(files->contains(GetParam() + "/" + version.file())) << version.name;
    }
  }
}

TEST_P(EveryHandout, leaves_no_place_of_its_texts_unfilled) {
  const auto students = handout::handout_files(source, {});
  const auto gradescope = handout::gradescope_files(source, kPackage);
  const auto submission = handout::submission_files(source, {"warpmark", "warpmark"});
  ASSERT_TRUE(students && gradescope && submission);
  for (const Files* files : {&*students, &*gradescope, &*submission}) {
    for (const auto& [name, file] : *files) {
      EXPECT_THAT(file.text, Not(ContainsRegex("@[A-Z][A-Z_]+@"))) << name;
      // In a handout and beside a submission there is no wrapper.
      if (name != "rubric.toml") {
        EXPECT_THAT(file.text, Not(HasSubstr("./warpmark "))) << name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Assignments, EveryHandout, testing::ValuesIn(names_of_assignments()),
                         [](const auto& one) { return one.param; });

class Handout : public testing::Test {
 protected:
  const judge::Installation at = installation();
  const handout::Source source = source_of(at, "reduction");
  const TemporaryFolder folder;
};

TEST_F(Handout, search_finds_a_solution_under_another_name_and_layout) {
  const auto solutions = solution_windows(kRoot, "reduction");
  std::string text = read_file(kRoot / "reference/reduction/v07_tree_sequential.cu").value_or("");
  std::erase(text, '\n');
  EXPECT_THAT(leaks_in({{"notes.txt", {text}}}, solutions),
              IsEmpty());  // its first comment swallows the rest
  text = read_file(kRoot / "reference/reduction/v07_tree_sequential.cu").value_or("");
  std::string spaced;
  for (const char c : text) spaced += c == ' ' ? std::string("  ") : std::string(1, c);
  EXPECT_THAT(leaks_in({{"harness/helper.h", {spaced}}}, solutions), testing::SizeIs(1));
}

TEST_F(Handout, has_what_students_editors_and_ci_servers_use) {
  const auto files = handout::handout_files(source, {});
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(names_of(*files),
              IsSupersetOf({"README.md", "CMakeLists.txt", "CMakePresets.json", "rubric.toml", ".gitignore",
                            ".clangd", ".vscode/settings.json", ".devcontainer/devcontainer.json",
                            "Containerfile", ".github/workflows/grade.yml", ".gitlab-ci.yml",
                            "reduction/reduction.h", "reduction/upload.cu", "reduction/atomic_add.h",
                            ".warpmark/install", ".warpmark/grade"}));
  EXPECT_TRUE(files->at(".warpmark/install").executable);
  EXPECT_TRUE(files->at(".warpmark/grade").executable);
  EXPECT_THAT(files->at("reduction/README.md").text,
              HasSubstr("warpmark grade reduction --rubric rubric.toml"));
}

TEST_F(Handout, is_the_same_from_an_installation) {
  const fs::path prefix = folder.path() / "prefix";
  const Child installed =
      run_child({WARPMARK_CMAKE, "--install", WARPMARK_BUILD, "--prefix", prefix.string()},
                {{"PATH", "/usr/bin:/bin"}}, folder.path());
  ASSERT_EQ(installed.status, 0) << installed.output;
  const fs::path home = fs::canonical(prefix / "bin/warpmark").parent_path().parent_path();
  for (const char* assignment : {"reduction", "knn"}) {
    const auto here = handout::handout_files(source_of(at, assignment), kPackage);
    const auto there =
        handout::handout_files(source_of({home, home / "bin", home / "lib"}, assignment), kPackage);
    ASSERT_TRUE(here && there);
    EXPECT_EQ(names_of(*here), names_of(*there));
    EXPECT_TRUE(*here == *there) << assignment;
  }
  // What it is asked by CMake files of handouts.
  const Child asked = run_child({(prefix / "bin/warpmark").string(), "--home"}, {}, folder.path());
  EXPECT_EQ(asked.output, home.string() + "\n");
  EXPECT_TRUE(fs::exists(home / "lib/simulator-headers/cuda_runtime.h"));
}

TEST_F(Handout, is_graded_by_the_rubric_that_it_was_made_with) {
  const fs::path rubric = kRoot / "harness/assignments/reduction/rubrics/atomics.toml";
  const auto other = handout::open_source(at, "reduction", rubric, "1.2.3");
  ASSERT_TRUE(other) << other.error().message;
  const auto files = handout::handout_files(*other, {});
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(files->at("rubric.toml").text, read_file(rubric).value_or(""));
  EXPECT_THAT(files->at("CMakeLists.txt").text,
              AllOf(HasSubstr(" --rubric rubric.toml "), Not(HasSubstr("v07_tree_sequential"))));
  EXPECT_THAT(files->at(".warpmark/grade").text, HasSubstr(" --rubric rubric.toml "));
  const auto gradescope = handout::gradescope_files(*other, kPackage);
  ASSERT_TRUE(gradescope) << gradescope.error().message;
  EXPECT_EQ(gradescope->at("rubric.toml").text, read_file(rubric).value_or(""));
  // A single submission follows the assignment's own rubric, unless another was named.
  const auto submission = handout::submission_files(*other, {"warpmark", "warpmark"});
  ASSERT_TRUE(submission) << submission.error().message;
  EXPECT_EQ(submission->at(".rubric.toml").text, read_file(rubric).value_or(""));
  EXPECT_THAT(submission->at("CMakeLists.txt").text, HasSubstr(" --rubric .rubric.toml "));
  const auto own = handout::submission_files(source, {"warpmark", "warpmark"});
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_FALSE(own->contains(".rubric.toml"));
}

TEST_F(Handout, names_the_package_wherever_it_is_installed) {
  const std::string bytes = "!<arch>\nas dpkg-deb writes it";
  const fs::path file = folder.path() / "warpmark_1.2.3_amd64.deb";
  ASSERT_TRUE(write_file(file, bytes));
  const auto package = handout::open_package(file.string());
  ASSERT_TRUE(package) << package.error().message;
  auto files = handout::handout_files(source, *package);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(files->at(".warpmark/warpmark_1.2.3_amd64.deb").text, bytes);
  EXPECT_THAT(files->at(".warpmark/install").text, HasSubstr("='warpmark_1.2.3_amd64.deb'\n"));
  for (const char* name : {"README.md", "CMakeLists.txt"})
    EXPECT_THAT(files->at(name).text, HasSubstr("sudo apt-get install ./.warpmark/warpmark_1.2.3_amd64.deb"));
  auto gradescope = handout::gradescope_files(source, *package);
  ASSERT_TRUE(gradescope) << gradescope.error().message;
  EXPECT_EQ(gradescope->at("warpmark_1.2.3_amd64.deb").text, bytes);

  const std::string address =
      "https://example.edu/w/warpmark_1.2.3_amd64.deb?raw=1#sha256=" + std::string(64, 'a');
  const auto remote = handout::open_package(address);
  ASSERT_TRUE(remote) << remote.error().message;
  files = handout::handout_files(source, *remote);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(names_of(*files), Not(Contains(HasSubstr(".deb"))));
  for (const char* name :
       {".warpmark/install", ".github/workflows/grade.yml", ".gitlab-ci.yml", "Containerfile"})
    EXPECT_THAT(files->at(name).text, HasSubstr(address)) << name;
  gradescope = handout::gradescope_files(source, *remote);
  ASSERT_TRUE(gradescope) << gradescope.error().message;
  EXPECT_THAT(gradescope->at("install").text, HasSubstr("='" + address + "'\n"));
}

TEST_F(Handout, refuses_what_is_no_package) {
  ASSERT_TRUE(write_file(folder.path() / "page.deb", "<html>not found</html>"));
  ASSERT_TRUE(write_file(folder.path() / "page.tar.xz", "<html>not found</html>"));
  ASSERT_TRUE(write_file(folder.path() / "warpmark (1).deb", "!<arch>\n"));
  const std::string here = folder.path().string() + "/";
  for (const auto& [named, why] : std::map<std::string, std::string>{
           {here + "none.deb", "No such file"},
           {here + "page.deb", "not a Debian package"},
           {here + "page.tar.xz", "not an xz archive"},
           {here + "warpmark (1).deb", "give the file a name of"},
           {here, "name a .deb or a .tar.xz"},
           {"warpmark.zip", "name a .deb or a .tar.xz"},
           {"https://example.edu/", "name a .deb or a .tar.xz"},
           {"ftp://example.edu/warpmark.deb", "name a file, or an https:// address"},
           {"http://example.edu/warpmark.deb", "altered on the way"},
           {"https://example.edu/warpmark.deb#sha256=12", "64 hexadecimal digits"},
           {"https://example.edu/$(id)/warpmark.deb", "would have to be escaped"},
           {"https://example.edu/'/warpmark.deb", "would have to be escaped"}}) {
    const auto package = handout::open_package(named);
    ASSERT_FALSE(package) << named;
    EXPECT_THAT(package.error().message, AllOf(StartsWith("--package "), HasSubstr(why))) << named;
  }
  EXPECT_TRUE(handout::open_package("http://example.edu/warpmark.deb#sha256=" + std::string(64, '0')));
}

TEST_F(Handout, installs_what_versions_of_the_assignment_use) {
  const auto further = [&](const char* assignment) {
    const auto files = handout::handout_files(source_of(at, assignment), {});
    const std::string text = files ? files->at(".warpmark/install").text : "";
    const std::size_t from = text.find("further=(");
    return text.substr(from, text.find(')', from) - from);
  };
  EXPECT_EQ(further("warmup"), "further=(");
  EXPECT_EQ(further("reduction"), "further=(libthrust-dev");
  EXPECT_THAT(further("knn"), AllOf(HasSubstr("openmpi-bin"), HasSubstr("libclang-rt-dev")));
}

TEST_F(Handout, overwrites_nothing) {
  const fs::path mine = folder.path() / "mine";
  fs::create_directories(mine);
  ASSERT_TRUE(write_file(mine / "v02.cu", "my work"));
  const auto written = handout::write_folder({{"README.md", {"text"}}}, mine);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("is not empty"));
  EXPECT_FALSE(fs::exists(mine / "README.md"));
}

TEST_F(Handout, zips_equal_files_to_equal_bytes) {
  const Files files{{"setup.sh", {"#!/bin/sh\n", true}}, {"rubric.toml", {"title = 1\n"}}};
  ASSERT_TRUE(handout::write_zip(files, folder.path() / "a.zip"));
  ASSERT_TRUE(handout::write_zip(files, folder.path() / "b.zip"));
  const std::string bytes = read_file(folder.path() / "a.zip").value_or("");
  EXPECT_THAT(bytes, StartsWith("PK"));
  EXPECT_EQ(bytes, read_file(folder.path() / "b.zip").value_or(""));
  EXPECT_FALSE(handout::write_zip(files, folder.path() / "none/c.zip"));
}

}  // namespace
}  // namespace warpmark
