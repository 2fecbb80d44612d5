// Helpers of cuSOLVER's kernels: the threads of one block process a column-major matrix step by step.
#pragma once

#include "warpmark_cuda/blas/numbers.h"
#include "warpmark_cuda/solver/types.h"

namespace warpmark_solver {

using warpmark_blas::add;
using warpmark_blas::conjugate;
using warpmark_blas::convert;
using warpmark_blas::divide;
using warpmark_blas::is_zero;
using warpmark_blas::kIsComplex;
using warpmark_blas::minus_product;
using warpmark_blas::multiply;
using warpmark_blas::plus_product;
using warpmark_blas::Real;
using warpmark_blas::size_of;
using warpmark_blas::subtract;
using warpmark_lib::for_each_block;
using warpmark_lib::for_each_index;
using warpmark_lib::Index;

inline cusolverStatus_t status_of(cudaError_t error) {
  if (error == cudaSuccess) return CUSOLVER_STATUS_SUCCESS;
  return error == cudaErrorMemoryAllocation ? CUSOLVER_STATUS_ALLOC_FAILED : CUSOLVER_STATUS_EXECUTION_FAILED;
}

}  // namespace warpmark_solver
