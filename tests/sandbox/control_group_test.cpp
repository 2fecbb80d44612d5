#include "harness/sandbox/control_group.h"

#include <csignal>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpmark::sandbox {
namespace {

namespace fs = std::filesystem;

class ControlGroupTest : public testing::Test {
 protected:
  void SetUp() override {
    if (control_groups() == ControlGroups::none)
      GTEST_SKIP() << "not run: this user can make no control groups";
  }
  // The status of a child that enters the group and does as it is told.
  template <class Body>
  static int status_in(const ControlGroup& group, const Body& body) {
    const pid_t child = fork();
    if (child == 0) {
      for (const UniqueFd& entrance : group.entrances()) {
        if (write(entrance.get(), "0", 1) != 1) _exit(99);
      }
      _exit(body());
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
  }
};

TEST_F(ControlGroupTest, ends_a_program_that_takes_more_memory_at_once) {
  const auto group = ControlGroup::make(control_groups(), {std::size_t{64} << 20, 100});
  ASSERT_TRUE(group);
  EXPECT_EQ(status_in(*group, [] { return 0; }), 0);
  EXPECT_FALSE(group->ran_out_of_memory());
  const int status = status_in(*group, [] {
    constexpr std::size_t kMuch = std::size_t{256} << 20;
    auto* memory = static_cast<volatile char*>(malloc(kMuch));
    for (std::size_t at = 0; at < kMuch; at += 4096) memory[at] = 1;
    return 0;
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_TRUE(group->ran_out_of_memory());
}

TEST_F(ControlGroupTest, gives_no_more_processes_than_its_limit) {
  const auto group = ControlGroup::make(control_groups(), {0, 5});
  ASSERT_TRUE(group);
  const int status = status_in(*group, [] {
    const pid_t counting = getpid();
    for (int made = 1; made < 20; ++made) {
      const pid_t child = fork();
      if (child < 0) return made;
      if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // with the one that counts, unless that is gone already
        if (getppid() == counting) pause();
        _exit(0);
      }
    }
    return 0;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 5);
}

TEST_F(ControlGroupTest, goes_away_when_it_is_given_back) {
  std::vector<std::string> left;
  { ASSERT_TRUE(ControlGroup::make(control_groups(), {0, 5})); }
  const std::string ours = "warpmark-" + std::to_string(getpid()) + "-";
  std::error_code error;
  for (fs::recursive_directory_iterator
           entry("/sys/fs/cgroup", fs::directory_options::skip_permission_denied, error),
       end;
       !error && entry != end; entry.increment(error)) {
    if (entry.depth() > 4) entry.disable_recursion_pending();
    if (entry->path().filename().string().starts_with(ours)) left.push_back(entry->path());
  }
  EXPECT_TRUE(left.empty()) << left.front();
}

}  // namespace
}  // namespace warpmark::sandbox
