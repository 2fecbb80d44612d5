// Defines cuda::std as the host's C++ standard library, whose constexpr functions device code may call. If
// libcu++ is installed, its headers are found first, and this serves only for headers that libcu++ lacks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cuda/__cccl_config>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <ratio>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_runtime.h"
#if !WARPMARK_LIBCUDACXX
#include "warpmark_cuda/standard/pair.h"
#endif

namespace cuda {
namespace std {
using namespace ::std;
#if !WARPMARK_LIBCUDACXX
using ::std::get;  // makes std::get visible beside the overload for cuda::std::pair
#endif
}  // namespace std
}  // namespace cuda
