// cuBLAS-XT: products of matrices in host memory against plain loops.
#include <cublasXt.h>

#include "../libraries/check.h"

cublasXtHandle_t handle;

cublasStatus_t gemm(cublasOperation_t p, cublasOperation_t q, size_t m, size_t n, size_t k, const float* al,
                    const float* a, size_t lda, const float* b, size_t ldb, const float* be, float* c,
                    size_t ldc) {
  return cublasXtSgemm(handle, p, q, m, n, k, al, a, lda, b, ldb, be, c, ldc);
}
cublasStatus_t gemm(cublasOperation_t p, cublasOperation_t q, size_t m, size_t n, size_t k, const double* al,
                    const double* a, size_t lda, const double* b, size_t ldb, const double* be, double* c,
                    size_t ldc) {
  return cublasXtDgemm(handle, p, q, m, n, k, al, a, lda, b, ldb, be, c, ldc);
}

template <typename T>
void product(cublasOperation_t p, cublasOperation_t q) {
  constexpr int m = 7, n = 5, k = 6, lead = 9;
  const auto a = numbers<T>(lead * 9, 8);
  const auto b = numbers<T>(lead * 9, 8);
  auto c = numbers<T>(lead * n, 8);
  const T alpha = 2, beta = -1;
  auto wanted = c;
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      T sum = 0;
      for (int i = 0; i < k; ++i)
        sum += a[size_t(p == CUBLAS_OP_N ? row + i * lead : i + row * lead)] *
               b[size_t(q == CUBLAS_OP_N ? i + column * lead : column + i * lead)];
      T& element = wanted[size_t(row + column * lead)];
      element = alpha * sum + beta * element;
    }
  expect(gemm(p, q, m, n, k, &alpha, a.data(), lead, b.data(), lead, &beta, c.data(), lead) ==
             CUBLAS_STATUS_SUCCESS,
         "gemm");
  expect_equal(c, wanted, "the product");
}

int main() {
  expect(cublasXtCreate(&handle) == CUBLAS_STATUS_SUCCESS, "create");
  int devices[] = {0, 99};
  expect(cublasXtDeviceSelect(handle, 1, devices) == CUBLAS_STATUS_SUCCESS, "select");
  expect(cublasXtDeviceSelect(handle, 2, devices) == CUBLAS_STATUS_INVALID_VALUE, "no such device");
  int block = 0;
  expect(cublasXtSetBlockDim(handle, 64) == CUBLAS_STATUS_SUCCESS, "a block's size");
  expect(cublasXtGetBlockDim(handle, &block) == CUBLAS_STATUS_SUCCESS && block == 64, "the block's size");
  for (const auto p : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (const auto q : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      product<float>(p, q);
      product<double>(p, q);
    }
  const float one = 1;
  std::vector<float> small(4, 1.0f);
  expect(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, small.data(), 1, small.data(), 2, &one, small.data(),
              2) == CUBLAS_STATUS_INVALID_VALUE,
         "a leading dimension below the rows");
  expect(cublasXtDestroy(handle) == CUBLAS_STATUS_SUCCESS, "destroy");
  return result();
}
