// Operands of library routines, and what makes a call one that no header of ours makes.
#pragma once

#include <climits>
#include <functional>
#include <string>

#include <warpmark_cuda/host/library_call.h>

#include "tests/simulator/runtime_test_kernels.h"

namespace warpmark::simulator {

// A matrix without gaps.
inline WarpmarkOperand operand(const void* data, long long rows, long long columns, int element, bool is_read,
                               bool is_written) {
  return {.data = data,
          .stride = 0,
          .rows = rows,
          .columns = columns,
          .leading = rows,
          .step = 1,
          .outer = {1, 1},
          .apart = {0, 0},
          .below = INT_MAX,
          .above = INT_MAX,
          .element = element,
          .kind = element == 4 ? 'i' : 'd',
          .storage = 'D',
          .form = 'G',
          .operation = 'N',
          .reversed = 0,
          .factor = 0,
          .through = 0,
          .is_read = is_read,
          .is_written = is_written};
}

struct Forgery {
  std::string what;
  std::function<void(WarpmarkLibraryCall&)> forge;
  cudaError_t error = cudaErrorInvalidValue;
};

}  // namespace warpmark::simulator
