// Implements cuFFT's transforms by FFTW. A transform works on host copies of its arrays, which the device
// process has checked for valid addresses. This file checks that the arrays' sizes fit each other, because
// they come from the program under test.
#include <algorithm>
#include <array>
#include <complex>
#include <iterator>
#include <memory>
#include <string_view>
#include <type_traits>

#include <fftw3.h>
#include <warpmark_cuda/host/library_call.h>

namespace warpmark {
namespace {

using Dimension = fftw_iodim64;
using Dimensions = std::array<Dimension, 3>;

// Defines overloads of FFTW functions for real type R; P is FFTW's function prefix for that type. FFTW's
// complex numbers have the layout of std::complex.
#define WARPMARK_FFTW(P, R)                                                                             \
  inline auto plan(const Dimensions& sizes, const Dimension& batch, std::complex<R>* in,                \
                   std::complex<R>* out, int sign) {                                                    \
    return P##_plan_guru64_dft(3, sizes.data(), 1, &batch, reinterpret_cast<P##_complex*>(in),          \
                               reinterpret_cast<P##_complex*>(out), sign, FFTW_ESTIMATE);               \
  }                                                                                                     \
  inline auto plan(const Dimensions& sizes, const Dimension& batch, R* in, std::complex<R>* out, int) { \
    return P##_plan_guru64_dft_r2c(3, sizes.data(), 1, &batch, in, reinterpret_cast<P##_complex*>(out), \
                                   FFTW_ESTIMATE);                                                      \
  }                                                                                                     \
  inline auto plan(const Dimensions& sizes, const Dimension& batch, std::complex<R>* in, R* out, int) { \
    return P##_plan_guru64_dft_c2r(3, sizes.data(), 1, &batch, reinterpret_cast<P##_complex*>(in), out, \
                                   FFTW_ESTIMATE);                                                      \
  }                                                                                                     \
  inline bool execute(P##_plan plan) {                                                                  \
    if (plan == nullptr) return false;                                                                  \
    P##_execute(plan);                                                                                  \
    P##_destroy_plan(plan);                                                                             \
    return true;                                                                                        \
  }
WARPMARK_FFTW(fftw, double)
WARPMARK_FFTW(fftwf, float)
#undef WARPMARK_FFTW

template <class From, class To>
bool transform(const WarpmarkLibraryCall& call, void* const* arrays) {
  const WarpmarkOperand& in = call.operand[0];
  const WarpmarkOperand& out = call.operand[1];
  const long long row = std::is_floating_point_v<To> ? out.rows : in.rows;
  const auto stored = [&](bool is_complex) {
    return is_complex && !std::is_same_v<From, To> ? row / 2 + 1 : row;
  };
  if (arrays[0] == nullptr || arrays[1] == nullptr || warpmark_uses_all(&in) == 0 ||
      warpmark_uses_all(&out) == 0 || in.columns != out.columns || !std::ranges::equal(in.outer, out.outer) ||
      in.rows != stored(!std::is_floating_point_v<From>) || out.rows != stored(!std::is_floating_point_v<To>))
    return false;
  const Dimensions sizes{{{in.outer[0], in.apart[0], out.apart[0]},
                          {in.columns, in.leading, out.leading},
                          {row, in.step, out.step}}};
  return execute(plan(sizes, {in.outer[1], in.apart[1], out.apart[1]}, static_cast<From*>(arrays[0]),
                      static_cast<To*>(arrays[1]), call.sizes[0] != 0 ? FFTW_FORWARD : FFTW_BACKWARD));
}

template <class R>
bool perform(const WarpmarkLibraryCall& call, void* const* arrays) {
  using Complex = std::complex<R>;
  const auto are = [&](std::size_t in, std::size_t out) {
    return call.operand[0].element == static_cast<int>(in) &&
           call.operand[1].element == static_cast<int>(out);
  };
  if (are(sizeof(Complex), sizeof(Complex))) return transform<Complex, Complex>(call, arrays);
  if (are(sizeof(R), sizeof(Complex))) return transform<R, Complex>(call, arrays);
  return are(sizeof(Complex), sizeof(R)) && transform<Complex, R>(call, arrays);
}

}  // namespace
}  // namespace warpmark

// Performs a transform of cuFFT. Returns false if the call is no transform or its arrays do not fit each
// other. `arrays` points to host copies of the operands, each from its first to its last element.
extern "C" [[gnu::visibility("default")]] bool warpmark_perform_routine(const WarpmarkLibraryCall& call,
                                                                        void* const* arrays) {
  if (std::string_view(call.routine) != "transform" || call.operands < 2) return false;
  return call.type == 'C'   ? warpmark::perform<float>(call, arrays)
         : call.type == 'Z' ? warpmark::perform<double>(call, arrays)
                            : false;
}
