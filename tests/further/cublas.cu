// cuBLAS against plain loops: shapes, leading dimensions, increments, transpositions, the rules of beta.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string_view>

#include <cublas_v2.h>

#include "../libraries/check.h"

cublasHandle_t handle;

void expect_ok(cublasStatus_t status, const char* what) {
  expect(status == CUBLAS_STATUS_SUCCESS, what);
}

// Element (row, column) of op(A).
template <typename T>
T at(const std::vector<T>& a, int lda, cublasOperation_t op, int row, int column) {
  return op == CUBLAS_OP_N ? a[size_t(row + column * lda)] : a[size_t(column + row * lda)];
}
bool in_triangle(cublasFillMode_t fill, int row, int column) {
  return fill == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
}
// A triangular matrix made whole.
template <typename T>
T triangle_at(const std::vector<T>& a, int lda, cublasFillMode_t fill, cublasOperation_t op,
              cublasDiagType_t diag, int row, int column) {
  if (op != CUBLAS_OP_N) std::swap(row, column);
  if (row == column && diag == CUBLAS_DIAG_UNIT) return 1;
  return in_triangle(fill, row, column) ? a[size_t(row + column * lda)] : T(0);
}

cublasStatus_t axpy(int n, const float* a, const float* x, int i, float* y, int j) {
  return cublasSaxpy(handle, n, a, x, i, y, j);
}
cublasStatus_t axpy(int n, const double* a, const double* x, int i, double* y, int j) {
  return cublasDaxpy_v2(handle, n, a, x, i, y, j);
}
cublasStatus_t dot(int n, const float* x, int i, const float* y, int j, float* r) {
  return cublasSdot(handle, n, x, i, y, j, r);
}
cublasStatus_t dot(int n, const double* x, int i, const double* y, int j, double* r) {
  return cublasDdot(handle, n, x, i, y, j, r);
}
cublasStatus_t gemm(cublasOperation_t p, cublasOperation_t q, int m, int n, int k, const float* al,
                    const float* a, int lda, const float* b, int ldb, const float* be, float* c, int ldc) {
  return cublasSgemm(handle, p, q, m, n, k, al, a, lda, b, ldb, be, c, ldc);
}
cublasStatus_t gemm(cublasOperation_t p, cublasOperation_t q, int m, int n, int k, const double* al,
                    const double* a, int lda, const double* b, int ldb, const double* be, double* c,
                    int ldc) {
  return cublasDgemm(handle, p, q, m, n, k, al, a, lda, b, ldb, be, c, ldc);
}
cublasStatus_t gemv(cublasOperation_t p, int m, int n, const float* al, const float* a, int lda,
                    const float* x, int i, const float* be, float* y, int j) {
  return cublasSgemv(handle, p, m, n, al, a, lda, x, i, be, y, j);
}
cublasStatus_t gemv(cublasOperation_t p, int m, int n, const double* al, const double* a, int lda,
                    const double* x, int i, const double* be, double* y, int j) {
  return cublasDgemv(handle, p, m, n, al, a, lda, x, i, be, y, j);
}

// Small integers: every result is exact, in float as well.
template <typename T>
void level1(int n, int incx, int incy) {
  const auto host_x = numbers<T>(n * std::abs(incx) + 1, 9);
  const auto host_y = numbers<T>(n * std::abs(incy) + 1, 9);
  const auto x_at = [&](int i) { return size_t(incx > 0 ? i * incx : (i - n + 1) * incx); };
  const auto y_at = [&](int i) { return size_t(incy > 0 ? i * incy : (i - n + 1) * incy); };
  Device<T> x(host_x);
  Device<T> y(host_y);
  const T alpha = 3;
  expect_ok(axpy(n, &alpha, x.get(), incx, y.get(), incy), "axpy");
  auto wanted = host_y;
  for (int i = 0; i < n; ++i) wanted[y_at(i)] += alpha * host_x[x_at(i)];
  expect_equal(y.values(), wanted, "axpy");
  T sum = 0;
  for (int i = 0; i < n; ++i) sum += host_x[x_at(i)] * wanted[y_at(i)];
  T result = -1;
  expect_ok(dot(n, x.get(), incx, y.get(), incy, &result), "dot");
  expect(result == sum, "dot");
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  Device<T> on_device(size_t{1});
  expect_ok(dot(n, x.get(), incx, y.get(), incy, on_device.get()), "dot on the device");
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  expect(on_device.value() == sum, "dot on the device");
}

void norms() {
  const auto host = numbers<float>(700, 1000);
  Device<float> x(host);
  double squares = 0;
  double sizes = 0;
  for (const float value : host) squares += double(value) * value, sizes += std::fabs(value);
  float norm = 0;
  float size = 0;
  expect_ok(cublasSnrm2(handle, 700, x, 1, &norm), "nrm2");
  expect_ok(cublasSasum(handle, 700, x, 1, &size), "asum");
  expect(std::fabs(norm - std::sqrt(squares)) < 1e-6 * std::sqrt(squares), "nrm2");
  expect(size == sizes, "asum");
  Device<double> large(std::vector<double>{3e300, 4e300});
  double of_large = 0;
  expect_ok(cublasDnrm2(handle, 2, large, 1, &of_large), "nrm2 without overflow");
  expect(std::fabs(of_large / 5e300 - 1) < 1e-15, "nrm2 without overflow");
  int most = 0;
  int least = 0;
  expect_ok(cublasIsamax(handle, 700, x, 1, &most), "amax");
  expect_ok(cublasIsamin(handle, 350, x, 2, &least), "amin");
  const auto less = [](float a, float b) { return std::fabs(a) < std::fabs(b); };
  expect(most == std::max_element(host.begin(), host.end(), less) - host.begin() + 1, "amax counts from 1");
  int wanted = 0;
  for (int i = 1; i < 350; ++i) {
    if (less(host[size_t(2 * i)], host[size_t(2 * wanted)])) wanted = i;
  }
  expect(least == wanted + 1, "amin");
  expect_ok(cublasIsamax(handle, 0, x, 1, &most), "amax of nothing");
  expect(most == 0, "amax of nothing");
  const float two = 2;
  expect_ok(cublasSscal(handle, 700, &two, x, 1), "scal");
  auto doubled = host;
  for (float& value : doubled) value *= 2;
  expect_equal(x.values(), doubled, "scal");
  Device<float> other(host);
  expect_ok(cublasSswap(handle, 700, x, 1, other, 1), "swap");
  expect_equal(other.values(), doubled, "swap");
  float a = 3, b = 4, c = 0, s = 0;
  expect_ok(cublasSrotg(handle, &a, &b, &c, &s), "rotg");
  expect(std::fabs(a - 5) < 1e-6 && std::fabs(c - 0.6) < 1e-6 && std::fabs(s - 0.8) < 1e-6, "rotg");
  Device<float> p(std::vector<float>{3});
  Device<float> q(std::vector<float>{4});
  expect_ok(cublasSrot(handle, 1, p, 1, q, 1, &c, &s), "rot");
  expect(std::fabs(p.value() - 5) < 1e-5 && std::fabs(q.value()) < 1e-6, "rot");
}

template <typename T>
void products(cublasOperation_t p, cublasOperation_t q, int m, int n, int k, int extra, T alpha, T beta) {
  const int lda = (p == CUBLAS_OP_N ? m : k) + extra;
  const int ldb = (q == CUBLAS_OP_N ? k : n) + extra;
  const int ldc = m + extra;
  const auto a = numbers<T>(lda * (p == CUBLAS_OP_N ? k : m), 5);
  const auto b = numbers<T>(ldb * (q == CUBLAS_OP_N ? n : k), 5);
  auto c = numbers<T>(ldc * n, 5);
  if (beta == 0) std::fill(c.begin(), c.end(), std::numeric_limits<T>::quiet_NaN());
  Device<T> device_a(a);
  Device<T> device_b(b);
  Device<T> device_c(c);
  expect_ok(gemm(p, q, m, n, k, &alpha, device_a.get(), lda, device_b.get(), ldb, &beta, device_c.get(), ldc),
            "gemm");
  const auto result = device_c.values();
  bool right = true;
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < ldc; ++row) {
      const size_t place = size_t(row + column * ldc);
      if (row >= m) {
        right = right && (result[place] == c[place] || beta == 0);
        continue;
      }
      T sum = 0;
      for (int l = 0; l < k; ++l) sum += at(a, lda, p, row, l) * at(b, ldb, q, l, column);
      right = right && result[place] == alpha * sum + (beta == 0 ? T(0) : beta * c[place]);
    }
  }
  if (!right) printf("wrong: gemm %d %d, %d x %d x %d, extra %d\n", p, q, m, n, k, extra), ++failures;

  if (q != CUBLAS_OP_N) return;
  const int rows = p == CUBLAS_OP_N ? m : k;
  const int columns = p == CUBLAS_OP_N ? k : m;
  const auto x = numbers<T>(std::max(rows, columns) * 2, 5);
  const auto y = numbers<T>(std::max(rows, columns) * 3, 5);
  Device<T> device_x(x);
  Device<T> device_y(y);
  expect_ok(gemv(p, rows, columns, &alpha, device_a.get(), lda, device_x.get(), 2, &beta, device_y.get(), 3),
            "gemv");
  auto wanted = y;
  for (int row = 0; row < m; ++row) {
    T sum = 0;
    for (int l = 0; l < k; ++l) sum += at(a, lda, p, row, l) * x[size_t(2 * l)];
    wanted[size_t(3 * row)] = alpha * sum + beta * y[size_t(3 * row)];
  }
  expect_equal(device_y.values(), wanted, "gemv");
}

void batches() {
  constexpr int m = 5, n = 6, k = 3, count = 4;
  const auto a = numbers<float>(m * k * count, 5);
  const auto b = numbers<float>(k * n * count, 5);
  Device<float> device_a(a);
  Device<float> device_b(b);
  Device<float> c(size_t{m * n * count});
  const float one = 1;
  const float zero = 0;
  expect_ok(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, device_a, m, m * k,
                                      device_b, k, k * n, &zero, c, m, m * n, count),
            "strided batch");
  std::vector<float> wanted(m * n * count);
  for (int i = 0; i < count; ++i)
    for (int column = 0; column < n; ++column)
      for (int row = 0; row < m; ++row)
        for (int l = 0; l < k; ++l)
          wanted[size_t(i * m * n + row + column * m)] +=
              a[size_t(i * m * k + row + l * m)] * b[size_t(i * k * n + l + column * k)];
  expect_equal(c.values(), wanted, "strided batch");
  std::vector<const float*> as, bs;
  std::vector<float*> cs;
  Device<float> again(size_t{m * n * count});
  for (int i = 0; i < count; ++i) {
    as.push_back(device_a.get() + i * m * k);
    bs.push_back(device_b.get() + i * k * n);
    cs.push_back(again.get() + i * m * n);
  }
  Device<const float*> pa(as), pb(bs);
  Device<float*> pc(cs);
  expect_ok(
      cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, pa, m, pb, k, &zero, pc, m, count),
      "batch");
  expect_equal(again.values(), wanted, "batch");
  expect_ok(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, device_a, CUDA_R_32F, m, device_b,
                         CUDA_R_32F, k, &zero, again, CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            "GemmEx");
  expect_equal(again.values(m * n), std::vector<float>(wanted.begin(), wanted.begin() + m * n), "GemmEx");
}

void triangles(cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diag) {
  constexpr int m = 7, n = 5, extra = 2;
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  const int lda = order + extra, ldb = m + extra;
  auto a = numbers<double>(lda * order, 3);
  for (int i = 0; i < order; ++i) a[size_t(i + i * lda)] = 4 + i;  // no zero to divide by
  const auto b = numbers<double>(ldb * n, 9);
  const double alpha = 2;
  const auto product = [&](const std::vector<double>& x, int row, int column) {
    double sum = 0;
    for (int l = 0; l < order; ++l)
      sum += side == CUBLAS_SIDE_LEFT
                 ? triangle_at(a, lda, fill, op, diag, row, l) * x[size_t(l + column * ldb)]
                 : x[size_t(row + l * ldb)] * triangle_at(a, lda, fill, op, diag, l, column);
    return sum;
  };
  Device<double> device_a(a);
  Device<double> device_b(b);
  Device<double> c(b);
  expect_ok(cublasDtrmm(handle, side, fill, op, diag, m, n, &alpha, device_a, lda, device_b, ldb, c, ldb),
            "trmm");
  auto wanted = b;
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) wanted[size_t(row + column * ldb)] = alpha * product(b, row, column);
  expect_equal(c.values(), wanted, "trmm");
  // Solving gives back what was multiplied.
  const double half = 0.5;
  expect_ok(cublasDtrsm(handle, side, fill, op, diag, m, n, &half, device_a, lda, c, ldb), "trsm");
  expect_near(c.values(), b, 1e-9, "trsm");
  if (side != CUBLAS_SIDE_LEFT) return;
  Device<double> x(std::vector<double>(b.begin(), b.begin() + m));
  expect_ok(cublasDtrmv(handle, fill, op, diag, m, device_a, lda, x, 1), "trmv");
  std::vector<double> times(m);
  for (int row = 0; row < m; ++row) times[size_t(row)] = product(b, row, 0);
  expect_equal(x.values(), times, "trmv");
  expect_ok(cublasDtrsv(handle, fill, op, diag, m, device_a, lda, x, 1), "trsv");
  expect_near(x.values(), std::vector<double>(b.begin(), b.begin() + m), 1e-9, "trsv");
}

void symmetric(cublasFillMode_t fill) {
  constexpr int m = 6, n = 4, k = 3, ld = 8;
  const auto a = numbers<float>(ld * 8, 5);
  const auto b = numbers<float>(ld * 8, 5);
  const auto c = numbers<float>(ld * 8, 5);
  const auto whole = [&](int row, int column) {
    return in_triangle(fill, row, column) ? a[size_t(row + column * ld)] : a[size_t(column + row * ld)];
  };
  const float alpha = 2, beta = 3;
  Device<float> device_a(a), device_b(b), device_c(c);
  expect_ok(cublasSsymm(handle, CUBLAS_SIDE_LEFT, fill, m, n, &alpha, device_a, ld, device_b, ld, &beta,
                        device_c, ld),
            "symm");
  auto wanted = c;
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      float sum = 0;
      for (int l = 0; l < m; ++l) sum += whole(row, l) * b[size_t(l + column * ld)];
      wanted[size_t(row + column * ld)] = alpha * sum + beta * c[size_t(row + column * ld)];
    }
  expect_equal(device_c.values(), wanted, "symm");
  for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    Device<float> ranked(c);
    expect_ok(cublasSsyrk(handle, fill, op, m, k, &alpha, device_a, ld, &beta, ranked, ld), "syrk");
    wanted = c;
    for (int column = 0; column < m; ++column)
      for (int row = 0; row < m; ++row) {
        if (!in_triangle(fill, row, column)) continue;
        float sum = 0;
        for (int l = 0; l < k; ++l) sum += at(a, ld, op, row, l) * at(a, ld, op, column, l);
        wanted[size_t(row + column * ld)] = alpha * sum + beta * c[size_t(row + column * ld)];
      }
    expect_equal(ranked.values(), wanted, "syrk");
  }
  Device<float> y(b);
  expect_ok(cublasSsymv(handle, fill, m, &alpha, device_a, ld, device_b, 1, &beta, y, 1), "symv");
  wanted = b;
  for (int row = 0; row < m; ++row) {
    float sum = 0;
    for (int l = 0; l < m; ++l) sum += whole(row, l) * b[size_t(l)];
    wanted[size_t(row)] = alpha * sum + beta * b[size_t(row)];
  }
  expect_equal(y.values(), wanted, "symv");
}

void rest() {
  constexpr int m = 4, n = 3;
  const auto a = numbers<double>(m * n, 5);
  const auto b = numbers<double>(n * m, 5);
  Device<double> device_a(a), device_b(b), c(size_t{m * n});
  const double alpha = 2, beta = -1;
  expect_ok(
      cublasDgeam(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, &alpha, device_a, m, &beta, device_b, n, c, m),
      "geam");
  std::vector<double> wanted(m * n);
  for (int i = 0; i < m * n; ++i) wanted[size_t(i)] = 2 * a[size_t(i)] - b[size_t(i / m + i % m * n)];
  expect_equal(c.values(), wanted, "geam");
  expect_ok(cublasDger(handle, m, n, &alpha, device_a, 1, device_b, 1, c, m), "ger");
  for (int i = 0; i < m * n; ++i) wanted[size_t(i)] += 2 * a[size_t(i % m)] * b[size_t(i / m)];
  expect_equal(c.values(), wanted, "ger");
  expect_ok(cublasDdgmm(handle, CUBLAS_SIDE_RIGHT, m, n, device_a, m, device_b, 1, c, m), "dgmm");
  for (int i = 0; i < m * n; ++i) wanted[size_t(i)] = a[size_t(i)] * b[size_t(i / m)];
  expect_equal(c.values(), wanted, "dgmm");

  using Complex = std::complex<double>;
  const std::vector<Complex> x{{1, 2}, {3, -1}}, y{{0, 1}, {2, 5}};
  Device<Complex> device_x(x), device_y(y);
  cuDoubleComplex dot;
  expect_ok(cublasZdotc(handle, 2, reinterpret_cast<cuDoubleComplex*>(device_x.get()), 1,
                        reinterpret_cast<cuDoubleComplex*>(device_y.get()), 1, &dot),
            "dotc");
  const Complex sum = std::conj(x[0]) * y[0] + std::conj(x[1]) * y[1];
  expect(cuCreal(dot) == sum.real() && cuCimag(dot) == sum.imag(), "dotc");

  std::vector<float> rows(12), back(12);
  for (int i = 0; i < 12; ++i) rows[size_t(i)] = float(i);
  float* memory = nullptr;
  cudaMalloc(&memory, 3 * 5 * sizeof(float));
  expect_ok(cublasSetMatrix(3, 3, sizeof(float), rows.data(), 4, memory, 5), "SetMatrix");
  expect_ok(cublasGetMatrix(3, 3, sizeof(float), memory, 5, back.data(), 4), "GetMatrix");
  rows[3] = rows[7] = rows[11] = 0;
  expect_equal(back, rows, "SetMatrix and GetMatrix");
  expect_ok(cublasSetVector(3, sizeof(float), rows.data(), 4, memory, 1), "SetVector");
  expect_ok(cublasGetVector(3, sizeof(float), memory, 1, back.data(), 1), "GetVector");
  expect(back[0] == 0 && back[1] == 4 && back[2] == 8, "SetVector and GetVector");
  cudaFree(memory);
}

void errors() {
  const float one = 1;
  Device<float> a(size_t{16});
  const auto status = [&](int m, int lda, int ldc) {
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, 2, 2, &one, a, lda, a, 2, &one, a, ldc);
  };
  expect(status(-1, 4, 4) == CUBLAS_STATUS_INVALID_VALUE, "a negative size");
  expect(status(4, 3, 4) == CUBLAS_STATUS_INVALID_VALUE, "lda below the rows of A");
  expect(status(4, 4, 3) == CUBLAS_STATUS_INVALID_VALUE, "ldc below the rows of C");
  expect(status(0, 1, 1) == CUBLAS_STATUS_SUCCESS, "nothing to do");
  expect(cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, a, 2, a, 0, &one, a, 1) == CUBLAS_STATUS_INVALID_VALUE,
         "an increment of 0");
  expect(cublasSaxpy(nullptr, 1, &one, a, 1, a, 1) == CUBLAS_STATUS_NOT_INITIALIZED, "no handle");
  expect(cublasDestroy(nullptr) == CUBLAS_STATUS_NOT_INITIALIZED, "no handle to destroy");
  expect(std::string_view(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE)) == "CUBLAS_STATUS_INVALID_VALUE",
         "a name");
}

int main() {
  expect_ok(cublasCreate(&handle), "create");
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (const int n : {0, 1, 40, 600}) level1<float>(n, 1, 1);
  level1<double>(33, 2, 3);
  level1<double>(33, -2, 1);
  norms();
  for (const auto p : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (const auto q : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      products<float>(p, q, 7, 5, 9, 0, 1, 0);
      products<float>(p, q, 4, 8, 1, 3, 2, -1);
      products<double>(p, q, 1, 13, 6, 1, -2, 3);
    }
  cublasSetStream(handle, stream);
  products<double>(CUBLAS_OP_N, CUBLAS_OP_N, 33, 17, 20, 0, 1, 1);
  cublasSetStream(handle, nullptr);
  batches();
  for (const auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    symmetric(fill);
    for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
      for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T})
        for (const auto diag : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) triangles(side, fill, op, diag);
  }
  rest();
  errors();
  cudaStreamDestroy(stream);
  expect_ok(cublasDestroy(handle), "destroy");
  return result();
}
