// Template-like header with conversion functions of a 16-bit floating-point class, and functions that build
// and split its pairs. cuda_fp16.h and cuda_bf16.h include it with these macros defined: WARPMARK_N and
// WARPMARK_N2 (the classes), WARPMARK_N_NAME(before, after) (forms a function name: __float2 + half + _rn),
// and WARPMARK_N_SPREAD (name of the function that duplicates a value into a pair).

// Explicit conversions of single 16-bit floating-point numbers.
WARPMARK_BITS WARPMARK_N WARPMARK_N_NAME(__float2, )(const float x) {
  return WARPMARK_N::__warpmark_from(x);
}
WARPMARK_BITS WARPMARK_N WARPMARK_N_NAME(__double2, )(const double x) {
  return WARPMARK_N::__warpmark_from_double(x);
}
WARPMARK_BITS float WARPMARK_N_NAME(__, 2float)(const WARPMARK_N x) {
  return x.__warpmark_wide();
}
WARPMARK_BITS WARPMARK_N WARPMARK_N_NAME(__float2, _rn)(const float x) {
  return WARPMARK_N::__warpmark_from_double(x, WARPMARK_NEAREST);
}
WARPMARK_BITS WARPMARK_N WARPMARK_N_NAME(__float2, _rz)(const float x) {
  return WARPMARK_N::__warpmark_from_double(x, WARPMARK_ZERO);
}
WARPMARK_BITS WARPMARK_N WARPMARK_N_NAME(__float2, _rd)(const float x) {
  return WARPMARK_N::__warpmark_from_double(x, WARPMARK_DOWN);
}
WARPMARK_BITS WARPMARK_N WARPMARK_N_NAME(__float2, _ru)(const float x) {
  return WARPMARK_N::__warpmark_from_double(x, WARPMARK_UP);
}
#define WARPMARK_H_INTEGER(word, type, mode, how, whole)                         \
  WARPMARK_BITS WARPMARK_N WARPMARK_N_NAME(__##word##2, _##mode)(const type x) { \
    return WARPMARK_N::__warpmark_from_integer(x, how);                          \
  }                                                                              \
  WARPMARK_BITS type WARPMARK_N_NAME(__, 2##word##_##mode)(const WARPMARK_N x) { \
    return warpmark_integer_of<type>(whole(x.__warpmark_wide()));                \
  }
#define WARPMARK_H_INTEGERS(mode, how, whole)                  \
  WARPMARK_H_INTEGER(short, short, mode, how, whole)           \
  WARPMARK_H_INTEGER(ushort, unsigned short, mode, how, whole) \
  WARPMARK_H_INTEGER(int, int, mode, how, whole)               \
  WARPMARK_H_INTEGER(uint, unsigned int, mode, how, whole)     \
  WARPMARK_H_INTEGER(ll, long long, mode, how, whole)          \
  WARPMARK_H_INTEGER(ull, unsigned long long, mode, how, whole)
WARPMARK_H_INTEGERS(rn, WARPMARK_NEAREST, warpmark_rint)
WARPMARK_H_INTEGERS(rz, WARPMARK_ZERO, __builtin_truncf)
WARPMARK_H_INTEGERS(rd, WARPMARK_DOWN, __builtin_floorf)
WARPMARK_H_INTEGERS(ru, WARPMARK_UP, __builtin_ceilf)
#undef WARPMARK_H_INTEGER
#undef WARPMARK_H_INTEGERS
WARPMARK_BITS signed char WARPMARK_N_NAME(__, 2char_rz)(const WARPMARK_N x) {
  return warpmark_integer_of<signed char>(x.__warpmark_wide());
}
WARPMARK_BITS unsigned char WARPMARK_N_NAME(__, 2uchar_rz)(const WARPMARK_N x) {
  return warpmark_integer_of<unsigned char>(x.__warpmark_wide());
}
WARPMARK_BITS short WARPMARK_N_NAME(__, _as_short)(const WARPMARK_N x) {
  return (short)x.__warpmark_bits();
}
WARPMARK_BITS unsigned short WARPMARK_N_NAME(__, _as_ushort)(const WARPMARK_N x) {
  return x.__warpmark_bits();
}
WARPMARK_BITS WARPMARK_N WARPMARK_N_NAME(__short_as_, )(const short x) {
  return WARPMARK_N::__warpmark_of_bits((unsigned short)x);
}
WARPMARK_BITS WARPMARK_N WARPMARK_N_NAME(__ushort_as_, )(const unsigned short x) {
  return WARPMARK_N::__warpmark_of_bits(x);
}

// Construction, conversion and splitting of pairs of 16-bit floating-point numbers.
WARPMARK_BITS WARPMARK_N2 WARPMARK_N_NAME(make_, 2)(const WARPMARK_N x, const WARPMARK_N y) {
  return WARPMARK_N2(x, y);
}
WARPMARK_BITS WARPMARK_N2 WARPMARK_N_NAME(__halves2, 2)(const WARPMARK_N x, const WARPMARK_N y) {
  return WARPMARK_N2(x, y);
}
WARPMARK_BITS WARPMARK_N2 WARPMARK_N_SPREAD(const WARPMARK_N x) {
  return WARPMARK_N2(x, x);
}
WARPMARK_BITS WARPMARK_N2 WARPMARK_N_NAME(__float2, 2_rn)(const float x) {
  return WARPMARK_N_SPREAD(WARPMARK_N_NAME(__float2, )(x));
}
WARPMARK_BITS WARPMARK_N2 WARPMARK_N_NAME(__floats2, 2_rn)(const float x, const float y) {
  return WARPMARK_N2(WARPMARK_N_NAME(__float2, )(x), WARPMARK_N_NAME(__float2, )(y));
}
WARPMARK_BITS WARPMARK_N2 WARPMARK_N_NAME(__float22, 2_rn)(const float2 x) {
  return WARPMARK_N_NAME(__floats2, 2_rn)(x.x, x.y);
}
WARPMARK_BITS float2 WARPMARK_N_NAME(__, 22float2)(const WARPMARK_N2 x) {
  float2 result;
  result.x = x.x.__warpmark_wide();
  result.y = x.y.__warpmark_wide();
  return result;
}
WARPMARK_BITS float __low2float(const WARPMARK_N2 x) {
  return x.x.__warpmark_wide();
}
WARPMARK_BITS float __high2float(const WARPMARK_N2 x) {
  return x.y.__warpmark_wide();
}
WARPMARK_BITS WARPMARK_N WARPMARK_N_NAME(__low2, )(const WARPMARK_N2 x) {
  return x.x;
}
WARPMARK_BITS WARPMARK_N WARPMARK_N_NAME(__high2, )(const WARPMARK_N2 x) {
  return x.y;
}
WARPMARK_BITS WARPMARK_N2 WARPMARK_N_NAME(__low2, 2)(const WARPMARK_N2 x) {
  return WARPMARK_N2(x.x, x.x);
}
WARPMARK_BITS WARPMARK_N2 WARPMARK_N_NAME(__high2, 2)(const WARPMARK_N2 x) {
  return WARPMARK_N2(x.y, x.y);
}
WARPMARK_BITS WARPMARK_N2 WARPMARK_N_NAME(__lows2, 2)(const WARPMARK_N2 x, const WARPMARK_N2 y) {
  return WARPMARK_N2(x.x, y.x);
}
WARPMARK_BITS WARPMARK_N2 WARPMARK_N_NAME(__highs2, 2)(const WARPMARK_N2 x, const WARPMARK_N2 y) {
  return WARPMARK_N2(x.y, y.y);
}
WARPMARK_BITS WARPMARK_N2 __lowhigh2highlow(const WARPMARK_N2 x) {
  return WARPMARK_N2(x.y, x.x);
}
