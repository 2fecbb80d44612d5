// nvcc takes every version of the reference and every stub of the template, without a warning.
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/sandbox/process.h"
#include "tests/reference/bench.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Nvcc : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(WARPMARK_TEST_NVCC).empty()) GTEST_SKIP() << "not run: there is no nvcc";
  }

  // All files at once: thrust alone takes longer to compile than everything else.
  std::string output_of(const fs::path& source, const fs::path& versions) {
    sandbox::Command command;
    command.argv = {WARPMARK_TEST_NVCC,
                    "-std=c++17",
                    "-arch=sm_80",
                    "-Xcompiler",
                    "-Wall,-Wextra",
                    "-I" + (judge::kRoot / "harness/assignments/reduction").string(),
                    "-I" + versions.string(),
                    "-c",
                    "-o",
                    (folder.path() / "object.o").string(),
                    source.string()};
    command.environment = {{"PATH", "/usr/bin:/bin"}, {"TMPDIR", folder.path().string()}};
    const auto finished = sandbox::run(command, std::chrono::minutes(10));
    if (!finished) return finished.error().message;
    const sandbox::Ending& ending = finished->ending;
    const bool compiled = ending.kind == sandbox::Ending::Kind::exited && ending.code == 0;
    return (compiled ? "" : "nvcc failed:\n") + ending.output;
  }

  const TemporaryFolder folder;
};

TEST_F(Nvcc, compiles_every_version_without_a_warning) {
  EXPECT_EQ(output_of(judge::kRoot / "tests/reference/standalone.cu", judge::kRoot / "reference/reduction"),
            "");
}

TEST_F(Nvcc, compiles_every_stub_without_a_warning) {
  EXPECT_EQ(
      output_of(judge::kRoot / "tests/reference/standalone.cu", judge::kRoot / "student_template/reduction"),
      "");
}

// Else the two above could not fail.
TEST_F(Nvcc, warns_of_what_is_never_used) {
  const fs::path source = folder.path() / "a.cu";
  ASSERT_TRUE(write_file(source, "__global__ void k(int n) { int m; }\nvoid f(int unused) {}\n"));
  const std::string output = output_of(source, folder.path());
  EXPECT_THAT(output, HasSubstr("\"m\" was declared but never referenced"));
  EXPECT_THAT(output, HasSubstr("unused parameter"));
}

// One list is in the program, the other is the folder.
TEST(Standalone, holds_every_version) {
  const std::string text = read_file(judge::kRoot / "tests/reference/standalone.cu").value_or("");
  for (const auto& entry : fs::directory_iterator(judge::kRoot / "reference/reduction")) {
    if (entry.path().extension() != ".cu") continue;
    EXPECT_THAT(text, HasSubstr("#include \"" + entry.path().filename().string() + "\""));
    if (entry.path().stem() == "upload") continue;
    EXPECT_THAT(text, HasSubstr("{\"" + entry.path().stem().string() + "\", "));
  }
}

}  // namespace
}  // namespace warpmark
