// A folder with a student's project, and a shell in it.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/build/builder.h"
#include "tests/cli/child.h"

namespace warpmark {

class Project : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto toolchain = build::find_toolchain(Engine::simulator); !toolchain)
      GTEST_SKIP() << "not run: " << toolchain.error().message;
  }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    std::ofstream(folder.path() / name) << text;
  }
  Child shell(const std::string& command, std::map<std::string, std::string> variables = {}) const {
    variables.emplace("PATH", "/usr/bin:/bin");
    variables.emplace("WARPMARK", WARPMARK_CLI);
    return run_child({"/bin/bash", "-c", command}, variables, folder.path());
  }
  // Runs a command that has to succeed; returns what it said.
  std::string good(const std::string& command) const {
    const Child child = shell(command);
    EXPECT_EQ(child.status, 0) << command << "\n" << child.output;
    return child.output;
  }

  const TemporaryFolder folder;
};

}  // namespace warpmark
