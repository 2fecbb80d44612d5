#include "harness/simulator/engine/operations/operations.h"

#include <initializer_list>
#include <stdexcept>

namespace warpmark::simulator {

bool runs_here([[maybe_unused]] Variant variant) {
#if defined(WARPMARK_HAS_AVX512)
  if (variant == Variant::avx512) {
    static const bool newest =
        __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
        __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0;
    return newest;
  }
#endif
#if defined(WARPMARK_HAS_AVX2)
  if (variant == Variant::avx2) {
    static const bool modern = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                               __builtin_cpu_supports("bmi") != 0;
    return modern;
  }
#endif
#if defined(WARPMARK_HAS_BASELINE)
  return variant == Variant::baseline;
#else
  return false;
#endif
}

Variant best_variant() {
  for (const Variant variant : {Variant::avx512, Variant::avx2, Variant::baseline}) {
    if (runs_here(variant)) return variant;
  }
  throw std::runtime_error(
      "Warpmark was built on a machine with a newer processor, and for that one alone; build it for all of "
      "them: "
      "cmake -S CLONE -B CLONE/build -DWARPMARK_OPERATIONS=all");
}

const Operations& operations() {
  switch (best_variant()) {
#if defined(WARPMARK_HAS_AVX512)
    case Variant::avx512:
      return avx512::table();
#endif
#if defined(WARPMARK_HAS_AVX2)
    case Variant::avx2:
      return avx2::table();
#endif
#if defined(WARPMARK_HAS_BASELINE)
    case Variant::baseline:
      return baseline::table();
#endif
    default:
      break;
  }
  throw std::logic_error("a variant that runs here is not in this build");
}

}  // namespace warpmark::simulator
