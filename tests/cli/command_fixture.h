// Runs the command line tool in a folder of its own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "tests/cli/child.h"

namespace warpmark {

class CommandTest : public testing::Test {
 protected:
  Child run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), WARPMARK_CLI);
    const char* path = std::getenv("PATH");
    return run_child(arguments, {{"PATH", path != nullptr ? path : "/usr/bin:/bin"}}, folder.path());
  }

  const TemporaryFolder folder;
  const std::filesystem::path root = WARPMARK_ROOT;
  const std::filesystem::path out = folder.path() / "out put";
};

}  // namespace warpmark
