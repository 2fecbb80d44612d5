// cuda::std as the host's standard library, whose constexpr functions device code may call. If libcu++ is
// installed, this is used only for headers that it lacks: its own headers are found first.
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
using ::std::get;  // besides the overload for pairs
#endif
}  // namespace std
}  // namespace cuda
