// The scripts with which CI servers and Gradescope install Warpmark's package and grade, in a world of fakes:
// PATH holds only what the test puts there, and the package is an archive that leads to this build.
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PackageScripts : public CommandTest {
 protected:
  PackageScripts() {
    for (const fs::path& made : {bin, home}) fs::create_directories(made);
    for (const char* tool :
         {"bash", "cat",       "chmod", "clang", "clang++", "cp",     "cut", "dirname",  "env",
          "g++",  "bwrap",     "id",    "ln",    "mkdir",   "mktemp", "mv",  "readlink", "rm",
          "sh",   "sha256sum", "tail",  "tar",   "timeout", "touch",  "tr",  "xz"}) {
      const auto path = sandbox::find_program(tool);
      if (path) fs::create_symlink(*path, bin / tool);
    }
  }
  void fake(const std::string& name, const std::string& body) const {
    fs::remove(bin / name);
    EXPECT_TRUE(write_file(bin / name, "#!/bin/bash\n" + body + "\n"));
    fs::permissions(bin / name, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec |
                                    fs::perms::group_read | fs::perms::others_read);
  }
  // As `apt-get`: writes down what it was asked, and installs a program for each .deb.
  void fake_apt() const {
    fake("sudo", R"(shift; exec "$@")");
    fake("apt-get", R"(echo "apt-get $*" >>"$WORLD/calls"
[[ $* != *unobtainable* ]] || exit 100
for word; do
  if [[ $word == *.deb ]]; then printf '#!/bin/sh\necho 1.2.3\n' >"$WORLD/bin/warpmark"; chmod 755 "$WORLD/bin/warpmark"; fi
done)");
  }
  // The archive of an installation, but that its program is this build's.
  fs::path archive() const {
    const std::string name = "warpmark-1.2.3-linux-x86_64";
    const fs::path program = folder.path() / name / "bin/warpmark";
    fs::create_directories(program.parent_path());
    EXPECT_TRUE(write_file(program, "#!/bin/sh\nexec '" WARPMARK_CLI "' \"$@\"\n"));
    fs::permissions(program, fs::perms(0755));
    EXPECT_EQ(run_child({"/usr/bin/env", "tar", "-cJf", name + ".tar.xz", name}, {{"PATH", "/usr/bin:/bin"}},
                        folder.path())
                  .status,
              0);
    fs::remove_all(folder.path() / name);
    return folder.path() / (name + ".tar.xz");
  }
  void make_handout(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"handout", there.string(), "--assignment", "warmup"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Child child = run(arguments);
    ASSERT_EQ(child.status, 0) << child.output;
  }
  Child script(const std::vector<std::string>& command, std::map<std::string, std::string> more = {}) const {
    more.insert({{"PATH", bin.string()},
                 {"HOME", home.string()},
                 {"WORLD", folder.path().string()},
                 {"WARPMARK_PREFIX", prefix.string()},
                 {"GITHUB_WORKSPACE", there.string()}});
    std::vector<std::string> argv{(bin / "bash").string()};
    argv.insert(argv.end(), command.begin(), command.end());
    return run_child(argv, more, folder.path());
  }
  [[nodiscard]] std::string calls() const { return read_file(folder.path() / "calls").value_or(""); }

  const fs::path bin = folder.path() / "bin";
  const fs::path home = folder.path() / "home";
  const fs::path prefix = folder.path() / "pre fix";
  const fs::path there = folder.path() / "hand out";
};

TEST_F(PackageScripts, ci_job_installs_the_archive_and_grades) {
  make_handout({"--package", archive().string()});
  fs::copy_file(root / "reference/warmup/w01_thread_per_element.cu",
                there / "warmup/w01_thread_per_element.cu", fs::copy_options::overwrite_existing);
  const Child child = script({(there / ".warpmark/grade").string(), "github"});
  EXPECT_EQ(child.status, 1) << child.output;  // the other file is still to be written
  EXPECT_THAT(child.output, HasSubstr("10 of 20 points"));
  EXPECT_TRUE(fs::exists(there / "warpmark-out/ci/grade.json"));
  EXPECT_TRUE(fs::is_symlink(prefix / "bin/warpmark"));
  EXPECT_TRUE(fs::exists(prefix / "lib/warpmark-1.2.3-linux-x86_64/bin/warpmark"));
}

TEST_F(PackageScripts, cmake_unpacks_the_archive_of_a_handout) {
  for (const char* place : {"/usr/bin/warpmark", "/usr/local/bin/warpmark", "/opt/warpmark/bin/warpmark"}) {
    if (fs::exists(place)) GTEST_SKIP() << "not run: this machine has " << place;
  }
  make_handout({"--package", archive().string()});
  const Child child = run_child({WARPMARK_CMAKE, "--preset", "student"},
                                {{"PATH", "/usr/bin:/bin"}, {"HOME", home.string()}}, there);
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("graded by " + (there / "build/warpmark-1.2.3").string()));
  EXPECT_THAT(
      read_file(there / "compile_flags.txt").value_or(""),
      HasSubstr((fs::path(WARPMARK_CLI).parent_path().parent_path() / "lib/simulator-headers").string()));
}

TEST_F(PackageScripts, debian_package_is_installed_with_what_versions_use) {
  ASSERT_TRUE(write_file(folder.path() / "warpmark_1.2.3_amd64.deb", "!<arch>\n"));
  fs::remove_all(there);
  ASSERT_EQ(run({"handout", there.string(), "--package", "warpmark_1.2.3_amd64.deb"}).status, 0);
  fake_apt();
  const Child child = script({(there / ".warpmark/install").string()});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_EQ(calls(), "apt-get update\napt-get install -y --no-install-recommends " + there.string() +
                         "/.warpmark/warpmark_1.2.3_amd64.deb libthrust-dev\n");
  // A second time there is nothing to do.
  fs::remove(folder.path() / "calls");
  EXPECT_EQ(script({(there / ".warpmark/install").string()}).status, 0);
  EXPECT_THAT(calls(), IsEmpty());
}

TEST_F(PackageScripts, another_version_is_replaced_and_what_cannot_be_had_costs_nothing_else) {
  ASSERT_TRUE(write_file(folder.path() / "warpmark_1.2.3_amd64.deb", "!<arch>\n"));
  ASSERT_EQ(
      run({"handout", there.string(), "--assignment", "knn", "--package", "warpmark_1.2.3_amd64.deb"}).status,
      0);
  fake("sudo", R"(shift; exec "$@")");
  fake("apt-get", R"(echo "apt-get $*" >>"$WORLD/calls"
[[ $* != *thrust* ]] || exit 100
for word; do
  if [[ $word == *.deb ]]; then printf '#!/bin/sh\necho 1.2.3\n' >"$WORLD/bin/warpmark"; chmod 755 "$WORLD/bin/warpmark"; fi
done)");
  fake("warpmark", "echo 1.0.0");
  const Child child = script({(there / ".warpmark/install").string()});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("Warpmark 1.0.0 is installed; installing 1.2.3"),
                                  HasSubstr("continuing without libthrust-dev")));
  EXPECT_THAT(calls(), HasSubstr("--no-install-recommends libopenmpi-dev\n"));
  EXPECT_EQ(script({(bin / "warpmark").string()}).output, "1.2.3\n");
}

TEST_F(PackageScripts, address_without_a_digest_begins_with_https) {
  make_handout();
  for (const char* address :
       {"http://example.edu/warpmark_1.2.3_amd64.deb", "https://example.edu/w.deb#sha512=0"}) {
    const Child child = script({(there / ".warpmark/install").string()}, {{"WARPMARK_PACKAGE", address}});
    EXPECT_EQ(child.status, 2) << address;
    EXPECT_THAT(child.output, HasSubstr("#sha256=HEX")) << address;
  }
}

TEST_F(PackageScripts, address_is_fetched_and_held_to_its_digest) {
  fake_apt();
  fake("curl",
       R"(while [[ $1 != -o ]]; do shift; done; printf '!<arch>\n' >"$2"; echo "curl $3" >>"$WORLD/calls")");
  const std::string address = "https://example.edu/warpmark_1.2.3_amd64.deb";
  make_handout({"--package", address + "#sha256=" + std::string(64, '0')});
  const Child other = script({(there / ".warpmark/install").string()});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.output, HasSubstr("is not the file that was named"));
  EXPECT_THAT(calls(), Not(HasSubstr("amd64.deb\napt-get install")));
  // The variable of a CI server names another.
  const Child right = script({(there / ".warpmark/install").string()},
                             {{"WARPMARK_PACKAGE", address + "#sha256=" + sha256("!<arch>\n")}});
  EXPECT_EQ(right.status, 0) << right.output;
  EXPECT_THAT(calls(), AllOf(HasSubstr("curl " + address + "\n"), HasSubstr("warpmark_1.2.3_amd64.deb\n")));
}

TEST_F(PackageScripts, job_without_a_package_says_what_to_set) {
  make_handout();
  const Child child = script({(there / ".warpmark/grade").string(), "github"}, {{"GITHUB_ACTIONS", "true"}});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("::error title=Warpmark::"), HasSubstr("WARPMARK_PACKAGE")));
  const Child wrong = script({(there / ".warpmark/install").string()}, {{"WARPMARK_PACKAGE", "/none.deb"}});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.output, HasSubstr("/none.deb does not exist"));
  fake_apt();
  ASSERT_TRUE(write_file(folder.path() / "unobtainable.deb", "!<arch>\n"));
  const Child failed = script({(there / ".warpmark/install").string()},
                              {{"WARPMARK_PACKAGE", (folder.path() / "unobtainable.deb").string()}});
  EXPECT_EQ(failed.status, 2);
  EXPECT_THAT(failed.output, HasSubstr("cannot be installed on this system"));
}

// Gradescope's part, for a zip and the folder that a student hands in.
class Gradescope : public PackageScripts {
 protected:
  void install(const std::string& assignment) const {
    const Child made = run({"handout", "grader.zip", "--for", "gradescope", "--assignment", assignment,
                            "--package", archive().string()});
    ASSERT_EQ(made.status, 0) << made.output;
    fs::create_directories(autograder / "source");
    ASSERT_EQ(run_child({"/usr/bin/env", WARPMARK_CMAKE, "-E", "tar", "xf", folder.path() / "grader.zip"}, {},
                        autograder / "source")
                  .status,
              0);
    fake("useradd", R"(echo "useradd $*" >>"$WORLD/calls")");
    fake("id", R"([[ $1 == -g ]] && echo 65534)");
    fake("chown", ":");
    fake("setpriv", R"(while [[ $1 == --* ]]; do shift; done; exec "$@")");
    const Child setup =
        script({(autograder / "source/setup.sh").string()}, {{"WARPMARK_SOURCE", autograder / "source"}});
    ASSERT_EQ(setup.status, 0) << setup.output;
    EXPECT_THAT(calls(), HasSubstr("useradd --create-home"));
  }
  // Grades the submission and returns the sum of the points that Gradescope shows.
  double points() const {
    const Child graded =
        script({(autograder / "source/run_autograder").string()}, {{"WARPMARK_AUTOGRADER", autograder}});
    EXPECT_EQ(graded.status, 0) << graded.output;
    const auto results =
        nlohmann::json::parse(read_file(autograder / "results/results.json").value_or(""), nullptr, false);
    EXPECT_TRUE(results.is_object()) << graded.output;
    double sum = 0;
    for (const auto& test : results.value("tests", nlohmann::json::array())) sum += test.value("score", 0.0);
    return sum;
  }

  const fs::path autograder = folder.path() / "autograder";
};

TEST_F(Gradescope, zip_needs_a_package) {
  const Child without = run({"handout", "grader.zip", "--for", "gradescope", "--assignment", "warmup"});
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.output, HasSubstr("--package"));
  EXPECT_FALSE(fs::exists(folder.path() / "grader.zip"));
}

TEST_F(Gradescope, installs_the_package_and_writes_results) {
  ASSERT_NO_FATAL_FAILURE(install("warmup"));
  fs::copy(root / "student_template/warmup", autograder / "submission", fs::copy_options::recursive);
  fs::copy_file(root / "reference/warmup/w01_thread_per_element.cu",
                autograder / "submission/w01_thread_per_element.cu", fs::copy_options::overwrite_existing);
  EXPECT_EQ(points(), 10);
}

TEST_F(Gradescope, zip_of_an_own_assignment_holds_the_assignment) {
  const fs::path home = folder.path() / "histogram";
  fs::copy(WARPMARK_HISTOGRAM, home, fs::copy_options::recursive);
  ASSERT_NO_FATAL_FAILURE(install(home.string()));
  fs::create_directories(autograder / "submission");
  fs::rename(home / "reference/h02_shared.cu", autograder / "submission/h02_shared.cu");
  fs::remove_all(home);
  EXPECT_EQ(points(), 70);
}

}  // namespace
}  // namespace warpmark
