#include "harness/simulator/builtin_functions.h"

#include <cmath>
#include <cstring>

#include "harness/simulator/context.h"

namespace warpmark::simulator {
namespace {

template <class T>
T read_frame(const std::byte* row, unsigned lane) {
  std::array<std::byte, sizeof(T)> bytes;
  for (std::size_t word = 0; word < sizeof(T) / 4; ++word) {
    std::memcpy(bytes.data() + 4 * word, row + word * kRowBytes + std::size_t{4} * lane, 4);
  }
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}
template <class T>
void write_frame(std::byte* row, unsigned lane, T value) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  for (std::size_t word = 0; word < sizeof(T) / 4; ++word) {
    std::memcpy(row + word * kRowBytes + std::size_t{4} * lane, bytes.data() + 4 * word, 4);
  }
}
template <class T>
constexpr std::size_t kRows = sizeof(T) / 4 * kRowBytes;

template <class T, T (*kFunction)(T)>
void unary(Context& c, const Instruction& i) {
  std::byte* row = c.frame + i.offset;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((c.mask >> lane & 1) != 0) write_frame<T>(row, lane, kFunction(read_frame<T>(row + kRows<T>, lane)));
  }
}
template <class T, T (*kFunction)(T, T)>
void binary(Context& c, const Instruction& i) {
  std::byte* row = c.frame + i.offset;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((c.mask >> lane & 1) == 0) continue;
    const T x = read_frame<T>(row + kRows<T>, lane);
    const T y = read_frame<T>(row + 2 * kRows<T>, lane);
    write_frame<T>(row, lane, kFunction(x, y));
  }
}

float rsqrtf(float x) {
  return 1.0F / std::sqrt(x);
}
double rsqrt(double x) {
  return 1.0 / std::sqrt(x);
}

struct Builtin {
  std::string_view name;
  Handler handler;
};
#define WARPMARK_UNARY(name)                    \
  {"__nv_" #name "f", unary<float, name##f>}, { \
    "__nv_" #name, unary<double, name>          \
  }
#define WARPMARK_BINARY(name)                    \
  {"__nv_" #name "f", binary<float, name##f>}, { \
    "__nv_" #name, binary<double, name>          \
  }
constexpr Builtin kBuiltins[] = {
    WARPMARK_UNARY(rsqrt), WARPMARK_UNARY(exp),    WARPMARK_UNARY(exp2),  WARPMARK_UNARY(log),
    WARPMARK_UNARY(log2),  WARPMARK_UNARY(log10),  WARPMARK_UNARY(sin),   WARPMARK_UNARY(cos),
    WARPMARK_UNARY(tan),   WARPMARK_UNARY(tanh),   WARPMARK_UNARY(round), WARPMARK_UNARY(log1p),
    WARPMARK_UNARY(expm1), WARPMARK_UNARY(asin),   WARPMARK_UNARY(acos),  WARPMARK_UNARY(atan),
    WARPMARK_UNARY(sinh),  WARPMARK_UNARY(cosh),   WARPMARK_UNARY(cbrt),  WARPMARK_UNARY(erf),
    WARPMARK_BINARY(pow),  WARPMARK_BINARY(atan2), WARPMARK_BINARY(fmod), WARPMARK_BINARY(hypot),
};
#undef WARPMARK_UNARY
#undef WARPMARK_BINARY

}  // namespace

Handler builtin_function(std::string_view name) {
  for (const Builtin& builtin : kBuiltins) {
    if (builtin.name == name) return builtin.handler;
  }
  return nullptr;
}

}  // namespace warpmark::simulator
