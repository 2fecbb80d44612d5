// cuSOLVER for dense matrices: factors multiply to the matrix, solutions solve, vectors are orthonormal.
#include <complex>

#include <cusolverDn.h>

#include "../libraries/check.h"

cusolverDnHandle_t handle;
const Device<int>* info;

void expect_ok(cusolverStatus_t status, const char* what) {
  expect(status == CUSOLVER_STATUS_SUCCESS, what);
}
void expect_done(cusolverStatus_t status, const char* what) {
  expect_ok(status, what);
  expect(info->value() == 0, what);
}

// By columns, of real or complex numbers.
template <typename N>
struct Matrix {
  int rows, columns;
  std::vector<N> values;
  Matrix(int m, int n) : rows(m), columns(n), values(size_t(m * n)) {}
  N& at(int i, int j) { return values[size_t(i + j * rows)]; }
  const N& at(int i, int j) const { return values[size_t(i + j * rows)]; }
};
using Real = Matrix<double>;
using Complex = Matrix<std::complex<double>>;

double conjugate(double x) {
  return x;
}
std::complex<double> conjugate(std::complex<double> x) {
  return std::conj(x);
}
template <typename N>
Matrix<N> adjoint(const Matrix<N>& a) {
  Matrix<N> result(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.columns; ++j) result.at(j, i) = conjugate(a.at(i, j));
  }
  return result;
}
template <typename N>
Matrix<N> operator*(const Matrix<N>& a, const Matrix<N>& b) {
  Matrix<N> c(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.columns; ++j) {
      for (int k = 0; k < a.columns; ++k) c.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return c;
}
template <typename N>
Matrix<N> unit(int n) {
  Matrix<N> one(n, n);
  for (int i = 0; i < n; ++i) one.at(i, i) = 1;
  return one;
}
template <typename N>
void expect_same(const Matrix<N>& a, const Matrix<N>& b, double bound, const char* what) {
  if (a.rows != b.rows || a.columns != b.columns) return expect(false, what);
  for (size_t i = 0; i < a.values.size(); ++i) {
    if (std::abs(a.values[i] - b.values[i]) <= bound) continue;
    printf("wrong: %s: element %zu is off by %g\n", what, i, std::abs(a.values[i] - b.values[i]));
    ++failures;
    return;
  }
}
double part(double) {
  return numbers<double>(1, 9)[0];
}
std::complex<double> part(std::complex<double>) {
  const auto parts = numbers<double>(2, 9);
  return {parts[0], parts[1]};
}
template <typename N>
Matrix<N> some_matrix(int m, int n) {
  Matrix<N> a(m, n);
  for (N& value : a.values) value = part(N());
  return a;
}
template <typename N>
Matrix<N> hermitian(int n, double diagonal) {
  const Matrix<N> a = some_matrix<N>(n, n);
  const Matrix<N> b = adjoint(a);
  Matrix<N> sum(n, n);
  for (size_t i = 0; i < sum.values.size(); ++i) sum.values[i] = a.values[i] + b.values[i];
  for (int i = 0; i < n; ++i) sum.at(i, i) += diagonal;
  return sum;
}
// cuSOLVER's complex numbers lie as std's do.
cuDoubleComplex* as_cuda(std::complex<double>* data) {
  return reinterpret_cast<cuDoubleComplex*>(data);
}

void test_cholesky(cublasFillMode_t fill) {
  constexpr int kSize = 40, kRight = 3;
  const Real a = hermitian<double>(kSize, 900), x = some_matrix<double>(kSize, kRight);
  const Device<double> da(a.values), db((a * x).values);
  int size = 0;
  expect_ok(cusolverDnDpotrf_bufferSize(handle, fill, kSize, da, kSize, &size), "potrf");
  const Device<double> work(static_cast<size_t>(size));
  expect_done(cusolverDnDpotrf(handle, fill, kSize, da, kSize, work, size, *info), "potrf");
  Real factor(kSize, kSize);
  const auto made = da.values();
  const bool lower = fill == CUBLAS_FILL_MODE_LOWER;
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j <= i; ++j) factor.at(i, j) = made[size_t(lower ? i + j * kSize : j + i * kSize)];
  }
  expect_same(factor * adjoint(factor), a, 1e-10, "potrf");
  expect_done(cusolverDnDpotrs(handle, fill, kSize, kRight, da, kSize, db, kSize, *info), "potrs");
  expect_near(db.values(), x.values, 1e-10, "potrs");
  expect_ok(cusolverDnDpotri_bufferSize(handle, fill, kSize, da, kSize, &size), "potri");
  const Device<double> inverse_work(static_cast<size_t>(size));
  expect_done(cusolverDnDpotri(handle, fill, kSize, da, kSize, inverse_work, size, *info), "potri");
  Real inverse(kSize, kSize);
  const auto inverted = da.values();
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j <= i; ++j)
      inverse.at(i, j) = inverse.at(j, i) = inverted[size_t(lower ? i + j * kSize : j + i * kSize)];
  }
  expect_same(inverse * a, unit<double>(kSize), 1e-10, "potri");

  Real bad = a;
  bad.at(4, 4) = -1;
  const Device<double> dbad(bad.values);
  expect_ok(cusolverDnDpotrf(handle, fill, kSize, dbad, kSize, work, size, *info), "not positive");
  expect(info->value() == 5, "not positive");
}

void test_complex_cholesky() {
  constexpr int kSize = 7;
  const Complex a = hermitian<std::complex<double>>(kSize, 200);
  const Complex x = some_matrix<std::complex<double>>(kSize, 1);
  for (const auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    const Device<std::complex<double>> da(a.values), db((a * x).values);
    cuDoubleComplex *first_a = as_cuda(da), *first_b = as_cuda(db);
    const Device<cuDoubleComplex*> as(std::vector<cuDoubleComplex*>{first_a});
    const Device<cuDoubleComplex*> bs(std::vector<cuDoubleComplex*>{first_b});
    expect_done(cusolverDnZpotrfBatched(handle, fill, kSize, as, kSize, *info, 1), "potrf of many");
    expect_done(cusolverDnZpotrsBatched(handle, fill, kSize, 1, as, kSize, bs, kSize, *info, 1),
                "potrs of many");
    expect_same(
        [&] {
          Complex made(kSize, 1);
          made.values = db.values();
          return made;
        }(),
        x, 1e-10, "complex potrs");
  }
}

void test_gauss() {
  constexpr int kSize = 37, kRight = 2;
  Real a = some_matrix<double>(kSize, kSize);
  a.at(0, 0) = 0;
  const Real x = some_matrix<double>(kSize, kRight);
  for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    const Real b = (op == CUBLAS_OP_N ? a : adjoint(a)) * x;
    const Device<double> da(a.values), db(b.values);
    const Device<int> pivots(kSize);
    int size = 0;
    expect_ok(cusolverDnDgetrf_bufferSize(handle, kSize, kSize, da, kSize, &size), "getrf");
    const Device<double> work(static_cast<size_t>(size));
    expect_done(cusolverDnDgetrf(handle, kSize, kSize, da, kSize, work, pivots, *info), "getrf");
    expect_done(cusolverDnDgetrs(handle, op, kSize, kRight, da, kSize, pivots, db, kSize, *info), "getrs");
    expect_near(db.values(), x.values, 1e-8, "getrs");

    const Device<double> again(a.values), right(b.values);
    const Device<int64_t> wide(kSize);
    size_t on_device = 0, on_host = 0;
    expect_ok(cusolverDnXgetrf_bufferSize(handle, nullptr, kSize, kSize, CUDA_R_64F, again.get(), kSize,
                                          CUDA_R_64F, &on_device, &on_host),
              "Xgetrf");
    const Device<char> bytes(on_device);
    expect_done(cusolverDnXgetrf(handle, nullptr, kSize, kSize, CUDA_R_64F, again.get(), kSize, wide,
                                 CUDA_R_64F, bytes.get(), on_device, nullptr, on_host, *info),
                "Xgetrf");
    expect_done(cusolverDnXgetrs(handle, nullptr, op, kSize, kRight, CUDA_R_64F, again.get(), kSize, wide,
                                 CUDA_R_64F, right.get(), kSize, *info),
                "Xgetrs");
    expect_near(right.values(), x.values, 1e-8, "Xgetrs");
  }
  const Device<double> da(a.values), db((a * x).values), dx(size_t(kSize * kRight));
  const Device<int> pivots(kSize);
  int iterations = -1;
  expect_done(cusolverDnDDgesv(handle, kSize, kRight, da, kSize, pivots, db, kSize, dx, kSize, nullptr, 0,
                               &iterations, *info),
              "gesv");
  expect_near(dx.values(), x.values, 1e-8, "gesv");
}

template <typename N, typename Geqrf, typename Orgqr, typename Ormqr>
void test_qr(int rows, int columns, const Geqrf& geqrf, const Orgqr& orgqr, const Ormqr& ormqr) {
  const auto a = some_matrix<N>(rows, columns);
  const Device<N> da(a.values), tau(static_cast<size_t>(columns));
  expect_done(geqrf(da.get(), tau.get()), "geqrf");
  Matrix<N> r(columns, columns), q(rows, columns);
  const auto factored = da.values();
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i <= j; ++i) r.at(i, j) = factored[size_t(i + j * rows)];
  }
  // Q^H A is R above zeros.
  const Device<N> turned(a.values);
  expect_done(ormqr(da.get(), tau.get(), turned.get()), "ormqr");
  Matrix<N> whole(rows, columns);
  whole.values = turned.values();
  Matrix<N> expected(rows, columns);
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i <= j; ++i) expected.at(i, j) = r.at(i, j);
  }
  expect_same(whole, expected, 1e-10, "ormqr");
  expect_done(orgqr(da.get(), tau.get()), "orgqr");
  q.values = da.values();
  expect_same(q * r, a, 1e-10, "Q R");
  expect_same(adjoint(q) * q, unit<N>(columns), 1e-12, "Q^H Q");
}

void test_least_squares() {
  const Real a = some_matrix<double>(11, 4), x = some_matrix<double>(4, 2);
  const Device<double> da(a.values), db((a * x).values), dx(8);
  size_t bytes = 0;
  int iterations = -1;
  expect_ok(cusolverDnDDgels_bufferSize(handle, 11, 4, 2, da, 11, db, 11, dx, 4, nullptr, &bytes), "gels");
  const Device<char> work(bytes);
  expect_done(
      cusolverDnDDgels(handle, 11, 4, 2, da, 11, db, 11, dx, 4, work.get(), bytes, &iterations, *info),
      "gels");
  expect_near(dx.values(), x.values, 1e-10, "gels");
}

Real diagonal(const std::vector<double>& values, int rows, int columns) {
  Real d(rows, columns);
  for (size_t i = 0; i < values.size(); ++i) d.at(int(i), int(i)) = values[i];
  return d;
}
void test_singular_values(int m, int n, bool full) {
  Real a = some_matrix<double>(m, n);
  for (int i = 0; i < m; ++i) a.at(i, n - 1) = a.at(i, 0) * 2;  // not of full rank
  const int columns = full ? m : n;
  int size = 0;
  expect_ok(cusolverDnDgesvd_bufferSize(handle, m, n, &size), "gesvd");
  const Device<double> da(a.values), s(static_cast<size_t>(n)), u(size_t(m * columns)), vt(size_t(n * n));
  const Device<double> work(static_cast<size_t>(size));
  expect_done(cusolverDnDgesvd(handle, full ? 'A' : 'S', 'A', m, n, da, m, s, u, m, vt, n, work, size,
                               nullptr, *info),
              "gesvd");
  Real left(m, columns), right(n, n);
  left.values = u.values();
  right.values = vt.values();
  const auto values = s.values();
  for (int i = 1; i < n; ++i)
    expect(values[i - 1] >= values[i] && values[i] >= 0, "order of singular values");
  expect_same(left * diagonal(values, columns, n) * right, a, 1e-10, "gesvd");
  expect_same(adjoint(left) * left, unit<double>(columns), 1e-10, "U^T U");
  expect_same(right * adjoint(right), unit<double>(n), 1e-10, "V^T V");
}
void test_jacobi_of_wide_matrix() {
  constexpr int kRows = 4, kColumns = 7;
  const Complex a = some_matrix<std::complex<double>>(kRows, kColumns);
  gesvdjInfo_t params;
  expect_ok(cusolverDnCreateGesvdjInfo(&params), "gesvdj");
  expect_ok(cusolverDnXgesvdjSetTolerance(params, 1e-14), "gesvdj");
  const Device<std::complex<double>> da(a.values), u(size_t(kRows * kRows)), v(size_t(kColumns * kColumns));
  const Device<double> s(kRows);
  int size = 0;
  const auto mode = CUSOLVER_EIG_MODE_VECTOR;
  expect_ok(cusolverDnZgesvdj_bufferSize(handle, mode, 0, kRows, kColumns, as_cuda(da), kRows, s, as_cuda(u),
                                         kRows, as_cuda(v), kColumns, &size, params),
            "gesvdj");
  const Device<std::complex<double>> work(static_cast<size_t>(size));
  expect_done(cusolverDnZgesvdj(handle, mode, 0, kRows, kColumns, as_cuda(da), kRows, s, as_cuda(u), kRows,
                                as_cuda(v), kColumns, as_cuda(work), size, *info, params),
              "gesvdj");
  int sweeps = 0;
  double residual = 1;
  expect_ok(cusolverDnXgesvdjGetSweeps(handle, params, &sweeps), "sweeps");
  expect_ok(cusolverDnXgesvdjGetResidual(handle, params, &residual), "residual");
  expect(sweeps > 1 && sweeps < 20 && residual < 1e-10, "sweeps and residual");
  Complex left(kRows, kRows), right(kColumns, kColumns), middle(kRows, kColumns);
  left.values = u.values();
  right.values = v.values();
  const auto values = s.values();
  for (int i = 0; i < kRows; ++i) middle.at(i, i) = values[i];
  expect_same(left * middle * adjoint(right), a, 1e-10, "gesvdj");
  expect_same(adjoint(right) * right, unit<std::complex<double>>(kColumns), 1e-10, "gesvdj");
  expect_ok(cusolverDnDestroyGesvdjInfo(params), "gesvdj");
}

void test_eigenvalues(cublasFillMode_t fill) {
  constexpr int kSize = 9;
  const Real a = hermitian<double>(kSize, 0);
  Real stored = a;
  // What the other triangle holds does not matter.
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < i; ++j) (fill == CUBLAS_FILL_MODE_LOWER ? stored.at(j, i) : stored.at(i, j)) = 1e6;
  }
  const Device<double> da(stored.values), w(kSize);
  int size = 0;
  const auto mode = CUSOLVER_EIG_MODE_VECTOR;
  expect_ok(cusolverDnDsyevd_bufferSize(handle, mode, fill, kSize, da, kSize, w, &size), "syevd");
  const Device<double> work(static_cast<size_t>(size));
  expect_done(cusolverDnDsyevd(handle, mode, fill, kSize, da, kSize, w, work, size, *info), "syevd");
  Real v(kSize, kSize);
  v.values = da.values();
  const auto values = w.values();
  for (int i = 1; i < kSize; ++i) expect(values[i - 1] <= values[i], "order of eigenvalues");
  expect_same(v * diagonal(values, kSize, kSize) * adjoint(v), a, 1e-10, "syevd");
  expect_same(adjoint(v) * v, unit<double>(kSize), 1e-12, "syevd");
}
void test_many_eigenvalues() {
  // Two matrices with the eigenvalues (1, 3) and (-2, 2).
  const Device<float> a(std::vector<float>{2, 1, 1, 2, 0, 2, 2, 0}), w(4);
  const Device<int> done(2);
  syevjInfo_t params;
  expect_ok(cusolverDnCreateSyevjInfo(&params), "syevj");
  int size = 0;
  const auto mode = CUSOLVER_EIG_MODE_VECTOR;
  const auto fill = CUBLAS_FILL_MODE_LOWER;
  expect_ok(cusolverDnSsyevjBatched_bufferSize(handle, mode, fill, 2, a, 2, w, &size, params, 2), "syevj");
  const Device<float> work(static_cast<size_t>(size));
  expect_ok(cusolverDnSsyevjBatched(handle, mode, fill, 2, a, 2, w, work, size, done, params, 2), "syevj");
  expect_near(w.values(), std::vector<float>{1, 3, -2, 2}, 1e-5, "syevj");
  expect_equal(done.values(), std::vector<int>{0, 0}, "syevj");
  expect_ok(cusolverDnDestroySyevjInfo(params), "syevj");
}

int main() {
  const Device<int> of_all(1);
  info = &of_all;
  expect_ok(cusolverDnCreate(&handle), "create");
  for (const auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    test_cholesky(fill);
    test_eigenvalues(fill);
  }
  test_complex_cholesky();
  test_gauss();
  constexpr int kRows = 10, kColumns = 6;
  const Device<double> work(100);
  const Device<cuDoubleComplex> complex_work(100);
  test_qr<double>(
      kRows, kColumns,
      [&](double* a, double* tau) {
        return cusolverDnDgeqrf(handle, kRows, kColumns, a, kRows, tau, work, 100, *info);
      },
      [&](double* a, double* tau) {
        return cusolverDnDorgqr(handle, kRows, kColumns, kColumns, a, kRows, tau, work, 100, *info);
      },
      [&](double* a, double* tau, double* c) {
        return cusolverDnDormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, kRows, kColumns, kColumns, a, kRows,
                                tau, c, kRows, work, 100, *info);
      });
  using Number = std::complex<double>;
  test_qr<Number>(
      kRows, kColumns,
      [&](Number* a, Number* tau) {
        return cusolverDnZgeqrf(handle, kRows, kColumns, as_cuda(a), kRows, as_cuda(tau), complex_work, 100,
                                *info);
      },
      [&](Number* a, Number* tau) {
        return cusolverDnZungqr(handle, kRows, kColumns, kColumns, as_cuda(a), kRows, as_cuda(tau),
                                complex_work, 100, *info);
      },
      [&](Number* a, Number* tau, Number* c) {
        return cusolverDnZunmqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_C, kRows, kColumns, kColumns, as_cuda(a),
                                kRows, as_cuda(tau), as_cuda(c), kRows, complex_work, 100, *info);
      });
  test_least_squares();
  test_singular_values(9, 5, true);
  test_singular_values(6, 6, false);
  test_jacobi_of_wide_matrix();
  test_many_eigenvalues();
  expect_ok(cusolverDnDestroy(handle), "destroy");
  return result();
}
