// .cu text -> clang -> a library that runs here: what harness/build does for a submission, with as little
// around it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "harness/build/clang_flags.h"
#include "tests/simulator/runtime_test_kernels.h"
#include "tests/simulator/simulator_control.h"

namespace warpmark::simulator {

namespace fs = std::filesystem;

inline std::string read_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class FrontEnd : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(WARPMARK_TEST_CLANG).empty())
      GTEST_SKIP() << "no clang++ was found when this was configured";
    std::string pattern = (fs::temp_directory_path() / "front_end_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    cudaDeviceReset();
    configure(Level::checking);
    simulator_control().drain();
  }
  void TearDown() override {
    if (!folder.empty()) fs::remove_all(folder);
  }

  static void configure(Level level) {
    const WarpmarkSimulatorOptions options{.checking = level == Level::checking ? 1 : 0,
                                           .schedule = 0,
                                           .instruction_budget = 0,
                                           .host_threads = 1,
                                           .check_accesses = 0,
                                           .count_work = 0,
                                           .keep_costly = 0,
                                           .work_limit = 0,
                                           .time_limit = 0,
                                           .devices = 0};
    simulator_control().configure(&options);
  }

  // What clang said; empty when it was content.
  std::string compile(const std::vector<std::string>& flags, const fs::path& output,
                      const std::vector<std::string>& after = {}) const {
    std::string command = WARPMARK_TEST_CLANG;
    const auto add = [&](const std::string& word) { command.append(" '").append(word).append("'"); };
    for (const auto& flag : flags) add(flag);
    add("-I" WARPMARK_TEST_INCLUDE);
    add((folder / "a.cu").string());
    for (const auto& flag : after) add(flag);
    add("-o");
    add(output.string());
    const fs::path log = folder / "log";
    const int status = std::system((command + " >'" + log.string() + "' 2>&1").c_str());
    return status == 0 ? "" : command + "\n" + read_text(log);
  }
  std::string device_code(std::string_view source, Level level) {
    std::ofstream(folder / "a.cu") << source;
    const fs::path ptx = folder / "a.ptx";
    const std::string complaint = compile(device_flags(level), ptx);
    EXPECT_EQ(complaint, "");
    return read_text(ptx);
  }
  std::string complaint_about(std::string_view source) {
    std::ofstream(folder / "a.cu") << source;
    return compile(device_flags(Level::checking), folder / "a.ptx");
  }

  // The function of that name; its library stays loaded.
  template <class Function>
  Function* build(std::string_view source, const char* name) {
    const std::string packed = pack(
        {.checking = device_code(source, Level::checking), .counting = device_code(source, Level::counting)});
    std::ofstream(folder / "a.fat") << packed;
    const fs::path library = folder / "a.so";
    const std::string complaint =
        compile(host_flags((folder / "a.fat").string()), library, link_flags(WARPMARK_TEST_RUNTIME));
    EXPECT_EQ(complaint, "");
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(handle, nullptr) << dlerror();
    return handle == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle, name));
  }

  template <class T>
  static T* upload(const std::vector<T>& values) {
    T* device = nullptr;
    EXPECT_EQ(cudaMalloc(&device, values.size() * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
              cudaSuccess);
    return device;
  }
  template <class T>
  static std::vector<T> download(const T* device, std::size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

  fs::path folder;
};

}  // namespace warpmark::simulator
