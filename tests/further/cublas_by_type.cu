// cuBLAS: functions whose types are told by enumerators, against plain loops.
#include <cublas_v2.h>

#include "../libraries/check.h"

cublasHandle_t handle;

void expect_ok(cublasStatus_t status, const char* what) {
  expect(status == CUBLAS_STATUS_SUCCESS, what);
}

void test_vectors() {
  const auto real = CUDA_R_64F;
  const int n = 1000;
  const auto x = numbers<double>(n, 9), y = numbers<double>(n, 9);
  const double alpha = 3, c = 0.5, s = 2;
  Device<double> dx(x), dy(y);
  expect_ok(cublasAxpyEx(handle, n, &alpha, real, dx, real, 1, dy, real, 1, real), "AxpyEx");
  auto wanted = y;
  for (int i = 0; i < n; ++i) wanted[i] += alpha * x[i];
  expect_equal(dy.values(), wanted, "AxpyEx");
  expect_ok(cublasScalEx(handle, n / 2, &alpha, real, dy, real, 2, real), "ScalEx");
  for (int i = 0; i < n; i += 2) wanted[i] *= alpha;
  expect_equal(dy.values(), wanted, "ScalEx");
  double dot = 0, sum = 0, squares = 0, norm = 0, total = 0, wanted_dot = 0;
  for (int i = 0; i < n; ++i) {
    wanted_dot += x[i] * wanted[i];
    total += std::fabs(x[i]);
    squares += x[i] * x[i];
  }
  expect_ok(cublasDotEx(handle, n, dx, real, 1, dy, real, 1, &dot, real, real), "DotEx");
  expect(dot == wanted_dot, "DotEx");
  expect_ok(cublasAsumEx(handle, n, dx, real, 1, &sum, real, real), "AsumEx");
  expect(sum == total, "AsumEx");
  expect_ok(cublasNrm2Ex(handle, n, dx, real, 1, &norm, real, real), "Nrm2Ex");
  expect(std::fabs(norm - std::sqrt(squares)) < 1e-9 * norm, "Nrm2Ex");
  expect_ok(cublasRotEx(handle, n, dx, real, 1, dy, real, 1, &c, &s, real, real), "RotEx");
  auto turned = x;
  for (int i = 0; i < n; ++i) {
    turned[i] = c * x[i] + s * wanted[i];
    wanted[i] = c * wanted[i] - s * x[i];
  }
  expect_equal(dx.values(), turned, "RotEx");
  expect_equal(dy.values(), wanted, "RotEx");
  expect_ok(cublasSwapEx(handle, n, dx, real, 1, dy, real, 1), "SwapEx");
  expect_equal(dx.values(), wanted, "SwapEx");
  expect_ok(cublasCopyEx(handle, n, dy, real, 1, dx, real, 1), "CopyEx");
  expect_equal(dx.values(), turned, "CopyEx");
  expect(cublasAxpyEx(handle, n, &alpha, real, dx, real, 1, dy, CUDA_R_32F, 1, real) ==
             CUBLAS_STATUS_NOT_SUPPORTED,
         "of two types");

  const Device<cuComplex> first(std::vector<cuComplex>{{1, 2}, {3, -1}}),
      second(std::vector<cuComplex>{{2, 0}, {1, 1}});
  cuComplex product{};
  float length = 0;
  const auto complex = CUDA_C_32F;
  expect_ok(cublasDotcEx(handle, 2, first, complex, 1, second, complex, 1, &product, complex, complex),
            "DotcEx");
  expect(product.x == 4 && product.y == 0, "DotcEx");
  expect_ok(cublasNrm2Ex(handle, 2, first, complex, 1, &length, CUDA_R_32F, CUDA_R_32F), "Nrm2Ex");
  expect(std::fabs(length - std::sqrt(15.0f)) < 1e-5f, "Nrm2Ex");
}

// Two products of matrices that lie anywhere.
void test_products() {
  const int m = 5, n = 3, k = 4, count = 2;
  std::vector<std::vector<float>> a, b;
  for (int i = 0; i < count; ++i) {
    a.push_back(numbers<float>(m * k, 9));
    b.push_back(numbers<float>(k * n, 9));
  }
  const Device<float> a0(a[0]), a1(a[1]), b0(b[0]), b1(b[1]), c0(size_t{m * n}), c1(size_t{m * n});
  const Device<const void*> as(std::vector<const void*>{a0.get(), a1.get()});
  const Device<const void*> bs(std::vector<const void*>{b0.get(), b1.get()});
  const Device<void*> cs(std::vector<void*>{c0.get(), c1.get()});
  const float one = 1, zero = 0;
  const auto real = CUDA_R_32F;
  expect_ok(cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, as, real, m, bs, real, k,
                                &zero, cs, real, m, count, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            "GemmBatchedEx");
  for (int i = 0; i < count; ++i) {
    std::vector<float> wanted(m * n);
    for (int row = 0; row < m; ++row) {
      for (int column = 0; column < n; ++column) {
        for (int at = 0; at < k; ++at) wanted[row + column * m] += a[i][row + at * m] * b[i][at + column * k];
      }
    }
    expect_equal((i == 0 ? c0 : c1).values(), wanted, "GemmBatchedEx");
  }
}

int main() {
  expect_ok(cublasCreate(&handle), "create");
  test_vectors();
  test_products();
  expect_ok(cublasDestroy(handle), "destroy");
  return result();
}
