// Following a command on another machine through what may happen to it.
#include "harness/remote/errand.h"

#include <deque>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/remote/gpu_part.h"

namespace warpmark::remote {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A place that answers what a test says.
class FakePlace : public Place {
 public:
  [[nodiscard]] std::string name() const override { return "ssh:there"; }
  Result<std::string> start(const Parcel& parcel) override {
    ++starts;
    return refusal.empty() ? Result<std::string>(parcel.seed) : fail(refusal);
  }
  Result<Look> look() override {
    auto next = std::move(looks.front());
    looks.pop_front();
    return next;
  }
  Result<std::string> fetch(const fs::path& file) override {
    const auto found = files.find(file.string());
    return found == files.end() ? fail("no such file") : Result<std::string>(found->second);
  }
  Result<void> remove() override {
    ++removals;
    return {};
  }

  std::string refusal;
  std::deque<Result<Look>> looks;
  std::map<std::string, std::string> files;
  int starts = 0;
  int removals = 0;
};

class Errands : public testing::Test {
 protected:
  void follow() {
    ASSERT_TRUE(errand.start());
    while (!errand.step(now)) now += std::chrono::milliseconds(500);
  }
  FakePlace place;
  Errand::Clock::time_point now;
  std::vector<std::string> said;
  Errand errand{place, Parcel{"", "key", "0x1"}, [this](const std::string& line) { said.push_back(line); }};
};

const Look kEnded{Look::State::ended, ""};

TEST_F(Errands, brings_the_result_and_leaves_nothing) {
  place.looks = {Look{Look::State::waiting, "waiting in the queue"}, Look{Look::State::running, "halfway"},
                 Look{Look::State::running, "halfway"}, kEnded};
  place.files = {{kGradeFile, "{}"}, {kMachineFile, "node1\n"}};
  follow();
  const auto result = errand.result(kGradeFile);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->result, "{}");
  EXPECT_EQ(result->machine, "node1");
  EXPECT_THAT(said, ElementsAre("ssh:there: waiting in the queue", "ssh:there: halfway"));
  errand.remove();
  errand.remove();
  EXPECT_EQ(place.removals, 1);
}

TEST_F(Errands, a_lost_connection_is_tried_again_with_longer_pauses) {
  place.looks = {fail("refused"), fail("refused"), kEnded};
  place.files = {{kGradeFile, "{}"}};
  follow();
  EXPECT_TRUE(errand.result(kGradeFile));
  EXPECT_THAT(said, ElementsAre(AllOf(HasSubstr("connection is lost (refused)"), HasSubstr("again in 1 s")),
                                HasSubstr("again in 2 s"), "ssh:there answers again"));
  EXPECT_EQ(place.starts, 1);
}

TEST_F(Errands, a_place_that_stays_silent_is_given_up_after_ten_minutes) {
  for (int attempt = 0; attempt < 30; ++attempt) place.looks.push_back(fail("timed out"));
  follow();
  EXPECT_THAT(errand.result(kGradeFile).error().message,
              HasSubstr("has not answered for 10 minutes (timed out)"));
  EXPECT_THAT(said.back(), HasSubstr("again in 30 s"));
}

TEST_F(Errands, what_is_gone_is_started_again_but_not_for_ever) {
  const Look gone{Look::State::lost, "lost what it had begun"};
  place.looks = {gone, gone, gone};
  follow();
  EXPECT_EQ(place.starts, 3);
  EXPECT_THAT(said, ElementsAre("ssh:there: lost what it had begun; starting again"));
  EXPECT_THAT(errand.result(kGradeFile).error().message,
              HasSubstr("ssh:there lost what it had begun, 3 times"));
}

TEST_F(Errands, a_failure_is_not_repeated) {
  place.looks = {Look{Look::State::failed, "job 7 was cancelled"}};
  follow();
  EXPECT_EQ(errand.result(kGradeFile).error().message, "ssh:there job 7 was cancelled");
  EXPECT_EQ(place.starts, 1);
}

TEST_F(Errands, a_command_without_a_grade_is_reported_with_its_last_output) {
  place.looks = {kEnded};
  place.files = {{kStatusFile, "137\n"}, {kLogFile, "v1.builds: passed\nKilled\n"}};
  follow();
  EXPECT_EQ(errand.result(kGradeFile).error().message,
            "ssh:there left no grade (exit status 137); its last output: Killed");
}

TEST_F(Errands, a_refused_start_leaves_nothing) {
  place.refusal = "no";
  EXPECT_EQ(errand.start().error().message, "no");
  EXPECT_EQ(place.removals, 1);
}

class Packed : public testing::Test {
 protected:
  Packed() {
    write("mine/v1.cu", "code");
    write("mine/.git/config", "secret");
    fs::create_symlink("/etc/passwd", from.path() / "mine/link.cu");
    write("own/assignment.toml", "rules");
    write("own/reference/v1.cu", "solution");
    order.program = "'/opt/war p/warpmark'";
    order.submission = from.path() / "mine";
    order.assignment.name = "own";
    order.assignment.folder = from.path() / "own";
    order.options = {"--only", "v1's"};
    order.seed = "0x7";
  }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((from.path() / file).parent_path());
    ASSERT_TRUE(write_file(from.path() / file, text));
  }
  const TemporaryFolder from;
  const TemporaryFolder to;
  GpuPartOrder order;
};

TEST_F(Packed, the_submission_and_an_own_assignment_travel) {
  pack(order, to.path());
  EXPECT_EQ(read_file(to.path() / "submission/v1.cu").value(), "code");
  EXPECT_FALSE(fs::exists(to.path() / "submission/.git"));
  // A link stays one, and is refused there as here; its target does not travel.
  EXPECT_TRUE(fs::is_symlink(to.path() / "submission/link.cu"));
  EXPECT_EQ(read_file(to.path() / "assignment/own/reference/v1.cu").value(), "solution");
  EXPECT_THAT(read_file(to.path() / kCommandFile).value(),
              AllOf(HasSubstr("'/opt/war p/warpmark' grade submission --assignment 'assignment/own'"),
                    HasSubstr("'v1'\\''s'"), HasSubstr("--gpu-part"), Not(HasSubstr("0x7"))));
}

TEST_F(Packed, an_assignment_of_the_tool_stays) {
  order.assignment.built_in = true;
  pack(order, to.path());
  EXPECT_FALSE(fs::exists(to.path() / "assignment"));
}

TEST_F(Packed, the_same_work_has_the_same_key_whatever_its_seed) {
  const std::string key = pack(order, to.path()).key;
  const auto key_of = [&](const GpuPartOrder& other) {
    const TemporaryFolder folder;
    return pack(other, folder.path()).key;
  };
  order.seed = "0x8";
  EXPECT_EQ(key_of(order), key);
  order.seed_is_chosen = true;
  EXPECT_NE(key_of(order), key);
  order.seed_is_chosen = false;
  write("mine/v1.cu", "other code");
  EXPECT_NE(key_of(order), key);
}

}  // namespace
}  // namespace warpmark::remote
