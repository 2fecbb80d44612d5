#include "harness/simulator/operations/operations.h"

namespace warpmark::simulator {

bool has_avx2() {
#if defined(WARPMARK_HAS_AVX2)
  static const bool modern = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                             __builtin_cpu_supports("bmi") != 0;
  return modern;
#else
  return false;
#endif
}

bool has_avx512() {
#if defined(WARPMARK_HAS_AVX2)
  static const bool newest =
      has_avx2() && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0;
  return newest;
#else
  return false;
#endif
}

const Operations& operations() {
#if defined(WARPMARK_HAS_AVX2)
  if (has_avx512()) return avx512::table();
  if (has_avx2()) return avx2::table();
#endif
  return baseline::table();
}

}  // namespace warpmark::simulator
