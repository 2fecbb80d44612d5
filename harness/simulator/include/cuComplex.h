// CUDA's complex number types, pairs of floats or doubles, and their named functions (cuCaddf, ...).
#pragma once

#include "cuda_runtime_api.h"
#ifdef __cplusplus
#include <cmath>
#include <type_traits>
#else
#include <math.h>
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define WARPMARK_COMPLEX static __inline__ __host__ __device__
#define WARPMARK_COMPLEX_FUNCTIONS(Complex, Real, f, hypotenuse)                       \
  WARPMARK_COMPLEX Real cuCreal##f(Complex z) {                                        \
    return z.x;                                                                        \
  }                                                                                    \
  WARPMARK_COMPLEX Real cuCimag##f(Complex z) {                                        \
    return z.y;                                                                        \
  }                                                                                    \
  WARPMARK_COMPLEX Complex make_##Complex(Real real, Real imaginary) {                 \
    Complex z;                                                                         \
    z.x = real;                                                                        \
    z.y = imaginary;                                                                   \
    return z;                                                                          \
  }                                                                                    \
  WARPMARK_COMPLEX Complex cuConj##f(Complex z) {                                      \
    return make_##Complex(z.x, -z.y);                                                  \
  }                                                                                    \
  WARPMARK_COMPLEX Complex cuCadd##f(Complex a, Complex b) {                           \
    return make_##Complex(a.x + b.x, a.y + b.y);                                       \
  }                                                                                    \
  WARPMARK_COMPLEX Complex cuCsub##f(Complex a, Complex b) {                           \
    return make_##Complex(a.x - b.x, a.y - b.y);                                       \
  }                                                                                    \
  WARPMARK_COMPLEX Complex cuCmul##f(Complex a, Complex b) {                           \
    return make_##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);               \
  }                                                                                    \
  /* Scaled by the divisor's size, so that a square neither overflows nor vanishes. */ \
  WARPMARK_COMPLEX Complex cuCdiv##f(Complex a, Complex b) {                           \
    const Real size = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y);                 \
    const Real x = b.x / size, y = b.y / size;                                         \
    const Real square = x * x + y * y;                                                 \
    return make_##Complex((a.x / size * x + a.y / size * y) / square,                  \
                          (a.y / size * x - a.x / size * y) / square);                 \
  }                                                                                    \
  WARPMARK_COMPLEX Complex cuCfma##f(Complex a, Complex b, Complex c) {                \
    return cuCadd##f(cuCmul##f(a, b), c);                                              \
  }                                                                                    \
  WARPMARK_COMPLEX Real cuCabs##f(Complex z) {                                         \
    return hypotenuse(z.x, z.y);                                                       \
  }
WARPMARK_COMPLEX_FUNCTIONS(cuFloatComplex, float, f, hypotf)
WARPMARK_COMPLEX_FUNCTIONS(cuDoubleComplex, double, , hypot)
#undef WARPMARK_COMPLEX_FUNCTIONS

WARPMARK_COMPLEX cuComplex make_cuComplex(float real, float imaginary) {
  return make_cuFloatComplex(real, imaginary);
}
WARPMARK_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex(z.x, z.y);
}
WARPMARK_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}
#undef WARPMARK_COMPLEX
