// Host versions of CUDA math functions that the C library lacks. They are templates, so that a C library
// function of the same name takes precedence. Kernels use the same implementation
// (harness/simulator/both/special_functions.h).
#pragma once

#include "warpmark_cuda/device/math.h"

#if defined(__CUDA__)

extern "C" {
#define WARPMARK_HOST_MATH(name) double __cuda_host_##name(double x);
WARPMARK_HOST_MATH(rsqrt)
WARPMARK_HOST_MATH(rcbrt)
WARPMARK_HOST_MATH(sinpi)
WARPMARK_HOST_MATH(cospi)
WARPMARK_HOST_MATH(erfcx)
WARPMARK_HOST_MATH(erfinv)
WARPMARK_HOST_MATH(erfcinv)
WARPMARK_HOST_MATH(normcdf)
WARPMARK_HOST_MATH(normcdfinv)
WARPMARK_HOST_MATH(cyl_bessel_i0)
WARPMARK_HOST_MATH(cyl_bessel_i1)
#undef WARPMARK_HOST_MATH
double __cuda_host_norm4d(double x, double y, double z, double w);
}

template <typename T>
struct __warpmark_real {
  typedef double type;
};
template <>
struct __warpmark_real<float> {
  typedef float type;
};

// Defines a CUDA math function for host code with overloads for float, double and integers; integers are
// converted to double.
#define WARPMARK_HOST_MATH(name)                                                                         \
  template <typename T>                                                                                  \
  inline typename __warpmark_if<__warpmark_is<T>::number, typename __warpmark_real<T>::type>::type name( \
      T x) {                                                                                             \
    return (typename __warpmark_real<T>::type)__cuda_host_##name((double)x);                             \
  }                                                                                                      \
  template <typename T>                                                                                  \
  inline typename __warpmark_if<__warpmark_is<T>::number, float>::type name##f(T x) {                    \
    return (float)__cuda_host_##name((double)(float)x);                                                  \
  }
WARPMARK_HOST_MATH(rsqrt)
WARPMARK_HOST_MATH(rcbrt)
WARPMARK_HOST_MATH(sinpi)
WARPMARK_HOST_MATH(cospi)
WARPMARK_HOST_MATH(erfcx)
WARPMARK_HOST_MATH(erfinv)
WARPMARK_HOST_MATH(erfcinv)
WARPMARK_HOST_MATH(normcdf)
WARPMARK_HOST_MATH(normcdfinv)
WARPMARK_HOST_MATH(cyl_bessel_i0)
WARPMARK_HOST_MATH(cyl_bessel_i1)
#undef WARPMARK_HOST_MATH

// Defines a CUDA math function for host code whose arguments are all float or all double (as `real` says),
// without conversions.
#define WARPMARK_HOST_NORM(real, name, parameters, value)                                \
  template <typename T>                                                                  \
  inline typename __warpmark_if<sizeof(T) == sizeof(real), real>::type name parameters { \
    return (real)(value);                                                                \
  }
#define WARPMARK_HOST_NORMS(real, suffix)                                                             \
  WARPMARK_HOST_NORM(real, norm4d##suffix, (T x, T y, T z, T w), __cuda_host_norm4d(x, y, z, w))      \
  WARPMARK_HOST_NORM(real, rnorm4d##suffix, (T x, T y, T z, T w), 1 / __cuda_host_norm4d(x, y, z, w)) \
  WARPMARK_HOST_NORM(real, norm3d##suffix, (T x, T y, T z), __cuda_host_norm4d(x, y, z, 0))           \
  WARPMARK_HOST_NORM(real, rnorm3d##suffix, (T x, T y, T z), 1 / __cuda_host_norm4d(x, y, z, 0))      \
  WARPMARK_HOST_NORM(real, rhypot##suffix, (T x, T y), 1 / __cuda_host_norm4d(x, y, 0, 0))            \
  template <typename T>                                                                               \
  inline typename __warpmark_if<sizeof(T) == sizeof(real), void>::type sincospi##suffix(T x, T* sine, \
                                                                                        T* cosine) {  \
    *sine = (real)__cuda_host_sinpi(x);                                                               \
    *cosine = (real)__cuda_host_cospi(x);                                                             \
  }
WARPMARK_HOST_NORMS(float, f)
WARPMARK_HOST_NORMS(double, )
#undef WARPMARK_HOST_NORM
#undef WARPMARK_HOST_NORMS

#endif
