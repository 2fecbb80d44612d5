// A submission of one test: files in a temporary folder, and a builder of the simulator's engine for them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/build/builder.h"

namespace warpmark::build {

class BuildTest : public testing::Test {
 protected:
  explicit BuildTest(Engine of = Engine::simulator) : engine(of) {}

  void SetUp() override {
    // Once for the whole program: it starts compilers.
    static const Result<Toolchain> found[] = {
        find_toolchain(Engine::gpu), find_toolchain(Engine::simulator), find_toolchain(Engine::host),
        find_toolchain(Engine::thread_sanitizer), find_toolchain(Engine::address_sanitizer)};
    const Result<Toolchain>& usable = found[static_cast<int>(engine)];
    if (!usable) GTEST_SKIP() << usable.error().message;
    toolchain = *usable;
    settings.cache = scratch.path() / "cache";
    settings.simulator_include = WARPMARK_SIMULATOR_INCLUDE;
    settings.simulator_library = WARPMARK_STUB_RUNTIME;
    settings.gpu_architecture = "sm_90";  // "native" needs a device
    std::filesystem::create_directory(submission());
  }

  [[nodiscard]] std::filesystem::path submission() const { return scratch.path() / "submission"; }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((submission() / name).parent_path());
    ASSERT_TRUE(write_file(submission() / name, text));
  }

  [[nodiscard]] Request request(const std::string& name) const {
    Request request;
    request.source = submission() / name;
    request.display_name = name;
    return request;
  }

  // What our side did wrong ends the test.
  [[nodiscard]] Built build(const Request& request) const {
    Result<Built> built = Builder(toolchain, settings).build(request);
    if (!built) {
      ADD_FAILURE() << built.error().message;
      return {};
    }
    return std::move(*built);
  }
  [[nodiscard]] Built build(const std::string& name) const { return build(request(name)); }

  [[nodiscard]] Built build_text(const std::string& text) const {
    write("a.cu", text);
    return build("a.cu");
  }

  static Cause only_cause(const Built& built) {
    EXPECT_EQ(built.library, "");
    EXPECT_EQ(built.causes.size(), 1U);
    return built.causes.empty() ? Cause{} : built.causes.front();
  }

  Engine engine;
  TemporaryFolder scratch;
  Toolchain toolchain;
  Settings settings;
};

// A kernel and a function that launches it.
inline constexpr char kGood[] = R"(
__global__ void kernel(int* p) { *p = 1; }
extern "C" void run(int* p) { kernel<<<1, 1>>>(p); }
)";

}  // namespace warpmark::build
