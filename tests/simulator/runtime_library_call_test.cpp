// Calls of library routines, also with sizes that no header of ours passes.
#include <climits>
#include <cstring>
#include <functional>
#include <string>

#include <warpmark_cuda/host/library_call.h>

#include "tests/simulator/runtime_test_kernels.h"

namespace warpmark::simulator {
namespace {

constexpr int kSize = 2;

WarpmarkLibraryCall cholesky(const double* a, const int* info) {
  WarpmarkLibraryCall call{};
  std::strcpy(call.routine, "potrf");
  call.type = 'D';
  call.operands = 2;
  call.problems = 1;
  call.sizes[0] = kSize;
  call.sizes[1] = 'L';
  call.operand[0] = {.data = a,
                     .stride = 0,
                     .rows = kSize,
                     .columns = kSize,
                     .leading = kSize,
                     .element = 8,
                     .kind = 'd',
                     .part = 'L',
                     .through = 0,
                     .is_read = 1,
                     .is_written = 1};
  call.operand[1] = {.data = info,
                     .stride = 0,
                     .rows = 1,
                     .columns = 1,
                     .leading = 1,
                     .element = 4,
                     .kind = 'i',
                     .part = 'A',
                     .through = 0,
                     .is_read = 0,
                     .is_written = 1};
  return call;
}

struct Forgery {
  std::string what;
  std::function<void(WarpmarkLibraryCall&)> forge;
  cudaError_t error = cudaErrorInvalidValue;
};

class LibraryCall : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cudaMalloc(&a_, sizeof(double) * kSize * kSize), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&info_, sizeof(int)), cudaSuccess);
    const double values[]{4, 2, 9e99, 5};
    ASSERT_EQ(cudaMemcpy(a_, values, sizeof values, cudaMemcpyHostToDevice), cudaSuccess);
    if (warpmark_device_library_call(cholesky(a_, info_), nullptr) == cudaErrorNotSupported)
      GTEST_SKIP() << "not run: this build has no LAPACK";
    drain();
  }
  double* a_ = nullptr;
  int* info_ = nullptr;
};

TEST_F(LibraryCall, stores_one_triangle) {
  double values[kSize * kSize];
  int info = -1;
  ASSERT_EQ(cudaMemcpy(values, a_, sizeof values, cudaMemcpyDeviceToHost), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(&info, info_, sizeof info, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(info, 0);
  EXPECT_DOUBLE_EQ(values[0], 2);
  EXPECT_DOUBLE_EQ(values[1], 1);
  EXPECT_DOUBLE_EQ(values[2], 9e99);
  EXPECT_DOUBLE_EQ(values[3], 2);
}

TEST_F(LibraryCall, is_refused_with_forged_sizes) {
  using Call = WarpmarkLibraryCall;
  const Forgery kForgeries[]{
      {"too many operands", [](Call& call) { call.operands = WARPMARK_MOST_OPERANDS + 1; }},
      {"fewer than no operands", [](Call& call) { call.operands = -1; }},
      {"a product of sizes that overflows",
       [](Call& call) {
         call.operand[0].rows = call.operand[0].columns = call.operand[0].leading = INT_MAX;
       }},
      {"a leading dimension of 0", [](Call& call) { call.operand[0].leading = 0; }},
      {"columns from behind", [](Call& call) { call.operand[0].columns = -1; }},
      {"elements of no bytes", [](Call& call) { call.operand[0].element = 0; }},
      {"a stride from behind", [](Call& call) { call.operand[0].stride = LLONG_MIN; }},
      {"too many problems", [](Call& call) { call.problems = LLONG_MAX; }},
      {"a name without an end", [](Call& call) { std::memset(call.routine, 'p', sizeof call.routine); }},
      {"a name that is none", [](Call& call) { std::strcpy(call.routine, "p%s\n"); }},
      {"an unknown routine", [](Call& call) { std::strcpy(call.routine, "getxx"); }, cudaErrorIllegalAddress},
      {"an unknown type", [](Call& call) { call.type = 'H'; }, cudaErrorIllegalAddress},
      {"another type", [](Call& call) { call.type = 'S'; }, cudaErrorIllegalAddress},
      {"no operands", [](Call& call) { call.operands = 0; }, cudaErrorIllegalAddress},
      {"an operand that is not there", [](Call& call) { call.operand[0].data = nullptr; },
       cudaErrorIllegalAddress},
      {"a size beyond the operand's", [](Call& call) { call.sizes[0] = kSize + 1; }, cudaErrorIllegalAddress},
      {"a size of 64 bits", [](Call& call) { call.sizes[0] = LLONG_MAX; }, cudaErrorIllegalAddress},
      {"a work area as a result",
       [](Call& call) { call.operand[0].is_read = call.operand[0].is_written = 0; }, cudaErrorIllegalAddress},
      {"an operand beyond its allocation", [](Call& call) { call.operand[0].columns = kSize + 1; },
       cudaErrorIllegalAddress},
      {"an array of pointers that is none", [](Call& call) { call.operand[0].through = 1; },
       cudaErrorIllegalAddress},
      {"an operand between elements",
       [](Call& call) {
         call.operand[0].data = static_cast<const char*>(call.operand[0].data) + 4;
         call.operand[0].columns = 1;
       },
       cudaErrorMisalignedAddress}};
  for (const auto& [what, forge, error] : kForgeries) {
    WarpmarkLibraryCall call = cholesky(a_, info_);
    forge(call);
    EXPECT_EQ(warpmark_device_library_call(call, nullptr), error) << what;
    if (error == cudaErrorInvalidValue) continue;
    EXPECT_EQ(drain()["findings"].size(), 1U) << what;
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    SetUp();
  }
}

}  // namespace
}  // namespace warpmark::simulator
