#include "harness/sandbox/process.h"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/file.h"

namespace warpmark::sandbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

// Far more than anything here takes: reached only when something hangs.
constexpr auto kLimit = 60s;

Command probe(std::vector<std::string> arguments) {
  Command command;
  command.argv = {WARPMARK_PROBE};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  return command;
}

Ending run_probe(const Command& command) {
  Result<Finished> finished = run(command, kLimit);
  EXPECT_TRUE(finished) << finished.error().message;
  EXPECT_FALSE(finished->timed_out);
  return finished->ending;
}

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    read = UniqueFd(ends[0]);
    write = UniqueFd(ends[1]);
  }
  std::string text() const {
    char buffer[256];
    const ssize_t got = ::read(read.get(), buffer, sizeof buffer);
    return {buffer, static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  }
  UniqueFd read;
  UniqueFd write;
};

class ExitStatus : public testing::TestWithParam<int> {};

TEST_P(ExitStatus, is_told) {
  const Ending ending = run_probe(probe({"exit", std::to_string(GetParam())}));
  EXPECT_EQ(ending.kind, Ending::Kind::exited);
  EXPECT_EQ(ending.code, GetParam());
  EXPECT_EQ(ending.left_behind, 0);
}
INSTANTIATE_TEST_SUITE_P(Values, ExitStatus, testing::Values(0, 1, 127, 255));

class EndingSignal : public testing::TestWithParam<int> {};

TEST_P(EndingSignal, is_told) {
  const Ending ending = run_probe(probe({"raise", std::to_string(GetParam())}));
  EXPECT_EQ(ending.kind, Ending::Kind::signalled);
  EXPECT_EQ(ending.code, GetParam());
}
// The ones that the keeper itself ignores or blocks must work in the program.
INSTANTIATE_TEST_SUITE_P(Values, EndingSignal,
                         testing::Values(SIGSEGV, SIGKILL, SIGTERM, SIGINT, SIGPIPE, SIGABRT, SIGHUP));

TEST(Starting, a_missing_program_says_why) {
  Command command;
  command.argv = {"/nowhere/at/all"};
  const Ending ending = run_probe(command);
  EXPECT_EQ(ending.kind, Ending::Kind::not_started);
  EXPECT_EQ(ending.code, ENOENT);
}

TEST(Starting, a_file_that_is_no_program_says_why) {
  Command command;
  command.argv = {"/etc/passwd"};
  const Ending ending = run_probe(command);
  EXPECT_EQ(ending.kind, Ending::Kind::not_started);
  EXPECT_EQ(ending.code, EACCES);
}

TEST(Starting, in_a_missing_folder_says_why) {
  Command command = probe({"exit", "0"});
  command.folder = "/nowhere/at/all";
  const Ending ending = run_probe(command);
  EXPECT_EQ(ending.kind, Ending::Kind::not_started);
  EXPECT_EQ(ending.code, ENOENT);
}

TEST(Starting, by_a_relative_name_is_refused) {
  Command command;
  for (const std::vector<std::string>& argv : {std::vector<std::string>{}, {""}, {"ls"}, {"./ls"}}) {
    command.argv = argv;
    EXPECT_FALSE(Process::start(command));
  }
}

// In a child, whose user and limits are its own: root's processes are never too many.
TEST(Starting, on_a_machine_without_processes_is_refused_and_says_why) {
  for (const Level level : {Level::process, Level::box}) {
    if (level > best_level()) continue;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const rlimit none{0, 0};
      const bool limited = (getuid() != 0 || (setresgid(kBoxUser, kBoxUser, kBoxUser) == 0 &&
                                              setresuid(kBoxUser, kBoxUser, kBoxUser) == 0)) &&
                           setrlimit(RLIMIT_NPROC, &none) == 0;
      Command command = probe({"exit", "0"});
      command.level = level;
      const Result<Process> process = limited ? Process::start(command) : fail("not limited");
      _exit(!process && process.error().message.find("Resource temporarily unavailable") != std::string::npos
                ? 0
                : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << name_of(level);
  }
}

TEST(Starting, without_descriptors_is_refused_and_says_why) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{8, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const Result<Process> process = Process::start(probe({"exit", "0"}));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(process);
  EXPECT_THAT(process.error().message, HasSubstr("Too many open files"));
}

TEST(Starting, with_a_closed_descriptor_is_refused) {
  Command command = probe({"exit", "0"});
  command.pass_fds = {987654};
  const Result<Process> process = Process::start(command);
  ASSERT_FALSE(process);
  EXPECT_THAT(process.error().message, HasSubstr("987654"));
}

TEST(Environment, is_what_was_given_and_nothing_else) {
  ASSERT_EQ(setenv("WARPMARK_TEST_INHERITED", "1", 1), 0);
  EXPECT_EQ(run_probe(probe({"environment"})).output, "");
  Command command = probe({"environment"});
  command.environment = {{"A", "1"}, {"B", "two words=x"}};
  EXPECT_EQ(run_probe(command).output, "A=1\nB=two words=x\n");
}

TEST(Arguments, arrive_as_they_are) {
  Command command;
  command.argv = {"/bin/echo", "-n", "a b", "\"quoted\"", "$HOME", "new\nline", ""};
  EXPECT_EQ(run_probe(command).output, "a b \"quoted\" $HOME new\nline ");
}

TEST(Folder, is_the_one_given) {
  const TemporaryFolder folder;
  Command command = probe({"folder"});
  command.folder = folder.path();
  EXPECT_EQ(run_probe(command).output, folder.path().string() + "\n");
}

TEST(Input, is_empty) {
  EXPECT_EQ(run_probe(probe({"stdin"})).output, "0");
}

TEST(Session, is_the_programs_own) {
  EXPECT_EQ(run_probe(probe({"group"})).code, 0);
}

TEST(Limits, forbid_cores_and_large_files) {
  rlimit core{};
  getrlimit(RLIMIT_CORE, &core);
  core.rlim_cur = core.rlim_max;
  setrlimit(RLIMIT_CORE, &core);  // so that the program would inherit another one
  Command command = probe({"limits"});
  command.file_size_cap = 12345;
  EXPECT_EQ(run_probe(command).output, "core 0 file 12345");
}

TEST(Limits, end_a_program_that_writes_too_much) {
  const TemporaryFolder folder;
  Command command = probe({"file", "100000"});
  command.folder = folder.path();
  command.file_size_cap = 50000;
  const Ending ending = run_probe(command);
  EXPECT_EQ(ending.kind, Ending::Kind::signalled);
  EXPECT_EQ(ending.code, SIGXFSZ);
  EXPECT_EQ(fs::file_size(folder.path() / "big"), 50000U);
}

TEST(Descriptors, are_the_three_standard_ones) {
  const UniqueFd inheritable(open("/dev/null", O_RDONLY));  // no O_CLOEXEC, as a careless library does it
  EXPECT_EQ(run_probe(probe({"descriptors"})).output, "0 1 2 ");
}

TEST(Descriptors, passed_arrive_in_order_and_no_others_do) {
  const Pipe first;
  const Pipe second;
  Command command = probe({"talk"});
  command.pass_fds = {first.write.get(), second.write.get()};
  EXPECT_EQ(run_probe(command).code, 0);
  EXPECT_EQ(first.text(), "first");
  EXPECT_EQ(second.text(), "second");
  command.argv[1] = "descriptors";
  EXPECT_EQ(run_probe(command).output, "0 1 2 3 4 ");
}

TEST(Descriptors, may_be_passed_many_and_twice) {
  const Pipe pipe;
  Command command = probe({"talk"});
  command.pass_fds.assign(20, pipe.write.get());
  EXPECT_EQ(run_probe(command).code, 0);
  EXPECT_EQ(pipe.text(), "firstsecond");
}

TEST(Descriptors, passed_are_seen_to_close_while_the_program_lives) {
  Pipe pipe;
  Command command = probe({"close-passed"});
  command.pass_fds = {pipe.write.get()};
  Result<Process> process = Process::start(command);
  ASSERT_TRUE(process);
  pipe.write.reset();
  pollfd end{pipe.read.get(), POLLIN, 0};
  ASSERT_EQ(poll(&end, 1, 60'000), 1);
  EXPECT_EQ(pipe.text(), "");
  EXPECT_FALSE(process->wait_until(Clock::now()));
}

TEST(Descriptors, of_one_program_do_not_reach_another_started_meanwhile) {
  std::vector<std::string> seen(16);
  {
    std::vector<std::jthread> threads;
    threads.reserve(seen.size());
    for (std::string& output : seen) {
      threads.emplace_back([&output] {
        const Pipe pipe;
        Command command = probe({"descriptors"});
        command.pass_fds = {pipe.write.get()};
        output = run_probe(command).output;
      });
    }
  }
  EXPECT_THAT(seen, testing::Each("0 1 2 3 "));
}

TEST(Threads, of_orphans_are_counted) {
  for (const Level level : {Level::process, best_level()}) {
    Command command;
    command.argv = {"/bin/sh", "-c", "read first; (sleep 60 &) ; echo left; exec sleep 60"};
    command.level = level;
    const Pipe begin;
    command.standard_fds[0] = begin.read.get();
    Result<Process> process = Process::start(command);
    ASSERT_TRUE(process);
    const auto count_of = [&](int expected) {
      const auto deadline = Clock::now() + kLimit;
      while (process->threads() != expected && Clock::now() < deadline) std::this_thread::sleep_for(10ms);
      return process->threads();
    };
    EXPECT_EQ(count_of(1), 1);
    ASSERT_EQ(write(begin.write.get(), "\n", 1), 1);
    EXPECT_EQ(count_of(2), 2) << name_of(level);
  }
}

TEST(BlockedLeaves, are_the_processes_without_children) {
  for (const Level level : {Level::process, best_level()}) {
    Command command;
    command.argv = {"/bin/sh", "-c", "sleep 60; true"};
    command.level = level;
    Result<Process> process = Process::start(command);
    ASSERT_TRUE(process);
    const auto deadline = Clock::now() + kLimit;
    auto leaves = process->blocked_leaves();
    const auto sleeps = [&] {
      return leaves.size() == 1 && leaves.begin()->second &&
             leaves.begin()->second->number == SYS_clock_nanosleep;
    };
    while (!sleeps() && Clock::now() < deadline) {
      std::this_thread::sleep_for(10ms);
      leaves = process->blocked_leaves();
    }
    ASSERT_TRUE(sleeps()) << name_of(level);
    EXPECT_NE(leaves.begin()->second->stack, 0U);
  }
}

TEST(Output, of_both_kinds_comes_in_order) {
  const Ending ending = run_probe(probe({"both"}));
  EXPECT_EQ(ending.output, "out err");
  EXPECT_FALSE(ending.output_cut);
}

TEST(Output, is_cut_at_the_cap_and_the_rest_is_dropped) {
  Command command = probe({"flood", std::to_string(200'000'000)});
  command.output_cap = 1000;
  const Ending ending = run_probe(command);
  EXPECT_EQ(ending.kind, Ending::Kind::exited);
  EXPECT_EQ(ending.code, 0);  // it could write all of it
  EXPECT_EQ(ending.output, std::string(1000, 'x'));
  EXPECT_TRUE(ending.output_cut);
}

TEST(Output, of_exactly_the_cap_is_not_cut) {
  Command command = probe({"flood", "1"});
  command.output_cap = 1 << 20;
  EXPECT_FALSE(run_probe(command).output_cut);
}

TEST(Output, that_never_ends_does_not_outlive_the_limit) {
  const Result<Finished> finished = run(probe({"flood", "-1"}), 200ms);
  ASSERT_TRUE(finished);
  EXPECT_TRUE(finished->timed_out);
  EXPECT_EQ(finished->ending.kind, Ending::Kind::signalled);
  EXPECT_EQ(finished->ending.code, SIGKILL);
  EXPECT_TRUE(finished->ending.output_cut);
}

TEST(Waiting, returns_at_the_deadline_and_the_program_goes_on) {
  Result<Process> process = Process::start(probe({"children", "0"}));
  ASSERT_TRUE(process);
  pollfd output{process->output_fd(), POLLIN, 0};
  EXPECT_EQ(poll(&output, 1, 60'000), 1);
  process->drain_output();
  EXPECT_FALSE(process->wait_until(Clock::now() + 10ms));
  const Ending ending = process->kill();
  EXPECT_EQ(ending.kind, Ending::Kind::signalled);
  EXPECT_EQ(ending.code, SIGKILL);
  EXPECT_EQ(ending.output, "ready\n");
}

TEST(Waiting, again_tells_the_same_ending) {
  Result<Process> process = Process::start(probe({"exit", "7"}));
  ASSERT_TRUE(process);
  ASSERT_TRUE(process->wait_until(Clock::now() + kLimit));
  EXPECT_EQ(process->wait_until(Clock::now())->code, 7);
  EXPECT_EQ(process->kill().code, 7);
}

TEST(Waiting, can_be_done_by_polling_the_status) {
  Result<Process> process = Process::start(probe({"exit", "7"}));
  ASSERT_TRUE(process);
  pollfd status{process->status_fd(), POLLIN, 0};
  ASSERT_EQ(poll(&status, 1, 60'000), 1);
  EXPECT_EQ(process->wait_until(Clock::now())->code, 7);
}

TEST(Waiting, is_not_ended_by_the_end_of_the_thread_that_started) {
  Result<Process> process = fail("not started");
  std::thread([&] { process = Process::start(probe({"flood", "50000000"})); }).join();
  ASSERT_TRUE(process);
  const std::optional<Ending> ending = process->wait_until(Clock::now() + kLimit);
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->kind, Ending::Kind::exited);
}

TEST(FindProgram, looks_in_the_absolute_folders_of_path) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "tool") << "#!/bin/sh\n";
  fs::create_directory(folder.path() / "folder");
  const char* path = getenv("PATH");
  const std::string before = path != nullptr ? path : "";
  setenv("PATH", ("relative::" + folder.path().string() + ":/usr/bin:/bin").c_str(), 1);
  EXPECT_EQ(find_program("tool"), std::nullopt);  // not executable
  fs::permissions(folder.path() / "tool", fs::perms::owner_all);
  EXPECT_EQ(find_program("tool"), folder.path() / "tool");
  EXPECT_TRUE(find_program("sh"));
  EXPECT_EQ(find_program("folder"), std::nullopt);
  EXPECT_EQ(find_program("no-such-program"), std::nullopt);
  EXPECT_EQ(find_program("../bin/sh"), std::nullopt);
  fs::current_path(folder.path());
  setenv("PATH", ".::", 1);
  EXPECT_EQ(find_program("tool"), std::nullopt);
  fs::current_path("/");
  setenv("PATH", before.c_str(), 1);
}

}  // namespace
}  // namespace warpmark::sandbox
