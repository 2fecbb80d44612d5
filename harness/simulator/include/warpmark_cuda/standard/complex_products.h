// Compiler runtime functions for device code, which clang calls to multiply and divide complex numbers
// (__mulsc3, ...).
#pragma once

#include "warpmark_cuda/qualifiers.h"

#if defined(__CUDA_ARCH__)

// Complex multiplication and division in device code, by the formulas of the C standard, annex G, without the
// recovery of infinities. Division scales by the larger component of the divisor to avoid overflow.
#define WARPMARK_COMPLEX(type, product, quotient)                                                    \
  extern "C" __device__                                                                              \
      __attribute__((used, nodebug)) inline type _Complex product(type a, type b, type c, type d) {  \
    type _Complex result;                                                                            \
    __real__ result = a * c - b * d;                                                                 \
    __imag__ result = a * d + b * c;                                                                 \
    return result;                                                                                   \
  }                                                                                                  \
  extern "C" __device__                                                                              \
      __attribute__((used, nodebug)) inline type _Complex quotient(type a, type b, type c, type d) { \
    type _Complex result;                                                                            \
    const bool first = (c < 0 ? -c : c) >= (d < 0 ? -d : d);                                         \
    const type ratio = first ? d / c : c / d;                                                        \
    const type size = first ? c + d * ratio : d + c * ratio;                                         \
    __real__ result = first ? (a + b * ratio) / size : (a * ratio + b) / size;                       \
    __imag__ result = first ? (b - a * ratio) / size : (b * ratio - a) / size;                       \
    return result;                                                                                   \
  }
WARPMARK_COMPLEX(float, __mulsc3, __divsc3)
WARPMARK_COMPLEX(double, __muldc3, __divdc3)
#undef WARPMARK_COMPLEX

#endif
