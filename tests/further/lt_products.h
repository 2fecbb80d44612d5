// What the programs of cuBLASLt share: descriptors, calls, plain sums.
#pragma once

#include <cublasLt.h>

#include "../libraries/check.h"

inline cublasLtHandle_t handle;

inline void expect_ok(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS) printf("%s: %s\n", what, cublasLtGetStatusName(status));
  expect(status == CUBLAS_STATUS_SUCCESS, what);
}
inline void expect_status(cublasStatus_t status, cublasStatus_t wanted, const char* what) {
  if (status != wanted) printf("%s: %s\n", what, cublasLtGetStatusName(status));
  expect(status == wanted, what);
}

class Layout {
 public:
  Layout(cudaDataType type, int rows, int columns, int leading) {
    expect_ok(cublasLtMatrixLayoutCreate(&layout_, type, rows, columns, leading), "a layout");
  }
  ~Layout() { cublasLtMatrixLayoutDestroy(layout_); }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  Layout& order(int order) { return set(CUBLASLT_MATRIX_LAYOUT_ORDER, order); }
  Layout& batches(int count, long long stride) {
    return set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, count)
        .set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, static_cast<int64_t>(stride));
  }
  template <typename T>
  Layout& set(cublasLtMatrixLayoutAttribute_t attribute, T value) {
    expect_ok(cublasLtMatrixLayoutSetAttribute(layout_, attribute, &value, sizeof(value)), "an attribute");
    return *this;
  }
  operator cublasLtMatrixLayout_t() const { return layout_; }

 private:
  cublasLtMatrixLayout_t layout_ = nullptr;
};

class Product {
 public:
  Product(cublasComputeType_t compute, cudaDataType scale) {
    expect_ok(cublasLtMatmulDescCreate(&product_, compute, scale), "a product");
  }
  ~Product() { cublasLtMatmulDescDestroy(product_); }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  Product& operations(int a, int b) {
    return set(CUBLASLT_MATMUL_DESC_TRANSA, a).set(CUBLASLT_MATMUL_DESC_TRANSB, b);
  }
  Product& epilogue(cublasLtEpilogue_t epilogue) { return set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue); }
  Product& bias(const void* data) { return set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, data); }
  Product& extra(void* data, int64_t leading) {
    return set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, data)
        .set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, leading);
  }
  template <typename T>
  Product& set(cublasLtMatmulDescAttributes_t attribute, T value) {
    expect_ok(cublasLtMatmulDescSetAttribute(product_, attribute, &value, sizeof(value)), "an attribute");
    return *this;
  }
  operator cublasLtMatmulDesc_t() const { return product_; }

 private:
  cublasLtMatmulDesc_t product_ = nullptr;
};

// As programs do it: the heuristic's first algorithm, with the workspace that it asks for.
template <typename S>
void multiply(const Product& product, const S* alpha, const void* a, const Layout& of_a, const void* b,
              const Layout& of_b, const S* beta, const void* c, const Layout& of_c, void* d,
              const Layout& of_d, const char* what, cudaStream_t stream = nullptr) {
  cublasLtMatmulPreference_t preference;
  expect_ok(cublasLtMatmulPreferenceCreate(&preference), what);
  const size_t most = 4 << 20;
  expect_ok(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most,
                                                 sizeof(most)),
            what);
  cublasLtMatmulHeuristicResult_t found[3] = {};
  int count = 0;
  expect_ok(
      cublasLtMatmulAlgoGetHeuristic(handle, product, of_a, of_b, of_c, of_d, preference, 3, found, &count),
      what);
  expect(count > 0, what);
  if (count > 0) {
    void* workspace = nullptr;
    cudaMalloc(&workspace, found[0].workspaceSize + 16);
    expect_ok(cublasLtMatmul(handle, product, alpha, a, of_a, b, of_b, beta, c, of_c, d, of_d, &found[0].algo,
                             workspace, found[0].workspaceSize, stream),
              what);
    cudaStreamSynchronize(stream);
    cudaFree(workspace);
  }
  cublasLtMatmulPreferenceDestroy(preference);
}

// op(A) op(B) of matrices in column order, `leading` elements from column to column.
template <typename R, typename T, typename U>
std::vector<R> sums(const std::vector<T>& a, int lda, bool trans_a, const std::vector<U>& b, int ldb,
                    bool trans_b, int m, int n, int k) {
  std::vector<R> result(static_cast<size_t>(m * n));
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      R sum = 0;
      for (int l = 0; l < k; ++l)
        sum += static_cast<R>(static_cast<float>(a[trans_a ? l + i * lda : i + l * lda])) *
               static_cast<R>(static_cast<float>(b[trans_b ? j + l * ldb : l + j * ldb]));
      result[i + j * m] = sum;
    }
  }
  return result;
}

// Small integers, so that every sum is exact.
template <typename T>
std::vector<T> small(int count, int below = 4) {
  std::vector<T> values(static_cast<size_t>(count));
  for (T& value : values)
    value = static_cast<T>(static_cast<float>(static_cast<int>(next_number() % (2u * below)) - below));
  return values;
}
