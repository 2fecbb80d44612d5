// What this machine does to a grading: a full or read-only disk, no processes, a judge that is killed. None
// of it is the submission's fault, and none of it leaves anything behind.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

const fs::path kUnfilled = fs::path(WARPMARK_ROOT) / "student_template/warmup";
const fs::path kReference = fs::path(WARPMARK_ROOT) / "reference/reduction";
constexpr int kNoNamespace = 77;

class OwnFaults : public CommandTest {
 protected:
  // In a mount namespace of its own, after `mounts`.
  Child with_mounts(const std::string& mounts, const std::string& script) const {
    return run_child({"/usr/bin/unshare", "--mount", "--map-root-user", "/bin/sh", "-c",
                      fmt::format("cd '{}' || exit {}; {{ {} ; }} || exit {}; {}", folder.path().string(),
                                  kNoNamespace, mounts, kNoNamespace, script)},
                     {{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}}, folder.path());
  }
  static std::string grade(const fs::path& submission, const std::string& more = "") {
    return fmt::format("'{}' grade '{}' --engine simulator --out small/out {}", WARPMARK_CLI,
                       submission.string(), more);
  }
};

TEST_F(OwnFaults, a_full_disk_is_broken_and_leaves_no_half_of_a_result) {
  fs::create_directory(folder.path() / "small");
  const Child child = with_mounts("mount -t tmpfs -o size=64k none small && mkdir small/out",
                                  "head -c 100000 /dev/zero >small/ballast 2>/dev/null; " + grade(kUnfilled) +
                                      "; status=$?; echo \"left: $(ls -A small/out)\"; exit $status");
  if (child.status == kNoNamespace) GTEST_SKIP() << "not run: this machine gives no file system of one's own";
  EXPECT_EQ(child.status, 3) << child.output;
  EXPECT_THAT(child.output,
              AllOf(HasSubstr("cannot write"), HasSubstr("No space left"), HasSubstr("left: \n")));
}

TEST_F(OwnFaults, a_full_disk_under_the_compiler_is_not_the_submissions_fault) {
  fs::create_directory(folder.path() / "small");
  // One that no cache holds.
  const auto text = read_file(kReference / "v01_atomic_per_element.cu");
  ASSERT_TRUE(text);
  fs::create_directory(folder.path() / "submission");
  ASSERT_TRUE(write_file(folder.path() / "submission/v01_atomic_per_element.cu",
                         *text + "// in " + folder.path().string() + "\n"));
  const Child child =
      with_mounts("mount -t tmpfs -o size=128k none small && mkdir small/tmp",
                  "export XDG_CACHE_HOME=$PWD/cache TMPDIR=$PWD/small/tmp; " +
                      fmt::format("'{}' grade submission --engine simulator --out out --only '*v01*builds'",
                                  WARPMARK_CLI));
  if (child.status == kNoNamespace) GTEST_SKIP() << "not run: this machine gives no file system of one's own";
  EXPECT_EQ(child.status, 3) << child.output;
  EXPECT_THAT(child.output, HasSubstr("make room"));
}

TEST_F(OwnFaults, a_read_only_output_is_broken) {
  fs::create_directories(folder.path() / "small/out");
  const Child child = with_mounts("mount --bind small small && mount -o remount,ro,bind small",
                                  grade(kUnfilled) + "; status=$?; ls -A small/out; exit $status");
  if (child.status == kNoNamespace) GTEST_SKIP() << "not run: this machine gives no file system of one's own";
  EXPECT_EQ(child.status, 3) << child.output;
  EXPECT_THAT(child.output, HasSubstr("Read-only file system"));
}

TEST_F(OwnFaults, a_machine_without_processes_is_broken) {
  if (getuid() != 0) GTEST_SKIP() << "not run: only root becomes another user, which has no process yet";
  fs::permissions(folder.path(), fs::perms::all);
  const Child child = run_child(
      {"/usr/bin/setpriv", "--reuid=64999", "--regid=64999", "--clear-groups", "/usr/bin/prlimit",
       "--nproc=1:1", WARPMARK_CLI, "grade", kReference.string(), "--engine", "simulator", "--out",
       out.string()},
      {{"PATH", "/usr/bin:/bin"}, {"HOME", folder.path().string()}, {"TMPDIR", folder.path().string()}},
      folder.path());
  EXPECT_EQ(child.status, 3) << child.output;
  EXPECT_THAT(child.output, HasSubstr("Resource temporarily unavailable"));
  EXPECT_FALSE(fs::exists(out / "grade.json") && !fs::file_size(out / "grade.json"));
}

// All processes below one, by their numbers.
std::set<pid_t> descendants_of(pid_t process) {
  std::set<pid_t> all;
  std::error_code error;
  for (const auto& thread : fs::directory_iterator(fmt::format("/proc/{}/task", process), error)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) {
      all.insert(child);
      all.merge(descendants_of(child));
    }
  }
  return all;
}

class KilledJudge : public OwnFaults {
 protected:
  // Killed as soon as it has a program below it; returns what was below it then.
  std::set<pid_t> kill_while_it_works() const {
    std::vector<std::string> arguments{WARPMARK_CLI, "grade", kReference.string(), "--engine",
                                       "simulator",  "--out", out.string()};
    std::vector<std::string> environment{"PATH=/usr/bin:/bin", "TMPDIR=" + temporary.string()};
    const auto pointers = [](std::vector<std::string>& texts) {
      std::vector<char*> list;
      for (std::string& text : texts) list.push_back(text.data());
      list.push_back(nullptr);
      return list;
    };
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int fd : {1, 2}) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
    pid_t judge = -1;
    EXPECT_EQ(posix_spawn(&judge, WARPMARK_CLI, &actions, nullptr, pointers(arguments).data(),
                          pointers(environment).data()),
              0);
    posix_spawn_file_actions_destroy(&actions);
    std::set<pid_t> below;
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    // A keeper and its program, and some that were there before.
    while (below.size() < 4 && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(2ms);
      below.merge(descendants_of(judge));
    }
    below.merge(descendants_of(judge));
    kill(judge, SIGKILL);
    waitpid(judge, nullptr, 0);
    return below;
  }
  const fs::path temporary = folder.path() / "temporary";
};

TEST_F(KilledJudge, leaves_no_process_and_its_files_go_at_the_next_start) {
  fs::create_directory(temporary);
  const std::set<pid_t> below = kill_while_it_works();
  ASSERT_GE(below.size(), 2U);
  const auto lives = [](pid_t pid) { return kill(pid, 0) == 0; };
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (std::ranges::any_of(below, lives) && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(std::ranges::any_of(below, lives));
  EXPECT_FALSE(fs::exists(out / "grade.json"));

  fs::create_directories(out);
  std::ofstream(out / ".warpmark-0123456789abcdef01234567") << "half";
  const auto long_ago = fs::file_time_type::clock::now() - 1h;
  for (const fs::path& place : {temporary, out}) {
    for (const auto& left : fs::directory_iterator(place)) fs::last_write_time(left, long_ago);
  }
  const Child next =
      run_child({WARPMARK_CLI, "grade", kUnfilled.string(), "--engine", "simulator", "--out", out.string()},
                {{"PATH", "/usr/bin:/bin"}, {"TMPDIR", temporary.string()}}, folder.path());
  EXPECT_EQ(next.status, 1) << next.output;
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(temporary)) left.push_back(entry.path().filename());
  EXPECT_THAT(left, IsEmpty());
  EXPECT_FALSE(fs::exists(out / ".warpmark-0123456789abcdef01234567"));
}

// A clock that somebody sets must end no call and prolong none.
TEST(Deadlines, are_kept_by_clocks_that_nobody_sets) {
  // Those say when something was, or how old a file is.
  const std::set<std::string> dates{"base/file.cpp", "class/journal/lock.cpp", "judge/grading.cpp",
                                    "judge/speed/calibration.cpp", "bench/stage.cpp"};
  const fs::path harness = fs::path(WARPMARK_ROOT) / "harness";
  for (const auto& entry : fs::recursive_directory_iterator(harness)) {
    const std::string name = entry.path().lexically_relative(harness).generic_string();
    if ((!name.ends_with(".cpp") && !name.ends_with(".h")) || name.starts_with("simulator/include") ||
        name.starts_with("simulator/further/include"))
      continue;
    const std::string text = read_file(entry.path()).value_or("");
    for (const char* word : {"system_clock", "std::time(", "CLOCK_REALTIME", "gettimeofday("}) {
      if (!dates.contains(name)) {
        EXPECT_EQ(text.find(word), std::string::npos) << name << " uses " << word;
      }
    }
  }
}

}  // namespace
}  // namespace warpmark
