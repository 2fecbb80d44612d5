// A device and a kernel written in PTX, for tests: upload, launch, download.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/simulator/device/launch/launch.h"

namespace warpmark::simulator::test {

inline std::string module_text(const std::string& rest) {
  return ".version 7.0\n.target sm_80\n.address_size 64\n.file 1 \"kernel.cu\"\n" + rest;
}

// A kernel "k" of two pointers, in %rd1 and %rd2. %r1 is the thread's number in the block, %r2 the block's;
// %rd3 and %rd4 are the thread's own 4-byte elements of both, counted over the grid. `declarations` stand in
// front of it.
inline std::string kernel_text(const std::string& body, const std::string& declarations = {}) {
  return module_text(declarations + R"(
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)
{
  .reg .pred %p<20>;
  .reg .b16 %rs<20>;
  .reg .b32 %r<60>;
  .reg .b64 %rd<40>;
  .reg .f32 %f<20>;
  .reg .f64 %fd<20>;
  .loc 1 1 1
  ld.param.u64 %rd1, [k_param_0];
  ld.param.u64 %rd2, [k_param_1];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.s32 %r4, %r2, %r3, %r1;
  mul.wide.s32 %rd5, %r4, 4;
  add.s64 %rd3, %rd1, %rd5;
  add.s64 %rd4, %rd2, %rd5;
)" + body + "\n  ret;\n}\n");
}

// Two runs give the same text: it names arrays and indices.
inline auto names_no_address() {
  return testing::Not(testing::ContainsRegex("0x[0-9a-f]{6,}"));
}

class SimulatedDevice {
 public:
  template <class T>
  Address upload(const std::vector<T>& values) {
    const Address address = allocate(values.size() * sizeof(T));
    std::memcpy(memory.host_view(address, values.size() * sizeof(T)), values.data(),
                values.size() * sizeof(T));
    memory.written_by_host(address, values.size() * sizeof(T));
    return address;
  }
  Address allocate(std::size_t bytes) { return memory.allocate(bytes, Allocation::Kind::device).value(); }
  template <class T>
  std::vector<T> download(Address address, std::size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), memory.host_view(address, count * sizeof(T)), count * sizeof(T));
    return values;
  }

  void load(const std::string& text) {
    auto loaded = LoadedModule::load(text, memory);
    if (!loaded) FAIL() << loaded.error();
    module = std::move(*loaded);
  }

  struct Shape {
    Dim3 grid = {};
    Dim3 block = {};
    std::size_t dynamic_shared = 0;
  };
  Outcome launch(Shape shape, const std::vector<std::uint64_t>& arguments,
                 const LaunchOptions& options = {.host_threads = 1}, const char* name = "k") {
    const Kernel* kernel = module == nullptr ? nullptr : module->find(name);
    if (kernel == nullptr) {
      ADD_FAILURE() << "no kernel " << name;
      return {};
    }
    std::vector<const void*> pointers;
    pointers.reserve(arguments.size());
    for (const auto& argument : arguments) pointers.push_back(&argument);
    return run({.kernel = kernel,
                .grid = shape.grid,
                .block = shape.block,
                .arguments = pointers.data(),
                .dynamic_shared_bytes = shape.dynamic_shared},
               options, memory);
  }
  // Of a kernel that must run to its end.
  void expect_completes(Shape shape, const std::vector<std::uint64_t>& arguments,
                        const LaunchOptions& options = {.host_threads = 1}) {
    const Outcome outcome = launch(shape, arguments, options);
    EXPECT_TRUE(outcome.completed) << (outcome.findings.empty() ? "" : outcome.findings.back().message);
  }
  // Of a kernel that must be stopped.
  Finding expect_stops(Shape shape, const std::vector<std::uint64_t>& arguments,
                       const LaunchOptions& options = {.host_threads = 1}) {
    const Outcome outcome = launch(shape, arguments, options);
    EXPECT_FALSE(outcome.completed);
    if (outcome.findings.empty()) {
      ADD_FAILURE() << "no finding";
      return {};
    }
    EXPECT_THAT(outcome.findings.back().message, names_no_address());
    return outcome.findings.back();
  }

  DeviceMemory memory;
  std::unique_ptr<LoadedModule> module;
};

inline std::vector<std::int32_t> counting(std::size_t count, std::int32_t from = 0) {
  std::vector<std::int32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = from + static_cast<std::int32_t>(i);
  return values;
}

}  // namespace warpmark::simulator::test
