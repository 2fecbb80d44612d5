// Arithmetic intrinsics that map to one PTX instruction: rounding modes, conversions, fast approximations,
// integer and bit operations. Written as inline PTX, so that neither optimisation nor the version of clang
// changes them.
#pragma once

#include "warpmark_cuda/types/vector_types.h"

#define WARPMARK_ASM_1(name, to, to_constraint, from, from_constraint, instruction) \
  WARPMARK_DEVICE to name(from x) {                                                 \
    to result;                                                                      \
    asm(instruction " %0, %1;" : "=" to_constraint(result) : from_constraint(x));   \
    return result;                                                                  \
  }
#define WARPMARK_ASM_2(name, type, constraint, instruction)                                  \
  WARPMARK_DEVICE type name(type x, type y) {                                                \
    type result;                                                                             \
    asm(instruction " %0, %1, %2;" : "=" constraint(result) : constraint(x), constraint(y)); \
    return result;                                                                           \
  }
#define WARPMARK_ASM_3(name, type, constraint, instruction) \
  WARPMARK_DEVICE type name(type x, type y, type z) {       \
    type result;                                            \
    asm(instruction " %0, %1, %2, %3;"                      \
        : "=" constraint(result)                            \
        : constraint(x), constraint(y), constraint(z));     \
    return result;                                          \
  }

// Float and double arithmetic with an explicit rounding mode: rn (nearest even), rz (towards zero), ru (up),
// rd (down).
#define WARPMARK_ROUNDED(mode, ptx)                                                                \
  WARPMARK_ASM_2(__fadd_##mode, float, "f", "add." ptx ".f32")                                     \
  WARPMARK_ASM_2(__fsub_##mode, float, "f", "sub." ptx ".f32")                                     \
  WARPMARK_ASM_2(__fmul_##mode, float, "f", "mul." ptx ".f32")                                     \
  WARPMARK_ASM_2(__fdiv_##mode, float, "f", "div." ptx ".f32")                                     \
  WARPMARK_ASM_3(__fmaf_##mode, float, "f", "fma." ptx ".f32")                                     \
  WARPMARK_ASM_1(__frcp_##mode, float, "f", float, "f", "rcp." ptx ".f32")                         \
  WARPMARK_ASM_1(__fsqrt_##mode, float, "f", float, "f", "sqrt." ptx ".f32")                       \
  WARPMARK_ASM_2(__dadd_##mode, double, "d", "add." ptx ".f64")                                    \
  WARPMARK_ASM_2(__dsub_##mode, double, "d", "sub." ptx ".f64")                                    \
  WARPMARK_ASM_2(__dmul_##mode, double, "d", "mul." ptx ".f64")                                    \
  WARPMARK_ASM_2(__ddiv_##mode, double, "d", "div." ptx ".f64")                                    \
  WARPMARK_ASM_3(__fma_##mode, double, "d", "fma." ptx ".f64")                                     \
  WARPMARK_ASM_1(__drcp_##mode, double, "d", double, "d", "rcp." ptx ".f64")                       \
  WARPMARK_ASM_1(__dsqrt_##mode, double, "d", double, "d", "sqrt." ptx ".f64")                     \
  WARPMARK_ASM_1(__double2float_##mode, float, "f", double, "d", "cvt." ptx ".f32.f64")            \
  WARPMARK_ASM_1(__int2float_##mode, float, "f", int, "r", "cvt." ptx ".f32.s32")                  \
  WARPMARK_ASM_1(__uint2float_##mode, float, "f", unsigned int, "r", "cvt." ptx ".f32.u32")        \
  WARPMARK_ASM_1(__ll2float_##mode, float, "f", long long, "l", "cvt." ptx ".f32.s64")             \
  WARPMARK_ASM_1(__ull2float_##mode, float, "f", unsigned long long, "l", "cvt." ptx ".f32.u64")   \
  WARPMARK_ASM_1(__ll2double_##mode, double, "d", long long, "l", "cvt." ptx ".f64.s64")           \
  WARPMARK_ASM_1(__ull2double_##mode, double, "d", unsigned long long, "l", "cvt." ptx ".f64.u64") \
  WARPMARK_TO_INTEGER(mode, ptx, float, float, "f", "f32")                                         \
  WARPMARK_TO_INTEGER(mode, ptx, double, double, "d", "f64")
#define WARPMARK_TO_INTEGER(mode, ptx, name, type, constraint, suffix)                                    \
  WARPMARK_ASM_1(__##name##2int_##mode, int, "r", type, constraint, "cvt." ptx "i.s32." suffix)           \
  WARPMARK_ASM_1(__##name##2uint_##mode, unsigned int, "r", type, constraint, "cvt." ptx "i.u32." suffix) \
  WARPMARK_ASM_1(__##name##2ll_##mode, long long, "l", type, constraint, "cvt." ptx "i.s64." suffix)      \
  WARPMARK_ASM_1(__##name##2ull_##mode, unsigned long long, "l", type, constraint, "cvt." ptx "i.u64." suffix)
WARPMARK_ROUNDED(rn, "rn")
WARPMARK_ROUNDED(rz, "rz")
WARPMARK_ROUNDED(ru, "rp")
WARPMARK_ROUNDED(rd, "rm")
#undef WARPMARK_ROUNDED
#undef WARPMARK_TO_INTEGER
WARPMARK_ASM_1(__int2double_rn, double, "d", int, "r", "cvt.rn.f64.s32")
WARPMARK_ASM_1(__uint2double_rn, double, "d", unsigned int, "r", "cvt.rn.f64.u32")

// Fast approximations (__expf, ...). The simulator evaluates ex2.approx and the like to full precision, so
// results are more accurate than on a GPU.
WARPMARK_ASM_1(__warpmark_ex2, float, "f", float, "f", "ex2.approx.f32")
WARPMARK_ASM_1(__warpmark_lg2, float, "f", float, "f", "lg2.approx.f32")
WARPMARK_ASM_1(__sinf, float, "f", float, "f", "sin.approx.f32")
WARPMARK_ASM_1(__cosf, float, "f", float, "f", "cos.approx.f32")
WARPMARK_ASM_1(__frsqrt_rn, float, "f", float, "f", "rsqrt.approx.f32")
WARPMARK_ASM_1(__saturatef, float, "f", float, "f", "cvt.sat.f32.f32")
WARPMARK_ASM_2(__fdividef, float, "f", "div.approx.f32")
WARPMARK_DEVICE float __expf(float x) {
  return __warpmark_ex2(x * 1.4426950408889634f);
}
WARPMARK_DEVICE float __exp10f(float x) {
  return __warpmark_ex2(x * 3.3219280948873623f);
}
WARPMARK_DEVICE float __log2f(float x) {
  return __warpmark_lg2(x);
}
WARPMARK_DEVICE float __logf(float x) {
  return __warpmark_lg2(x) * 0.69314718055994531f;
}
WARPMARK_DEVICE float __log10f(float x) {
  return __warpmark_lg2(x) * 0.30102999566398120f;
}
WARPMARK_DEVICE float __tanf(float x) {
  return __fdividef(__sinf(x), __cosf(x));
}
WARPMARK_DEVICE float __powf(float x, float y) {
  return __warpmark_ex2(y * __warpmark_lg2(x));
}
WARPMARK_DEVICE void __sincosf(float x, float* sine, float* cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}

// Defines CUDA's integer intrinsics.
WARPMARK_ASM_2(__mulhi, int, "r", "mul.hi.s32")
WARPMARK_ASM_2(__umulhi, unsigned int, "r", "mul.hi.u32")
WARPMARK_ASM_2(__mul64hi, long long, "l", "mul.hi.s64")
WARPMARK_ASM_2(__umul64hi, unsigned long long, "l", "mul.hi.u64")
WARPMARK_ASM_2(__mul24, int, "r", "mul24.lo.s32")
WARPMARK_ASM_2(__umul24, unsigned int, "r", "mul24.lo.u32")
WARPMARK_ASM_3(__byte_perm, unsigned int, "r", "prmt.b32")
WARPMARK_DEVICE unsigned int __sad(int x, int y, unsigned int z) {
  unsigned int result;
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
  return result;
}
WARPMARK_ASM_3(__usad, unsigned int, "r", "sad.u32")
WARPMARK_DEVICE int __hadd(int x, int y) {
  return (int)(((long long)x + y) >> 1);
}
WARPMARK_DEVICE int __rhadd(int x, int y) {
  return (int)(((long long)x + y + 1) >> 1);
}
WARPMARK_DEVICE unsigned int __uhadd(unsigned int x, unsigned int y) {
  return (unsigned int)(((unsigned long long)x + y) >> 1);
}
WARPMARK_DEVICE unsigned int __urhadd(unsigned int x, unsigned int y) {
  return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}

// Defines CUDA's bit-manipulation intrinsics.
WARPMARK_ASM_1(__popc, int, "r", unsigned int, "r", "popc.b32")
WARPMARK_ASM_1(__popcll, int, "r", unsigned long long, "l", "popc.b64")
WARPMARK_ASM_1(__clz, int, "r", int, "r", "clz.b32")
WARPMARK_ASM_1(__clzll, int, "r", long long, "l", "clz.b64")
WARPMARK_ASM_1(__brev, unsigned int, "r", unsigned int, "r", "brev.b32")
WARPMARK_ASM_1(__brevll, unsigned long long, "l", unsigned long long, "l", "brev.b64")
WARPMARK_DEVICE int __ffs(int value) {
  return __builtin_ffs(value);
}
WARPMARK_DEVICE int __ffsll(long long value) {
  return __builtin_ffsll(value);
}
WARPMARK_DEVICE unsigned short __nv_bswap16(unsigned short value) {
  return __builtin_bswap16(value);
}
WARPMARK_DEVICE unsigned int __nv_bswap32(unsigned int value) {
  return __builtin_bswap32(value);
}
WARPMARK_DEVICE unsigned long long __nv_bswap64(unsigned long long value) {
  return __builtin_bswap64(value);
}
// Returns the position of the offset-th set bit of the mask at or above bit `base` (at or below if offset is
// negative), or 0xffffffff if there is none.
WARPMARK_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0) return (mask >> base & 1) != 0 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  int left = offset * step;
  for (int at = (int)base; at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1) != 0 && --left == 0) return (unsigned int)at;
  }
  return 0xffffffffu;
}
#define WARPMARK_FUNNEL(name, instruction)                                                     \
  WARPMARK_DEVICE unsigned int name(unsigned int low, unsigned int high, unsigned int shift) { \
    unsigned int result;                                                                       \
    asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));      \
    return result;                                                                             \
  }
WARPMARK_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
WARPMARK_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
WARPMARK_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
WARPMARK_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")
#undef WARPMARK_FUNNEL

// Dot products with accumulation: of four pairs of bytes (dp4a), or of two 16-bit values with two bytes
// (dp2a).
#define WARPMARK_DOT(name, type, instruction)                                    \
  WARPMARK_DEVICE type name(type a, type b, type c) {                            \
    type result;                                                                 \
    asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c)); \
    return result;                                                               \
  }
WARPMARK_DOT(__dp4a, int, "dp4a.s32.s32")
WARPMARK_DOT(__dp4a, unsigned int, "dp4a.u32.u32")
WARPMARK_DOT(__dp2a_lo, int, "dp2a.lo.s32.s32")
WARPMARK_DOT(__dp2a_lo, unsigned int, "dp2a.lo.u32.u32")
WARPMARK_DOT(__dp2a_hi, int, "dp2a.hi.s32.s32")
WARPMARK_DOT(__dp2a_hi, unsigned int, "dp2a.hi.u32.u32")
#undef WARPMARK_DOT
template <typename Four>
WARPMARK_DEVICE unsigned int __warpmark_bytes(Four v) {
  return (unsigned char)v.x | (unsigned int)(unsigned char)v.y << 8 | (unsigned int)(unsigned char)v.z << 16 |
         (unsigned int)(unsigned char)v.w << 24;
}
template <typename Two>
WARPMARK_DEVICE unsigned int __warpmark_halves(Two v) {
  return (unsigned short)v.x | (unsigned int)(unsigned short)v.y << 16;
}
#define WARPMARK_DOT(name, type, a_type, a_word, b_type)        \
  WARPMARK_DEVICE type name(a_type a, b_type b, type c) {       \
    return name((type)a_word(a), (type)__warpmark_bytes(b), c); \
  }
WARPMARK_DOT(__dp4a, int, char4, __warpmark_bytes, char4)
WARPMARK_DOT(__dp4a, unsigned int, uchar4, __warpmark_bytes, uchar4)
WARPMARK_DOT(__dp2a_lo, int, short2, __warpmark_halves, char4)
WARPMARK_DOT(__dp2a_lo, unsigned int, ushort2, __warpmark_halves, uchar4)
WARPMARK_DOT(__dp2a_hi, int, short2, __warpmark_halves, char4)
WARPMARK_DOT(__dp2a_hi, unsigned int, ushort2, __warpmark_halves, uchar4)
#undef WARPMARK_DOT

// Reinterpreting casts between integer and floating-point types (__float_as_int, ...).
#define WARPMARK_REINTERPRET(name, to, from) \
  WARPMARK_DEVICE to name(from value) {      \
    return __builtin_bit_cast(to, value);    \
  }
WARPMARK_REINTERPRET(__float_as_int, int, float)
WARPMARK_REINTERPRET(__int_as_float, float, int)
WARPMARK_REINTERPRET(__float_as_uint, unsigned int, float)
WARPMARK_REINTERPRET(__uint_as_float, float, unsigned int)
WARPMARK_REINTERPRET(__double_as_longlong, long long, double)
WARPMARK_REINTERPRET(__longlong_as_double, double, long long)
#undef WARPMARK_REINTERPRET
WARPMARK_DEVICE int __double2hiint(double value) {
  return (int)(__double_as_longlong(value) >> 32);
}
WARPMARK_DEVICE int __double2loint(double value) {
  return (int)__double_as_longlong(value);
}
WARPMARK_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

#undef WARPMARK_ASM_1
#undef WARPMARK_ASM_2
#undef WARPMARK_ASM_3
