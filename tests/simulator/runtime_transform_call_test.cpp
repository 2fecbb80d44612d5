// Calls of FFTW's transforms, also with sizes that no header of ours passes.
#include <climits>
#include <cstdint>
#include <cstring>
#include <span>

#include "tests/simulator/runtime_library_calls.h"

namespace warpmark::simulator {
namespace {

constexpr int kLength = 8;
constexpr int kSignals = 3;

// Spectra of real signals, each with one element more than it has numbers.
WarpmarkLibraryCall transform(const double* signals, const double* spectra) {
  WarpmarkLibraryCall call{};
  std::strcpy(call.routine, "transform");
  call.library = 'F';
  call.type = 'Z';
  call.operands = 2;
  call.problems = 1;
  call.sizes[0] = 1;
  call.operand[0] = operand(signals, kLength, 1, 8, true, false);
  call.operand[1] = operand(spectra, kLength / 2 + 1, 1, 16, false, true);
  for (WarpmarkOperand& each : std::span(call.operand, 2)) {
    each.outer[1] = kSignals;
    each.apart[1] = each.rows;
  }
  return call;
}

class TransformCall : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cudaMalloc(&signals_, sizeof(double) * kLength * kSignals), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&spectra_, kSpectra), cudaSuccess);
    ASSERT_EQ(cudaMemset(signals_, 0, sizeof(double) * kLength * kSignals), cudaSuccess);
    const double one = 1;
    ASSERT_EQ(cudaMemcpy(signals_ + kLength, &one, sizeof one, cudaMemcpyHostToDevice), cudaSuccess);
    if (warpmark_device_library_call(transform(signals_, spectra_), nullptr) == cudaErrorNotSupported)
      GTEST_SKIP() << "not run: this build has no FFTW";
    drain();
  }
  static constexpr std::size_t kSpectra = sizeof(double) * (kLength + 2) * kSignals;
  double* signals_ = nullptr;
  double* spectra_ = nullptr;
};

TEST_F(TransformCall, stores_the_spectrum_of_each_signal) {
  double values[kSignals][kLength / 2 + 1][2];
  static_assert(sizeof values == kSpectra);
  ASSERT_EQ(cudaMemcpy(values, spectra_, sizeof values, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int signal = 0; signal < kSignals; ++signal) {
    for (const auto& [real, imaginary] : values[signal]) {
      EXPECT_DOUBLE_EQ(real, signal == 1 ? 1 : 0);
      EXPECT_DOUBLE_EQ(imaginary, 0);
    }
  }
}

TEST_F(TransformCall, is_refused_with_forged_sizes) {
  using Call = WarpmarkLibraryCall;
  const Forgery kForgeries[]{
      {"an unknown library", [](Call& call) { call.library = 'X'; }},
      {"a product of dimensions that overflows",
       [](Call& call) {
         call.operand[0].columns = call.operand[0].outer[0] = call.operand[0].outer[1] = INT_MAX;
       }},
      {"a distance that overflows", [](Call& call) { call.operand[0].apart[1] = LLONG_MAX; }},
      {"a distance from behind", [](Call& call) { call.operand[1].apart[1] = -kLength; }},
      {"a distance between single elements that overflows",
       [](Call& call) { call.operand[1].step = LLONG_MAX / 2; }},
      {"a distance between elements from behind", [](Call& call) { call.operand[0].step = -1; }},
      {"fewer than no signals", [](Call& call) { call.operand[0].outer[1] = -1; }},
      {"elements of more bytes than any number has", [](Call& call) { call.operand[0].element = 17; }},
      {"a routine of another library", [](Call& call) { std::strcpy(call.routine, "potrf"); },
       cudaErrorIllegalAddress},
      {"an unknown type", [](Call& call) { call.type = 'D'; }, cudaErrorIllegalAddress},
      {"numbers of another size", [](Call& call) { call.type = 'C'; }, cudaErrorIllegalAddress},
      {"no output", [](Call& call) { call.operands = 1; }, cudaErrorIllegalAddress},
      {"an output that is not there", [](Call& call) { call.operand[1].data = nullptr; },
       cudaErrorIllegalAddress},
      {"an output that is not used", [](Call& call) { call.operand[1].is_written = 0; },
       cudaErrorIllegalAddress},
      {"no signals", [](Call& call) { call.operand[0].outer[1] = call.operand[1].outer[1] = 0; },
       cudaErrorIllegalAddress},
      {"fewer spectra than signals", [](Call& call) { call.operand[1].outer[1] = 1; },
       cudaErrorIllegalAddress},
      {"more planes of signals than of spectra", [](Call& call) { call.operand[0].outer[0] = 1 << 20; },
       cudaErrorIllegalAddress},
      {"spectra that are too short", [](Call& call) { --call.operand[1].rows; }, cudaErrorIllegalAddress},
      {"signals that are too long", [](Call& call) { call.operand[0].rows += 2; }, cudaErrorIllegalAddress},
      {"a triangle of spectra",
       [](Call& call) {
         call.operand[0].outer[1] = call.operand[1].outer[1] = 1;
         call.operand[1].below = 0;
       },
       cudaErrorIllegalAddress},
      {"a band of signals",
       [](Call& call) {
         call.operand[0].outer[1] = call.operand[1].outer[1] = 1;
         call.operand[0].storage = 'B';
         call.operand[0].below = 0;
         call.operand[0].above = 0;
       },
       cudaErrorIllegalAddress},
      {"signals beyond their allocation", [](Call& call) { call.operand[0].apart[1] = 1 << 20; },
       cudaErrorIllegalAddress},
      {"rows beyond their allocation",
       [](Call& call) {
         for (WarpmarkOperand& each : std::span(call.operand, 2)) {
           each.columns = 2;
           each.leading = 1 << 20;
         }
       },
       cudaErrorIllegalAddress},
      {"a pointer outside of all allocations",
       [](Call& call) { call.operand[0].data = reinterpret_cast<const void*>(~std::uintptr_t{0} - 15); },
       cudaErrorIllegalAddress}};
  for (const auto& [what, forge, error] : kForgeries) {
    WarpmarkLibraryCall call = transform(signals_, spectra_);
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
