// The largest eigenvalue of a matrix of three diagonals: products into memory that is written by them alone,
// on a stream that the host waits for.
#include <cmath>

#include <cublas_v2.h>
#include <cusparse.h>

int main() {
  constexpr int kSize = 40, kCount = 3 * kSize - 2;
  int* offsets;
  int* columns;
  double* values;
  double *x, *y;
  cudaMallocManaged(&offsets, (kSize + 1) * sizeof(int));
  cudaMallocManaged(&columns, kCount * sizeof(int));
  cudaMallocManaged(&values, kCount * sizeof(double));
  cudaMallocManaged(&x, kSize * sizeof(double));
  cudaMalloc(&y, kSize * sizeof(double));
  int next = 0;
  for (int row = 0; row < kSize; ++row) {
    offsets[row] = next;
    x[row] = row % 2 == 0 ? 1 : -1;
    for (int column = row > 0 ? row - 1 : 0; column <= row + 1 && column < kSize; ++column) {
      columns[next] = column;
      values[next++] = row == column ? 2 : -1;
    }
  }
  offsets[kSize] = next;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cusparseHandle_t sparse;
  cublasHandle_t blas;
  if (cusparseCreate(&sparse) != CUSPARSE_STATUS_SUCCESS) return 2;
  if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) return 2;
  cusparseSetStream(sparse, stream);
  cublasSetStream(blas, stream);
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t vx, vy;
  cusparseCreateCsr(&a, kSize, kSize, kCount, offsets, columns, values, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
  cusparseCreateDnVec(&vx, kSize, x, CUDA_R_64F);
  cusparseCreateDnVec(&vy, kSize, y, CUDA_R_64F);
  const double one = 1, nothing = 0;
  size_t bytes = 0;
  cusparseSpMV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &nothing, vy, CUDA_R_64F,
                          CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  void* buffer;
  cudaMalloc(&buffer, bytes);
  double size = 0;
  for (int step = 0; step < 30; ++step) {
    cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &nothing, vy, CUDA_R_64F,
                 CUSPARSE_SPMV_ALG_DEFAULT, buffer);
    cublasDnrm2(blas, kSize, y, 1, &size);
    const double scale = 1 / size;
    cublasDscal(blas, kSize, &scale, y, 1);
    cublasDcopy(blas, kSize, y, 1, x, 1);
  }
  cudaStreamSynchronize(stream);
  cusparseDestroyDnVec(vx);
  cusparseDestroyDnVec(vy);
  cusparseDestroySpMat(a);
  cusparseDestroy(sparse);
  cublasDestroy(blas);
  cudaStreamDestroy(stream);
  cudaFree(offsets);
  cudaFree(columns);
  cudaFree(values);
  cudaFree(x);
  cudaFree(y);
  cudaFree(buffer);
  return std::fabs(size - 3.9) < 0.1 ? 0 : 1;
}
