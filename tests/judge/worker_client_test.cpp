#include "harness/judge/workers/worker_client.h"

#include <chrono>
#include <csignal>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "tests/judge/fake_installation.h"

namespace warpmark::judge {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::Gt;
using testing::HasSubstr;
using testing::Lt;

constexpr milliseconds kSoon{300};       // reached by the workers that never answer
constexpr milliseconds kPatient{60000};  // never reached when all is well

class AskedWorker : public testing::Test {
 protected:
  AskedWorker() {
    auto started = WorkerClient::start(fake.installation, Engine::simulator, false, kPatient);
    if (!started) throw std::runtime_error(started.error().message);
    worker.emplace(std::move(*started));
  }
  using Loaded = Answer<wire::Load>;
  Loaded please(const std::string& what, const std::string& argument = "", milliseconds limit = kPatient) {
    return worker->ask(wire::Load{"please", argument.empty() ? what : what + ":" + argument}, {}, limit);
  }
  // Why there was no answer.
  Cause failure_of(const Loaded& answer) const {
    EXPECT_FALSE(answer) << "the answer was taken";
    return answer ? Cause{} : answer.error();
  }

  FakeInstallation fake;
  std::optional<WorkerClient> worker;
};

TEST_F(AskedWorker, tells_its_device_when_it_starts) {
  EXPECT_EQ(worker->hello().device, "fake");
  EXPECT_TRUE(worker->alive());
}

TEST_F(AskedWorker, answers_one_request_after_the_other_by_number) {
  for (int i = 0; i < 3; ++i) {
    const auto answer = please("echo", "text");
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->not_loaded, std::to_string(i + 2) + ":text") << "hello was the first";
  }
}

TEST_F(AskedWorker, that_could_not_do_its_own_part_is_our_fault_and_lives_on) {
  const Cause cause = failure_of(please("fail"));
  EXPECT_EQ(cause.kind, CauseKind::internal);
  EXPECT_THAT(cause.message, HasSubstr("out of memory"));
  EXPECT_TRUE(worker->alive());
  EXPECT_TRUE(please("echo"));
}

TEST_F(AskedWorker, that_could_not_do_its_part_once_it_holds_a_submission_was_broken_by_it) {
  worker->holds_a_submission();
  const Cause cause = failure_of(please("fail"));
  EXPECT_EQ(cause.kind, CauseKind::cuda_error);
  EXPECT_THAT(cause.message, HasSubstr("out of memory"));
  EXPECT_TRUE(worker->alive());
}

TEST_F(AskedWorker, that_dies_by_a_signal_has_crashed) {
  const Cause cause = failure_of(please("crash"));
  EXPECT_EQ(cause.kind, CauseKind::crashed);
  EXPECT_THAT(cause.message, AllOf(HasSubstr("signal 11"), HasSubstr("Segmentation fault")));
  EXPECT_FALSE(worker->alive());
}

TEST_F(AskedWorker, that_aborts_has_crashed) {
  EXPECT_EQ(failure_of(please("abort")).kind, CauseKind::crashed);
}

TEST_F(AskedWorker, that_exits_with_success_has_not_answered) {
  const Cause cause = failure_of(please("exit"));
  EXPECT_EQ(cause.kind, CauseKind::exited);
  EXPECT_THAT(cause.message, HasSubstr("exit status 0"));
}

TEST_F(AskedWorker, that_exits_tells_with_which_status) {
  EXPECT_THAT(failure_of(please("exit", "7")).message, HasSubstr("exit status 7"));
}

TEST_F(AskedWorker, that_is_silent_is_ended_at_the_deadline) {
  const Cause cause = failure_of(please("stall", "", kSoon));
  EXPECT_EQ(cause.kind, CauseKind::timed_out);
  EXPECT_THAT(cause.message, HasSubstr("0.3 s"));
  EXPECT_FALSE(worker->alive());
}

TEST_F(AskedWorker, that_stops_in_the_middle_of_its_answer_is_ended_at_the_deadline) {
  EXPECT_EQ(failure_of(please("half_an_answer", "", kSoon)).kind, CauseKind::timed_out);
}

TEST_F(AskedWorker, that_is_dead_fails_every_later_request_for_the_same_reason) {
  const Cause first = failure_of(please("crash"));
  const Cause later = failure_of(please("echo"));
  EXPECT_EQ(later.kind, CauseKind::crashed);
  EXPECT_EQ(later.message, first.message);
}

class TamperingWorker : public AskedWorker, public testing::WithParamInterface<const char*> {};

TEST_P(TamperingWorker, is_ended_and_found_out) {
  EXPECT_EQ(failure_of(please(GetParam())).kind, CauseKind::tampering);
  EXPECT_FALSE(worker->alive());
}

INSTANTIATE_TEST_SUITE_P(Answers, TamperingWorker,
                         testing::Values("wrong_number", "number_as_text", "no_number", "another_reply",
                                         "no_launches", "unknown_member", "raw", "print_into_the_channel",
                                         "huge_answer", "long_list"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST_F(AskedWorker, that_answers_twice_is_found_out_at_the_next_request) {
  ASSERT_TRUE(please("answer_twice"));
  EXPECT_EQ(failure_of(please("echo")).kind, CauseKind::tampering);
}

TEST_F(AskedWorker, that_answers_the_next_request_before_it_is_asked_is_found_out) {
  ASSERT_TRUE(please("answer_ahead"));
  EXPECT_EQ(failure_of(please("echo")).kind, CauseKind::tampering);
}

TEST_F(AskedWorker, whose_submission_leaves_a_thread_behind_is_found_out) {
  worker->holds_a_submission();
  const Cause cause = failure_of(please("leave_a_thread"));
  EXPECT_EQ(cause.kind, CauseKind::tampering);
  EXPECT_THAT(cause.message, HasSubstr("1 thread runs on"));
  EXPECT_FALSE(worker->alive());
}

TEST_F(AskedWorker, whose_thread_ends_soon_goes_on) {
  worker->holds_a_submission();
  EXPECT_TRUE(please("leave_a_thread_for", "30"));
  EXPECT_TRUE(worker->alive());
}

TEST_F(AskedWorker, may_have_threads_of_its_own_before_a_submission_comes) {
  ASSERT_TRUE(please("leave_a_thread"));
  worker->holds_a_submission();
  EXPECT_TRUE(please("echo", "text"));
}

TEST_F(AskedWorker, that_closes_its_channel_and_lives_on_is_ended) {
  EXPECT_EQ(failure_of(please("close_channel")).kind, CauseKind::tampering);
  EXPECT_FALSE(worker->alive());
}

TEST_F(AskedWorker, may_print_megabytes_before_it_answers) {
  const auto answer = please("flood");
  EXPECT_TRUE(answer) << answer.error().message;
  EXPECT_TRUE(please("echo"));
}

TEST_F(AskedWorker, is_quoted_with_what_it_printed_for_one_request) {
  ASSERT_TRUE(please("flood"));
  EXPECT_THAT(worker->printed().size(), AllOf(Gt(4096U), Lt(4200U)));
  EXPECT_THAT(worker->printed(), HasSubstr("was dropped"));
  ASSERT_TRUE(please("echo"));
  EXPECT_EQ(worker->printed(), "");
}

TEST_F(AskedWorker, that_printed_before_it_crashed_is_quoted) {
  const Cause cause = failure_of(please("print_and_crash"));
  EXPECT_EQ(cause.kind, CauseKind::crashed);
  EXPECT_THAT(cause.printed, AllOf(HasSubstr("about to crash"), HasSubstr("on stderr, too")));
}

TEST_F(AskedWorker, that_crashed_is_not_quoted_with_an_earlier_request) {
  ASSERT_TRUE(please("flood"));
  EXPECT_EQ(failure_of(please("crash")).printed, "");
}

TEST_F(AskedWorker, that_died_between_two_requests_has_crashed_and_not_tampered) {
  const std::string held = fake.folder.path() / "held";
  ASSERT_EQ(::mkfifo(held.c_str(), 0600), 0);
  const UniqueFd reader(::open(held.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  ASSERT_TRUE(please("answer_and_die", held));
  pollfd closed{reader.get(), 0, 0};  // POLLHUP: nobody has it open for writing
  ASSERT_EQ(::poll(&closed, 1, static_cast<int>(kPatient.count())), 1);
  EXPECT_EQ(failure_of(please("echo")).kind, CauseKind::crashed);
}

TEST_F(AskedWorker, leaves_nothing_behind_when_it_is_given_up) {
  const auto answer = please("leave_a_daemon");
  ASSERT_TRUE(answer) << answer.error().message;
  const pid_t daemon = std::stoi(answer->not_loaded.value());
  ASSERT_EQ(::kill(daemon, 0), 0) << "the daemon should live as long as its worker";
  worker.reset();
  EXPECT_NE(::kill(daemon, 0), 0);
  EXPECT_EQ(errno, ESRCH);
}

TEST_F(AskedWorker, that_leaves_a_daemon_and_exits_is_not_waited_for) {
  const Cause cause = failure_of(please("leave_a_daemon_and_exit"));
  EXPECT_EQ(cause.kind, CauseKind::exited);
}

TEST_F(AskedWorker, that_followed_a_device_pointer_is_believed_when_it_crashed) {
  const std::string words = wire::encode(wire::Finding{.kind = CauseKind::device_pointer,
                                                       .kernel = {},
                                                       .file = {},
                                                       .message = "values[0] is on the device",
                                                       .frames = {}});
  const Cause cause = failure_of(please("last_words", words + "\n{\"frames\":[1"));
  EXPECT_EQ(cause.kind, CauseKind::device_pointer);
  EXPECT_EQ(cause.message, "values[0] is on the device");
}

class LastWords : public AskedWorker, public testing::WithParamInterface<const char*> {};

TEST_P(LastWords, of_any_other_kind_say_nothing) {
  EXPECT_EQ(failure_of(please("last_words", GetParam())).kind, CauseKind::crashed);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, LastWords,
    testing::Values("", "nonsense", "{", "[]", "{}", R"({"kind": 7})", R"({"kind": "no_gpu"})",
                    R"({"kind": "internal", "message": "not my fault"})",
                    R"({"kind": "device_pointer", "message": 7})",
                    R"({"kind": "crashed", "kernel": "", "file": "", "line": 0, "message": "m"})"));

class AuditedWorker : public testing::TestWithParam<const char*> {};

TEST_P(AuditedWorker, without_its_events_is_found_out) {
  const FakeInstallation fake;
  auto worker = WorkerClient::start(fake.installation, Engine::gpu, true, kPatient);
  ASSERT_TRUE(worker) << worker.error().message;
  const auto answer = worker->ask(wire::Load{"please", GetParam()}, {}, kPatient);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, CauseKind::tampering);
}

INSTANTIATE_TEST_SUITE_P(Answers, AuditedWorker, testing::Values("no_events", "no_before"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(StartedWorker, that_is_not_there_is_our_fault) {
  const TemporaryFolder empty;
  const Installation installation{WARPMARK_ROOT, empty.path(), empty.path()};
  const auto worker = WorkerClient::start(installation, Engine::simulator, false, kPatient);
  ASSERT_FALSE(worker);
  EXPECT_EQ(worker.error().kind, CauseKind::internal);
  EXPECT_THAT(worker.error().message, HasSubstr("No such file"));
}

TEST(StartedWorker, is_the_one_of_the_engine) {
  const Installation installation{"/root", "/programs", "/libraries"};
  EXPECT_EQ(installation.worker(Engine::gpu), "/cache/workers/warpmark-worker-gpu") << "made on the machine";
  EXPECT_EQ(installation.worker(Engine::simulator), "/programs/warpmark-worker-simulator");
}

// No code of a submission has run yet.
TEST(StartedWorker, that_dies_at_once_is_our_fault_and_tells_of_what) {
  const FakeInstallation fake;
  for (const auto& [what, message] :
       {std::pair{"crash", "signal 11"}, {"exit", "exit status 0"}, {"fail", "out of memory"}}) {
    fake.at_hello(what);
    const auto worker = WorkerClient::start(fake.installation, Engine::gpu, false, kPatient);
    ASSERT_FALSE(worker);
    EXPECT_EQ(worker.error().kind, CauseKind::internal);
    EXPECT_THAT(worker.error().message, HasSubstr(message));
  }
}

TEST(StartedWorker, that_never_says_hello_is_given_up) {
  const FakeInstallation fake;
  fake.at_hello("stall");
  const auto worker = WorkerClient::start(fake.installation, Engine::gpu, false, kSoon);
  ASSERT_FALSE(worker);
  EXPECT_EQ(worker.error().kind, CauseKind::internal);
  EXPECT_THAT(worker.error().message, HasSubstr("0.3 s"));
}

}  // namespace
}  // namespace warpmark::judge
