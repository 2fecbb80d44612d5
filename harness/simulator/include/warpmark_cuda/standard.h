// cuda::std: the host's standard library, whose constexpr functions device code may call.
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
#include "warpmark_cuda/pair.h"

namespace cuda {
namespace std {
using namespace ::std;
using ::std::get;  // beside that of pairs
}  // namespace std
}  // namespace cuda
