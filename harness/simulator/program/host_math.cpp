// Exports CUDA's mathematical functions for host code, which warpmark_cuda/host/host_math.h declares.
#include "harness/simulator/both/special_functions.h"

#define WARPMARK_HOST_MATH(name)                  \
  extern "C" double __cuda_host_##name(double x); \
  double __cuda_host_##name(double x) {           \
    return warpmark::simulator::name(x);          \
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

extern "C" double __cuda_host_norm4d(double x, double y, double z, double w);
double __cuda_host_norm4d(double x, double y, double z, double w) {
  return warpmark::simulator::norm4d(x, y, z, w);
}
