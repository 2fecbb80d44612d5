// What a submission's source can make a compiler read.

#include <cstdlib>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/build/builder.h"
#include "harness/sandbox/process.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

const fs::path kRoot = WARPMARK_ROOT;
constexpr const char* kKernel = "__global__ void k() {}\nextern \"C\" void f() { k<<<1, 1>>>(); }\n";

class CompilerBoxTest : public testing::TestWithParam<sandbox::Level> {
 protected:
  void SetUp() override {
    if (GetParam() > sandbox::best_level()) GTEST_SKIP() << "not run: " << sandbox::machine().trouble;
    const Result<Toolchain> toolchain = find_toolchain(Engine::simulator);
    if (!toolchain) GTEST_SKIP() << "not run: " << toolchain.error().message;
    toolchain_ = *toolchain;
    fs::create_directory(submission());
    fs::create_directory(course());
  }
  [[nodiscard]] fs::path submission() const { return folder_.path() / "submission"; }
  [[nodiscard]] fs::path course() const { return folder_.path() / "course"; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(submission() / name) << text;
  }
  [[nodiscard]] Result<Built> build(const std::string& source) const {
    write("a.cu", source);
    Settings settings;
    settings.cache = folder_.path() / "cache";
    settings.simulator_include = fs::path(WARPMARK_LIB) / "simulator-headers";
    settings.simulator_library = fs::path(WARPMARK_LIB) / "libwarpmark_cudart.so";
    settings.sandbox = GetParam();
    settings.hidden = {kRoot};
    return Builder(toolchain_, settings)
        .build({submission() / "a.cu",
                "a.cu",
                {kRoot / "harness/assignments/reduction", course(), submission()},
                "int",
                {"f"}});
  }
  [[nodiscard]] testing::AssertionResult builds(const std::string& source) const {
    const Result<Built> built = build(source);
    if (!built) return testing::AssertionFailure() << built.error().message;
    if (built->causes.empty()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << built->causes.front().message;
  }
  [[nodiscard]] Cause refusal_of(const std::string& source) const {
    const Result<Built> built = build(source);
    EXPECT_TRUE(built) << built.error().message;
    if (!built || built->causes.empty()) return {};
    EXPECT_EQ(built->causes.front().kind, CauseKind::compile_error);
    return built->causes.front();
  }
  [[nodiscard]] fs::path folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  Toolchain toolchain_;
};
INSTANTIATE_TEST_SUITE_P(Level, CompilerBoxTest,
                         testing::Values(sandbox::Level::process, sandbox::Level::box),
                         [](const auto& param) { return sandbox::name_of(param.param); });

TEST_P(CompilerBoxTest, shows_the_contract_the_system_and_the_submissions_own_headers) {
  fs::create_directory(submission() / "parts");
  write("parts/own.cuh", "#define OWN 1\n");
  EXPECT_TRUE(builds(std::string("#include \"reduction.h\"\n#include \"parts/own.cuh\"\n#include <vector>\n"
                                 "static_assert(OWN == 1);\n") +
                     kKernel));
}

TEST_P(CompilerBoxTest, refuses_a_file_of_the_reference_and_names_it) {
  const std::string file = kRoot / "reference/reduction/v07_tree_sequential.cu";
  const Cause cause = refusal_of("\n#include \"" + file + "\"\n" + kKernel);
  EXPECT_THAT(cause.message, HasSubstr("reference/reduction/v07_tree_sequential.cu"));
  EXPECT_EQ(cause.file, "a.cu");
  EXPECT_EQ(cause.line, 2);
}

TEST_P(CompilerBoxTest, refuses_what_the_course_has_beside_its_headers) {
  std::ofstream(course() / "helpers.h") << "#define HELPER 1\n";
  std::ofstream(course() / "answers.inc") << "#define ANSWER 1\n";
  EXPECT_TRUE(builds(std::string("#include \"helpers.h\"\nstatic_assert(HELPER == 1);\n") + kKernel));
  EXPECT_THAT(refusal_of(std::string("#include \"answers.inc\"\n") + kKernel).message,
              HasSubstr("answers.inc"));
}

TEST_P(CompilerBoxTest, refuses_the_headers_of_the_solutions) {
  fs::create_directory(course() / "reference");
  std::ofstream(course() / "reference/bins.cuh") << "#define BINS 1\n";
  EXPECT_THAT(refusal_of(std::string("#include \"reference/bins.cuh\"\n") + kKernel).message,
              HasSubstr("bins.cuh"));
}

TEST_P(CompilerBoxTest, refuses_another_submission) {
  fs::create_directory(folder() / "another");
  std::ofstream(folder() / "another/b.cuh") << "#define B 1\n";
  EXPECT_THAT(refusal_of(std::string("#include \"../another/b.cuh\"\n") + kKernel).message,
              HasSubstr("b.cuh"));
  fs::create_symlink(folder() / "another/b.cuh", submission() / "own.cuh");
  EXPECT_THAT(refusal_of(std::string("#include \"own.cuh\"\n") + kKernel).message, HasSubstr("own.cuh"));
}

TEST_P(CompilerBoxTest, refuses_devices) {
  const Cause cause = refusal_of(std::string("#include \"/dev/null\"\n") + kKernel);
  EXPECT_THAT(cause.message, HasSubstr("/dev/null"));
}

TEST_P(CompilerBoxTest, keeps_the_assembler_from_files_of_others) {
  if (GetParam() != sandbox::Level::box) GTEST_SKIP() << "not run: no list names what an assembler reads";
  const std::string file = kRoot / "README.md";
  const Cause cause = refusal_of("asm(\".incbin \\\"" + file + "\\\"\");\n" + std::string(kKernel));
  EXPECT_THAT(cause.message, HasSubstr("README.md"));
  EXPECT_FALSE(builds(std::string("asm(\".incbin \\\"/etc/passwd\\\"\");\n") + kKernel));
}

TEST_P(CompilerBoxTest, without_room_for_its_files_is_our_fault) {
  const auto bwrap = sandbox::find_program("bwrap");
  if (!bwrap || sandbox::best_level() != sandbox::Level::box)
    GTEST_SKIP() << "not run: no small disk without bwrap";
  write("a.cu", kKernel);
  // A disk of 8 KiB for temporary files.
  sandbox::Command command;
  command.argv = {bwrap->string(),
                  "--dev-bind",
                  "/",
                  "/",
                  "--size",
                  "8192",
                  "--tmpfs",
                  "/mnt",
                  "--setenv",
                  "TMPDIR",
                  "/mnt",
                  WARPMARK_BUILD_ONE,
                  sandbox::name_of(GetParam()),
                  submission() / "a.cu",
                  folder() / "cache"};
  command.environment = {{"PATH", "/usr/bin:/bin"}};
  const auto finished = sandbox::run(command, std::chrono::seconds(60));
  ASSERT_TRUE(finished);
  EXPECT_THAT(finished->ending.output, AllOf(HasSubstr("our fault"), HasSubstr("/mnt")));
}

}  // namespace
}  // namespace warpmark::build
