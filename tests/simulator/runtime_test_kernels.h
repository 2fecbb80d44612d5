// Device code for the runtime's tests: registered as clang's constructor would do it, from PTX in this file.
#pragma once

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "harness/simulator/both/fat_binary.h"
#include "tests/simulator/simulator_control.h"

namespace warpmark::simulator {

// mark(int* out): out[0] = `answer`, the variable `ticket` = `answer`. outside(int* out): stores a megabyte
// away. spin(): never ends. count(): counts to a million. shared(): 1 KiB of static shared memory.
inline std::string test_ptx(int answer) {
  return R"(
.version 7.0
.target sm_80
.address_size 64

.visible .global .align 4 .u32 ticket = 7;

.visible .entry _Z4markPi(.param .u64 _Z4markPi_param_0)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [_Z4markPi_param_0];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, )" +
         std::to_string(answer) + R"(;
	st.global.u32 [%rd2], %r1;
	st.global.u32 [ticket], %r1;
	ret;
}
.visible .entry _Z7outsidePi(.param .u64 _Z7outsidePi_param_0)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [_Z7outsidePi_param_0];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, 1;
	st.global.u32 [%rd2+1048576], %r1;
	ret;
}
.visible .entry _Z4spinv()
{
LBB0_1:
	bra.uni LBB0_1;
}
.visible .entry _Z5countv()
{
	.reg .pred %p<2>;
	.reg .b32 %r<2>;
	mov.u32 %r1, 0;
LBB3_1:
	add.s32 %r1, %r1, 1;
	setp.ne.s32 %p1, %r1, 1000000;
	@%p1 bra LBB3_1;
	ret;
}
.visible .entry _Z6sharedv()
{
	.shared .align 4 .b8 buffer[1024];
	.reg .b32 %r<2>;
	mov.u32 %r1, 0;
	st.shared.u32 [buffer], %r1;
	ret;
}
)";
}

// What clang's constructor passes to __cudaRegisterFatBinary().
struct EmbeddedCode {
  int magic = 0x466243b1;
  int version = 1;
  const char* data;  // is read only where a loaded library or executable holds it, so not from the heap
  void* unused = nullptr;
};

// Returns both levels of test_ptx(), packed.
inline const char* test_code() {
  static std::array<char, 1 << 13> file{};
  const std::string text = pack({.checking = test_ptx(10), .counting = test_ptx(12)});
  std::ranges::copy(text, file.begin());
  return file.data();
}

// A program with these kernels at both levels: they answer 10 at -O0 and 12 at -O2.
class RuntimeTest : public testing::Test {
 protected:
  void SetUp() override {
    cudaDeviceReset();
    configure(true);
    drain();
    module_handle = __cudaRegisterFatBinary(&code_);
    add(&mark, "_Z4markPi");
    add(&outside, "_Z7outsidePi");
    add(&spin, "_Z4spinv");
    add(&with_shared, "_Z6sharedv");
    std::string name = "ticket";
    __cudaRegisterVar(module_handle, &ticket, name.data(), "ticket", 0, sizeof(int), 0, 0);
    __cudaRegisterFatBinaryEnd(module_handle);
  }
  void TearDown() override {
    __cudaUnregisterFatBinary(module_handle);
    cudaDeviceReset();
  }

  // devices: 0: as many as there are.
  static void configure(bool checking, int devices = 0) {
    const WarpmarkSimulatorOptions options{.checking = checking ? 1 : 0,
                                           .schedule = 0,
                                           .instruction_budget = 100'000,
                                           .host_threads = 1,
                                           .check_accesses = 0,
                                           .count_work = 0,
                                           .keep_costly = 0,
                                           .work_limit = 0,
                                           .time_limit = 0,
                                           .devices = devices};
    simulator_control().configure(&options);
  }
  static nlohmann::json drain() { return nlohmann::json::parse(simulator_control().drain()); }

  static cudaError_t launch(const char& kernel, dim3 grid = 1, dim3 block = 1, std::size_t shared = 0) {
    return ::cudaLaunchKernel(static_cast<const void*>(&kernel), grid, block, nullptr, shared, nullptr);
  }
  static cudaError_t launch(const char& kernel, int* argument, dim3 grid = 1, dim3 block = 1) {
    void* arguments[] = {&argument};
    return ::cudaLaunchKernel(static_cast<const void*>(&kernel), grid, block, arguments, 0, nullptr);
  }

  // Stubs and shadows are addresses only.
  char mark = 0, outside = 0, spin = 0, with_shared = 0, ticket = 0;
  void** module_handle = nullptr;

 private:
  void add(const char* stub, std::string name) {
    __cudaRegisterFunction(module_handle, stub, name.data(), name.c_str(), -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
  }

  EmbeddedCode code_{.data = test_code()};
};

// A device allocation of some ints, freed at the end of the test by cudaDeviceReset.
inline int* device_ints(std::size_t count) {
  int* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, count * sizeof(int)), cudaSuccess);
  return pointer;
}

}  // namespace warpmark::simulator
