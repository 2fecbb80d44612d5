// The wrapper script in a world of fakes: a folder with nothing but it, and a PATH that holds only what the
// test puts there. Every fake writes down that it was called.
#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>

#include "harness/base/file.h"
#include "harness/sandbox/process.h"
#include "tests/cli/child.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kInstallClang = "apt-get install -y --no-install-recommends clang";

class Wrapper : public testing::Test {
 protected:
  Wrapper() {
    fs::create_directories(root);
    fs::create_directories(bin);
    fs::copy_file(fs::path(WARPMARK_ROOT) / "warpmark", root / "warpmark");
    for (const char* tool :
         {"awk",   "bash",  "cat",   "comm",     "dirname", "env",  "flock", "grep",  "head", "ls",
          "mkdir", "nproc", "paste", "readlink", "rm",      "sort", "tail",  "touch", "true", "uname"}) {
      const auto path = sandbox::find_program(tool);
      if (!path) throw std::runtime_error(std::string("this machine has no ") + tool);
      fs::create_symlink(*path, bin / tool);
    }
    // `installed` is what dpkg knows; like the real one it fails when it is asked for something else.
    fake("dpkg-query", R"(status=0
for word; do
  case $word in -*|'${'*) continue;; esac
  if grep -qx -- "$word" "$WORLD/installed"; then echo "installed $word"; else status=1; fi
done
exit $status)");
    fake("apt-get", R"(echo "apt-get $*" >>"$WORLD/calls"
[[ $1 == install ]] || exit 0
for word; do
  case $word in -*|install) continue;; esac
  if grep -qx -- "$word" "$WORLD/unobtainable"; then echo "E: Unable to locate package $word"; exit 100; fi
  echo "$word" >>"$WORLD/installed"
done)");
    // As who may become root without a password, unless `password` is there. The test itself may run as root.
    fake("sudo", R"([[ $1 != -n ]] || { shift; [[ ! -e $WORLD/password ]] || exit 1; }
[[ $1 == true ]] || echo "sudo" >>"$WORLD/calls"
exec "$@")");
    fake("id", R"(if [[ -e $WORLD/no_root ]]; then echo 1000; else echo 0; fi)");
    fake("cmake", R"(echo "cmake $*" >>"$WORLD/calls"
[[ ! -e $WORLD/cmake_fails ]] || { echo "CMake Error: no compiler"; exit 1; }
echo >"build/build.ninja")");
    fake("ninja", R"(if [[ $3 == -n ]]; then
  if [[ -e $WORLD/built ]]; then echo "ninja: no work to do."
  elif [[ -e $WORLD/due ]]; then cat "$WORLD/due"
  else echo "[1/1] Building CXX object a.o"; fi
  exit 0
fi
echo "ninja $3" >>"$WORLD/calls"
[[ ! -e $WORLD/steps ]] || for ((i = 1; i <= $(<"$WORLD/steps"); ++i)); do echo "[$i/$(<"$WORLD/steps")] Building $i.o"; done
[[ ! -e $WORLD/ninja_fails ]] || { echo "FAILED: a.o"; echo "a.cpp:1: error: no"; exit 1; }
mkdir -p "$2/bin"
program=$2/bin/warpmark-cli
[[ $3 != grader ]] || program=$2/bin/warpmark-grade
cp_tool() { cat "$WORLD/tool" >"$program"; }
cp_tool
chmod +x "$program"
touch "$WORLD/built")");
    fake("ctest", R"(echo "ctest $*")");
    const auto chmod = sandbox::find_program("chmod");
    if (!chmod) throw std::runtime_error("this machine has no chmod");
    fs::create_symlink(*chmod, bin / "chmod");
    write("tool", "#!/usr/bin/env bash\nprintf '<%s>' \"$@\"\necho\nexit 7\n");
    write("installed", "");
    write("unobtainable", "none\n");
    // Whatever the script says that it needs is there at first.
    for (const std::string& package : needed()) add_line("installed", package);
  }

  // The names in the script's two lists, read as a reader would.
  static std::vector<std::string> needed() {
    const auto child =
        run_child({bash(), "-c",
                   "eval \"$(sed -n '/^packages=(/,/^)/p; /^[a-z]*_packages=(/,/^)/p' '" WARPMARK_ROOT
                   "/warpmark')\"; printf '%s\\n' \"${packages[@]}\" \"${optional_packages[@]}\" "
                   "\"${test_packages[@]}\" \"${package_packages[@]}\" \"${further_packages[@]}\""},
                  {{"PATH", "/usr/bin:/bin"}}, "/");
    std::vector<std::string> names;
    std::string::size_type begin = 0;
    for (std::string::size_type end; (end = child.output.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      names.push_back(child.output.substr(begin, end - begin));
    }
    return names;
  }
  static std::string bash() { return sandbox::find_program("bash").value_or("/bin/bash"); }

  void write(const std::string& name, const std::string& text) const {
    if (!write_file(world.path() / name, text)) throw std::runtime_error("cannot write " + name);
  }
  std::string text_of(const std::string& name) const { return read_file(world.path() / name).value_or(""); }
  void add_line(const std::string& name, const std::string& line) const {
    write(name, text_of(name) + line + "\n");
  }
  void fake(const std::string& name, const std::string& script) const {
    if (!write_file(bin / name, "#!" + bash() + "\n" + script + "\n"))
      throw std::runtime_error("cannot write " + name);
    fs::permissions(bin / name, fs::perms::owner_all);
  }
  void not_installed(const std::string& package) const {
    std::string text = text_of("installed");
    const std::size_t at = text.find("\n" + package + "\n");
    ASSERT_NE(at, std::string::npos) << "the script does not need " << package;
    write("installed", text.erase(at + 1, package.size() + 1));
  }
  Child run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {bash(), (root / "warpmark").string()});
    return run_child(arguments, environment(), world.path());
  }
  // The status at a terminal where `typed` was typed.
  int run_at_terminal(const std::string& typed) const {
    int watcher = -1;
    int terminal = -1;
    if (::openpty(&watcher, &terminal, nullptr, nullptr, nullptr) != 0 || write_all(watcher, typed) != 0)
      throw std::runtime_error("this machine has no terminals");
    const std::array<UniqueFd, 2> closed{UniqueFd(watcher), UniqueFd(terminal)};
    sandbox::Command command;
    command.argv = {bash(), (root / "warpmark").string(), "grade"};
    command.environment = environment();
    command.folder = world.path();
    command.standard_fds = {terminal, terminal, terminal};
    const auto finished = sandbox::run(command, std::chrono::minutes(1));
    if (!finished || finished->timed_out) throw std::runtime_error("the script did not end");
    return finished->ending.code;
  }
  std::map<std::string, std::string> environment() const {
    return {{"PATH", bin.string()}, {"WORLD", world.path().string()}, {"CUDA_PATH", cuda.string()}};
  }
  std::string calls() const { return text_of("calls"); }
  void forget_calls() const { write("calls", ""); }

  const TemporaryFolder world;
  const fs::path root = world.path() / "the root's folder";
  const fs::path bin = world.path() / "bin";
  const fs::path cuda = world.path() / "cuda";  // not there, unless a test makes it
};

TEST_F(Wrapper, builds_the_tool_and_hands_every_word_and_the_status_through) {
  const Child child = run({"grade", "a b", "--only", "*'\"", ""});
  EXPECT_THAT(child.output, HasSubstr("<grade><a b><--only><*'\"><>"));
  EXPECT_EQ(child.status, 7);
  EXPECT_THAT(calls(), AllOf(HasSubstr("cmake --preset release"), HasSubstr("ninja grader")));
}

TEST_F(Wrapper, when_all_is_fresh_asks_for_nothing_to_be_done) {
  run({"grade"});
  forget_calls();
  EXPECT_EQ(run({"grade"}).output, "<grade>\n");
  EXPECT_THAT(calls(), IsEmpty());
}

TEST_F(Wrapper, builds_again_what_is_stale_without_configuring) {
  run({"grade"});
  forget_calls();
  fs::remove(world.path() / "built");
  run({"grade"});
  EXPECT_EQ(calls(), "ninja grader\n");
}

TEST_F(Wrapper, configures_again_when_a_cuda_toolkit_came) {
  run({"grade"});
  forget_calls();
  fs::create_directories(cuda / "bin");
  ASSERT_TRUE(write_file(cuda / "bin/nvcc", ""));
  const Child child = run({"grade"});
  EXPECT_THAT(child.output, HasSubstr((cuda / "bin/nvcc").string()));
  EXPECT_THAT(calls(), HasSubstr("cmake"));
}

TEST_F(Wrapper, builds_a_moved_or_copied_clone_anew) {
  run({"grade"});
  const auto made_in = [&](const fs::path& folder) {
    const std::string line = "CMAKE_HOME_DIRECTORY:INTERNAL=" + folder.string() + "\n";
    ASSERT_TRUE(write_file(root / "build/CMakeCache.txt", line) && write_file(root / "build/old.o", "x"));
  };
  made_in(root);
  run({"grade"});
  EXPECT_TRUE(fs::exists(root / "build/old.o"));
  made_in("/somewhere/else");
  forget_calls();
  fs::remove(world.path() / "built");
  const Child child = run({"grade"});
  EXPECT_EQ(child.status, 7) << child.output;
  EXPECT_THAT(child.output, HasSubstr("a copy of /somewhere/else"));
  EXPECT_FALSE(fs::exists(root / "build/old.o"));
  EXPECT_THAT(calls(), AllOf(HasSubstr("cmake"), HasSubstr("ninja grader")));
}

TEST_F(Wrapper, works_through_a_link_from_any_folder) {
  fs::create_symlink(root / "warpmark", world.path() / "link");
  const Child child = run_child({bash(), (world.path() / "link").string(), "grade"}, environment(), "/");
  EXPECT_EQ(child.status, 7) << child.output;
  EXPECT_TRUE(fs::exists(root / "build/bin/warpmark-grade"));
}

TEST_F(Wrapper, test_builds_the_quick_tests_and_hands_its_words_to_ctest) {
  const Child child = run({"test", "-L", "student", "-R", "a b"});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("--no-tests=error"), HasSubstr("-LE long -L student -R a b")));
  EXPECT_THAT(calls(), HasSubstr("ninja test_programs\n"));
}

TEST_F(Wrapper, test_with_long_builds_everything_and_leaves_nothing_out) {
  const Child child = run({"test", "--long", "-R", "a"});
  EXPECT_THAT(child.output, AllOf(HasSubstr("-R a"), Not(HasSubstr("-LE")), Not(HasSubstr("--long"))));
  EXPECT_THAT(calls(), HasSubstr("ninja all\n"));
}

TEST_F(Wrapper, test_leaves_out_what_it_is_told_to_and_what_is_long) {
  EXPECT_THAT(run({"test", "-LE", "browser"}).output, HasSubstr("-LE long|browser"));
  EXPECT_THAT(run({"test", "--long", "-LE", "browser"}).output, HasSubstr("-LE browser"));
}

TEST_F(Wrapper, test_of_one_module_builds_its_programs_alone) {
  run({"test"});
  ASSERT_TRUE(write_file(root / "build/build.ninja", "build test_programs_judge: phony tests/judge_tests\n"));
  fs::remove(world.path() / "built");
  forget_calls();
  run({"test", "-L", "judge"});
  EXPECT_EQ(calls(), "ninja test_programs_judge\n");
}

TEST_F(Wrapper, test_says_why_tests_were_not_run_and_fails_as_ctest_does) {
  fake("ctest", R"(mkdir -p "$2/Testing/Temporary"
echo "Output:
not run: 2 tests: no GPU
not run: no GPU
not run: 1 test: no nvcc" >"$2/Testing/Temporary/LastTest.log"
touch -d '+1 minute' "$2/Testing/Temporary/LastTest.log"
exit 8)");
  const Child child = run({"test"});
  EXPECT_EQ(child.status, 8);
  EXPECT_THAT(child.output,
              AllOf(HasSubstr("3 tests not run: no GPU\n"), HasSubstr("1 test not run: no nvcc\n")));
}

TEST_F(Wrapper, no_install_with_a_missing_package_says_what_to_install) {
  not_installed("clang");
  not_installed("ninja-build");
  const Child child = run({"--no-install", "grade"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, HasSubstr("sudo apt-get install -y --no-install-recommends clang ninja-build"));
  EXPECT_THAT(calls(), IsEmpty());
}

TEST_F(Wrapper, no_install_goes_on_without_an_optional_package) {
  not_installed("libthrust-dev");
  const Child child = run({"--no-install", "grade"});
  EXPECT_EQ(child.status, 7) << child.output;
  EXPECT_THAT(calls(), Not(HasSubstr("apt-get")));
}

TEST_F(Wrapper, no_install_is_not_handed_to_the_tool) {
  EXPECT_THAT(run({"--no-install", "grade"}).output,
              AllOf(HasSubstr("<grade>"), Not(HasSubstr("no-install"))));
  EXPECT_THAT(run({"--no-install", "test"}).output, HasSubstr("ctest"));
}

TEST_F(Wrapper, builds_the_grader_alone_until_the_whole_tool_is_there) {
  EXPECT_EQ(run({"grade"}).status, 7);
  EXPECT_THAT(calls(), AllOf(HasSubstr("ninja grader"), Not(HasSubstr("ninja tool"))));
  fs::remove(world.path() / "built");
  EXPECT_EQ(run({"class"}).status, 7);
  EXPECT_THAT(calls(), HasSubstr("ninja tool"));
  fs::remove(world.path() / "built");
  fs::remove(world.path() / "calls");
  EXPECT_EQ(run({"grade"}).status, 7);
  EXPECT_THAT(calls(), AllOf(HasSubstr("ninja tool"), Not(HasSubstr("ninja grader"))));
}

TEST_F(Wrapper, installs_what_is_missing_and_nothing_else) {
  not_installed("clang");
  const Child child = run({"grade"});
  EXPECT_EQ(child.status, 7) << child.output;
  EXPECT_THAT(child.output, HasSubstr(kInstallClang));
  EXPECT_THAT(calls(), HasSubstr("apt-get update\napt-get install -y --no-install-recommends clang\n"));
}

TEST_F(Wrapper, announces_every_command_that_sudo_will_run) {
  write("no_root", "");
  not_installed("clang");
  not_installed("libthrust-dev");
  const Child child = run({"grade"});
  EXPECT_EQ(child.status, 7) << child.output;
  EXPECT_THAT(
      child.output,
      AllOf(HasSubstr("  sudo apt-get update\n"), HasSubstr(std::string("  sudo ") + kInstallClang + "\n"),
            HasSubstr("  sudo apt-get install -y --no-install-recommends libthrust-dev ")));
  EXPECT_THAT(calls(), HasSubstr(std::string("sudo\n") + kInstallClang + "\n"));
}

TEST_F(Wrapper, names_no_sudo_to_root) {
  not_installed("clang");
  EXPECT_THAT(run({"grade"}).output, AllOf(HasSubstr(kInstallClang), Not(HasSubstr("sudo"))));
}

TEST_F(Wrapper, waits_for_enter_at_a_terminal_where_sudo_asks_for_a_password) {
  write("no_root", "");
  write("password", "");
  not_installed("clang");
  EXPECT_EQ(run_at_terminal("\x04"), 2) << "Ctrl-D declines";
  EXPECT_THAT(calls(), IsEmpty());
  EXPECT_EQ(run_at_terminal("\n"), 7);
  EXPECT_THAT(calls(), HasSubstr(kInstallClang));
}

TEST_F(Wrapper, waits_for_nobody_where_sudo_asks_for_no_password_or_nobody_watches) {
  write("no_root", "");
  not_installed("clang");
  EXPECT_EQ(run_at_terminal("\x04"), 7);
  EXPECT_THAT(calls(), HasSubstr(kInstallClang));
  write("password", "");
  not_installed("ninja-build");
  EXPECT_EQ(run({"grade"}).status, 7);
}

TEST_F(Wrapper, does_not_go_on_without_a_package_that_it_needs) {
  not_installed("clang");
  write("unobtainable", "clang\n");
  const Child child = run({"grade"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("Unable to locate package clang"), HasSubstr("install.log")));
  EXPECT_THAT(calls(), Not(HasSubstr("ninja")));
}

TEST_F(Wrapper, goes_on_without_an_optional_package_that_cannot_be_had_and_asks_once) {
  not_installed("libthrust-dev");
  write("unobtainable", "libthrust-dev\n");
  const Child child = run({"grade"});
  EXPECT_EQ(child.status, 7) << child.output;
  EXPECT_THAT(child.output, HasSubstr("libthrust-dev could not be installed"));
  forget_calls();
  EXPECT_EQ(run({"grade"}).status, 7);
  EXPECT_THAT(calls(), Not(HasSubstr("apt-get")));
}

TEST_F(Wrapper, asks_for_a_browser_only_where_the_long_tests_are_run) {
  not_installed("chromium");
  EXPECT_EQ(run({"grade"}).status, 7);
  run({"test"});
  EXPECT_THAT(calls(), Not(HasSubstr("apt-get")));
  run({"test", "--long"});
  EXPECT_THAT(calls(), HasSubstr("apt-get install -y --no-install-recommends chromium\n"));
}

TEST_F(Wrapper, without_apt_get_says_what_is_needed_and_tries) {
  fs::remove(bin / "apt-get");
  fs::remove(bin / "dpkg-query");
  const Child child = run({"grade"});
  EXPECT_EQ(child.status, 7) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("no apt-get"), HasSubstr("clang"),
                                  HasSubstr("nlohmann-json3-dev"), HasSubstr("libthrust-dev")));
  EXPECT_THAT(run({"grade"}).output, Not(HasSubstr("no apt-get"))) << "once it is built it is no news";
}

TEST_F(Wrapper, a_configuration_that_fails_shows_the_end_of_its_log) {
  write("cmake_fails", "");
  const Child child = run({"grade"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("CMake Error: no compiler"), HasSubstr("build.log")));
}

TEST_F(Wrapper, a_build_that_fails_shows_the_errors) {
  write("ninja_fails", "");
  const Child child = run({"grade"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("a.cpp:1: error: no"), HasSubstr("build.log")));
}

TEST_F(Wrapper, a_build_that_failed_is_tried_again) {
  write("ninja_fails", "");
  run({"grade"});
  fs::remove(world.path() / "ninja_fails");
  EXPECT_EQ(run({"grade"}).status, 7);
}

TEST_F(Wrapper, says_only_the_first_time_that_a_build_takes_minutes) {
  EXPECT_THAT(run({"grade"}).output, HasSubstr("the first time takes a few minutes"));
  fs::remove(world.path() / "built");
  EXPECT_THAT(run({"grade"}).output, AllOf(HasSubstr("building what changed"), Not(HasSubstr("minutes"))));
}

TEST_F(Wrapper, says_nothing_of_a_build_where_no_code_has_changed) {
  run({"grade"});
  fs::remove(world.path() / "built");
  write("due", "[1/2] Re-checking globbed directories...\n[2/2] Writing the man pages\n");
  forget_calls();
  EXPECT_EQ(run({"grade"}).output, "<grade>\n");
  EXPECT_EQ(calls(), "ninja grader\n") << "it is made all the same";
}

TEST_F(Wrapper, shows_a_long_build_in_tenths_where_there_is_no_terminal) {
  write("steps", "40");
  const Child child = run({"grade"});
  EXPECT_THAT(child.output, AllOf(HasSubstr("building [4/40]\n"), HasSubstr("building [40/40]\n"),
                                  Not(HasSubstr("[5/40]")), Not(HasSubstr("\r"))));
  EXPECT_THAT(text_of("the root's folder/build/build.log"), HasSubstr("[5/40] Building 5.o"));
}

TEST_F(Wrapper, a_short_build_shows_no_steps) {
  write("steps", "3");
  EXPECT_THAT(run({"grade"}).output, Not(HasSubstr("/3]")));
}

TEST_F(Wrapper, that_cannot_go_on_exits_with_2) {
  ASSERT_TRUE(write_file(root / "build", "a file in the way"));
  EXPECT_EQ(run({"grade"}).status, 2);
  fs::remove(root / "build");
  fs::create_directories(root / "build/.lock");
  EXPECT_EQ(run({"grade"}).status, 2);
}

TEST_F(Wrapper, without_the_program_to_hand_over_to_exits_with_2) {
  fs::remove(bin / "ctest");
  const Child child = run({"test"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, HasSubstr("ctest cannot be started"));
  fs::permissions(root / "build/bin/warpmark-cli", fs::perms::owner_read);
  EXPECT_EQ(run({"grade"}).status, 2);
}

}  // namespace
}  // namespace warpmark
