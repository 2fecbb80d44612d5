// Grades a small submission of `warmup` with another machine's help. "There" is this machine, too, and has no
// GPU: --engine simulator lets it decide its part on the simulator.
#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/model/grade.h"
#include "tests/cli/child.h"
#include "tests/home.h"

namespace warpmark {

class Elsewhere : public testing::Test {
 protected:
  using Folder = std::filesystem::path;

  Elsewhere() { write_version(read_file(root / "reference/warmup/w01_thread_per_element.cu").value()); }

  void write_version(const std::string& text) const {
    std::filesystem::create_directories(mine);
    std::ofstream(mine / "w01_thread_per_element.cu") << text;
    std::ofstream(mine / "w02_grid_stride.cu")
        << read_file(root / "student_template/warmup/w02_grid_stride.cu").value();
  }
  // A version whose calls never return, under rules that let a call take ten seconds: time to disturb it.
  void write_sleeper() const {
    write_version(
        "#include <unistd.h>\n#include \"warmup.h\"\n"
        "__global__ void k(value_t* values) { values[0] = 1; }\n"
        "extern \"C\" void w01_thread_per_element(value_t* values, std::size_t, value_t, cudaStream_t "
        "stream) {\n"
        "  sleep(600);\n  k<<<1, 1, 0, stream>>>(values);\n}\n");
    std::ofstream(rubric) << with_limits(
        read_file(root / "harness/assignments/warmup/assignment.toml").value(),
        "call_seconds = 10\nsubmission_seconds = 12\n");
  }
  std::vector<std::string> command(std::vector<std::string> more) const {
    std::vector<std::string> words{WARPMARK_CLI, "grade", mine.string(), "--out", out.string()};
    if (std::filesystem::exists(rubric)) words.insert(words.end(), {"--rubric", rubric.string()});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Child run(const std::vector<std::string>& more) const {
    return run_child(command(more), environment(), folder.path());
  }
  virtual std::map<std::string, std::string> environment() const {
    return {{"PATH", "/usr/bin:/bin"}, {"HOME", (folder.path() / "home").string()}};
  }

  // A client that runs in the background.
  void begin(const std::vector<std::string>& more) {
    std::filesystem::remove(pid_file);
    sandbox::Command shell;
    shell.argv = {"/bin/sh", "-c", "echo $$ >\"$0\".new && mv \"$0\".new \"$0\" && exec \"$@\"", pid_file};
    const auto words = command(more);
    shell.argv.insert(shell.argv.end(), words.begin(), words.end());
    shell.environment = environment();
    shell.folder = folder.path();
    auto started = sandbox::Process::start(shell);
    ASSERT_TRUE(started) << started.error().message;
    client.emplace(std::move(*started));
    ASSERT_TRUE(comes([&] { return std::filesystem::exists(pid_file); }));
  }
  void send(int signal) const { kill(std::atoi(read_file(pid_file).value().c_str()), signal); }
  Child end() {
    const auto ending = client->wait_until(sandbox::Clock::now() + std::chrono::minutes(4));
    if (!ending) return {-1, "it did not end: " + client->kill().output};
    const bool exited = ending->kind == sandbox::Ending::Kind::exited;
    return {exited ? ending->code : 1000 + ending->code, ending->output};
  }

  static bool comes(const auto& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(3);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
  }
  [[nodiscard]] Grade grade() const {
    auto read = grade_from_json(read_file(out / "grade.json").value_or(""));
    EXPECT_TRUE(read) << read.error().message;
    return read ? std::move(*read) : Grade{};
  }
  static std::map<std::string, std::string> places_of(const Grade& grade) {
    std::map<std::string, std::string> places;
    for (const CheckResult& check : grade.checks) {
      if (check.version == "w01_thread_per_element") places[check.check] = check.where;
    }
    return places;
  }

  const TemporaryFolder folder;
  const Folder root = WARPMARK_ROOT;
  const Folder mine = folder.path() / "my submission";
  const Folder out = folder.path() / "out put";
  const Folder rubric = folder.path() / "rubric.toml";
  const Folder pid_file = folder.path() / "pid";
  std::optional<sandbox::Process> client;
};

}  // namespace warpmark
