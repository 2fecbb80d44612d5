// What changes: no kernel of our own: cublasSgemm, NVIDIA's matrix product.
// What that cures: our own mistakes; in a real program start with this.
// What still hurts: it needs column-major matrices, as in Fortran, and a handle.
// What to expect: the speed to compare all other versions with: near the GPU's peak for large matrices.
//
// This version is given complete, for comparison.
#include <cublas_v2.h>

#include "matmul.h"

extern "C" void m06_cublas(Product product, cudaStream_t stream) {
  if (product.rows == 0 || product.columns == 0) return;
  if (product.inner == 0) {  // cuBLAS requires leading dimensions above 0
    cudaMemsetAsync(product.c, 0, product.rows * product.columns * sizeof(float), stream);
    return;
  }
  // Creating a handle takes far longer than a small product, so one is kept for all calls of this process. A
  // handle serves one thread at a time; the harness calls from one thread only.
  static cublasHandle_t handle = nullptr;
  if (handle == nullptr && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return;
  cublasSetStream(handle, stream);
  const auto rows = static_cast<int>(product.rows);
  const auto inner = static_cast<int>(product.inner);
  const auto columns = static_cast<int>(product.columns);
  // Single precision throughout: cuBLAS uses TF32, which rounds each factor to 11 bits, only if asked
  // for.
  const float one = 1;
  const float zero = 0;
  // A row-major matrix, read in column-major order, is its transpose: C^T = B^T A^T.
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, columns, rows, inner, &one, product.b, columns, product.a,
              inner, &zero, product.c, columns);
}
