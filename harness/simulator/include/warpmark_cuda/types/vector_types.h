// dim3, and the vector types of 1 to 4 values with CUDA's alignments, so that an int4 is accessed by one
// 16-byte instruction.
#pragma once

#include "warpmark_cuda/qualifiers.h"

#ifdef __cplusplus
// In CUDA code the vector types assign memberwise, because LLVM splits the copy of a whole 16-byte struct
// into two 8-byte accesses. All members are read before any is written, so that the compiler may merge the
// accesses even if source and destination overlap. always_inline and nodebug attribute the operator to the
// line of its caller.
#if defined(__CUDA__)
#define WARPMARK_ASSIGN_2(name, type)                                                                    \
  __attribute__((always_inline, nodebug)) __host__ __device__ constexpr name& operator=(const name& v) { \
    const type vx = v.x, vy = v.y;                                                                       \
    x = vx, y = vy;                                                                                      \
    return *this;                                                                                        \
  }
#define WARPMARK_ASSIGN_4(name, type)                                                                    \
  __attribute__((always_inline, nodebug)) __host__ __device__ constexpr name& operator=(const name& v) { \
    const type vx = v.x, vy = v.y, vz = v.z, vw = v.w;                                                   \
    x = vx, y = vy, z = vz, w = vw;                                                                      \
    return *this;                                                                                        \
  }
#else
#define WARPMARK_ASSIGN_2(name, type)
#define WARPMARK_ASSIGN_4(name, type)
#endif
#define WARPMARK_VECTORS(name, type, align2, align4)                            \
  struct name##1 {                                                              \
    type x;                                                                     \
  };                                                                            \
  struct __align__(align2) name##2 {                                            \
    type x, y;                                                                  \
    WARPMARK_ASSIGN_2(name##2, type)                                            \
  };                                                                            \
  struct name##3 {                                                              \
    type x, y, z;                                                               \
  };                                                                            \
  struct __align__(align4) name##4 {                                            \
    type x, y, z, w;                                                            \
    WARPMARK_ASSIGN_4(name##4, type)                                            \
  };                                                                            \
  WARPMARK_HOST_DEVICE name##1 make_##name##1(type x) {                         \
    return name##1 {x};                                                         \
  }                                                                             \
  WARPMARK_HOST_DEVICE name##2 make_##name##2(type x, type y) {                 \
    return name##2 {x, y};                                                      \
  }                                                                             \
  WARPMARK_HOST_DEVICE name##3 make_##name##3(type x, type y, type z) {         \
    return name##3 {x, y, z};                                                   \
  }                                                                             \
  WARPMARK_HOST_DEVICE name##4 make_##name##4(type x, type y, type z, type w) { \
    return name##4 {x, y, z, w};                                                \
  }

#else
#define WARPMARK_VECTORS(name, type, align2, align4)                            \
  typedef struct name##1 {                                                      \
    type x;                                                                     \
  }                                                                             \
  name##1;                                                                      \
  typedef struct __align__(align2) name##2 {                                    \
    type x, y;                                                                  \
  }                                                                             \
  name##2;                                                                      \
  typedef struct name##3 {                                                      \
    type x, y, z;                                                               \
  }                                                                             \
  name##3;                                                                      \
  typedef struct __align__(align4) name##4 {                                    \
    type x, y, z, w;                                                            \
  }                                                                             \
  name##4;                                                                      \
  WARPMARK_HOST_DEVICE name##1 make_##name##1(type x) {                         \
    name##1 v = {x};                                                            \
    return v;                                                                   \
  }                                                                             \
  WARPMARK_HOST_DEVICE name##2 make_##name##2(type x, type y) {                 \
    name##2 v = {x, y};                                                         \
    return v;                                                                   \
  }                                                                             \
  WARPMARK_HOST_DEVICE name##3 make_##name##3(type x, type y, type z) {         \
    name##3 v = {x, y, z};                                                      \
    return v;                                                                   \
  }                                                                             \
  WARPMARK_HOST_DEVICE name##4 make_##name##4(type x, type y, type z, type w) { \
    name##4 v = {x, y, z, w};                                                   \
    return v;                                                                   \
  }
#endif

WARPMARK_VECTORS(char, signed char, 2, 4)
WARPMARK_VECTORS(uchar, unsigned char, 2, 4)
WARPMARK_VECTORS(short, short, 4, 8)
WARPMARK_VECTORS(ushort, unsigned short, 4, 8)
WARPMARK_VECTORS(int, int, 8, 16)
WARPMARK_VECTORS(uint, unsigned int, 8, 16)
WARPMARK_VECTORS(long, long, 16, 16)
WARPMARK_VECTORS(ulong, unsigned long, 16, 16)
WARPMARK_VECTORS(longlong, long long, 16, 16)
WARPMARK_VECTORS(ulonglong, unsigned long long, 16, 16)
WARPMARK_VECTORS(float, float, 8, 16)
WARPMARK_VECTORS(double, double, 16, 16)

#undef WARPMARK_VECTORS
#undef WARPMARK_ASSIGN_2
#undef WARPMARK_ASSIGN_4

#ifdef __cplusplus
// Types for 4-vectors of 8-byte elements with an explicit alignment (double4_16a, double4_32a), new in CUDA
// 13.
#define WARPMARK_ALIGNED_FOUR(name, type, bytes)                                                    \
  struct __align__(bytes) name##_##bytes##a {                                                       \
    type x, y, z, w;                                                                                \
  };                                                                                                \
  WARPMARK_HOST_DEVICE name##_##bytes##a make_##name##_##bytes##a(type x, type y, type z, type w) { \
    return name##_##bytes##a{x, y, z, w};                                                           \
  }
#define WARPMARK_ALIGNED_FOURS(name, type) \
  WARPMARK_ALIGNED_FOUR(name, type, 16)    \
  WARPMARK_ALIGNED_FOUR(name, type, 32)
WARPMARK_ALIGNED_FOURS(long4, long)
WARPMARK_ALIGNED_FOURS(ulong4, unsigned long)
WARPMARK_ALIGNED_FOURS(longlong4, long long)
WARPMARK_ALIGNED_FOURS(ulonglong4, unsigned long long)
WARPMARK_ALIGNED_FOURS(double4, double)
#undef WARPMARK_ALIGNED_FOURS
#undef WARPMARK_ALIGNED_FOUR
#endif

#ifdef __cplusplus
struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
#else
typedef struct dim3 {
  unsigned int x, y, z;
} dim3;
#endif
