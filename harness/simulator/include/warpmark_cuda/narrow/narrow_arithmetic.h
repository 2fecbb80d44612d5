// Template-like header with the arithmetic of a 16-bit floating-point type and its pairs; cuda_fp16.h and
// cuda_bf16.h each include it once, with the macros WARPMARK_H, WARPMARK_H2, WARPMARK_H_RAW and the names of
// conversion functions defined. Results are correctly rounded although computed in float: float has more than
// twice the digits plus two, so that double rounding is harmless. Fused multiply-add is computed in double.

#define WARPMARK_H_FUNCTION WARPMARK_BITS
#define WARPMARK_OF(expression) WARPMARK_H::__warpmark_from(expression)
#define WARPMARK_PAIR(first, second) WARPMARK_H2(first, second)

// Defines a binary operation on 16-bit floating-point numbers: addition, multiplication and the like.
#define WARPMARK_H_BINARY(name, expression)                                     \
  WARPMARK_H_FUNCTION WARPMARK_H name(const WARPMARK_H a, const WARPMARK_H b) { \
    const float x = a.__warpmark_wide(), y = b.__warpmark_wide();               \
    return WARPMARK_OF(expression);                                             \
  }
#define WARPMARK_H_BINARY_2(name, one)                                             \
  WARPMARK_H_FUNCTION WARPMARK_H2 name(const WARPMARK_H2 a, const WARPMARK_H2 b) { \
    return WARPMARK_PAIR(one(a.x, b.x), one(a.y, b.y));                            \
  }
#define WARPMARK_H_BOTH(name, name2, expression) \
  WARPMARK_H_BINARY(name, expression)            \
  WARPMARK_H_BINARY_2(name2, name)
// Saturating arithmetic on 16-bit floating-point numbers (__hadd_sat, ...): clamps a result to [0, 1]; NaN
// becomes 0.
WARPMARK_H_FUNCTION float __warpmark_saturated(WARPMARK_H, float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
#define WARPMARK_SATURATED(x) __warpmark_saturated(a, x)
WARPMARK_H_BOTH(__hadd, __hadd2, x + y)
WARPMARK_H_BOTH(__hsub, __hsub2, x - y)
WARPMARK_H_BOTH(__hmul, __hmul2, x* y)
WARPMARK_H_BOTH(__hdiv, __h2div, x / y)
WARPMARK_H_BOTH(__hadd_rn, __hadd2_rn, x + y)
WARPMARK_H_BOTH(__hsub_rn, __hsub2_rn, x - y)
WARPMARK_H_BOTH(__hmul_rn, __hmul2_rn, x* y)
WARPMARK_H_BOTH(__hadd_sat, __hadd2_sat, WARPMARK_SATURATED(x + y))
WARPMARK_H_BOTH(__hsub_sat, __hsub2_sat, WARPMARK_SATURATED(x - y))
WARPMARK_H_BOTH(__hmul_sat, __hmul2_sat, WARPMARK_SATURATED(x* y))

WARPMARK_H_FUNCTION WARPMARK_H __hfma(const WARPMARK_H a, const WARPMARK_H b, const WARPMARK_H c) {
  return WARPMARK_H::__warpmark_from_double((double)a.__warpmark_wide() * (double)b.__warpmark_wide() +
                                            (double)c.__warpmark_wide());
}
WARPMARK_H_FUNCTION WARPMARK_H __hfma_sat(const WARPMARK_H a, const WARPMARK_H b, const WARPMARK_H c) {
  return WARPMARK_OF(WARPMARK_SATURATED(__hfma(a, b, c).__warpmark_wide()));
}
WARPMARK_H_FUNCTION WARPMARK_H __hfma_relu(const WARPMARK_H a, const WARPMARK_H b, const WARPMARK_H c) {
  const float sum = __hfma(a, b, c).__warpmark_wide();
  return WARPMARK_OF(sum < 0.0f ? 0.0f : sum);
}
#define WARPMARK_H_FMA_2(name, one)                                                                     \
  WARPMARK_H_FUNCTION WARPMARK_H2 name(const WARPMARK_H2 a, const WARPMARK_H2 b, const WARPMARK_H2 c) { \
    return WARPMARK_PAIR(one(a.x, b.x, c.x), one(a.y, b.y, c.y));                                       \
  }
WARPMARK_H_FMA_2(__hfma2, __hfma)
WARPMARK_H_FMA_2(__hfma2_sat, __hfma_sat)
WARPMARK_H_FMA_2(__hfma2_relu, __hfma_relu)
// Complex fused multiply-add: a * b + c, each a pair (real, imaginary).
WARPMARK_H_FUNCTION WARPMARK_H2 __hcmadd(const WARPMARK_H2 a, const WARPMARK_H2 b, const WARPMARK_H2 c) {
  const WARPMARK_H minus = WARPMARK_H::__warpmark_of_bits((unsigned short)(a.y.__warpmark_bits() ^ 0x8000));
  return WARPMARK_PAIR(__hfma(minus, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

#define WARPMARK_H_UNARY(name, expression)                  \
  WARPMARK_H_FUNCTION WARPMARK_H name(const WARPMARK_H a) { \
    return expression;                                      \
  }
#define WARPMARK_H_UNARY_2(name, one)                         \
  WARPMARK_H_FUNCTION WARPMARK_H2 name(const WARPMARK_H2 a) { \
    return WARPMARK_PAIR(one(a.x), one(a.y));                 \
  }
WARPMARK_H_UNARY(__hneg, WARPMARK_H::__warpmark_of_bits((unsigned short)(a.__warpmark_bits() ^ 0x8000)))
WARPMARK_H_UNARY(__habs, WARPMARK_H::__warpmark_of_bits((unsigned short)(a.__warpmark_bits() & 0x7fff)))
WARPMARK_H_UNARY_2(__hneg2, __hneg)
WARPMARK_H_UNARY_2(__habs2, __habs)

// Comparisons of 16-bit floating-point numbers. If an operand is NaN, ordered comparisons are false and
// unordered ones (suffix u) are true.
#define WARPMARK_H_COMPARE(name, operation)                                    \
  WARPMARK_H_FUNCTION bool __h##name(const WARPMARK_H a, const WARPMARK_H b) { \
    return a.__warpmark_wide() operation b.__warpmark_wide();                  \
  }
#define WARPMARK_H_COMPARE_U(name, opposite)                                      \
  WARPMARK_H_FUNCTION bool __h##name##u(const WARPMARK_H a, const WARPMARK_H b) { \
    return !(a.__warpmark_wide() opposite b.__warpmark_wide());                   \
  }
WARPMARK_H_COMPARE(eq, ==)
WARPMARK_H_COMPARE(le, <=)
WARPMARK_H_COMPARE(ge, >=)
WARPMARK_H_COMPARE(lt, <)
WARPMARK_H_COMPARE(gt, >)
WARPMARK_H_COMPARE_U(ne, ==)
WARPMARK_H_COMPARE_U(le, >)
WARPMARK_H_COMPARE_U(ge, <)
WARPMARK_H_COMPARE_U(lt, >=)
WARPMARK_H_COMPARE_U(gt, <=)
WARPMARK_H_FUNCTION bool __hisnan(const WARPMARK_H a) {
  return a.__warpmark_wide() != a.__warpmark_wide();
}
WARPMARK_H_FUNCTION bool __hequ(const WARPMARK_H a, const WARPMARK_H b) {
  return __heq(a, b) || __hisnan(a) || __hisnan(b);
}
WARPMARK_H_FUNCTION bool __hne(const WARPMARK_H a, const WARPMARK_H b) {
  return __hneu(a, b) && !__hisnan(a) && !__hisnan(b);
}
WARPMARK_H_FUNCTION int __hisinf(const WARPMARK_H a) {
  if (__hisnan(a) || (a.__warpmark_bits() & 0x7fff) != WARPMARK_H::__warpmark_infinity) return 0;
  return (a.__warpmark_bits() & 0x8000) != 0 ? -1 : 1;
}
WARPMARK_H_FUNCTION WARPMARK_H2 __hisnan2(const WARPMARK_H2 a) {
  return WARPMARK_PAIR(WARPMARK_OF(__hisnan(a.x) ? 1.0f : 0.0f), WARPMARK_OF(__hisnan(a.y) ? 1.0f : 0.0f));
}
// Comparisons of pairs, in three forms: 1.0 or 0.0 per element (__heq2), a mask of 16 bits per element
// (__heq2_mask), and true if both elements satisfy the comparison (__hbeq2).
#define WARPMARK_H_COMPARE_2(name)                                                               \
  WARPMARK_H_FUNCTION WARPMARK_H2 __h##name##2(const WARPMARK_H2 a, const WARPMARK_H2 b) {       \
    return WARPMARK_PAIR(WARPMARK_OF(__h##name(a.x, b.x) ? 1.0f : 0.0f),                         \
                         WARPMARK_OF(__h##name(a.y, b.y) ? 1.0f : 0.0f));                        \
  }                                                                                              \
  WARPMARK_H_FUNCTION unsigned int __h##name##2_mask(const WARPMARK_H2 a, const WARPMARK_H2 b) { \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);        \
  }                                                                                              \
  WARPMARK_H_FUNCTION bool __hb##name##2(const WARPMARK_H2 a, const WARPMARK_H2 b) {             \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                           \
  }
WARPMARK_H_COMPARE_2(eq)
WARPMARK_H_COMPARE_2(ne)
WARPMARK_H_COMPARE_2(le)
WARPMARK_H_COMPARE_2(ge)
WARPMARK_H_COMPARE_2(lt)
WARPMARK_H_COMPARE_2(gt)
#define WARPMARK_H_COMPARE_2U(name)                                                               \
  WARPMARK_H_FUNCTION WARPMARK_H2 __h##name##u2(const WARPMARK_H2 a, const WARPMARK_H2 b) {       \
    return WARPMARK_PAIR(WARPMARK_OF(__h##name##u(a.x, b.x) ? 1.0f : 0.0f),                       \
                         WARPMARK_OF(__h##name##u(a.y, b.y) ? 1.0f : 0.0f));                      \
  }                                                                                               \
  WARPMARK_H_FUNCTION unsigned int __h##name##u2_mask(const WARPMARK_H2 a, const WARPMARK_H2 b) { \
    return (__h##name##u(a.x, b.x) ? 0xffffu : 0) | (__h##name##u(a.y, b.y) ? 0xffff0000u : 0);   \
  }                                                                                               \
  WARPMARK_H_FUNCTION bool __hb##name##u2(const WARPMARK_H2 a, const WARPMARK_H2 b) {             \
    return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                      \
  }
WARPMARK_H_COMPARE_2U(eq)
WARPMARK_H_COMPARE_2U(ne)
WARPMARK_H_COMPARE_2U(le)
WARPMARK_H_COMPARE_2U(ge)
WARPMARK_H_COMPARE_2U(lt)
WARPMARK_H_COMPARE_2U(gt)

// Minimum and maximum of 16-bit floating-point numbers. -0 is less than +0. If one operand is NaN, the result
// is the other operand, or NaN in functions with the suffix _nan.
WARPMARK_H_FUNCTION WARPMARK_H __warpmark_nan_of(WARPMARK_H) {
  return WARPMARK_H::__warpmark_of_bits(0x7fff);
}
WARPMARK_H_FUNCTION WARPMARK_H __hmax(const WARPMARK_H a, const WARPMARK_H b) {
  if (__hisnan(a)) return __hisnan(b) ? __warpmark_nan_of(a) : b;
  if (__hisnan(b)) return a;
  if (__heq(a, b)) return (a.__warpmark_bits() & 0x8000) != 0 ? b : a;
  return __hgt(a, b) ? a : b;
}
WARPMARK_H_FUNCTION WARPMARK_H __hmin(const WARPMARK_H a, const WARPMARK_H b) {
  if (__hisnan(a)) return __hisnan(b) ? __warpmark_nan_of(a) : b;
  if (__hisnan(b)) return a;
  if (__heq(a, b)) return (a.__warpmark_bits() & 0x8000) != 0 ? a : b;
  return __hlt(a, b) ? a : b;
}
WARPMARK_H_FUNCTION WARPMARK_H __hmax_nan(const WARPMARK_H a, const WARPMARK_H b) {
  return __hisnan(a) || __hisnan(b) ? __warpmark_nan_of(a) : __hmax(a, b);
}
WARPMARK_H_FUNCTION WARPMARK_H __hmin_nan(const WARPMARK_H a, const WARPMARK_H b) {
  return __hisnan(a) || __hisnan(b) ? __warpmark_nan_of(a) : __hmin(a, b);
}
WARPMARK_H_BINARY_2(__hmax2, __hmax)
WARPMARK_H_BINARY_2(__hmin2, __hmin)
WARPMARK_H_BINARY_2(__hmax2_nan, __hmax_nan)
WARPMARK_H_BINARY_2(__hmin2_nan, __hmin_nan)

#ifndef WARPMARK_H_NO_OPERATORS
#define WARPMARK_H_OPERATOR(symbol, name, name2)                                                \
  WARPMARK_H_FUNCTION WARPMARK_H operator symbol(const WARPMARK_H& a, const WARPMARK_H& b) {    \
    return name(a, b);                                                                          \
  }                                                                                             \
  WARPMARK_H_FUNCTION WARPMARK_H& operator symbol##=(WARPMARK_H& a, const WARPMARK_H& b) {      \
    return a = name(a, b);                                                                      \
  }                                                                                             \
  WARPMARK_H_FUNCTION WARPMARK_H2 operator symbol(const WARPMARK_H2& a, const WARPMARK_H2& b) { \
    return name2(a, b);                                                                         \
  }                                                                                             \
  WARPMARK_H_FUNCTION WARPMARK_H2& operator symbol##=(WARPMARK_H2& a, const WARPMARK_H2& b) {   \
    return a = name2(a, b);                                                                     \
  }
WARPMARK_H_OPERATOR(+, __hadd, __hadd2)
WARPMARK_H_OPERATOR(-, __hsub, __hsub2)
WARPMARK_H_OPERATOR(*, __hmul, __hmul2)
WARPMARK_H_OPERATOR(/, __hdiv, __h2div)
WARPMARK_H_FUNCTION WARPMARK_H& operator++(WARPMARK_H& a) {
  return a = __hadd(a, WARPMARK_OF(1.0f));
}
WARPMARK_H_FUNCTION WARPMARK_H& operator--(WARPMARK_H& a) {
  return a = __hsub(a, WARPMARK_OF(1.0f));
}
WARPMARK_H_FUNCTION WARPMARK_H operator++(WARPMARK_H& a, int) {
  const WARPMARK_H before = a;
  ++a;
  return before;
}
WARPMARK_H_FUNCTION WARPMARK_H operator--(WARPMARK_H& a, int) {
  const WARPMARK_H before = a;
  --a;
  return before;
}
WARPMARK_H_FUNCTION WARPMARK_H operator+(const WARPMARK_H& a) {
  return a;
}
WARPMARK_H_FUNCTION WARPMARK_H operator-(const WARPMARK_H& a) {
  return __hneg(a);
}
WARPMARK_H_FUNCTION WARPMARK_H2 operator+(const WARPMARK_H2& a) {
  return a;
}
WARPMARK_H_FUNCTION WARPMARK_H2 operator-(const WARPMARK_H2& a) {
  return __hneg2(a);
}
#define WARPMARK_H_RELATION(symbol, name)                                                \
  WARPMARK_H_FUNCTION bool operator symbol(const WARPMARK_H& a, const WARPMARK_H& b) {   \
    return __h##name(a, b);                                                              \
  }                                                                                      \
  WARPMARK_H_FUNCTION bool operator symbol(const WARPMARK_H2& a, const WARPMARK_H2& b) { \
    return __hb##name##2(a, b);                                                          \
  }
WARPMARK_H_RELATION(==, eq)
WARPMARK_H_RELATION(!=, neu)
WARPMARK_H_RELATION(>, gt)
WARPMARK_H_RELATION(<, lt)
WARPMARK_H_RELATION(>=, ge)
WARPMARK_H_RELATION(<=, le)
#undef WARPMARK_H_OPERATOR
#undef WARPMARK_H_RELATION
#endif

#if defined(__CUDA__)
// Math functions of 16-bit numbers and pairs, computed in float.
#define WARPMARK_H_MATH(name, name2, expression)           \
  WARPMARK_DEVICE WARPMARK_H name(const WARPMARK_H a) {    \
    const float x = a.__warpmark_wide();                   \
    return WARPMARK_OF(expression);                        \
  }                                                        \
  WARPMARK_DEVICE WARPMARK_H2 name2(const WARPMARK_H2 a) { \
    return WARPMARK_PAIR(name(a.x), name(a.y));            \
  }
WARPMARK_H_MATH(hceil, h2ceil, ceilf(x))
WARPMARK_H_MATH(hfloor, h2floor, floorf(x))
WARPMARK_H_MATH(htrunc, h2trunc, truncf(x))
WARPMARK_H_MATH(hrint, h2rint, rintf(x))
WARPMARK_H_MATH(hsqrt, h2sqrt, sqrtf(x))
WARPMARK_H_MATH(hrsqrt, h2rsqrt, rsqrtf(x))
WARPMARK_H_MATH(hrcp, h2rcp, 1.0f / x)
WARPMARK_H_MATH(hsin, h2sin, sinf(x))
WARPMARK_H_MATH(hcos, h2cos, cosf(x))
WARPMARK_H_MATH(hexp, h2exp, expf(x))
WARPMARK_H_MATH(hexp2, h2exp2, exp2f(x))
WARPMARK_H_MATH(hexp10, h2exp10, exp10f(x))
WARPMARK_H_MATH(hlog, h2log, logf(x))
WARPMARK_H_MATH(hlog2, h2log2, log2f(x))
WARPMARK_H_MATH(hlog10, h2log10, log10f(x))
WARPMARK_H_MATH(htanh, h2tanh, tanhf(x))
WARPMARK_H_MATH(htanh_approx, h2tanh_approx, tanhf(x))
#undef WARPMARK_H_MATH

#define WARPMARK_H_SHUFFLE(name, lane_type)                                                                \
  WARPMARK_DEVICE WARPMARK_H name(unsigned int mask, WARPMARK_H value, lane_type lane, int width = 32) {   \
    return WARPMARK_H::__warpmark_of_bits(                                                                 \
        (unsigned short)name(mask, (unsigned int)value.__warpmark_bits(), lane, width));                   \
  }                                                                                                        \
  WARPMARK_DEVICE WARPMARK_H2 name(unsigned int mask, WARPMARK_H2 value, lane_type lane, int width = 32) { \
    return WARPMARK_H2::__warpmark_of_bits(name(mask, value.__warpmark_bits(), lane, width));              \
  }
WARPMARK_H_SHUFFLE(__shfl_sync, int)
WARPMARK_H_SHUFFLE(__shfl_up_sync, unsigned int)
WARPMARK_H_SHUFFLE(__shfl_down_sync, unsigned int)
WARPMARK_H_SHUFFLE(__shfl_xor_sync, int)
#undef WARPMARK_H_SHUFFLE

// Atomic addition to a 16-bit number by a compare-and-swap loop, which the performance counters count as one
// atomic.
WARPMARK_DEVICE WARPMARK_H atomicAdd(WARPMARK_H* address, WARPMARK_H value) {
  unsigned short* const bits = (unsigned short*)address;
  unsigned short seen = *(volatile unsigned short*)bits;
  while (true) {
    const WARPMARK_H sum = __hadd(WARPMARK_H::__warpmark_of_bits(seen), value);
    const unsigned short old = atomicCAS(bits, seen, sum.__warpmark_bits());
    if (old == seen) return WARPMARK_H::__warpmark_of_bits(old);
    seen = old;
  }
}
WARPMARK_DEVICE WARPMARK_H2 atomicAdd(WARPMARK_H2* address, WARPMARK_H2 value) {
  const WARPMARK_H first = atomicAdd(&address->x, value.x);
  return WARPMARK_H2(first, atomicAdd(&address->y, value.y));
}
#endif

#undef WARPMARK_H_FUNCTION
#undef WARPMARK_OF
#undef WARPMARK_PAIR
#undef WARPMARK_H_BINARY
#undef WARPMARK_H_BINARY_2
#undef WARPMARK_H_BOTH
#undef WARPMARK_SATURATED
#undef WARPMARK_H_FMA_2
#undef WARPMARK_H_UNARY
#undef WARPMARK_H_UNARY_2
#undef WARPMARK_H_COMPARE
#undef WARPMARK_H_COMPARE_U
#undef WARPMARK_H_COMPARE_2
#undef WARPMARK_H_COMPARE_2U
