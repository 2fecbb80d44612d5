// The packaged one, and what CUDA 13's brings along.
#pragma once
#define WARPMARK_THRUST_HEADER <thrust/binary_search.h>
#include <warpmark_cuda/thrust_header.h>
#undef WARPMARK_THRUST_HEADER
