// What changes: no kernel of ours: cublasSgemm, NVIDIA's own product of matrices.
// What that cures: everything that we could get wrong; in a real program this is what to write first.
// What still hurts: it wants columns stored one after the other, as Fortran has them; and a handle.
// What to expect: the speed that all other versions are measured by, for large matrices near the GPU's peak.
//
// This version is given complete, to compare with.
#include <cublas_v2.h>

#include "matmul.h"

extern "C" void m06_cublas(Product product, cudaStream_t stream) {
  if (product.rows == 0 || product.columns == 0) return;
  if (product.inner == 0) {  // cuBLAS wants leading dimensions above 0
    cudaMemsetAsync(product.c, 0, product.rows * product.columns * sizeof(float), stream);
    return;
  }
  // To make a handle takes far longer than a small product: one, kept for all calls of this process. One
  // handle serves one thread at a time, which is all that the harness has.
  static cublasHandle_t handle = nullptr;
  if (handle == nullptr && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return;
  cublasSetStream(handle, stream);
  const auto rows = static_cast<int>(product.rows);
  const auto inner = static_cast<int>(product.inner);
  const auto columns = static_cast<int>(product.columns);
  // Single precision throughout: TF32, which rounds each factor to 11 bits, is used only where it is asked
  // for.
  const float one = 1;
  const float zero = 0;
  // What we store row after row is, read column after column, the transpose: C^T = B^T A^T.
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, columns, rows, inner, &one, product.b, columns, product.a,
              inner, &zero, product.c, columns);
}
