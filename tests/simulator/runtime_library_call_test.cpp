// Calls of LAPACK's and BLAS's routines, also with sizes that no header of ours passes.
#include <array>
#include <climits>
#include <cstdint>
#include <cstring>

#include "tests/simulator/runtime_library_calls.h"

namespace warpmark::simulator {
namespace {

constexpr int kSize = 2;

WarpmarkLibraryCall cholesky(const double* a, const int* info) {
  WarpmarkLibraryCall call{};
  std::strcpy(call.routine, "potrf");
  call.library = 'S';
  call.type = 'D';
  call.operands = 2;
  call.problems = 1;
  call.sizes[0] = kSize;
  call.sizes[1] = 'L';
  call.operand[0] = operand(a, kSize, kSize, 8, true, true);
  call.operand[0].above = 0;
  call.operand[1] = operand(info, 1, 1, 4, false, true);
  return call;
}

constexpr int kInner = 3;

// C = A B + beta C, where beta is in device memory.
WarpmarkLibraryCall product(const double* a, const double* b, double* c, const double* beta) {
  WarpmarkLibraryCall call{};
  std::strcpy(call.routine, "gemm");
  call.library = 'B';
  call.type = 'D';
  call.operands = 5;
  call.problems = 1;
  call.numbers[0] = 1;
  call.operand[0] = operand(nullptr, 1, 1, 8, true, false);
  call.operand[1] = operand(beta, 1, 1, 8, true, false);
  call.operand[2] = operand(a, kSize, kInner, 8, true, false);
  call.operand[3] = operand(b, kInner, kSize, 8, true, false);
  call.operand[4] = operand(c, kSize, kSize, 8, true, true);
  call.operand[4].factor = 2;
  return call;
}

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
      {"a triangle without its last element", [](Call& call) { call.operand[0].above = -1; },
       cudaErrorIllegalAddress},
      {"a packed triangle", [](Call& call) { call.operand[0].storage = 'P'; }, cudaErrorIllegalAddress},
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

class ProductCall : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    const double kA[]{1, 2, 3, 4, 5, 6};
    const double kB[]{1, 0, 0, 0, 1, 1};
    ASSERT_EQ(cudaMalloc(&a_, sizeof kA), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&b_, sizeof kB), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&c_, sizeof(double) * kSize * kSize), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&beta_, sizeof(double)), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(a_, kA, sizeof kA, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(b_, kB, sizeof kB, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemset(beta_, 0, sizeof(double)), cudaSuccess);
    if (call(product(a_, b_, c_, beta_)) == cudaErrorNotSupported)
      GTEST_SKIP() << "not run: this build has no BLAS";
  }
  static cudaError_t call(const WarpmarkLibraryCall& call) {
    return warpmark_device_library_call(call, nullptr);
  }
  void expect_c(std::array<double, kSize * kSize> expected) const {
    std::array<double, kSize * kSize> values{};
    ASSERT_EQ(cudaMemcpy(values.data(), c_, sizeof values, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(values, expected);
  }
  double* a_ = nullptr;
  double* b_ = nullptr;
  double* c_ = nullptr;
  double* beta_ = nullptr;
};

TEST_F(ProductCall, adds_what_was_there_by_a_factor_on_the_device) {
  expect_c({1, 2, 8, 10});
  const double two = 2;
  ASSERT_EQ(cudaMemcpy(beta_, &two, sizeof two, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(call(product(a_, b_, c_, beta_)), cudaSuccess);
  expect_c({3, 6, 24, 30});
}

TEST_F(ProductCall, stores_one_triangle) {
  WarpmarkLibraryCall lower = product(a_, b_, c_, nullptr);
  ASSERT_EQ(cudaMemset(c_, 0, sizeof(double) * kSize * kSize), cudaSuccess);
  lower.operand[4].above = 0;
  ASSERT_EQ(call(lower), cudaSuccess);
  expect_c({1, 2, 0, 10});
}

TEST_F(ProductCall, is_refused_with_forged_sizes) {
  using Call = WarpmarkLibraryCall;
  const Forgery kForgeries[]{
      {"a product of sizes that overflows",
       [](Call& call) {
         call.operand[2].rows = call.operand[2].columns = call.operand[2].leading = INT_MAX;
       }},
      {"rows from behind", [](Call& call) { call.operand[2].rows = -1; }},
      {"a leading dimension that overflows", [](Call& call) { call.operand[2].leading = LLONG_MAX / 8; }},
      {"a stride from behind", [](Call& call) { call.operand[2].stride = -8; }},
      {"strides of all problems that overflow",
       [](Call& call) {
         call.problems = INT_MAX;
         call.operand[2].stride = LLONG_MAX / INT_MAX;
       }},
      {"a triangle beyond all rows", [](Call& call) { call.operand[4].below = LLONG_MAX; }},
      {"a triangle that begins nowhere", [](Call& call) { call.operand[4].above = LLONG_MIN; }},
      {"packed columns of a matrix that is not square", [](Call& call) { call.operand[2].storage = 'P'; }},
      {"a band of scattered rows",
       [](Call& call) {
         call.operand[2].storage = 'B';
         call.operand[2].step = 2;
       }},
      {"a factor that is no operand", [](Call& call) { call.operand[4].factor = 200; }},
      {"a factor that is not there", [](Call& call) { call.operand[1].data = nullptr; }, cudaSuccess},
      {"an unknown type", [](Call& call) { call.type = 'H'; }, cudaErrorIllegalAddress},
      {"another type", [](Call& call) { call.type = 'S'; }, cudaErrorIllegalAddress},
      {"numbers of no type", [](Call& call) { call.operand[3].kind = 'x'; }, cudaErrorIllegalAddress},
      {"half numbers of 8 bytes", [](Call& call) { call.operand[3].kind = 'h'; }, cudaErrorIllegalAddress},
      {"a result of single bytes",
       [](Call& call) {
         call.operand[4].kind = 'i';
         call.operand[4].element = 1;
       },
       cudaErrorIllegalAddress},
      {"fewer operands", [](Call& call) { call.operands = 4; }, cudaErrorIllegalAddress},
      {"a result that is not there", [](Call& call) { call.operand[4].data = nullptr; },
       cudaErrorIllegalAddress},
      {"a work area as the result",
       [](Call& call) { call.operand[4].is_read = call.operand[4].is_written = call.operand[4].factor = 0; },
       cudaErrorIllegalAddress},
      {"sizes that do not fit each other", [](Call& call) { --call.operand[3].rows; },
       cudaErrorIllegalAddress},
      {"a transposed matrix that does not fit", [](Call& call) { call.operand[2].operation = 'T'; },
       cudaErrorIllegalAddress},
      {"half of a matrix that is not square", [](Call& call) { call.operand[2].form = 'S'; },
       cudaErrorIllegalAddress},
      {"a triangle from behind",
       [](Call& call) {
         call.operand[4].above = 0;
         call.operand[4].reversed = 1;
       },
       cudaErrorIllegalAddress},
      {"more than a matrix", [](Call& call) { call.operand[2].outer[0] = 0; }, cudaErrorIllegalAddress},
      {"a matrix beyond its allocation", [](Call& call) { call.operand[2].leading = kSize + 1; },
       cudaErrorIllegalAddress},
      {"a vector beyond its allocation", [](Call& call) { call.operand[2].step = 1 << 20; },
       cudaErrorIllegalAddress},
      {"a band beyond its allocation",
       [](Call& call) {
         call.operand[4].storage = 'B';
         call.operand[4].above = INT_MAX;
       },
       cudaErrorIllegalAddress},
      {"problems beyond the allocation",
       [](Call& call) {
         call.problems = 2;
         call.operand[2].stride = 1 << 20;
       },
       cudaErrorIllegalAddress},
      {"pointers that are none", [](Call& call) { call.operand[3].through = 1; }, cudaErrorIllegalAddress},
      {"a factor outside of all allocations",
       [](Call& call) { call.operand[1].data = reinterpret_cast<const void*>(std::uintptr_t{16}); },
       cudaErrorIllegalAddress},
      {"a matrix at the end of the addresses",
       [](Call& call) { call.operand[2].data = reinterpret_cast<const void*>(~std::uintptr_t{0} - 15); },
       cudaErrorIllegalAddress}};
  for (const auto& [what, forge, error] : kForgeries) {
    WarpmarkLibraryCall forged = product(a_, b_, c_, beta_);
    forge(forged);
    drain();
    EXPECT_EQ(call(forged), error) << what;
    if (error != cudaErrorIllegalAddress) continue;
    EXPECT_EQ(drain()["findings"].size(), 1U) << what;
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    SetUp();
  }
}

}  // namespace
}  // namespace warpmark::simulator
