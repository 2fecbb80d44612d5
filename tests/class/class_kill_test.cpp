// A class whose coordinator dies: the journal has what was shown, and --resume comes to the same end.
#include <algorithm>
#include <csignal>
#include <random>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/model/grade.h"
#include "tests/class/class_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

class ClassKill : public ClassCommand {
 protected:
  // The coordinator on its own, so that a signal meets it alone; its status as waitpid gives it.
  pid_t start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), WARPMARK_CLI);
    std::vector<char*> argv;
    for (std::string& each : arguments) argv.push_back(each.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int fd : {1, 2}) {
      posix_spawn_file_actions_addopen(&actions, fd, (folder.path() / "said").c_str(),
                                       O_WRONLY | O_CREAT | O_APPEND, 0600);
    }
    pid_t child = -1;
    EXPECT_EQ(posix_spawn(&child, WARPMARK_CLI, &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    return child;
  }
  std::vector<std::string> grading() const {
    return {"class",     input.string(),        "--out",  out.string(), "--engine",
            "simulator", "--trust-submissions", "--seed", "7"};
  }
  // A class that is killed so many times in all comes to the end of an undisturbed one.
  void is_killed(int times);
  // What must not depend on when a run was interrupted: class.json, and every grade but for its times.
  std::string outcome() const {
    std::string all = read_file(out / "class.json").value_or("no class.json");
    for (const auto& [id, student] : students()) {
      auto grade = grade_from_json(read_file(out / student.grade).value_or(""));
      if (!grade) return id + " has no grade.json";
      grade->seconds = 0;
      grade->graded_at.clear();
      for (CheckResult& check : grade->checks) check.seconds = 0;
      all += to_json(*grade);
      if (!fs::exists(out / "students" / id / "index.html")) return id + " has no page";
    }
    return all;
  }
};

void ClassKill::is_killed(int times) {
  for (const char* name : {"ada", "ben", "cem", "dia", "eva", "fay"}) add_student(name, name);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run(grading()).status, 1);
  const auto whole =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  const std::string undisturbed = outcome();
  std::mt19937_64 random(std::random_device{}());
  for (int kills = 0; kills < times;) {
    fs::remove_all(out);
    std::vector<std::string> command = grading();
    // Killed again and again at random moments until a run gets to its end.
    for (int status = 0;;) {
      const pid_t child = start(command);
      if (command.back() != "--resume") command.emplace_back("--resume");
      if (kills < times)
        std::this_thread::sleep_for(
            std::chrono::microseconds(random() % static_cast<std::uint64_t>(whole.count())));
      if (kills < times) kill(child, SIGKILL);
      ASSERT_EQ(waitpid(child, &status, 0), child);
      if (WIFEXITED(status)) {
        ASSERT_EQ(WEXITSTATUS(status), 1) << read_file(folder.path() / "said").value_or("");
        break;
      }
      ++kills;
      // Whatever is shown is a whole grade that the next run keeps.
      if (!fs::exists(out / "students")) continue;
      for (const auto& entry : fs::directory_iterator(out / "students")) {
        const auto text = read_file(entry.path() / "grade.json");
        EXPECT_TRUE(!text || grade_from_json(*text)) << entry.path();
      }
    }
    EXPECT_EQ(outcome(), undisturbed) << "after " << kills << " kills";
  }
}

TEST_F(ClassKill, comes_to_the_same_end_when_it_is_resumed) {
  is_killed(5);
}

using ClassKillLong = ClassKill;

TEST_F(ClassKillLong, comes_to_the_same_end_however_often_it_is_resumed) {
  is_killed(100);
}

TEST_F(ClassKill, stops_cleanly_at_an_interrupt_and_goes_on) {
  for (const char* name : {"ada", "ben", "cem", "dia", "eva", "fay"}) add_student(name, name);
  const pid_t child = start(grading());
  while (!fs::exists(out / "students")) std::this_thread::sleep_for(5ms);  // the first grade was shown
  kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 130) << read_file(folder.path() / "said").value_or("");
  EXPECT_THAT(read_file(folder.path() / "said").value(), HasSubstr("--resume"));
  const auto states = students();
  EXPECT_TRUE(std::ranges::any_of(
      states, [](const auto& each) { return each.second.state == StudentState::graded; }));
  EXPECT_FALSE(fs::exists(out / ".work"));
  EXPECT_EQ(run({"class", "--out", out.string(), "--trust-submissions", "--resume"}).status, 1);
  for (const auto& [id, student] : students()) EXPECT_EQ(student.state, StudentState::graded) << id;
}

// A file system of 2 MiB in a name space of its own, which holds the output.
TEST_F(ClassKill, says_when_the_disk_is_full_and_keeps_what_it_has) {
  const std::string home = folder.path().string();
  fs::create_directories(folder.path() / "small");
  const auto in_small = [&](const std::string& script) {
    return run_child({"/usr/bin/unshare", "--mount", "--map-root-user", "/bin/sh", "-c",
                      "mount -t tmpfs -o size=2m none '" + home + "/small' || exit 77; " + script},
                     {{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}}, folder.path());
  };
  if (in_small("true").status != 0) GTEST_SKIP() << "not run: this machine gives no file system of one's own";
  for (const char* name : {"ada", "ben"}) add_student(name, name);
  const std::string command = std::string("'") + WARPMARK_CLI + "' class --out '" + home +
                              "/small/out' --engine simulator --trust-submissions --seed 7";
  const Child child =
      in_small("head -c 2000000 /dev/zero >'" + home + "/small/ballast'; " + command + " '" + input.string() +
               "'; status=$?; rm '" + home + "/small/ballast'; " + command + " '" + input.string() +
               "' --resume >/dev/null; echo \"then $?\"; exit $status");
  EXPECT_EQ(child.status, 3) << child.output;
  EXPECT_THAT(child.output, HasSubstr("What was graded is kept"));
  EXPECT_THAT(child.output, HasSubstr("then 1"));
}

TEST_F(ClassKill, resume_of_a_folder_without_a_class_is_refused) {
  const Child child = run({"class", "--out", out.string(), "--trust-submissions", "--resume"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, HasSubstr("holds no class"));
}

}  // namespace
}  // namespace warpmark
