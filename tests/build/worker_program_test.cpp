#include "harness/build/worker_program.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// A machine with compilers that write a line for each call, and an output that can be started.
class Machine : public testing::Test {
 protected:
  Machine() {
    for (const char* folder :
         {"root/harness/worker", "objects", "llvm/bin", "cuda/bin", "cuda/include", "cuda/lib64"})
      fs::create_directories(at(folder));
    write("objects/common.o", "common");
    write("objects/thread-sanitizer.o", "thread");
    write("root/harness/worker/archer.cpp", "");
    for (const char* file :
         {"include/cuda_runtime.h", "include/cupti.h", "lib64/libcudart.so", "lib64/libcupti.so"})
      write(fs::path("cuda") / file, "");
    write_compiler("llvm/bin/clang++", "");
    write_compiler("gxx", "[ \"$1\" = -dumpfullversion ] && { echo 12.2.0; exit 0; }\n");
    write_compiler("cuda/bin/nvcc", "");
    setenv("WARPMARK_GXX", at("gxx").c_str(), 1);
  }
  ~Machine() override { unsetenv("WARPMARK_GXX"); }

  [[nodiscard]] fs::path at(const fs::path& name) const { return folder_.path() / name; }
  void write(const fs::path& name, const std::string& text) const { ASSERT_TRUE(write_file(at(name), text)); }
  void write_compiler(const fs::path& name, const std::string& first) const {
    write(name, "#!/bin/sh\n" + first + "echo \"$*\" >>" + at("calls").string() +
                    "\nwhile [ $# -gt 1 ]; do [ \"$1\" = -o ] && echo made >\"$2\"; shift; done\n");
    fs::permissions(at(name), fs::perms::owner_all);
  }
  [[nodiscard]] std::size_t calls() const {
    const auto text = read_file(at("calls"));
    return text ? static_cast<std::size_t>(std::ranges::count(*text, '\n')) : 0;
  }
  Result<void> make(const Toolchain& toolchain) {
    return make_worker(toolchain, {at("root"), at("objects")}, program_,
                       [this](const std::string& text) { told_.push_back(text); });
  }
  [[nodiscard]] Toolchain clang() const {
    return {Engine::thread_sanitizer, at("llvm/bin/clang++"), "clang 14.0.6", "clang of the test"};
  }
  [[nodiscard]] Toolchain nvcc(const std::string& version) const {
    return {Engine::gpu, at("cuda/bin/nvcc"), "nvcc " + version, "nvcc of the test"};
  }

  TemporaryFolder folder_;
  const fs::path program_ = at("cache/workers/warpmark-worker");
  std::vector<std::string> told_;
};

using MadeWorker = Machine;

TEST_F(MadeWorker, is_made_once) {
  ASSERT_TRUE(make(clang()));
  EXPECT_EQ(*read_file(program_), "made\n");
  EXPECT_EQ(calls(), 2U) << "one file compiled, one program linked";
  ASSERT_TRUE(make(clang()));
  EXPECT_EQ(calls(), 2U);
}

TEST_F(MadeWorker, is_made_again_of_other_parts_and_by_another_compiler) {
  ASSERT_TRUE(make(clang()));
  write("objects/common.o", "another common");
  ASSERT_TRUE(make(clang()));
  EXPECT_EQ(calls(), 4U);
  write("root/harness/worker/session.h", "// a header");
  ASSERT_TRUE(make(clang()));
  EXPECT_EQ(calls(), 6U);
  Toolchain other = clang();
  other.identity = "another clang";
  ASSERT_TRUE(make(other));
  EXPECT_EQ(calls(), 8U);
}

TEST_F(MadeWorker, is_made_by_one_of_those_who_ask_at_once) {
  std::vector<std::jthread> askers;
  std::array<bool, 4> good{};
  for (bool& each : good)
    askers.emplace_back([&] {
      each = make_worker(clang(), {at("root"), at("objects")}, program_, {}).has_value();
    });
  askers.clear();
  EXPECT_THAT(good, testing::Each(true));
  EXPECT_EQ(calls(), 2U);
}

TEST_F(MadeWorker, that_cannot_be_linked_is_told_with_the_remedy_and_tried_again) {
  write_compiler("llvm/bin/clang++",
                 "[ \"$1\" = -fopenmp ] && { echo cannot find libclang_rt.tsan; exit 1; }\n");
  const auto made = make(clang());
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message,
              AllOf(HasSubstr("libclang-rt-dev"), HasSubstr("cannot find libclang_rt.tsan")));
  EXPECT_FALSE(fs::exists(program_));
  write_compiler("llvm/bin/clang++", "");
  EXPECT_TRUE(make(clang()));
}

TEST_F(MadeWorker, of_the_gpu_is_told_of_and_knows_its_toolkit) {
  ASSERT_TRUE(make(nvcc("13.0"))) << make(nvcc("13.0")).error().message;
  EXPECT_THAT(told_, testing::ElementsAre(HasSubstr("once")));
  EXPECT_EQ(toolkit_of(program_), fs::canonical(at("cuda")));
  EXPECT_EQ(calls(), 11U) << "ten files compiled, one program linked";
}

TEST_F(MadeWorker, of_the_gpu_needs_cuda_13_and_cupti) {
  EXPECT_THAT(make(nvcc("12.4")).error().message, AllOf(HasSubstr("CUDA 12.4"), HasSubstr("13 or newer")));
  fs::remove(at("cuda/include/cupti.h"));
  EXPECT_THAT(make(nvcc("13.0")).error().message, HasSubstr("apt-get install cuda-cupti-dev-13-0"));
  fs::remove(at("cuda/lib64/libcudart.so"));
  EXPECT_THAT(make(nvcc("13.0")).error().message, HasSubstr("libcudart.so"));
  EXPECT_EQ(calls(), 0U);
}

}  // namespace
}  // namespace warpmark::build
