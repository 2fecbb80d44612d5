// SIMD-in-word intrinsics (__vadd2, ...): operations on two 16-bit or four 8-bit values in a 32-bit word.
#pragma once

#include "warpmark_cuda/qualifiers.h"

#if defined(__CUDA__)

template <typename Lane, typename Operation>
WARPMARK_DEVICE unsigned int warpmark_lanes(unsigned int a, unsigned int b, Operation operation) {
  const int bits = 8 * (int)sizeof(Lane);
  const unsigned int mask = (1u << bits) - 1;
  unsigned int result = 0;
#pragma unroll
  for (int at = 0; at < 32; at += bits)
    result |= ((unsigned int)operation((int)(Lane)(a >> at), (int)(Lane)(b >> at)) & mask) << at;
  return result;
}
template <typename Lane>
WARPMARK_DEVICE unsigned int warpmark_lane_sum(unsigned int a) {
  unsigned int sum = 0;
#pragma unroll
  for (int at = 0; at < 32; at += 8 * (int)sizeof(Lane)) sum += (Lane)(a >> at);
  return sum;
}
template <typename Lane>
WARPMARK_DEVICE int warpmark_saturated(int value) {
  const int bits = 8 * (int)sizeof(Lane);
  const int highest = (Lane)-1 < 0 ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  const int lowest = (Lane)-1 < 0 ? -(1 << (bits - 1)) : 0;
  return value < lowest ? lowest : value > highest ? highest : value;
}

#define WARPMARK_LANES_1(name, lane, expression)                                                    \
  WARPMARK_DEVICE unsigned int name(unsigned int a) {                                               \
    return warpmark_lanes<lane>(a, 0, [] WARPMARK_LOOK_THROUGH(int x, int) { return expression; }); \
  }
#define WARPMARK_LANES_2(name, lane, expression)                                                      \
  WARPMARK_DEVICE unsigned int name(unsigned int a, unsigned int b) {                                 \
    return warpmark_lanes<lane>(a, b, [] WARPMARK_LOOK_THROUGH(int x, int y) { return expression; }); \
  }
#define WARPMARK_SIGNED_1(name, expression)      \
  WARPMARK_LANES_1(name##2, short, (expression)) \
  WARPMARK_LANES_1(name##4, signed char, (expression))
#define WARPMARK_SIGNED_2(name, expression)      \
  WARPMARK_LANES_2(name##2, short, (expression)) \
  WARPMARK_LANES_2(name##4, signed char, (expression))
#define WARPMARK_UNSIGNED_2(name, expression)             \
  WARPMARK_LANES_2(name##2, unsigned short, (expression)) \
  WARPMARK_LANES_2(name##4, unsigned char, (expression))
#define WARPMARK_SATURATED_1(name, expression)                            \
  WARPMARK_LANES_1(name##2, short, warpmark_saturated<short>(expression)) \
  WARPMARK_LANES_1(name##4, signed char, warpmark_saturated<signed char>(expression))
#define WARPMARK_SATURATED_2(name, two, four, expression)             \
  WARPMARK_LANES_2(name##2, two, warpmark_saturated<two>(expression)) \
  WARPMARK_LANES_2(name##4, four, warpmark_saturated<four>(expression))

// SIMD-in-a-word intrinsics whose results wrap around on overflow.
WARPMARK_SIGNED_1(__vabs, x < 0 ? -x : x)
WARPMARK_SIGNED_1(__vneg, -x)
WARPMARK_UNSIGNED_2(__vadd, x + y)
WARPMARK_UNSIGNED_2(__vsub, x - y)
WARPMARK_SIGNED_2(__vabsdiffs, x < y ? y - x : x - y)
WARPMARK_UNSIGNED_2(__vabsdiffu, x < y ? y - x : x - y)
// __vavg rounds the average away from zero, __vhadd rounds it towards negative infinity.
WARPMARK_SIGNED_2(__vavgs, x + y < 0 ? (x + y) >> 1 : (x + y + 1) >> 1)
WARPMARK_UNSIGNED_2(__vavgu, (x + y + 1) >> 1)
WARPMARK_UNSIGNED_2(__vhaddu, (x + y) >> 1)
WARPMARK_SIGNED_2(__vmaxs, x < y ? y : x)
WARPMARK_UNSIGNED_2(__vmaxu, x < y ? y : x)
WARPMARK_SIGNED_2(__vmins, x < y ? x : y)
WARPMARK_UNSIGNED_2(__vminu, x < y ? x : y)
// SIMD-in-a-word intrinsics whose results saturate on overflow.
WARPMARK_SATURATED_1(__vabsss, x < 0 ? -x : x)
WARPMARK_SATURATED_1(__vnegss, -x)
WARPMARK_SATURATED_2(__vaddss, short, signed char, x + y)
WARPMARK_SATURATED_2(__vaddus, unsigned short, unsigned char, x + y)
WARPMARK_SATURATED_2(__vsubss, short, signed char, x - y)
WARPMARK_SATURATED_2(__vsubus, unsigned short, unsigned char, x - y)
// Comparisons per element: __vcmp returns all bits set if true, __vset returns 1.
#define WARPMARK_COMPARISON(kind, name, operation)          \
  WARPMARK_##kind##_2(__vcmp##name, x operation y ? -1 : 0) \
      WARPMARK_##kind##_2(__vset##name, x operation y ? 1 : 0)
WARPMARK_COMPARISON(UNSIGNED, eq, ==)
WARPMARK_COMPARISON(UNSIGNED, ne, !=)
WARPMARK_COMPARISON(SIGNED, ges, >=)
WARPMARK_COMPARISON(UNSIGNED, geu, >=)
WARPMARK_COMPARISON(SIGNED, gts, >)
WARPMARK_COMPARISON(UNSIGNED, gtu, >)
WARPMARK_COMPARISON(SIGNED, les, <=)
WARPMARK_COMPARISON(UNSIGNED, leu, <=)
WARPMARK_COMPARISON(SIGNED, lts, <)
WARPMARK_COMPARISON(UNSIGNED, ltu, <)

#define WARPMARK_SUM(name, differences, lane)                         \
  WARPMARK_DEVICE unsigned int name(unsigned int a, unsigned int b) { \
    return warpmark_lane_sum<lane>(differences(a, b));                \
  }
WARPMARK_SUM(__vsads2, __vabsdiffs2, unsigned short)
WARPMARK_SUM(__vsads4, __vabsdiffs4, unsigned char)
WARPMARK_SUM(__vsadu2, __vabsdiffu2, unsigned short)
WARPMARK_SUM(__vsadu4, __vabsdiffu4, unsigned char)

#undef WARPMARK_SUM
#undef WARPMARK_COMPARISON
#undef WARPMARK_SATURATED_2
#undef WARPMARK_SATURATED_1
#undef WARPMARK_UNSIGNED_2
#undef WARPMARK_SIGNED_2
#undef WARPMARK_SIGNED_1
#undef WARPMARK_LANES_2
#undef WARPMARK_LANES_1

// Minimum or maximum of three operands, or of a sum and an operand, for dynamic programming. Suffix relu:
// negative results become 0.
#define WARPMARK_OF_THREE(name, type, expression)         \
  WARPMARK_DEVICE type __##name(type a, type b, type c) { \
    return expression;                                    \
  }
#define WARPMARK_OF_THREE_WITH_RELU(name, type, expression) \
  WARPMARK_OF_THREE(name, type, expression)                 \
  WARPMARK_OF_THREE(name##_relu, type, max(expression, 0))
WARPMARK_OF_THREE_WITH_RELU(vimax3_s32, int, max(max(a, b), c))
WARPMARK_OF_THREE_WITH_RELU(vimin3_s32, int, min(min(a, b), c))
WARPMARK_OF_THREE_WITH_RELU(viaddmax_s32, int, max((int)((unsigned int)a + (unsigned int)b), c))
WARPMARK_OF_THREE_WITH_RELU(viaddmin_s32, int, min((int)((unsigned int)a + (unsigned int)b), c))
WARPMARK_OF_THREE(vimax3_u32, unsigned int, max(max(a, b), c))
WARPMARK_OF_THREE(vimin3_u32, unsigned int, min(min(a, b), c))
WARPMARK_OF_THREE(viaddmax_u32, unsigned int, max(a + b, c))
WARPMARK_OF_THREE(viaddmin_u32, unsigned int, min(a + b, c))
#undef WARPMARK_OF_THREE_WITH_RELU
#undef WARPMARK_OF_THREE
WARPMARK_DEVICE int __vimax_s32_relu(int a, int b) {
  return max(max(a, b), 0);
}
WARPMARK_DEVICE int __vimin_s32_relu(int a, int b) {
  return max(min(a, b), 0);
}

// Minimum and maximum of three operands for both 16-bit halves of a word.
WARPMARK_DEVICE unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) {
  return __vmaxs2(__vmaxs2(a, b), 0);
}
WARPMARK_DEVICE unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) {
  return __vmaxs2(__vmins2(a, b), 0);
}
#define WARPMARK_OF_THREE_PAIRS(name, expression)                                         \
  WARPMARK_DEVICE unsigned int __##name(unsigned int a, unsigned int b, unsigned int c) { \
    return expression;                                                                    \
  }
#define WARPMARK_OF_THREE_PAIRS_WITH_RELU(name, expression) \
  WARPMARK_OF_THREE_PAIRS(name, expression)                 \
  WARPMARK_OF_THREE_PAIRS(name##_relu, __vmaxs2(expression, 0))
WARPMARK_OF_THREE_PAIRS_WITH_RELU(vimax3_s16x2, __vmaxs2(__vmaxs2(a, b), c))
WARPMARK_OF_THREE_PAIRS_WITH_RELU(vimin3_s16x2, __vmins2(__vmins2(a, b), c))
WARPMARK_OF_THREE_PAIRS_WITH_RELU(viaddmax_s16x2, __vmaxs2(__vadd2(a, b), c))
WARPMARK_OF_THREE_PAIRS_WITH_RELU(viaddmin_s16x2, __vmins2(__vadd2(a, b), c))
WARPMARK_OF_THREE_PAIRS(vimax3_u16x2, __vmaxu2(__vmaxu2(a, b), c))
WARPMARK_OF_THREE_PAIRS(vimin3_u16x2, __vminu2(__vminu2(a, b), c))
WARPMARK_OF_THREE_PAIRS(viaddmax_u16x2, __vmaxu2(__vadd2(a, b), c))
WARPMARK_OF_THREE_PAIRS(viaddmin_u16x2, __vminu2(__vadd2(a, b), c))
#undef WARPMARK_OF_THREE_PAIRS_WITH_RELU
#undef WARPMARK_OF_THREE_PAIRS

// Minimum or maximum, with an output that is true if the first operand was selected; for pairs, one output
// per half.
#define WARPMARK_WHICH(name, type, lane, operation, pairs)                                             \
  WARPMARK_DEVICE type __##name##32(type a, type b, bool* first) {                                     \
    *first = a operation b;                                                                            \
    return *first ? a : b;                                                                             \
  }                                                                                                    \
  WARPMARK_DEVICE unsigned int __##name##16x2(unsigned int a, unsigned int b, bool* high, bool* low) { \
    *high = (lane)(a >> 16) operation(lane)(b >> 16);                                                  \
    *low = (lane)a operation(lane) b;                                                                  \
    return pairs(a, b);                                                                                \
  }
WARPMARK_WHICH(vibmax_s, int, short, >=, __vmaxs2)
WARPMARK_WHICH(vibmin_s, int, short, <=, __vmins2)
WARPMARK_WHICH(vibmax_u, unsigned int, unsigned short, >=, __vmaxu2)
WARPMARK_WHICH(vibmin_u, unsigned int, unsigned short, <=, __vminu2)
#undef WARPMARK_WHICH

#endif
