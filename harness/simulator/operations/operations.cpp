#include "harness/simulator/operations/operations.h"

namespace warpmark::simulator {

const Operations& operations() {
#if defined(WARPMARK_HAS_AVX2)
  static const bool modern = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                             __builtin_cpu_supports("bmi") != 0;
  if (modern) return avx2::table();
#endif
  return baseline::table();
}

}  // namespace warpmark::simulator
