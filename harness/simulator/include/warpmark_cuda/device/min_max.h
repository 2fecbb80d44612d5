// Global functions min and max. Host and device have separate functions instead of __host__ __device__ ones,
// because nvcc allows a program to redeclare `int min(int, int);` for the host.
#pragma once

#include "warpmark_cuda/qualifiers.h"

#define WARPMARK_OF_SIDE(side) static __inline__ side __attribute__((always_inline, unused))

#define WARPMARK_MIN_MAX(side, type)                \
  WARPMARK_OF_SIDE(side) type min(type a, type b) { \
    return b < a ? b : a;                           \
  }                                                 \
  WARPMARK_OF_SIDE(side) type max(type a, type b) { \
    return a < b ? b : a;                           \
  }

// Minimum and maximum of floating-point numbers; if one argument is NaN, the result is the other, as on a
// GPU.
#define WARPMARK_MIN_MAX_OF_REALS(side, type, suffix) \
  WARPMARK_OF_SIDE(side) type min(type a, type b) {   \
    return __builtin_fmin##suffix(a, b);              \
  }                                                   \
  WARPMARK_OF_SIDE(side) type max(type a, type b) {   \
    return __builtin_fmax##suffix(a, b);              \
  }

// Overloads of min and max for arguments of different types, which follow C++'s arithmetic conversions:
// unsigned over signed, double over float.
#define WARPMARK_MIN_MAX_OF_TWO(side, type, a_type, b_type) \
  WARPMARK_OF_SIDE(side) type min(a_type a, b_type b) {     \
    return min((type)a, (type)b);                           \
  }                                                         \
  WARPMARK_OF_SIDE(side) type max(a_type a, b_type b) {     \
    return max((type)a, (type)b);                           \
  }                                                         \
  WARPMARK_OF_SIDE(side) type min(b_type a, a_type b) {     \
    return min((type)a, (type)b);                           \
  }                                                         \
  WARPMARK_OF_SIDE(side) type max(b_type a, a_type b) {     \
    return max((type)a, (type)b);                           \
  }

#define WARPMARK_ALL_MIN_MAX(side)                                                 \
  WARPMARK_MIN_MAX(side, int)                                                      \
  WARPMARK_MIN_MAX(side, unsigned int)                                             \
  WARPMARK_MIN_MAX(side, long)                                                     \
  WARPMARK_MIN_MAX(side, unsigned long)                                            \
  WARPMARK_MIN_MAX(side, long long)                                                \
  WARPMARK_MIN_MAX(side, unsigned long long)                                       \
  WARPMARK_MIN_MAX_OF_TWO(side, unsigned int, int, unsigned int)                   \
  WARPMARK_MIN_MAX_OF_TWO(side, unsigned long, long, unsigned long)                \
  WARPMARK_MIN_MAX_OF_TWO(side, unsigned long long, long long, unsigned long long) \
  WARPMARK_MIN_MAX_OF_REALS(side, float, f)                                        \
  WARPMARK_MIN_MAX_OF_REALS(side, double, )                                        \
  WARPMARK_MIN_MAX_OF_TWO(side, double, float, double)

#if defined(__CUDA__)
WARPMARK_ALL_MIN_MAX(__host__)
WARPMARK_ALL_MIN_MAX(__device__)
#else
WARPMARK_ALL_MIN_MAX()
#endif

#undef WARPMARK_ALL_MIN_MAX
#undef WARPMARK_MIN_MAX_OF_TWO
#undef WARPMARK_MIN_MAX_OF_REALS
#undef WARPMARK_MIN_MAX
#undef WARPMARK_OF_SIDE
