// With a beta of 1 the product is added to what y holds.
#include <cusparse.h>

int main() {
  const int rows[] = {0, 1, 2}, columns[] = {2, 1, 0};
  const double values[] = {1, 2, 3};
  int *d_rows, *d_columns;
  double *d_values, *y, host[3];
  cudaMalloc(&d_rows, sizeof rows);
  cudaMalloc(&d_columns, sizeof columns);
  cudaMalloc(&d_values, sizeof values);
  cudaMalloc(&y, sizeof values);
  cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice);
  cudaMemcpy(d_columns, columns, sizeof columns, cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t vx, vy;
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return 2;
  cusparseCreateCoo(&a, 3, 3, 3, d_rows, d_columns, d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                    CUDA_R_64F);
  cusparseCreateDnVec(&vx, 3, d_values, CUDA_R_64F);
  cusparseCreateDnVec(&vy, 3, y, CUDA_R_64F);
  const double alpha = 1, beta = 1;
  const cusparseStatus_t status =
      // EXPECT-NEXT(uninitialised_read)
      cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, vx, &beta, vy, CUDA_R_64F,
                   CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  cusparseDestroyDnVec(vx);
  cusparseDestroyDnVec(vy);
  cusparseDestroySpMat(a);
  cusparseDestroy(handle);
  cudaFree(d_rows);
  cudaFree(d_columns);
  cudaFree(d_values);
  cudaFree(y);
  return status == CUSPARSE_STATUS_SUCCESS ? 0 : 1;
}
