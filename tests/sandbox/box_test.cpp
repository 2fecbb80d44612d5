// What a program cannot do in a box: each test runs one that tries.

#include "harness/sandbox/box.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/sandbox/level.h"
#include "harness/sandbox/process.h"

namespace warpmark::sandbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto kBoxLimit = 60s;
const fs::path kRepository = WARPMARK_ROOT;

Command in_box(const char* program, const std::vector<std::string>& arguments) {
  Command command;
  command.argv = {program};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.level = Level::box;
  command.box.read_only = {program};
  return command;
}

Ending ending_of(const Command& command) {
  const Result<Finished> finished = run(command, kBoxLimit);
  EXPECT_TRUE(finished) << finished.error().message;
  if (!finished) return {};
  EXPECT_FALSE(finished->timed_out);
  EXPECT_EQ(why_not_started(finished->ending), "");
  return finished->ending;
}

// Of this process, parents before their children.
std::vector<pid_t> descendants() {
  std::vector<pid_t> found{getpid()};
  for (std::size_t at = 0; at < found.size(); ++at) {
    const std::string task = std::to_string(found[at]);
    for (const auto& thread : fs::directory_iterator("/proc/" + task + "/task")) {
      std::ifstream children(thread.path() / "children");
      for (pid_t child = 0; children >> child;) found.push_back(child);
    }
  }
  found.erase(found.begin());
  return found;
}

// Every test runs as the user that a box has by default and, where root can have it, as another one.
class BoxTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (machine().best != Level::box) GTEST_SKIP() << "not run: " << machine().trouble;
    if (GetParam() && !machine().other_user) GTEST_SKIP() << "not run: only root's boxes have another user";
  }
  static Command attempt(const std::vector<std::string>& arguments) {
    Command command = in_box(WARPMARK_BOX_PROBE, arguments);
    command.box.other_user = GetParam();
    return command;
  }
  static Command misbehaving(const std::vector<std::string>& arguments) {
    Command command = in_box(WARPMARK_PROBE, arguments);
    command.box.other_user = GetParam();
    return command;
  }
  static void expect_held(const std::vector<std::string>& arguments) {
    const Ending ending = ending_of(attempt(arguments));
    EXPECT_EQ(ending.output, "held\n");
    EXPECT_EQ(ending.kind, Ending::Kind::exited);
    EXPECT_EQ(ending.code, 0);
    EXPECT_EQ(ending.left_behind, 0);
  }
  // What the box prevents goes through without one: otherwise a test of it shows nothing.
  static void expect_held_by_the_box_alone(const std::vector<std::string>& arguments) {
    expect_held(arguments);
    Command command = attempt(arguments);
    command.level = Level::process;
    EXPECT_EQ(ending_of(command).output, "went through\n");
  }
};
INSTANTIATE_TEST_SUITE_P(User, BoxTest, testing::Bool(),
                         [](const auto& param) { return param.param ? "Other" : "Mapped"; });

// The kernel counts processes by user: in the same one, a program that starts too many would hold up the
// others.
TEST(BoxOfAnotherUser, has_it_for_itself) {
  if (machine().best != Level::box || getuid() != 0)
    GTEST_SKIP() << "not run: only root's boxes have another user";
  ASSERT_TRUE(machine().other_user);
  Command command = in_box("/usr/bin/id", {"-u"});
  command.box.other_user = true;
  const std::string one = ending_of(command).output;
  const std::string other = ending_of(command).output;
  EXPECT_NE(one, other);
  for (const std::string& user : {one, other}) EXPECT_THAT(user, testing::MatchesRegex("[1-9][0-9]+\n"));
}

TEST_P(BoxTest, reports_how_its_program_ended) {
  Ending ending = ending_of(misbehaving({"exit", "139"}));
  EXPECT_EQ(ending.kind, Ending::Kind::exited);
  EXPECT_EQ(ending.code, 139);
  ending = ending_of(misbehaving({"raise", std::to_string(SIGSEGV)}));
  EXPECT_EQ(ending.kind, Ending::Kind::signalled);
  EXPECT_EQ(ending.code, SIGSEGV);
}

TEST_P(BoxTest, reports_a_missing_program) {
  Command command = attempt({});
  command.argv = {"/nowhere/at/all"};
  const Result<Finished> finished = run(command, kBoxLimit);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending.kind, Ending::Kind::not_started);
  EXPECT_EQ(finished->ending.code, ENOENT);
}

TEST_P(BoxTest, that_cannot_be_made_is_reported_with_the_reason) {
  Command command = attempt({"read", "/"});
  command.box.read_only.emplace_back("/nowhere/at/all");
  const Result<Finished> finished = run(command, kBoxLimit);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending.kind, Ending::Kind::not_started);
  EXPECT_THAT(why_not_started(finished->ending), HasSubstr("/nowhere/at/all"));
}

// The dynamic linker needs it, whichever user the program is.
TEST_P(BoxTest, shows_the_linkers_cache) {
  EXPECT_EQ(ending_of(attempt({"read", "/etc/ld.so.cache"})).output, "went through\n");
  EXPECT_EQ(ending_of(attempt({"read", "/etc/alternatives"})).output, "went through\n");
}

TEST_P(BoxTest, has_nothing_of_the_machine_but_its_system) {
  expect_held({"read", "/etc/shadow"});
  expect_held({"read", "/etc/passwd"});
  expect_held({"read", "/root"});
  expect_held({"read", "/home"});
  expect_held({"read", "/var"});
  expect_held({"read", "/sys/fs"});
}

TEST_P(BoxTest, does_not_show_the_repository) {
  expect_held_by_the_box_alone({"read", kRepository / "README.md"});
  expect_held_by_the_box_alone({"read", kRepository / "harness"});
}

TEST_P(BoxTest, has_a_folder_for_temporary_files_of_its_own) {
  const TemporaryFolder outside;
  std::ofstream(outside.path() / "secret") << "x";
  fs::permissions(outside.path(), fs::perms::all);
  expect_held_by_the_box_alone({"read", outside.path() / "secret"});
  EXPECT_EQ(ending_of(attempt({"write", "/tmp/warpmark_box_test"})).output, "went through\n");
  EXPECT_FALSE(fs::exists("/tmp/warpmark_box_test"));
}

TEST_P(BoxTest, cannot_write_to_the_system_or_to_what_it_is_shown) {
  const TemporaryFolder shown;
  fs::permissions(shown.path(), fs::perms::all);
  for (const std::string folder : {"/usr", "/etc", "/", "/dev", "/proc/sys/kernel", "/usr/lib"}) {
    expect_held({"write", folder + "/warpmark_box_test"});
  }
  Command command = attempt({"write", shown.path() / "x"});
  command.box.read_only.push_back(shown.path());
  EXPECT_EQ(ending_of(command).output, "held\n");
}

TEST_P(BoxTest, shows_what_is_named) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  fs::permissions(folder.path(), fs::perms::all);
  Command command = attempt({"read", folder.path() / "file"});
  command.box.read_only.push_back(folder.path());
  EXPECT_EQ(ending_of(command).output, "went through\n");
}

TEST_P(BoxTest, gets_copies_of_files_that_others_may_not_read) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "library";
  std::ofstream(file) << "x";
  fs::permissions(file, fs::perms::owner_read);
  Command command = attempt({"read", file});
  command.box.copies = {file};
  EXPECT_EQ(ending_of(command).output, "went through\n");
  command = attempt({"write", file});
  command.box.copies = {file};
  EXPECT_EQ(ending_of(command).output, "held\n");
}

TEST_P(BoxTest, writes_to_the_folder_that_is_for_that) {
  if (GetParam()) GTEST_SKIP() << "not run: another user owns no folder here";
  const TemporaryFolder folder;
  Command command = attempt({"write", folder.path() / "x"});
  command.box.writable = {folder.path()};
  EXPECT_EQ(ending_of(command).output, "went through\n");
  EXPECT_TRUE(fs::exists(folder.path() / "x"));
}

TEST_P(BoxTest, hides_folders_below_usr_but_not_what_is_named_in_them) {
  Command command = attempt({"read", "/usr/include/stdio.h"});
  EXPECT_EQ(ending_of(command).output, "went through\n");
  command.box.hidden = {"/usr/include"};
  EXPECT_EQ(ending_of(command).output, "held\n");
  command.box.read_only.emplace_back("/usr/include/stdio.h");
  EXPECT_EQ(ending_of(command).output, "went through\n");
  command = attempt({"read", "/usr/include/linux/types.h"});
  command.box.hidden = {"/usr/include"};
  command.box.read_only.emplace_back("/usr/include/linux/types.h");
  EXPECT_EQ(ending_of(command).output, "went through\n") << "the folder in between is for every user";
}

TEST_P(BoxTest, sees_no_process_of_others) {
  expect_held_by_the_box_alone({"see-processes"});
  expect_held({"signal", std::to_string(getpid())});
}

TEST_P(BoxTest, reaches_no_network) {
  const UniqueFd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener.get(), 4), 0);
  ASSERT_EQ(getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  expect_held_by_the_box_alone({"connect", std::to_string(ntohs(address.sin_port))});
}

TEST_P(BoxTest, reaches_no_socket_without_a_file) {
  const std::string name = "warpmark_box_test_" + std::to_string(getpid());
  const UniqueFd listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  ASSERT_EQ(bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener.get(), 4), 0);
  expect_held_by_the_box_alone({"connect-name", name});
}

TEST_P(BoxTest, inherits_nothing_but_what_is_passed) {
  ASSERT_EQ(setenv("WARPMARK_TEST_INHERITED", "1", 1), 0);
  const UniqueFd secret(open("/dev/null", O_RDONLY));  // not close-on-exec
  EXPECT_EQ(ending_of(misbehaving({"environment"})).output, "");
  EXPECT_EQ(ending_of(misbehaving({"descriptors"})).output, "0 1 2 ");
  Command command = misbehaving({"environment"});
  command.environment = {{"LC_ALL", "C"}};
  EXPECT_EQ(ending_of(command).output, "LC_ALL=C\n");
}

TEST_P(BoxTest, cannot_touch_its_keeper) {
  expect_held({"kill-keeper"});
  expect_held({"trace-keeper"});
  expect_held({"memory-of-keeper"});
  expect_held({"read-keeper", "environ"});
  expect_held({"read-keeper", "mem"});
  expect_held({"read-keeper", "fd/3"});
}

TEST_P(BoxTest, gains_no_rights) {
  for (const char* what : {"be-root", "trace-itself", "user-namespace", "clone-namespace", "mount", "keys",
                           "bpf", "perf", "userfaultfd", "io_uring"}) {
    SCOPED_TRACE(what);
    expect_held({what});
  }
}

TEST_P(BoxTest, fills_neither_disk_nor_memory_by_files) {
  for (const char* folder : {"/tmp", "/dev/shm"}) expect_held({"fill", folder});
}

TEST_P(BoxTest, ends_a_program_that_takes_too_much_memory) {
  Command command = attempt({"memory", "400"});
  command.memory_cap = std::size_t{100} << 20;
  const Ending ending = ending_of(command);
  EXPECT_EQ(ending.kind, Ending::Kind::signalled);
  EXPECT_EQ(ending.exceeded, Cap::memory);
}

TEST_P(BoxTest, ends_a_fork_bomb_with_all_that_it_made) {
  Command command = misbehaving({"bomb", "400"});
  command.process_cap = 50;
  const Ending ending = ending_of(command);
  EXPECT_EQ(ending.exceeded, Cap::processes);
  EXPECT_GT(ending.left_behind, 50);
}

TEST_P(BoxTest, ends_what_outlives_its_program) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  Command command = misbehaving({"daemon"});
  command.pass_fds = {write_end.get()};
  const Ending ending = ending_of(command);
  EXPECT_EQ(ending.code, 0);
  EXPECT_EQ(ending.left_behind, 1);
  write_end.reset();
  char byte = 0;
  EXPECT_EQ(read(read_end.get(), &byte, 1), 0);
}

TEST_P(BoxTest, ends_at_its_deadline) {
  const Result<Finished> finished = run(misbehaving({"children", "3"}), 500ms);
  ASSERT_TRUE(finished);
  EXPECT_TRUE(finished->timed_out);
  EXPECT_EQ(finished->ending.left_behind, 3);
}

TEST_P(BoxTest, ends_at_its_limit_of_processor_time) {
  Command command = misbehaving({"flood", "-1"});
  command.cpu_cap = 1s;
  const Ending ending = ending_of(command);
  EXPECT_EQ(ending.kind, Ending::Kind::signalled);
  EXPECT_EQ(ending.code, SIGXCPU);
}

// The keeper is the first process of its box, and ends with the bwrap that made it.
TEST_P(BoxTest, whose_keeper_is_killed_is_lost_and_leaves_nothing) {
  for (const std::size_t victim : {0, 1}) {
    Result<Process> process = Process::start(misbehaving({"children", "2"}));
    ASSERT_TRUE(process);
    std::vector<pid_t> below;
    for (int i = 0; i < 600 && below.size() < 5; ++i) {
      std::this_thread::sleep_for(100ms);
      below = descendants();
    }
    ASSERT_EQ(below.size(), 5U);  // bwrap, the keeper, the program, its two children
    ASSERT_EQ(kill(below[victim], SIGKILL), 0);
    const std::optional<Ending> ending = process->wait_until(Clock::now() + kBoxLimit);
    ASSERT_TRUE(ending);
    EXPECT_EQ(ending->kind, Ending::Kind::lost);
    EXPECT_THAT(why_not_started(*ending), HasSubstr("keeper"));
    bool gone = false;
    for (int i = 0; i < 600 && !gone; ++i) {
      gone = true;
      for (const pid_t pid : below) gone = gone && kill(pid, 0) != 0;
      if (!gone) std::this_thread::sleep_for(100ms);
    }
    EXPECT_TRUE(gone);
  }
}

TEST_P(BoxTest, sealed_makes_no_process_and_sends_no_signal) {
  for (const char* what : {"fork", "spawn", "exec", "system", "socket", "signal-keeper", "limit-keeper"}) {
    SCOPED_TRACE(what);
    expect_held({"sealed", what});
  }
  // It is the seal that holds these.
  for (const char* what : {"fork", "spawn", "exec", "socket"}) {
    SCOPED_TRACE(what);
    EXPECT_EQ(ending_of(attempt({what})).output, "went through\n");
  }
}

TEST_P(BoxTest, sealed_keeps_its_code) {
  for (const char* what : {"own-memory-file", "executable-pages"}) {
    SCOPED_TRACE(what);
    // The file belongs to root, which a box's user may be outside; workers are then started as another user.
    if (what == std::string("own-memory-file") && !GetParam() && getuid() == 0) continue;
    expect_held({"sealed", what});
    EXPECT_EQ(ending_of(attempt({what})).output, "went through\n");
  }
  // Linux 6.10 has the system call that holds this.
  utsname system{};
  uname(&system);
  int major = 0;
  int minor = 0;
  std::sscanf(system.release, "%d.%d", &major, &minor);
  if (std::pair(major, minor) >= std::pair(6, 10)) expect_held({"sealed", "writable-code"});
}

TEST_P(BoxTest, sealed_still_makes_threads_and_ends_by_its_own_signal) {
  EXPECT_EQ(ending_of(attempt({"sealed", "thread"})).output, "went through\n");
  EXPECT_EQ(ending_of(attempt({"sealed", "raise"})).code, SIGUSR1);
  const Ending ending = ending_of(attempt({"sealed", "abort"}));
  EXPECT_EQ(ending.kind, Ending::Kind::signalled);
  EXPECT_EQ(ending.code, SIGABRT);
}

}  // namespace
}  // namespace warpmark::sandbox
