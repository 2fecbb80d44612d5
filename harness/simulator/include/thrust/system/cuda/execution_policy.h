// Defines thrust::cuda::par and includes the simulator's implementations of Thrust's primitives.
#pragma once

#include <thrust/system/cuda/detail/execution_policy.h>

// The simulator's implementations of the primitives (copy, for_each, ...) from which Thrust builds its other
// algorithms.
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
