// thrust::cuda::par and this system's own algorithms.
#pragma once

#include <thrust/system/cuda/detail/execution_policy.h>

// The primitives that the generic algorithms are built from.
#include <thrust/system/cuda/detail/copy.h>
#include <thrust/system/cuda/detail/copy_if.h>
#include <thrust/system/cuda/detail/for_each.h>
#include <thrust/system/cuda/detail/malloc_and_free.h>
#include <thrust/system/cuda/detail/merge.h>
#include <thrust/system/cuda/detail/reduce.h>
#include <thrust/system/cuda/detail/scan.h>
#include <thrust/system/cuda/detail/set_operations.h>
#include <thrust/system/cuda/detail/sort.h>
#include <thrust/system/cuda/detail/transform.h>
#include <thrust/system/cuda/detail/unique.h>
