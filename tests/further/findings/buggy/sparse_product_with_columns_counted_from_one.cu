// The columns are counted from 1, and the matrix says from 0: the last column is read past the vector.
#include <cusparse.h>

int main() {
  const int offsets[] = {0, 1, 2, 3}, columns[] = {1, 2, 3};
  const float ones[] = {1, 1, 1};
  int *d_offsets, *d_columns;
  float *d_values, *x, *y;
  cudaMalloc(&d_offsets, sizeof offsets);
  cudaMalloc(&d_columns, sizeof columns);
  cudaMalloc(&d_values, sizeof ones);
  cudaMalloc(&x, sizeof ones);
  cudaMalloc(&y, sizeof ones);
  cudaMemcpy(d_offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice);
  cudaMemcpy(d_columns, columns, sizeof columns, cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, ones, sizeof ones, cudaMemcpyHostToDevice);
  cudaMemcpy(x, ones, sizeof ones, cudaMemcpyHostToDevice);
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t vx, vy;
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return 2;
  cusparseCreateCsr(&a, 3, 3, 3, d_offsets, d_columns, d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&vx, 3, x, CUDA_R_32F);
  cusparseCreateDnVec(&vy, 3, y, CUDA_R_32F);
  const float one = 1, nothing = 0;
  const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  void* buffer = nullptr;
  const cusparseStatus_t status =
      // EXPECT-NEXT(out_of_bounds)
      cusparseSpMV(handle, plain, &one, a, vx, &nothing, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer);
  const cudaError_t error = cudaDeviceSynchronize();
  cusparseDestroyDnVec(vx);
  cusparseDestroyDnVec(vy);
  cusparseDestroySpMat(a);
  cusparseDestroy(handle);
  cudaFree(d_offsets);
  cudaFree(d_columns);
  cudaFree(d_values);
  cudaFree(x);
  cudaFree(y);
  return status == CUSPARSE_STATUS_SUCCESS && error == cudaSuccess ? 0 : 1;
}
