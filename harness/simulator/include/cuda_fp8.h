// 8-bit floating-point types __nv_fp8_e4m3 and __nv_fp8_e5m2, their vectors of 2 and 4, and their
// conversions, for device and host code. __nv_fp8_e8m0 is not supported.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef __cplusplus

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

// Result of a conversion that overflows: infinity (NaN if the format has no infinity) with __NV_NOSAT, the
// largest finite number with __NV_SATFINITE.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#include "warpmark_cuda/narrow/fp8_bits.h"

WARPMARK_BITS __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                        const __nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? warpmark_fp8<3, 7, 0x7e, 0x7f>(x, saturate == __NV_SATFINITE)
                           : warpmark_fp8<2, 15, 0x7b, 0x7c>(x, saturate == __NV_SATFINITE);
}
WARPMARK_BITS __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                       const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8((double)x, saturate, kind);
}
WARPMARK_BITS __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                                                         const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8((float)__half(x), saturate, kind);
}
WARPMARK_BITS __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x,
                                                             const __nv_saturation_t saturate,
                                                             const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8((float)__nv_bfloat16(x), saturate, kind);
}
// Converts two doubles to a pair of 8-bit floating-point numbers; the first result is the lower byte.
WARPMARK_BITS __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x,
                                                             const __nv_saturation_t saturate,
                                                             const __nv_fp8_interpretation_t kind) {
  const unsigned int low = __nv_cvt_double_to_fp8(x.x, saturate, kind);
  const unsigned int high = __nv_cvt_double_to_fp8(x.y, saturate, kind);
  return (__nv_fp8x2_storage_t)(high << 8 | low);
}
WARPMARK_BITS __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t saturate,
                                                            const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double2_to_fp8x2(double2{(double)x.x, (double)x.y}, saturate, kind);
}
WARPMARK_BITS __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x,
                                                              const __nv_saturation_t saturate,
                                                              const __nv_fp8_interpretation_t kind) {
  const float2 wide = {(float)__half(__half_raw{x.x}), (float)__half(__half_raw{x.y})};
  return __nv_cvt_float2_to_fp8x2(wide, saturate, kind);
}
WARPMARK_BITS __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x,
                                                                  const __nv_saturation_t saturate,
                                                                  const __nv_fp8_interpretation_t kind) {
  const float2 wide = {(float)__nv_bfloat16(__nv_bfloat16_raw{x.x}),
                       (float)__nv_bfloat16(__nv_bfloat16_raw{x.y})};
  return __nv_cvt_float2_to_fp8x2(wide, saturate, kind);
}
// Converts an 8-bit number to half precision, which represents all of them exactly: E5M2 is the upper byte of
// a half, E4M3 needs a shift and scaling by 256.
WARPMARK_BITS __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                                 const __nv_fp8_interpretation_t kind) {
  const unsigned int rest = x & 0x7f;
  __half_raw wide;
  if (rest > (kind == __NV_E4M3 ? 0x7eu : 0x7cu)) {
    wide.x = 0x7fff;
  } else if (kind == __NV_E5M2) {
    wide.x = (unsigned short)(x << 8);
  } else {
    wide.x = (unsigned short)((x & 0x80) << 8 | rest << 7);
    wide = __half((float)__half(wide) * 256.0f);
  }
  return wide;
}
WARPMARK_BITS __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                     const __nv_fp8_interpretation_t kind) {
  const __half_raw low = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x & 0xff), kind);
  const __half_raw high = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind);
  return __half2_raw{low.x, high.x};
}

#define WARPMARK_F8 __nv_fp8_e4m3
#define WARPMARK_F8X2 __nv_fp8x2_e4m3
#define WARPMARK_F8X4 __nv_fp8x4_e4m3
#define WARPMARK_F8_KIND __NV_E4M3
#include "warpmark_cuda/narrow/fp8_types.h"
#undef WARPMARK_F8
#undef WARPMARK_F8X2
#undef WARPMARK_F8X4
#undef WARPMARK_F8_KIND

#define WARPMARK_F8 __nv_fp8_e5m2
#define WARPMARK_F8X2 __nv_fp8x2_e5m2
#define WARPMARK_F8X4 __nv_fp8x4_e5m2
#define WARPMARK_F8_KIND __NV_E5M2
#include "warpmark_cuda/narrow/fp8_types.h"
#undef WARPMARK_F8
#undef WARPMARK_F8X2
#undef WARPMARK_F8X4
#undef WARPMARK_F8_KIND

#endif
