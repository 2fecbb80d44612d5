#include "harness/build/toolchain.h"

#include <cstdlib>
#include <filesystem>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/build/builder.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// An environment variable for one test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

void make_program(const fs::path& path, const std::string& script) {
  ASSERT_TRUE(write_file(path, "#!/bin/sh\n" + script));
  fs::permissions(path, fs::perms::owner_all);
}

std::string clang_script(const std::string& version, const std::string& targets) {
  return "case $1 in --version) echo 'Debian clang version " + version + "';; --print-targets) echo '" +
         targets + "';; esac\n";
}

TEST(Version, of_clang) {
  EXPECT_EQ(clang_version("Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\n"), "14.0.6");
  EXPECT_EQ(clang_version("Ubuntu clang version 18.1.3 (1ubuntu1)\n"), "18.1.3");
  EXPECT_EQ(clang_version("clang version 19.1.7 (++20250114)\n"), "19.1.7");
  EXPECT_EQ(clang_version("g++ (Debian 12.2.0-14+deb12u1) 12.2.0\n"), std::nullopt);
}

TEST(Version, of_nvcc) {
  EXPECT_EQ(nvcc_version("Cuda compilation tools, release 13.0, V13.0.88\n"), "13.0");
  EXPECT_EQ(nvcc_version("clang version 14\n"), std::nullopt);
}

TEST(Version, is_compared_by_its_first_number) {
  EXPECT_EQ(major_version("14.0.6"), 14);
  EXPECT_EQ(major_version("9"), 9);
  EXPECT_EQ(major_version(""), 0);
}

TEST(Toolchains, none_means_that_there_is_none) {
  const Variable clang("WARPMARK_CLANG", "none");
  const Variable nvcc("WARPMARK_NVCC", "none");
  const Result<Toolchain> simulator = find_toolchain(Engine::simulator);
  ASSERT_FALSE(simulator);
  EXPECT_THAT(simulator.error().message, HasSubstr("apt-get install clang"));
  const Result<Toolchain> gpu = find_toolchain(Engine::gpu);
  ASSERT_FALSE(gpu);
  EXPECT_THAT(gpu.error().message, HasSubstr("nvcc"));
}

TEST(Toolchains, named_by_a_variable_are_taken) {
  const TemporaryFolder folder;
  make_program(folder.path() / "my clang", clang_script("15.0.7", "nvptx64 - NVIDIA PTX 64-bit"));
  const Variable clang("WARPMARK_CLANG", folder.path() / "my clang");
  const Result<Toolchain> toolchain = find_toolchain(Engine::simulator);
  ASSERT_TRUE(toolchain) << toolchain.error().message;
  EXPECT_EQ(toolchain->compiler, folder.path() / "my clang");
  EXPECT_EQ(toolchain->description, "clang 15.0.7");
}

TEST(Toolchains, named_by_a_variable_that_is_wrong_say_which) {
  const Variable clang("WARPMARK_CLANG", "/nowhere/clang++");
  EXPECT_THAT(find_toolchain(Engine::simulator).error().message, HasSubstr("/nowhere/clang++"));
}

TEST(Toolchains, that_are_too_old_or_lack_the_back_end_or_are_no_clang_say_so) {
  const TemporaryFolder folder;
  const Variable clang("WARPMARK_CLANG", folder.path() / "clang++");
  make_program(folder.path() / "clang++", clang_script("13.0.1", "nvptx64"));
  EXPECT_THAT(find_toolchain(Engine::simulator).error().message, HasSubstr("clang 13.0.1, too old"));
  make_program(folder.path() / "clang++", clang_script("16.0.0", "x86-64"));
  EXPECT_THAT(find_toolchain(Engine::simulator).error().message, HasSubstr("no NVPTX back end"));
  make_program(folder.path() / "clang++", "echo 'gcc 12'\n");
  EXPECT_THAT(find_toolchain(Engine::simulator).error().message, HasSubstr("is not clang"));
}

TEST(Toolchains, that_are_too_old_under_the_plain_name_give_way_to_a_numbered_one) {
  const TemporaryFolder folder;
  make_program(folder.path() / "clang++", clang_script("13.0.1", "nvptx64"));
  make_program(folder.path() / "clang++-16", clang_script("16.0.6", "nvptx64"));
  make_program(folder.path() / "clang++-19", clang_script("19.1.7", "nvptx64"));
  const Variable none("WARPMARK_CLANG", "");
  const Variable path("PATH", folder.path().string());
  EXPECT_EQ(find_toolchain(Engine::simulator)->description, "clang 19.1.7");
  make_program(folder.path() / "clang++", clang_script("14.0.6", "nvptx64"));
  EXPECT_EQ(find_toolchain(Engine::simulator)->description, "clang 14.0.6");
}

TEST(Toolchains, of_cuda_are_found_by_path_then_by_cuda_home) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "home/bin");
  make_program(folder.path() / "home/bin/nvcc", "echo 'Cuda compilation tools, release 12.4, V12.4.1'\n");
  const Variable none("WARPMARK_NVCC", "");
  const Variable home("CUDA_HOME", folder.path() / "home");
  const Variable path("PATH", folder.path().string());
  EXPECT_EQ(find_toolchain(Engine::gpu)->description, "nvcc 12.4");
  make_program(folder.path() / "nvcc", "echo 'Cuda compilation tools, release 12.6, V12.6.1'\n");
  EXPECT_EQ(find_toolchain(Engine::gpu)->description, "nvcc 12.6");
}

TEST(Toolchains, that_change_have_another_identity) {
  const TemporaryFolder folder;
  const Variable clang("WARPMARK_CLANG", folder.path() / "clang++");
  make_program(folder.path() / "clang++", clang_script("16.0.0", "nvptx64"));
  const std::string before = find_toolchain(Engine::simulator)->identity;
  EXPECT_EQ(find_toolchain(Engine::simulator)->identity, before);
  make_program(folder.path() / "clang++", clang_script("16.0.0", "nvptx64 ..."));
  EXPECT_NE(find_toolchain(Engine::simulator)->identity, before);
}

}  // namespace
}  // namespace warpmark::build
