// Math functions for kernels, in the global namespace and in std; host code uses the C library's. Functions
// with a PTX instruction compile to it, the others to calls of __nv_..., which the simulator implements by
// name. The device functions are declared before <math.h> is included, so that clang takes the C++ library's
// constexpr functions as host-only.
#pragma once

#include "warpmark_cuda/device/math_table.h"
#include "warpmark_cuda/types/vector_types.h"

#if defined(__CUDA__)

// C++'s overloads of math functions for other arithmetic types: integers and mixed arguments are converted to
// double.
template <bool, typename T>
struct __warpmark_if {};
template <typename T>
struct __warpmark_if<true, T> {
  typedef T type;
};
template <typename T>
struct __warpmark_is {
  static const bool integer = __is_integral(T);
  static const bool number = __is_arithmetic(T);
};
#define WARPMARK_PROMOTED_1(result, name)                                                     \
  template <typename T>                                                                       \
  WARPMARK_DEVICE typename __warpmark_if<__warpmark_is<T>::integer, result>::type name(T x) { \
    return name((double)x);                                                                   \
  }
#define WARPMARK_PROMOTED_2(name)                                                                            \
  template <typename T, typename U>                                                                          \
  WARPMARK_DEVICE typename __warpmark_if<__warpmark_is<T>::number && __warpmark_is<U>::number, double>::type \
  name(T x, U y) {                                                                                           \
    return name((double)x, (double)y);                                                                       \
  }

// Defines three overloads of a one-argument function, e.g. sqrtf(float), sqrt(double) and C++'s sqrt(float).
#define WARPMARK_MATH_1(name, for_float, for_double) \
  WARPMARK_DEVICE float name##f(float x) {           \
    return for_float(x);                             \
  }                                                  \
  WARPMARK_DEVICE float name(float x) {              \
    return for_float(x);                             \
  }                                                  \
  WARPMARK_DEVICE double name(double x) {            \
    return for_double(x);                            \
  }                                                  \
  WARPMARK_PROMOTED_1(double, name)
#define WARPMARK_MATH_2(name, for_float, for_double) \
  WARPMARK_DEVICE float name##f(float x, float y) {  \
    return for_float(x, y);                          \
  }                                                  \
  WARPMARK_DEVICE float name(float x, float y) {     \
    return for_float(x, y);                          \
  }                                                  \
  WARPMARK_DEVICE double name(double x, double y) {  \
    return for_double(x, y);                         \
  }                                                  \
  WARPMARK_PROMOTED_2(name)
#define WARPMARK_LIBRARY_1(name)                     \
  extern "C" __device__ float __nv_##name##f(float); \
  extern "C" __device__ double __nv_##name(double);  \
  WARPMARK_MATH_1(name, __nv_##name##f, __nv_##name)
#define WARPMARK_LIBRARY_2(name)                            \
  extern "C" __device__ float __nv_##name##f(float, float); \
  extern "C" __device__ double __nv_##name(double, double); \
  WARPMARK_MATH_2(name, __nv_##name##f, __nv_##name)
#define WARPMARK_LIBRARY_3(name)                                    \
  extern "C" __device__ float __nv_##name##f(float, float, float);  \
  extern "C" __device__ double __nv_##name(double, double, double); \
  WARPMARK_DEVICE float name##f(float x, float y, float z) {        \
    return __nv_##name##f(x, y, z);                                 \
  }                                                                 \
  WARPMARK_DEVICE double name(double x, double y, double z) {       \
    return __nv_##name(x, y, z);                                    \
  }
#define WARPMARK_LIBRARY_4(name)                                            \
  extern "C" __device__ float __nv_##name##f(float, float, float, float);   \
  extern "C" __device__ double __nv_##name(double, double, double, double); \
  WARPMARK_DEVICE float name##f(float x, float y, float z, float w) {       \
    return __nv_##name##f(x, y, z, w);                                      \
  }                                                                         \
  WARPMARK_DEVICE double name(double x, double y, double z, double w) {     \
    return __nv_##name(x, y, z, w);                                         \
  }
#define WARPMARK_LIBRARY_TO(type, name)             \
  extern "C" __device__ type __nv_##name##f(float); \
  extern "C" __device__ type __nv_##name(double);   \
  WARPMARK_DEVICE type name##f(float x) {           \
    return __nv_##name##f(x);                       \
  }                                                 \
  WARPMARK_DEVICE type name(float x) {              \
    return __nv_##name##f(x);                       \
  }                                                 \
  WARPMARK_DEVICE type name(double x) {             \
    return __nv_##name(x);                          \
  }
#define WARPMARK_LIBRARY_TO_INT(name) WARPMARK_LIBRARY_TO(int, name)
#define WARPMARK_LIBRARY_TO_LONG(name) WARPMARK_LIBRARY_TO(long long, name)
#define WARPMARK_LIBRARY_WITH_INT(name)                   \
  extern "C" __device__ float __nv_##name##f(float, int); \
  extern "C" __device__ double __nv_##name(double, int);  \
  WARPMARK_DEVICE float name##f(float x, int n) {         \
    return __nv_##name##f(x, n);                          \
  }                                                       \
  WARPMARK_DEVICE float name(float x, int n) {            \
    return __nv_##name##f(x, n);                          \
  }                                                       \
  WARPMARK_DEVICE double name(double x, int n) {          \
    return __nv_##name(x, n);                             \
  }
#define WARPMARK_LIBRARY_OF_ORDER(name)                   \
  extern "C" __device__ float __nv_##name##f(int, float); \
  extern "C" __device__ double __nv_##name(int, double);  \
  WARPMARK_DEVICE float name##f(int n, float x) {         \
    return __nv_##name##f(n, x);                          \
  }                                                       \
  WARPMARK_DEVICE double name(int n, double x) {          \
    return __nv_##name(n, x);                             \
  }
#define WARPMARK_LIBRARY_2_TO_INT(name)                   \
  extern "C" __device__ int __nv_##name##f(float, float); \
  extern "C" __device__ int __nv_##name(double, double);

#define WARPMARK_INSTRUCTIONS_OF_1(X)                     \
  X(fabs, __builtin_fabsf, __builtin_fabs)                \
  X(floor, __builtin_floorf, __builtin_floor)             \
  X(ceil, __builtin_ceilf, __builtin_ceil)                \
  X(trunc, __builtin_truncf, __builtin_trunc)             \
  X(rint, __builtin_rintf, __builtin_rint)                \
  X(nearbyint, __builtin_nearbyintf, __builtin_nearbyint) \
  X(sqrt, __nvvm_sqrt_rn_f, __nvvm_sqrt_rn_d)
#define WARPMARK_INSTRUCTIONS_OF_2(X)      \
  X(fmin, __builtin_fminf, __builtin_fmin) \
  X(fmax, __builtin_fmaxf, __builtin_fmax) \
  X(copysign, __builtin_copysignf, __builtin_copysign)

WARPMARK_INSTRUCTIONS_OF_1(WARPMARK_MATH_1)
WARPMARK_INSTRUCTIONS_OF_2(WARPMARK_MATH_2)
WARPMARK_MATH_OF_1(WARPMARK_LIBRARY_1)
WARPMARK_CUDA_MATH_OF_1(WARPMARK_LIBRARY_1)
WARPMARK_MATH_OF_2(WARPMARK_LIBRARY_2)
WARPMARK_CUDA_MATH_OF_2(WARPMARK_LIBRARY_2)
WARPMARK_CUDA_MATH_OF_3(WARPMARK_LIBRARY_3)
WARPMARK_CUDA_MATH_OF_4(WARPMARK_LIBRARY_4)
WARPMARK_MATH_TO_INT(WARPMARK_LIBRARY_TO_INT)
WARPMARK_CUDA_MATH_TO_INT(WARPMARK_LIBRARY_TO_INT)
WARPMARK_MATH_TO_LONG(WARPMARK_LIBRARY_TO_LONG)
WARPMARK_MATH_WITH_INT(WARPMARK_LIBRARY_WITH_INT)
WARPMARK_CUDA_MATH_OF_ORDER(WARPMARK_LIBRARY_OF_ORDER)
WARPMARK_CUDA_MATH_OF_2_TO_INT(WARPMARK_LIBRARY_2_TO_INT)

WARPMARK_DEVICE float fmaf(float x, float y, float z) {
  return __nvvm_fma_rn_f(x, y, z);
}
WARPMARK_DEVICE float fma(float x, float y, float z) {
  return __nvvm_fma_rn_f(x, y, z);
}
WARPMARK_DEVICE double fma(double x, double y, double z) {
  return __nvvm_fma_rn_d(x, y, z);
}

// Device math functions with an output pointer (frexp, ...), and alternative names of math functions, defined
// once per floating-point type.
#define WARPMARK_COMPOSED(type, suffix)                                                 \
  WARPMARK_DEVICE type frexp##suffix(type x, int* exponent) {                           \
    *exponent = __nv_frexp_exponent##suffix(x);                                         \
    return __nv_frexp_fraction##suffix(x);                                              \
  }                                                                                     \
  WARPMARK_DEVICE type modf##suffix(type x, type* whole) {                              \
    *whole = __builtin_trunc##suffix(x);                                                \
    return __builtin_copysign##suffix(__builtin_isinf(x) ? (type)0 : x - *whole, x);    \
  }                                                                                     \
  WARPMARK_DEVICE type remquo##suffix(type x, type y, int* quotient) {                  \
    *quotient = __nv_remquo_bits##suffix(x, y);                                         \
    return __nv_remainder##suffix(x, y);                                                \
  }                                                                                     \
  WARPMARK_DEVICE void sincos##suffix(type x, type* sine, type* cosine) {               \
    *sine = __nv_sin##suffix(x);                                                        \
    *cosine = __nv_cos##suffix(x);                                                      \
  }                                                                                     \
  WARPMARK_DEVICE void sincospi##suffix(type x, type* sine, type* cosine) {             \
    *sine = __nv_sinpi##suffix(x);                                                      \
    *cosine = __nv_cospi##suffix(x);                                                    \
  }                                                                                     \
  WARPMARK_DEVICE type scalbn##suffix(type x, int n) {                                  \
    return __nv_ldexp##suffix(x, n);                                                    \
  }                                                                                     \
  WARPMARK_DEVICE type scalbln##suffix(type x, long n) {                                \
    return __nv_ldexp##suffix(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n); \
  }                                                                                     \
  WARPMARK_DEVICE long lrint##suffix(type x) {                                          \
    return (long)__nv_llrint##suffix(x);                                                \
  }                                                                                     \
  WARPMARK_DEVICE long lround##suffix(type x) {                                         \
    return (long)__nv_llround##suffix(x);                                               \
  }                                                                                     \
  WARPMARK_DEVICE type nan##suffix(const char*) {                                       \
    return (type)__builtin_nan("");                                                     \
  }                                                                                     \
  WARPMARK_DEVICE type norm##suffix(int count, const type* values) {                    \
    double sum = 0;                                                                     \
    for (int i = 0; i < count; ++i) sum += (double)values[i] * (double)values[i];       \
    return (type)__nvvm_sqrt_rn_d(sum);                                                 \
  }                                                                                     \
  WARPMARK_DEVICE type rnorm##suffix(int count, const type* values) {                   \
    return (type)1 / norm##suffix(count, values);                                       \
  }
WARPMARK_COMPOSED(float, f)
WARPMARK_COMPOSED(double, )
#undef WARPMARK_COMPOSED
WARPMARK_DEVICE float frexp(float x, int* exponent) {
  return frexpf(x, exponent);
}
WARPMARK_DEVICE float modf(float x, float* whole) {
  return modff(x, whole);
}
WARPMARK_DEVICE float scalbn(float x, int n) {
  return scalbnf(x, n);
}
WARPMARK_DEVICE long lrint(float x) {
  return lrintf(x);
}
WARPMARK_DEVICE long lround(float x) {
  return lroundf(x);
}
WARPMARK_DEVICE float fdividef(float x, float y) {
  float quotient;
  asm("div.approx.f32 %0, %1, %2;" : "=f"(quotient) : "f"(x), "f"(y));
  return quotient;
}

#define WARPMARK_ABSOLUTE(name, type) \
  WARPMARK_DEVICE type name(type x) { \
    return x < 0 ? -x : x;            \
  }
WARPMARK_ABSOLUTE(abs, int)
WARPMARK_ABSOLUTE(abs, long)
WARPMARK_ABSOLUTE(abs, long long)
WARPMARK_ABSOLUTE(labs, long)
WARPMARK_ABSOLUTE(llabs, long long)
#undef WARPMARK_ABSOLUTE
WARPMARK_DEVICE float abs(float x) {
  return __builtin_fabsf(x);
}
WARPMARK_DEVICE double abs(double x) {
  return __builtin_fabs(x);
}

namespace std {
#define WARPMARK_IN_STD(name) \
  using ::name;               \
  using ::name##f;
#define WARPMARK_INSTRUCTION_IN_STD(name, for_float, for_double) WARPMARK_IN_STD(name)
WARPMARK_INSTRUCTIONS_OF_1(WARPMARK_INSTRUCTION_IN_STD)
WARPMARK_INSTRUCTIONS_OF_2(WARPMARK_INSTRUCTION_IN_STD)
WARPMARK_MATH_OF_1(WARPMARK_IN_STD)
WARPMARK_MATH_OF_2(WARPMARK_IN_STD)
WARPMARK_MATH_TO_INT(WARPMARK_IN_STD)
WARPMARK_MATH_TO_LONG(WARPMARK_IN_STD)
WARPMARK_MATH_WITH_INT(WARPMARK_IN_STD)
WARPMARK_IN_STD(fma)
WARPMARK_IN_STD(frexp)
WARPMARK_IN_STD(lrint)
WARPMARK_IN_STD(lround)
WARPMARK_IN_STD(modf)
WARPMARK_IN_STD(remquo)
WARPMARK_IN_STD(scalbn)
WARPMARK_IN_STD(scalbln)
using ::abs;
using ::labs;
using ::llabs;
}  // namespace std

#undef WARPMARK_PROMOTED_1
#undef WARPMARK_PROMOTED_2
#undef WARPMARK_MATH_1
#undef WARPMARK_MATH_2
#undef WARPMARK_LIBRARY_1
#undef WARPMARK_LIBRARY_2
#undef WARPMARK_LIBRARY_3
#undef WARPMARK_LIBRARY_4
#undef WARPMARK_LIBRARY_TO
#undef WARPMARK_LIBRARY_TO_INT
#undef WARPMARK_LIBRARY_TO_LONG
#undef WARPMARK_LIBRARY_WITH_INT
#undef WARPMARK_LIBRARY_OF_ORDER
#undef WARPMARK_LIBRARY_2_TO_INT
#undef WARPMARK_INSTRUCTIONS_OF_1
#undef WARPMARK_INSTRUCTIONS_OF_2
#undef WARPMARK_IN_STD
#undef WARPMARK_INSTRUCTION_IN_STD

#endif  // __CUDA__

#include <math.h>
#include <stdlib.h>

#include "warpmark_cuda/device/min_max.h"

#if defined(__CUDA__)
#define WARPMARK_INTEGER_MIN_MAX(prefix, type)       \
  WARPMARK_DEVICE type prefix##min(type a, type b) { \
    return min(a, b);                                \
  }                                                  \
  WARPMARK_DEVICE type prefix##max(type a, type b) { \
    return max(a, b);                                \
  }
WARPMARK_INTEGER_MIN_MAX(u, unsigned int)
WARPMARK_INTEGER_MIN_MAX(ll, long long)
WARPMARK_INTEGER_MIN_MAX(ull, unsigned long long)
#undef WARPMARK_INTEGER_MIN_MAX
#endif
