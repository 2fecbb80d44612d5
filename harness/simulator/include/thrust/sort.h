// Wrapper of the installed Thrust's sort.h. Also includes the headers that CUDA 13's version includes,
// because programs rely on that.
#pragma once
#define WARPMARK_THRUST_HEADER <thrust/sort.h>
#include <warpmark_cuda/standard/thrust_header.h>
#undef WARPMARK_THRUST_HEADER

#include <thrust/extrema.h>
#include <thrust/sequence.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
