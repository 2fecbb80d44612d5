// cuBLAS-XT: operations on matrices of host memory against plain loops.
#include <complex>
#include <functional>

#include <cublasXt.h>

#include "check.h"

cublasXtHandle_t handle;
constexpr int kRows = 6;
constexpr int kColumns = 4;
constexpr int kInner = 5;
constexpr int kLeading = 7;

void expect_ok(cublasStatus_t status, const char* what) {
  expect(status == CUBLAS_STATUS_SUCCESS, what);
}

#define BY_TYPE(name)                                            \
  template <typename... Arguments>                               \
  cublasStatus_t name(float, Arguments... arguments) {           \
    return cublasXtS##name(handle, arguments...);                \
  }                                                              \
  template <typename... Arguments>                               \
  cublasStatus_t name(double, Arguments... arguments) {          \
    return cublasXtD##name(handle, arguments...);                \
  }                                                              \
  template <typename... Arguments>                               \
  cublasStatus_t name(cuComplex, Arguments... arguments) {       \
    return cublasXtC##name(handle, arguments...);                \
  }                                                              \
  template <typename... Arguments>                               \
  cublasStatus_t name(cuDoubleComplex, Arguments... arguments) { \
    return cublasXtZ##name(handle, arguments...);                \
  }
BY_TYPE(gemm)
BY_TYPE(symm)
BY_TYPE(spmm)
BY_TYPE(syrk)
BY_TYPE(syr2k)
BY_TYPE(syrkx)
BY_TYPE(trmm)
BY_TYPE(trsm)

// Of any type: small integers, so that every result is exact.
template <typename T>
T number(double value) {
  return static_cast<T>(value);
}
template <>
cuComplex number<cuComplex>(double value) {
  return {static_cast<float>(value), 0};
}
template <>
cuDoubleComplex number<cuDoubleComplex>(double value) {
  return {value, 0};
}
double real(float value) {
  return value;
}
double real(double value) {
  return value;
}
double real(cuComplex value) {
  return value.x;
}
double real(cuDoubleComplex value) {
  return value.x;
}

template <typename T>
std::vector<T> some(int count) {
  std::vector<T> values;
  for (int value : numbers<int>(count, 5)) values.push_back(number<T>(value));
  return values;
}
// The rows and columns of `values` are element(i, j), and nothing else is changed.
template <typename T>
void expect_matrix(const std::vector<T>& values, const std::vector<T>& old, int rows, int columns,
                   const std::function<bool(int, int)>& changes,
                   const std::function<double(int, int)>& element, const char* what) {
  for (int j = 0; j * kLeading < static_cast<int>(values.size()); ++j) {
    for (int i = 0; i < kLeading; ++i) {
      const int at = i + j * kLeading;
      const bool changed = i < rows && j < columns && changes(i, j);
      if (real(values[at]) == (changed ? element(i, j) : real(old[at]))) continue;
      return expect(false, what);
    }
  }
}
bool everywhere(int, int) {
  return true;
}

template <typename T>
void test_products(cublasOperation_t op, const char* type) {
  const bool plain = op == CUBLAS_OP_N;
  const auto a = some<T>(kLeading * kLeading), b = some<T>(kLeading * kLeading);
  const auto old = some<T>(kLeading * kLeading);
  const auto at = [](const std::vector<T>& all, int i, int j) { return real(all[i + j * kLeading]); };
  const auto of = [&](const std::vector<T>& all, int i, int j) {
    return plain ? at(all, i, j) : at(all, j, i);
  };
  const T alpha = number<T>(2), beta = number<T>(-1), zero = number<T>(0);
  auto c = old;
  const auto product = [&](int i, int j) {
    double sum = 0;
    for (int l = 0; l < kInner; ++l) sum += of(a, i, l) * at(b, l, j);
    return sum;
  };
  expect_ok(gemm(T{}, op, CUBLAS_OP_N, kRows, kColumns, kInner, &alpha, a.data(), kLeading, b.data(),
                 kLeading, &beta, c.data(), kLeading),
            "gemm");
  expect_matrix<T>(
      c, old, kRows, kColumns, everywhere, [&](int i, int j) { return 2 * product(i, j) - at(old, i, j); },
      type);
  c = old;
  expect_ok(gemm(T{}, op, CUBLAS_OP_N, kRows, kColumns, kInner, &alpha, a.data(), kLeading, b.data(),
                 kLeading, &zero, c.data(), kLeading),
            "gemm");
  expect_matrix<T>(
      c, old, kRows, kColumns, everywhere, [&](int i, int j) { return 2 * product(i, j); }, "gemm without C");
  // One triangle of the result.
  const auto lower = [](int i, int j) { return i >= j; };
  const auto rank = [&](const std::vector<T>& x, const std::vector<T>& y, int i, int j) {
    double sum = 0;
    for (int l = 0; l < kInner; ++l) sum += of(x, i, l) * of(y, j, l);
    return 2 * sum;
  };
  const auto fill = CUBLAS_FILL_MODE_LOWER;
  c = old;
  expect_ok(syrk(T{}, fill, op, kRows, kInner, &alpha, a.data(), kLeading, &beta, c.data(), kLeading),
            "syrk");
  expect_matrix<T>(
      c, old, kRows, kRows, lower, [&](int i, int j) { return rank(a, a, i, j) - at(old, i, j); }, "syrk");
  c = old;
  expect_ok(syr2k(T{}, fill, op, kRows, kInner, &alpha, a.data(), kLeading, b.data(), kLeading, &beta,
                  c.data(), kLeading),
            "syr2k");
  expect_matrix<T>(
      c, old, kRows, kRows, lower,
      [&](int i, int j) { return rank(a, b, i, j) + rank(b, a, i, j) - at(old, i, j); }, "syr2k");
  c = old;
  expect_ok(syrkx(T{}, fill, op, kRows, kInner, &alpha, a.data(), kLeading, b.data(), kLeading, &beta,
                  c.data(), kLeading),
            "syrkx");
  expect_matrix<T>(
      c, old, kRows, kRows, lower, [&](int i, int j) { return rank(a, b, i, j) - at(old, i, j); }, "syrkx");
}

template <typename T>
void test_sides(bool left) {
  const int order = left ? kRows : kColumns;
  auto a = some<T>(kLeading * kLeading);
  const auto b = some<T>(kLeading * kLeading), old = some<T>(kLeading * kLeading);
  for (int i = 0; i < kLeading; ++i) a[i + i * kLeading] = number<T>(1 << (i % 3));
  std::vector<T> packed;
  for (int j = 0; j < order; ++j) {
    for (int i = 0; i <= j; ++i) packed.push_back(a[i + j * kLeading]);
  }
  const auto at = [](const std::vector<T>& all, int i, int j) { return real(all[i + j * kLeading]); };
  const auto symmetric = [&](int i, int j) { return i <= j ? at(a, i, j) : at(a, j, i); };
  const auto triangle = [&](int i, int j) { return i <= j ? at(a, i, j) : 0; };
  const auto times = [&](const std::function<double(int, int)>& matrix, int i, int j) {
    double sum = 0;
    for (int l = 0; l < order; ++l) sum += left ? matrix(i, l) * at(b, l, j) : at(b, i, l) * matrix(l, j);
    return 2 * sum;
  };
  const auto side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
  const auto fill = CUBLAS_FILL_MODE_UPPER;
  const T alpha = number<T>(2), beta = number<T>(-1), half = number<T>(0.5);
  auto c = old;
  const auto with_old = [&](int i, int j) { return times(symmetric, i, j) - at(old, i, j); };
  expect_ok(symm(T{}, side, fill, kRows, kColumns, &alpha, a.data(), kLeading, b.data(), kLeading, &beta,
                 c.data(), kLeading),
            "symm");
  expect_matrix<T>(c, old, kRows, kColumns, everywhere, with_old, "symm");
  c = old;
  expect_ok(spmm(T{}, side, fill, kRows, kColumns, &alpha, packed.data(), b.data(), kLeading, &beta, c.data(),
                 kLeading),
            "spmm");
  expect_matrix<T>(c, old, kRows, kColumns, everywhere, with_old, "spmm");
  c = old;
  expect_ok(trmm(T{}, side, fill, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, kRows, kColumns, &alpha, a.data(),
                 kLeading, b.data(), kLeading, c.data(), kLeading),
            "trmm");
  expect_matrix<T>(
      c, old, kRows, kColumns, everywhere, [&](int i, int j) { return times(triangle, i, j); }, "trmm");
  expect_ok(trsm(T{}, side, fill, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, kRows, kColumns, &half, a.data(),
                 kLeading, c.data(), kLeading),
            "trsm");
  expect_matrix<T>(
      c, old, kRows, kColumns, everywhere, [&](int i, int j) { return at(b, i, j); }, "trsm");
}

void test_hermitian() {
  using E = std::complex<double>;
  std::vector<cuDoubleComplex> a, b;
  for (int i = 0; i < kRows * kRows; ++i) {
    a.push_back({i % 5 - 2.0, i % 3 - 1.0});
    b.push_back({i % 4 - 1.0, i % 7 - 3.0});
  }
  const auto of = [](const std::vector<cuDoubleComplex>& all, int i, int j) {
    return E(all[i + j * kRows].x, all[i + j * kRows].y);
  };
  const cuDoubleComplex alpha{1, 2}, zero{0, 0};
  const double one = 1, none = 0;
  const auto fill = CUBLAS_FILL_MODE_LOWER;
  const auto op = CUBLAS_OP_N;
  std::vector<cuDoubleComplex> rank(kRows * kRows), two(rank), other(rank), product(rank);
  expect_ok(cublasXtZherk(handle, fill, op, kRows, kRows, &one, a.data(), kRows, &none, rank.data(), kRows),
            "herk");
  expect_ok(cublasXtZher2k(handle, fill, op, kRows, kRows, &alpha, a.data(), kRows, b.data(), kRows, &none,
                           two.data(), kRows),
            "her2k");
  expect_ok(cublasXtZherkx(handle, fill, op, kRows, kRows, &alpha, a.data(), kRows, b.data(), kRows, &none,
                           other.data(), kRows),
            "herkx");
  expect_ok(cublasXtZhemm(handle, CUBLAS_SIDE_LEFT, fill, kRows, kRows, &alpha, a.data(), kRows, b.data(),
                          kRows, &zero, product.data(), kRows),
            "hemm");
  bool right[4] = {true, true, true, true};
  for (int j = 0; j < kRows; ++j) {
    for (int i = 0; i < kRows; ++i) {
      E aa = 0, ab = 0, ba = 0, hermitian = 0;
      for (int l = 0; l < kRows; ++l) {
        aa += of(a, i, l) * std::conj(of(a, j, l));
        ab += of(a, i, l) * std::conj(of(b, j, l));
        ba += of(b, i, l) * std::conj(of(a, j, l));
        hermitian += (i == l  ? of(a, i, i).real()
                      : i > l ? of(a, i, l)
                              : std::conj(of(a, l, i))) *
                     of(b, l, j);
      }
      const E factor(1, 2);
      right[3] = right[3] && of(product, i, j) == factor * hermitian;
      if (i < j) continue;
      right[0] = right[0] && of(rank, i, j) == aa;
      right[1] = right[1] && of(two, i, j) == factor * ab + std::conj(factor) * ba;
      if (i > j) right[2] = right[2] && of(other, i, j) == factor * ab;
    }
  }
  expect(right[0], "herk");
  expect(right[1], "her2k");
  expect(right[2], "herkx");
  expect(right[3], "hemm");
}

void test_settings() {
  int boards = 0, size = 0, device = 0;
  cublasXtPinnedMemMode_t mode = CUBLASXT_PINNING_ENABLED;
  expect_ok(cublasXtGetNumBoards(1, &device, &boards), "boards");
  expect(boards == 1, "one board");
  expect_ok(cublasXtGetBlockDim(handle, &size), "size of blocks");
  expect(size == 1024, "size of blocks at the start");
  expect_ok(cublasXtSetBlockDim(handle, 128), "size of blocks");
  expect_ok(cublasXtGetBlockDim(handle, &size), "size of blocks");
  expect(size == 128, "size of blocks");
  expect_ok(cublasXtGetPinningMemMode(handle, &mode), "pinning");
  expect(mode == CUBLASXT_PINNING_DISABLED, "pinning at the start");
  expect_ok(cublasXtSetPinningMemMode(handle, CUBLASXT_PINNING_ENABLED), "pinning");
  expect_ok(cublasXtGetPinningMemMode(handle, &mode), "pinning");
  expect(mode == CUBLASXT_PINNING_ENABLED, "pinning afterwards");
  expect_ok(cublasXtSetPinningMemMode(handle, CUBLASXT_PINNING_DISABLED), "pinning");
}

void test_bad_arguments() {
  std::vector<float> all(16);
  const float one = 1;
  const auto op = CUBLAS_OP_N;
  const auto gemm_of = [&](cublasXtHandle_t of, size_t leading) {
    return cublasXtSgemm(of, op, op, 4, 4, 4, &one, all.data(), leading, all.data(), 4, &one, all.data(), 4);
  };
  expect(gemm_of(nullptr, 4) == CUBLAS_STATUS_NOT_INITIALIZED, "no handle");
  expect(gemm_of(handle, 3) == CUBLAS_STATUS_INVALID_VALUE, "rows that do not fit");
  expect(cublasXtSetBlockDim(handle, 0) == CUBLAS_STATUS_INVALID_VALUE, "blocks of 0");
}

int main() {
  expect_ok(cublasXtCreate(&handle), "create");
  int devices[1] = {0};
  expect_ok(cublasXtDeviceSelect(handle, 1, devices), "select");
  test_settings();
  for (auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    test_products<float>(op, "Sgemm");
    test_products<double>(op, "Dgemm");
    test_products<cuComplex>(op, "Cgemm");
    test_products<cuDoubleComplex>(op, "Zgemm");
  }
  for (bool left : {false, true}) {
    test_sides<float>(left);
    test_sides<double>(left);
    test_sides<cuComplex>(left);
    test_sides<cuDoubleComplex>(left);
  }
  test_hermitian();
  test_bad_arguments();
  expect_ok(cublasXtDestroy(handle), "destroy");
  return result();
}
