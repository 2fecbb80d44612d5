// nvcc's command line as text, without a compiler.
#include "harness/nvcc/options.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::nvcc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CommandLine read(const std::vector<std::string>& arguments) {
  auto line = read_command_line(arguments);
  EXPECT_TRUE(line.has_value()) << line.error().message;
  return line.value_or(CommandLine{});
}

std::string refusal(const std::vector<std::string>& arguments) {
  const auto line = read_command_line(arguments);
  return line ? "accepted" : line.error().message;
}

TEST(Options, values_stand_in_the_next_word_or_behind_an_equals_sign_or_at_once) {
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"-o", "app"}, {"-o=app"}, {"-oapp"}, {"--output-file", "app"}, {"--output-file=app"}})
    EXPECT_EQ(read(words).output, "app") << words.front();
  EXPECT_THAT(read({"-Ia", "-I", "b", "--include-path=c,d"}).include_folders,
              ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(read({"-DN=3", "-D", "M", "--define-macro=TEXT=a=b"}).defines,
              ElementsAre("N=3", "M", "TEXT=a=b"));
}

TEST(Options, libraries_and_their_folders_keep_their_order) {
  EXPECT_THAT(read({"-L/lib", "-lm", "-Xlinker", "-s,-x", "--library=a,b"}).link_flags,
              ElementsAre("-L/lib", "-lm", "-Xlinker", "-s", "-Xlinker", "-x", "-la", "-lb"));
}

TEST(Options, what_the_hosts_compiler_gets_is_split_at_commas_and_spaces) {
  EXPECT_THAT(
      read({"-Xcompiler", "-fopenmp,-Wall", "-Xcompiler=-O2 -g", "--compiler-options", "-fPIC"}).host_flags,
      ElementsAre("-fopenmp", "-Wall", "-O2", "-g", "-fPIC"));
}

TEST(Options, an_architecture_changes_nothing) {
  const CommandLine line =
      read({"-arch=sm_75", "-gencode", "arch=compute_75,code=sm_75", "--gpu-code", "sm_75",
            "-maxrregcount=32", "-Xptxas", "-v", "-lineinfo", "-G", "-use_fast_math", "a.cu"});
  EXPECT_THAT(line.inputs, ElementsAre("a.cu"));
  EXPECT_THAT(line.host_flags, IsEmpty());
}

TEST(Options, files_that_use_each_others_device_symbols_are_told) {
  EXPECT_FALSE(read({"-c", "a.cu"}).relocatable);
  EXPECT_TRUE(read({"-dc", "a.cu"}).relocatable);
  EXPECT_EQ(read({"-dc", "a.cu"}).phase, Phase::object);
  EXPECT_TRUE(read({"-rdc=true", "-c", "a.cu"}).relocatable);
  EXPECT_FALSE(read({"-rdc=true", "-rdc", "false"}).relocatable);
}

TEST(Options, what_changes_the_meaning_is_obeyed) {
  EXPECT_THAT(read({"--fmad=false"}).host_flags, ElementsAre("-ffp-contract=off"));
  EXPECT_TRUE(read({"-default-stream", "per-thread"}).own_default_streams);
  EXPECT_TRUE(read({"-cudart=none"}).without_runtime);
  EXPECT_EQ(read({"-std=c++17"}).standard, "c++17");
  EXPECT_EQ(read({"-x", "cu", "a.cpp"}).language, "cu");
}

TEST(Options, machine_code_is_refused_with_the_reason) {
  EXPECT_THAT(refusal({"-cubin", "a.cu"}), HasSubstr("-cubin makes machine code"));
  EXPECT_EQ(read({"--fatbin", "a.cu"}).phase, Phase::fat_binary);
  EXPECT_THAT(refusal({"a.cu", "-o"}), HasSubstr("-o has no value"));
}

TEST(Options, unknown_options_are_refused_unless_they_go_to_the_hosts_compiler) {
  EXPECT_EQ(refusal({"-Wall", "a.cu"}), "Unknown option '-Wall'");
  EXPECT_THAT(read({"--forward-unknown-to-host-compiler", "-Wall", "-fPIC"}).host_flags,
              ElementsAre("-Wall", "-fPIC"));
}

TEST(Options, files_and_variables_may_hold_options) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "options";
  ASSERT_TRUE(write_file(file, "-DA -o 'my app'\n").has_value());
  EXPECT_EQ(read({"--options-file", file, "a.cu"}).output, "my app");
  EXPECT_THAT(refusal({"-optf", file + ".none"}), HasSubstr(".none"));
  ::setenv("NVCC_APPEND_FLAGS", "-DB", 1);
  const CommandLine line = read({"-DA"});
  ::unsetenv("NVCC_APPEND_FLAGS");
  EXPECT_THAT(line.defines, ElementsAre("A", "B"));
}

}  // namespace
}  // namespace warpmark::nvcc
