// cuSOLVER: builds the message that asks the simulator's device process to perform a dense LAPACK routine.
#pragma once

#include "warpmark_cuda/blas/routine.h"
#include "warpmark_cuda/solver/block.h"

namespace warpmark_solver {

using warpmark_blas::Access;
using warpmark_blas::letter_of;
using warpmark_blas::Matrices;
using warpmark_blas::one;

template <typename T>
class Routine {
 public:
  Routine(const char* name, Index problems, std::initializer_list<Index> sizes)
      : call_('S', name, problems, sizes) {}
  Routine& within(double low, double high) {
    call_.number(0, low).number(1, high);
    return *this;
  }
  template <typename Element>
  Routine& matrix(Access access, const Matrices<Element>& matrices, Index rows, Index columns,
                  char part = 'A') {
    call_.matrix(access, matrices, rows, columns, part);
    return *this;
  }
  template <typename Element>
  Routine& array(Access access, Element* data, Index count) {
    call_.array(access, data, count);
    return *this;
  }
  // Runs the cuSOLVER routine. info: LAPACK's status, one number per matrix of the batch.
  cusolverStatus_t run(cusolverDnHandle_t handle, int* info) {
    return array(Access::write, info, 1).run(handle);
  }
  cusolverStatus_t run(cusolverDnHandle_t handle) { return status_of(call_.run(handle->stream)); }

 private:
  warpmark_blas::Routine<T> call_;
};

}  // namespace warpmark_solver
