#include "harness/build/compile_server.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "tests/build/fixture.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr std::size_t kCap = 10'000;

class Served : public BuildTest {
 protected:
  void SetUp() override {
    BuildTest::SetUp();
    if (IsSkipped()) return;
    sandbox::Command command;
    command.environment = {{"PATH", "/usr/bin:/bin"}};
    Result<CompileServer> started =
        CompileServer::start(fs::canonical(toolchain.compiler), WARPMARK_FORKS, command);
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
  }

  [[nodiscard]] std::optional<sandbox::Finished> run(const std::vector<std::string>& argv,
                                                     std::chrono::milliseconds limit = 60s) const {
    Result<CompileServer::Run> run = server->run(scratch.path(), argv);
    if (!run) return std::nullopt;
    return run->wait_until(sandbox::Clock::now() + limit, kCap);
  }

  std::optional<CompileServer> server;
};

TEST_F(Served, compiler_does_what_it_does_when_it_is_started) {
  write("a.cc", "int answer() { return 42; }\n");
  for (const char* object : {"a.o", "b.o"}) {
    const auto finished = run({toolchain.compiler, "-c", submission() / "a.cc", "-o", object});
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->ending.kind, sandbox::Ending::Kind::exited);
    EXPECT_EQ(finished->ending.code, 0) << finished->ending.output;
    EXPECT_TRUE(fs::exists(scratch.path() / object));
  }
}

TEST_F(Served, compilers_errors_are_read) {
  write("a.cc", "int answer() { return; }\n");
  const auto finished = run({toolchain.compiler, "-c", submission() / "a.cc", "-o", "a.o"});
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending.code, 1);
  EXPECT_THAT(finished->ending.output, HasSubstr("non-void function 'answer' should return a value"));
}

TEST_F(Served, other_programs_are_executed_in_the_folder_of_the_run) {
  const auto finished = run({"/bin/sh", "-c", "pwd; echo $TMPDIR; echo \"<$LD_PRELOAD>\""});
  ASSERT_TRUE(finished);
  const std::string folder = fs::canonical(scratch.path()).string();
  EXPECT_EQ(finished->ending.output, folder + "\n" + scratch.path().string() + "\n<>\n");
}

TEST_F(Served, end_of_a_run_by_a_signal_is_told) {
  const auto finished = run({"/bin/sh", "-c", "kill -SEGV $$"});
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending.kind, sandbox::Ending::Kind::signalled);
  EXPECT_EQ(finished->ending.code, SIGSEGV);
}

TEST_F(Served, output_is_cut_at_its_cap) {
  const auto finished = run({"/bin/sh", "-c", "head -c 1000000 /dev/zero"});
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->ending.output.size(), kCap);
  EXPECT_TRUE(finished->ending.output_cut);
}

TEST_F(Served, run_ends_at_its_deadline_with_all_that_it_started) {
  const auto finished = run({"/bin/sh", "-c", "sleep 1000 & echo $!; wait"}, 300ms);
  ASSERT_TRUE(finished);
  EXPECT_TRUE(finished->timed_out);
  const pid_t sleeper = std::atoi(finished->ending.output.c_str());
  ASSERT_GT(sleeper, 0);
  const auto deadline = sandbox::Clock::now() + 20s;
  while (kill(sleeper, 0) == 0 && sandbox::Clock::now() < deadline) std::this_thread::sleep_for(10ms);
  EXPECT_NE(kill(sleeper, 0), 0);
}

TEST_F(Served, run_that_takes_the_server_along_is_lost_and_so_are_later_ones) {
  EXPECT_FALSE(run({"/bin/sh", "-c", "kill -KILL $PPID; sleep 1000"}));
  EXPECT_FALSE(run({"/bin/echo", "one more"}));
}

TEST_F(Served, arguments_that_fill_no_message_are_refused) {
  EXPECT_FALSE(server->run(scratch.path(), {"/bin/echo", std::string(100'000, 'x')}));
}

TEST(CompileServer, is_refused_where_the_program_does_not_become_one) {
  sandbox::Command command;
  command.environment = {{"PATH", "/usr/bin:/bin"}};
  EXPECT_FALSE(CompileServer::start("/bin/true", "/usr/lib/no-such-library.so", command));
}

// A runtime with the library beside it that makes clang a server.
class BuildWithServer : public BuildTest {
 protected:
  void SetUp() override {
    BuildTest::SetUp();
    if (IsSkipped()) return;
    const fs::path folder = scratch.path() / "lib";
    fs::create_directory(folder);
    fs::copy_file(WARPMARK_STUB_RUNTIME, folder / "runtime.so");
    fs::copy_file(WARPMARK_FORKS, folder / "libwarpmark_forks.so");
    with_server = settings;
    with_server.simulator_library = folder / "runtime.so";
  }

  Settings with_server;
};

TEST_F(BuildWithServer, makes_the_library_in_either_kind_of_box) {
  write("a.cu", kGood);
  for (const sandbox::Level level : {sandbox::Level::none, sandbox::Level::process}) {
    with_server.sandbox = level;
    with_server.cache = scratch.path() / std::to_string(static_cast<int>(level));
    const Result<Built> built = Builder(toolchain, with_server).build(request("a.cu"));
    ASSERT_TRUE(built) << built.error().message;
    EXPECT_TRUE(fs::exists(built->library));
  }
}

TEST_F(BuildWithServer, refuses_with_the_same_words) {
  for (const char* text : {"int f( { return 1; }\n", "extern int g(int);\nint f() { return g(1); }\n"}) {
    write("a.cu", text);
    const Cause alone = only_cause(build("a.cu"));
    const Result<Built> built = Builder(toolchain, with_server).build(request("a.cu"));
    ASSERT_TRUE(built) << built.error().message;
    const Cause served = only_cause(*built);
    EXPECT_EQ(served.message, alone.message);
    EXPECT_EQ(served.line, alone.line);
    EXPECT_EQ(served.excerpt.size(), alone.excerpt.size());
  }
}

}  // namespace
}  // namespace warpmark::build
