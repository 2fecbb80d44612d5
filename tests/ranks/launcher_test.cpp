// The launcher with a shell in place of mpirun: what the judge is told, and that nobody is left.
#include "harness/ranks/launcher.h"

#include <array>
#include <csignal>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/base/processor_time.h"
#include "harness/ranks/protocol.h"
#include "harness/sandbox/process.h"
#include "harness/wire/channel.h"

namespace warpmark::ranks {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using wire::Channel;

constexpr const char* kShell =
    "n=$1; shift; i=0; while [ $i -lt $n ]; do OMPI_COMM_WORLD_RANK=$i \"$@\" & i=$((i+1)); done; wait";

// The judge's side of a worker of several ranks.
class Judge {
 public:
  explicit Judge(int ranks, const std::string& worker = WARPMARK_FAKE_WORKER,
                 const std::string& processors = "any")
      : words_(0) {
    auto [ours, theirs] = wire::make_socket_pair();
    channel_.emplace(std::move(ours));
    sandbox::Command command;
    const std::string count = std::to_string(ranks);
    command.argv = {WARPMARK_RANKS,
                    "run",
                    count,
                    "0",
                    processors,
                    folder_.path().string(),
                    "/bin/sh",
                    "-c",
                    kShell,
                    "sh",
                    count,
                    "--",
                    worker,
                    kRankOption,
                    "0",
                    count,
                    WARPMARK_FAKE_MPI};
    command.environment = {{"PATH", "/usr/bin:/bin"}};
    command.level = sandbox::Level::process;
    const UniqueFd words(::dup(words_.fd()));
    command.pass_fds = {theirs.get(), words.get()};
    auto started = sandbox::Process::start(command);
    EXPECT_TRUE(started);
    process_.emplace(std::move(*started));
  }

  std::optional<wire::NumberedReply> ask(const wire::Request& request, std::chrono::seconds limit = 60s) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    EXPECT_TRUE(channel_->send(wire::encode({++number_, request}), {}, deadline));
    const auto frame = channel_->receive(deadline);
    if (!frame) return std::nullopt;
    auto reply = wire::decode_reply(frame->bytes);
    return reply ? std::optional(std::move(*reply)) : std::nullopt;
  }
  std::optional<wire::NumberedReply> call(const std::string& function) {
    wire::Call request;
    request.function = function;
    request.scalars = {41};
    return ask(request);
  }
  // What the launcher wrote before it ended.
  wire::RanksFailure told() {
    const auto ending = process_->wait_until(sandbox::Clock::now() + 60s);
    EXPECT_TRUE(ending) << "the launcher goes on";
    std::array<char, 4096> text{};
    const ssize_t got = ::pread(words_.fd(), text.data(), text.size() - 1, 0);
    EXPECT_GT(got, 0) << (ending ? ending->output : "");
    auto line = wire::decode_journal_line(
        std::string_view(text.data()).substr(0, std::string_view(text.data()).find('\n')));
    if (!line || !std::holds_alternative<wire::RanksFailure>(*line)) return {};
    return std::get<wire::RanksFailure>(*line);
  }
  // Processes of this test's, by their socket's folder among their arguments.
  [[nodiscard]] int left() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const auto arguments = read_file(entry.path() / "cmdline");
      if (arguments && arguments->find(folder_.path().string()) != std::string::npos) ++count;
    }
    return count;
  }
  // The line of the starter's limits that is about processes, where it is no longer the one it came with.
  [[nodiscard]] std::string limit_of_starter() const {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const auto arguments = read_file(entry.path() / "cmdline");
      if (!arguments || !arguments->starts_with("/bin/sh") ||
          arguments->find(folder_.path().string()) == std::string::npos)
        continue;
      const std::string limits = read_file(entry.path() / "limits").value_or("");
      const std::size_t at = limits.find("Max processes");
      return limits.substr(at, limits.find('\n', at) - at);
    }
    return "no starter";
  }
  sandbox::Process& process() { return *process_; }

 private:
  TemporaryFolder folder_;
  SharedMemory words_;
  std::optional<Channel> channel_;
  std::optional<sandbox::Process> process_;
  std::uint64_t number_ = 0;
};

class Ranks : public testing::TestWithParam<int> {};

TEST_P(Ranks, answer_as_one_and_none_is_left_when_the_judge_is_done) {
  Judge judge(GetParam());
  for (int turn = 0; turn < 2; ++turn) {
    const auto reply = judge.call("ok");
    ASSERT_TRUE(reply);
    const auto* called = std::get_if<wire::CallReply>(&reply->reply);
    ASSERT_NE(called, nullptr);
    EXPECT_EQ(called->event_ms, std::vector<double>{41}) << "rank 0 has the numbers";
  }
  judge.process().kill();
  EXPECT_EQ(judge.left(), 0);
}
INSTANTIATE_TEST_SUITE_P(Of, Ranks, testing::Values(1, 2, 3, 4, 9));

TEST(Launcher, gives_other_ranks_0_for_every_number) {
  Judge judge(3);
  const auto reply = judge.call("show");
  ASSERT_TRUE(reply);
  EXPECT_EQ(std::get<wire::CallReply>(reply->reply).failure.threw, "at rank 1: 0");
}

TEST(Launcher, lets_nobody_start_a_process_by_the_starter_of_the_ranks) {
  Judge judge(2);
  ASSERT_TRUE(judge.call("ok"));
  EXPECT_THAT(judge.limit_of_starter(), testing::MatchesRegex("Max processes +0 +0 +processes *"));
}

TEST(Launcher, takes_no_reply_to_another_request) {
  Judge judge(2);
  EXPECT_FALSE(judge.call("other number"));
}

TEST(Launcher, tells_which_rank_ended_itself) {
  Judge judge(3);
  EXPECT_FALSE(judge.call("exit 1"));
  const wire::RanksFailure failure = judge.told();
  EXPECT_EQ(failure.end, wire::RanksEnd::exited);
  ASSERT_EQ(failure.places.size(), 1U);
  EXPECT_EQ(failure.places[0].rank, 1);
  EXPECT_THAT(failure.places[0].what, HasSubstr("exit status 3"));
  EXPECT_EQ(judge.left(), 0);
}

TEST(Launcher, tells_which_rank_crashed_even_the_first) {
  for (const int rank : {0, 2}) {
    Judge judge(3);
    EXPECT_FALSE(judge.call("crash " + std::to_string(rank)));
    const wire::RanksFailure failure = judge.told();
    EXPECT_EQ(failure.end, wire::RanksEnd::crashed);
    ASSERT_EQ(failure.places.size(), 1U);
    EXPECT_EQ(failure.places[0].rank, rank);
    EXPECT_EQ(judge.left(), 0);
  }
}

TEST(Launcher, passes_on_what_mpi_refused_with_its_place) {
  Judge judge(2);
  EXPECT_FALSE(judge.call("refuse 1"));
  const wire::RanksFailure failure = judge.told();
  EXPECT_EQ(failure.end, wire::RanksEnd::mpi_error);
  ASSERT_EQ(failure.places.size(), 1U);
  EXPECT_EQ(failure.places[0].frame, 77U);
  EXPECT_THAT(failure.places[0].what, HasSubstr("truncated"));
}

TEST(Launcher, tells_where_a_rank_is_whose_time_is_nearly_up) {
  Judge judge(2);
  EXPECT_FALSE(judge.call("look 1"));
  const wire::RanksFailure failure = judge.told();
  EXPECT_EQ(failure.end, wire::RanksEnd::timed_out);
  ASSERT_FALSE(failure.places.empty());
  EXPECT_EQ(failure.places[0].rank, 1);
  EXPECT_EQ(failure.places[0].frame, 4242U);
}

TEST(Launcher, ends_ranks_that_wait_for_ever) {
  Judge judge(2);
  EXPECT_FALSE(judge.call("wait 1"));
  const wire::RanksFailure failure = judge.told();
  EXPECT_EQ(failure.end, wire::RanksEnd::deadlock);
  ASSERT_FALSE(failure.places.empty());
  EXPECT_EQ(failure.places[0].rank, 1);
  EXPECT_THAT(failure.places[0].what, HasSubstr("MPI_Recv for rank 0"));
  EXPECT_EQ(judge.left(), 0);
}

TEST(Launcher, waits_for_a_rank_of_which_another_thread_computes) {
  Judge judge(2);
  EXPECT_TRUE(judge.call("compute 1"));
}

TEST(Launcher, leaves_nobody_when_it_is_killed_in_a_call) {
  Judge judge(4);
  EXPECT_TRUE(judge.call("ok"));
  EXPECT_GE(judge.left(), 4);
  judge.process().kill();
  EXPECT_EQ(judge.left(), 0);
}

TEST(Launcher, gives_each_rank_a_processor_of_its_own_where_times_count) {
  const std::vector<int> both = processors_for(2);
  if (both.empty()) GTEST_SKIP() << "this process may use one processor";
  const auto processors = [](const std::string& list) {
    Judge judge(2, WARPMARK_FAKE_WORKER, list);
    const auto reply = judge.call("processors");
    return reply ? std::get<wire::CallReply>(reply->reply).failure.threw.value_or("") : "";
  };
  EXPECT_EQ(processors(fmt::format("{},{}", both[0], both[1])), fmt::format("at rank 1: {},", both[1]));
  EXPECT_EQ(processors(fmt::format("{},{}", both[1], both[0])), fmt::format("at rank 1: {},", both[0]));
  EXPECT_THAT(processors("any"),
              AllOf(HasSubstr(fmt::format("{},", both[0])), HasSubstr(fmt::format("{},", both[1]))));
}

TEST(Launcher, ends_when_a_worker_does_not_start) {
  Judge judge(2, "/nonexistent/worker");
  const auto ending = judge.process().wait_until(sandbox::Clock::now() + 60s);
  ASSERT_TRUE(ending);
  EXPECT_THAT(ending->output, HasSubstr("cannot start /nonexistent/worker"));
}

}  // namespace
}  // namespace warpmark::ranks
