// Handlers of floating-point arithmetic with the host's rounding. Approximate instructions are computed as
// precisely as the host can, which is within the tolerance that PTX allows.
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "harness/simulator/engine/operations/tables.h"
#include "harness/simulator/engine/operations/variant.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

using ptx::Type;

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return a + b;
  }
};
struct Subtract {
  template <class T>
  static T apply(T a, T b) {
    return a - b;
  }
};
struct Multiply {
  template <class T>
  static T apply(T a, T b) {
    return a * b;
  }
};
struct Divide {
  template <class T>
  static T apply(T a, T b) {
    return a / b;
  }
};
struct FusedMultiplyAdd {
  template <class T>
  static T apply(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};
struct SquareRoot {
  template <class T>
  static T apply(T a) {
    return std::sqrt(a);
  }
};
struct Reciprocal {
  template <class T>
  static T apply(T a) {
    return T{1} / a;
  }
};
struct ReciprocalRoot {
  template <class T>
  static T apply(T a) {
    return T{1} / std::sqrt(a);
  }
};
struct Negate {
  template <class T>
  static T apply(T a) {
    return -a;
  }
};
struct Absolute {
  template <class T>
  static T apply(T a) {
    return std::fabs(a);
  }
};
// min and max return the number if the other operand is NaN; -0 is less than +0.
struct Minimum {
  template <class T>
  static T apply(T a, T b) {
    if (a == b) return std::signbit(a) ? a : b;
    return a < b || std::isnan(b) ? a : b;
  }
};
struct Maximum {
  template <class T>
  static T apply(T a, T b) {
    if (a == b) return std::signbit(a) ? b : a;
    return a > b || std::isnan(b) ? a : b;
  }
};
// min.NaN and max.NaN return NaN if an operand is NaN.
struct MinimumOrNan {
  template <class T>
  static T apply(T a, T b) {
    return std::isnan(a) || std::isnan(b) ? std::numeric_limits<T>::quiet_NaN() : Minimum::apply(a, b);
  }
};
struct MaximumOrNan {
  template <class T>
  static T apply(T a, T b) {
    return std::isnan(a) || std::isnan(b) ? std::numeric_limits<T>::quiet_NaN() : Maximum::apply(a, b);
  }
};
struct CopySign {
  template <class T>
  static T apply(T sign, T value) {
    return std::copysign(value, sign);
  }
};
struct PowerOfTwo {
  static float apply(float a) { return std::exp2(a); }
};
struct LogarithmOfTwo {
  static float apply(float a) { return std::log2(a); }
};
struct Sine {
  static float apply(float a) { return std::sin(a); }
};
struct Cosine {
  static float apply(float a) { return std::cos(a); }
};
struct HyperbolicTangent {
  static float apply(float a) { return std::tanh(a); }
};

// Replaces subnormal values by zero, before and after an operation with .ftz.
struct FlushToZero {
  static float apply(float a) {
    return std::fabs(a) < std::numeric_limits<float>::min() ? std::copysign(0.0F, a) : a;
  }
};

// Returns the value by way of a volatile copy, which keeps the compiler from moving the computation across a
// change of the rounding mode.
template <class T>
T kept_here(T value) {
  const volatile T kept = value;
  return kept;
}
template <class Op, int kMode>
struct Rounded {
  template <class... T>
  static auto apply(T... values) {
    std::fesetround(kMode);
    const auto result = kept_here(Op::apply(kept_here(values)...));
    std::fesetround(FE_TONEAREST);
    return result;
  }
};

template <class Op>
Operation unary(Type t) {
  return for_real(t, []<class T>() { return fast<Op, T, T>(); });
}
template <class Op>
Operation binary(Type t) {
  return for_real(t, []<class T>() { return fast<Op, T, T, T>(); });
}
template <class Op>
Operation ternary(Type t) {
  return for_real(t, []<class T>() { return fast<Op, T, T, T, T>(); });
}
template <class Op>
Operation slow_binary(Type t) {
  return for_real(t, []<class T>() { return slow<Op, T, T, T>(); });
}
template <class Op>
Operation slow_unary(Type t) {
  return for_real(t, []<class T>() { return slow<Op, T, T>(); });
}
template <class Op>
Operation slow_ternary(Type t) {
  return for_real(t, []<class T>() { return slow<Op, T, T, T, T>(); });
}
template <class Op>
Operation approximate(Type t) {
  return t == Type::f32 ? slow<Op, float, float>() : Operation{};
}

constexpr Row kRows[] = {
    {"add", binary<Add>},
    {"add.rn", binary<Add>},
    {"sub", binary<Subtract>},
    {"sub.rn", binary<Subtract>},
    {"mul", binary<Multiply>},
    {"mul.rn", binary<Multiply>},
    {"div.rn", binary<Divide>},
    {"div.full", binary<Divide>},
    {"div.approx", binary<Divide>},
    {"fma.rn", ternary<FusedMultiplyAdd>},
    {"mad.rn", ternary<FusedMultiplyAdd>},
    {"sqrt.rn", unary<SquareRoot>},
    {"sqrt.approx", unary<SquareRoot>},
    {"rcp.rn", unary<Reciprocal>},
    {"rcp.approx", unary<Reciprocal>},
    {"rsqrt.approx", unary<ReciprocalRoot>},
    {"neg", unary<Negate>},
    {"abs", unary<Absolute>},
    {"min", slow_binary<Minimum>},
    {"max", slow_binary<Maximum>},
    {"min.NaN", slow_binary<MinimumOrNan>},
    {"max.NaN", slow_binary<MaximumOrNan>},
    {"copysign", slow_binary<CopySign>},
    {"ex2.approx", approximate<PowerOfTwo>},
    {"lg2.approx", approximate<LogarithmOfTwo>},
    {"sin.approx", approximate<Sine>},
    {"cos.approx", approximate<Cosine>},
    {"tanh.approx", approximate<HyperbolicTangent>},
    {"flush", [](Type t) { return t == Type::f32 ? fast<FlushToZero, float, float>() : Operation{}; }},
#define WARPMARK_ROUNDED(suffix, mode)                                                                       \
  {"add" suffix, slow_binary<Rounded<Add, (mode)>>}, {"sub" suffix, slow_binary<Rounded<Subtract, (mode)>>}, \
      {"mul" suffix, slow_binary<Rounded<Multiply, (mode)>>},                                                \
      {"div" suffix, slow_binary<Rounded<Divide, (mode)>>},                                                  \
      {"fma" suffix, slow_ternary<Rounded<FusedMultiplyAdd, (mode)>>},                                       \
      {"sqrt" suffix, slow_unary<Rounded<SquareRoot, (mode)>>}, {                                            \
    "rcp" suffix, slow_unary<Rounded<Reciprocal, (mode)>>                                                    \
  }
    WARPMARK_ROUNDED(".rz", FE_TOWARDZERO),
    WARPMARK_ROUNDED(".rm", FE_DOWNWARD),
    WARPMARK_ROUNDED(".rp", FE_UPWARD),
#undef WARPMARK_ROUNDED
};

}  // namespace

Operation real_operation(const Mnemonic& mnemonic) {
  return look_up(kRows, mnemonic);
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
