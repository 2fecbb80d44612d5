// List of the functions of CUDA's math library that become calls of __nv_..., by signature. math.h defines
// device functions from it, and the simulator its table of built-in functions. The float function's name ends
// in f.
#pragma once

#define WARPMARK_MATH_OF_1(X) \
  X(acos)                     \
  X(acosh)                    \
  X(asin)                     \
  X(asinh)                    \
  X(atan)                     \
  X(atanh)                    \
  X(cbrt)                     \
  X(cos)                      \
  X(cosh)                     \
  X(erf)                      \
  X(erfc)                     \
  X(exp)                      \
  X(exp2)                     \
  X(expm1)                    \
  X(lgamma)                   \
  X(log)                      \
  X(log10)                    \
  X(log1p)                    \
  X(log2)                     \
  X(logb)                     \
  X(round)                    \
  X(sin)                      \
  X(sinh)                     \
  X(tan)                      \
  X(tanh)                     \
  X(tgamma)
// One-argument functions that CUDA adds to those of the C++ library, so they are not in namespace std.
#define WARPMARK_CUDA_MATH_OF_1(X) \
  X(cospi)                         \
  X(cyl_bessel_i0)                 \
  X(cyl_bessel_i1)                 \
  X(erfcinv)                       \
  X(erfcx)                         \
  X(erfinv)                        \
  X(exp10)                         \
  X(frexp_fraction)                \
  X(j0)                            \
  X(j1)                            \
  X(normcdf)                       \
  X(normcdfinv)                    \
  X(rcbrt)                         \
  X(rsqrt)                         \
  X(sinpi)                         \
  X(y0)                            \
  X(y1)
#define WARPMARK_MATH_OF_2(X) \
  X(atan2)                    \
  X(fdim)                     \
  X(fmod)                     \
  X(hypot)                    \
  X(nextafter)                \
  X(pow)                      \
  X(remainder)
#define WARPMARK_CUDA_MATH_OF_2(X) X(rhypot)
#define WARPMARK_CUDA_MATH_OF_3(X) \
  X(norm3d)                        \
  X(rnorm3d)
#define WARPMARK_CUDA_MATH_OF_4(X) \
  X(norm4d)                        \
  X(rnorm4d)
// Lists of CUDA math functions (X macros) with other signatures than real f(real), in this order: int
// f(real), long long f(real), real f(real, int), real f(int, real), int f(real, real).
#define WARPMARK_MATH_TO_INT(X) X(ilogb)
#define WARPMARK_CUDA_MATH_TO_INT(X) X(frexp_exponent)
#define WARPMARK_MATH_TO_LONG(X) \
  X(llrint)                      \
  X(llround)
#define WARPMARK_MATH_WITH_INT(X) X(ldexp)
#define WARPMARK_CUDA_MATH_OF_ORDER(X) \
  X(jn)                                \
  X(yn)
#define WARPMARK_CUDA_MATH_OF_2_TO_INT(X) X(remquo_bits)
