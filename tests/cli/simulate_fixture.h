// Programs in a folder of their own, and `warpmark simulate` on them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/build/builder.h"
#include "tests/cli/child.h"

namespace warpmark {

class Simulate : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto toolchain = build::find_toolchain(Engine::simulator); !toolchain)
      GTEST_SKIP() << "not run: " << toolchain.error().message;
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path() / name) << text;
  }
  // Runs the command in the folder of the programs, its input empty.
  Child run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {WARPMARK_CLI, "simulate", "--json", "out.json"});
    const char* path = std::getenv("PATH");
    return run_child(arguments, {{"PATH", path != nullptr ? path : "/usr/bin:/bin"}}, folder.path());
  }
  // One file, one run at -O0 and one at -O2.
  Child simulate(const std::string& program, std::vector<std::string> more = {}) const {
    write("a.cu", program);
    more.insert(more.begin(), {"a.cu", "--schedules", "0"});
    return run(more);
  }
  nlohmann::json result() const {
    return nlohmann::json::parse(read_file(folder.path() / "out.json").value_or("{}"), nullptr, false);
  }
  // The finding of that kind; null when there is none.
  nlohmann::json finding(const std::string& kind) const {
    for (const nlohmann::json& each : result().value("findings", nlohmann::json::array())) {
      if (each["kind"] == kind) return each;
    }
    return {};
  }
  void expect_unusable(const Child& child, const std::string& message) const {
    EXPECT_EQ(child.status, 2) << child.output;
    EXPECT_THAT(child.output, testing::HasSubstr(message));
    EXPECT_EQ(result()["exit"], 2);
  }

  const TemporaryFolder folder;
};

}  // namespace warpmark
