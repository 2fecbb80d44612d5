// Nothing outlives its caller. What is left behind holds the write end of a pipe: when the read end sees the
// end of the pipe, the last of them is gone.

#include <csignal>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/sandbox/process.h"

namespace warpmark::sandbox {
namespace {

using namespace std::chrono_literals;
constexpr auto kLeftBehindLimit = 60s;

// The pipe that tells whether somebody is left.
class Lifeline {
 public:
  Lifeline() {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    read_ = UniqueFd(ends[0]);
    write_ = UniqueFd(ends[1]);
  }
  [[nodiscard]] int end() const { return write_.get(); }
  // Call it once our own end is no longer needed.
  bool cut() {
    write_.reset();
    pollfd fd{read_.get(), POLLIN, 0};
    return poll(&fd, 1, 60'000) == 1 && (fd.revents & POLLHUP) != 0;
  }

 private:
  UniqueFd read_;
  UniqueFd write_;
};

Command probe(const Lifeline& lifeline, std::vector<std::string> arguments) {
  Command command;
  command.argv = {WARPMARK_PROBE};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.pass_fds = {lifeline.end()};
  return command;
}

// Waits for the program's first output.
Process start_until_ready(const Command& command) {
  Result<Process> process = Process::start(command);
  EXPECT_TRUE(process);
  pollfd output{process->output_fd(), POLLIN, 0};
  EXPECT_EQ(poll(&output, 1, 60'000), 1);
  return std::move(*process);
}

TEST(LeftBehind, a_daemon_is_killed_and_counted) {
  Lifeline lifeline;
  const Result<Finished> finished = run(probe(lifeline, {"daemon"}), kLeftBehindLimit);
  ASSERT_TRUE(finished);
  EXPECT_FALSE(finished->timed_out);
  EXPECT_EQ(finished->ending.kind, Ending::Kind::exited);
  EXPECT_EQ(finished->ending.code, 0);
  EXPECT_EQ(finished->ending.left_behind, 1);
  EXPECT_TRUE(lifeline.cut());
}

TEST(LeftBehind, a_zombie_does_not_count_beside_its_parent) {
  Lifeline lifeline;
  const Result<Finished> finished = run(probe(lifeline, {"zombie"}), kLeftBehindLimit);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending.left_behind, 1);
}

TEST(LeftBehind, a_process_whose_first_thread_ended_counts) {
  Lifeline lifeline;
  const Result<Finished> finished = run(probe(lifeline, {"headless"}), kLeftBehindLimit);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending.left_behind, 1);
  EXPECT_TRUE(lifeline.cut());
}

TEST(LeftBehind, children_are_killed_at_the_deadline_with_the_program) {
  Lifeline lifeline;
  Process process = start_until_ready(probe(lifeline, {"children", "5"}));
  EXPECT_FALSE(process.wait_until(Clock::now()));
  const Ending ending = process.kill();
  EXPECT_EQ(ending.kind, Ending::Kind::signalled);
  EXPECT_EQ(ending.code, SIGKILL);
  EXPECT_EQ(ending.left_behind, 5);
  EXPECT_TRUE(lifeline.cut());
}

TEST(LeftBehind, the_destructor_kills_too) {
  Lifeline lifeline;
  { const Process process = start_until_ready(probe(lifeline, {"children", "2"})); }
  EXPECT_TRUE(lifeline.cut());
}

TEST(LeftBehind, move_assignment_kills_the_one_that_is_replaced) {
  Lifeline first;
  Lifeline second;
  Process process = start_until_ready(probe(first, {"children", "0"}));
  process = start_until_ready(probe(second, {"children", "0"}));
  EXPECT_TRUE(first.cut());
  EXPECT_FALSE(process.wait_until(Clock::now()));
}

TEST(LeftBehind, a_fork_bomb_is_stopped) {
  Lifeline lifeline;
  // Bounded, so that a keeper that fails this test does not take the machine with it.
  Process process = start_until_ready(probe(lifeline, {"bomb", "400"}));
  const Ending ending = process.kill();
  EXPECT_GE(ending.left_behind, 7);
  EXPECT_TRUE(lifeline.cut());
}

TEST(LeftBehind, a_program_that_kills_its_keeper_dies_with_it) {
  Lifeline lifeline;
  const Result<Finished> finished =
      run(probe(lifeline, {"signal-keeper", std::to_string(SIGKILL)}), kLeftBehindLimit);
  ASSERT_TRUE(finished);
  EXPECT_FALSE(finished->timed_out);
  EXPECT_EQ(finished->ending.kind, Ending::Kind::signalled);
  EXPECT_EQ(finished->ending.code, SIGKILL);
  EXPECT_TRUE(lifeline.cut());
}

TEST(LeftBehind, a_program_that_stops_its_keeper_is_killed_all_the_same) {
  Lifeline lifeline;
  Process process = start_until_ready(probe(lifeline, {"signal-keeper", std::to_string(SIGSTOP)}));
  EXPECT_FALSE(process.wait_until(Clock::now() + 10ms));
  const Ending ending = process.kill();
  EXPECT_EQ(ending.kind, Ending::Kind::signalled);
  EXPECT_EQ(ending.left_behind, 1);
  EXPECT_TRUE(lifeline.cut());
}

// A starter that dies before it can do anything, in a process of its own.
class StarterDies : public testing::TestWithParam<std::tuple<Level, int>> {};

TEST_P(StarterDies, and_nothing_of_its_program_is_left) {
  const auto [level, signal] = GetParam();
  if (level > best_level()) GTEST_SKIP() << "not run: " << machine().trouble;
  Lifeline lifeline;
  int answer[2];
  ASSERT_EQ(pipe2(answer, O_CLOEXEC), 0);
  const UniqueFd from_starter(answer[0]);
  UniqueFd to_us(answer[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to_us.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, lifeline.end(), 3);
  std::string program = WARPMARK_STARTER;
  std::string at_level = name_of(level);
  std::string what = WARPMARK_PROBE;
  std::string mode = "children";
  std::string count = "3";
  char* const argv[] = {program.data(), at_level.data(), what.data(), mode.data(), count.data(), nullptr};
  pid_t starter = -1;
  ASSERT_EQ(posix_spawn(&starter, program.c_str(), &actions, nullptr, argv, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  to_us.reset();
  char byte = 0;
  ASSERT_EQ(read(from_starter.get(), &byte, 1), 1);  // its program is up, with its children

  ASSERT_EQ(kill(starter, signal), 0);
  EXPECT_TRUE(lifeline.cut());
  EXPECT_EQ(waitpid(starter, nullptr, 0), starter);
}
INSTANTIATE_TEST_SUITE_P(Signals, StarterDies,
                         testing::Combine(testing::Values(Level::process, Level::box),
                                          testing::Values(SIGKILL, SIGINT, SIGTERM, SIGHUP)));

// LLVM's OpenMP makes such a file for each process and removes it at its regular end.
TEST(KilledProgram, leaves_no_file_of_openmp_behind) {
  const std::string of_a_live_process = "/dev/shm/__KMP_REGISTERED_LIB_" + std::to_string(getpid()) + "_0";
  if (!write_file(of_a_live_process, "")) GTEST_SKIP() << "no /dev/shm";
  Command command;
  command.argv = {"/bin/sh", "-c", "f=/dev/shm/__KMP_REGISTERED_LIB_$$_0; echo x > $f; echo $f; kill -9 $$"};
  const auto finished = run(command, kLeftBehindLimit);
  ASSERT_TRUE(finished) << finished.error().message;
  const std::string file = finished->ending.output.substr(0, finished->ending.output.find('\n'));
  EXPECT_EQ(finished->ending.code, SIGKILL);
  ASSERT_TRUE(file.starts_with("/dev/shm/__KMP")) << file;
  EXPECT_NE(access(file.c_str(), F_OK), 0);
  EXPECT_EQ(access(of_a_live_process.c_str(), F_OK), 0);
  unlink(of_a_live_process.c_str());
}

}  // namespace
}  // namespace warpmark::sandbox
