// cuSOLVER: the largest singular values of many matrices, and eigenvalues of matrices that are not symmetric.
#include <complex>

#include <cusolverDn.h>

#include "check.h"

cusolverDnHandle_t handle;

void expect_ok(cusolverStatus_t status, const char* what) {
  expect(status == CUSOLVER_STATUS_SUCCESS, what);
}

#define BY_TYPE(name)                                              \
  template <typename... Arguments>                                 \
  cusolverStatus_t name(float, Arguments... arguments) {           \
    return cusolverDnS##name(handle, arguments...);                \
  }                                                                \
  template <typename... Arguments>                                 \
  cusolverStatus_t name(double, Arguments... arguments) {          \
    return cusolverDnD##name(handle, arguments...);                \
  }                                                                \
  template <typename... Arguments>                                 \
  cusolverStatus_t name(cuComplex, Arguments... arguments) {       \
    return cusolverDnC##name(handle, arguments...);                \
  }                                                                \
  template <typename... Arguments>                                 \
  cusolverStatus_t name(cuDoubleComplex, Arguments... arguments) { \
    return cusolverDnZ##name(handle, arguments...);                \
  }
BY_TYPE(gesvdaStridedBatched)
BY_TYPE(gesvdaStridedBatched_bufferSize)

using Number = std::complex<double>;
Number exact(float value) {
  return value;
}
Number exact(double value) {
  return value;
}
Number exact(cuComplex value) {
  return {value.x, value.y};
}
Number exact(cuDoubleComplex value) {
  return {value.x, value.y};
}
void set(float& to, Number value) {
  to = static_cast<float>(value.real());
}
void set(double& to, Number value) {
  to = value.real();
}
void set(cuComplex& to, Number value) {
  to = {static_cast<float>(value.real()), static_cast<float>(value.imag())};
}
void set(cuDoubleComplex& to, Number value) {
  to = {value.real(), value.imag()};
}
Number some_number() {
  const auto parts = numbers<double>(2, 9);
  return {parts[0], parts[1]};
}

// Matrices of rank 3 and a little more.
template <typename T, typename R>
void test_approximation(double bound, const char* type) {
  constexpr int kRows = 9, kColumns = 5, kRank = 3, kCount = 3, kLeading = 10;
  constexpr int kStride = kLeading * kColumns + 3;
  std::vector<T> a(kStride * kCount);
  for (int batch = 0; batch < kCount; ++batch) {
    std::vector<Number> left, right;
    for (int i = 0; i < kRows * kRank; ++i) left.push_back(some_number());
    for (int i = 0; i < kColumns * kRank; ++i) right.push_back(some_number());
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < kColumns; ++j) {
        Number sum = 0.125 * some_number();
        for (int k = 0; k < kRank; ++k) sum += left[i + k * kRows] * right[j + k * kColumns];
        set(a[batch * kStride + i + j * kLeading], sum);
      }
    }
  }
  const Device<T> da(a), u(std::vector<T>(size_t{kLeading * kRank * kCount})),
      v(size_t{kColumns * kRank * kCount});
  const Device<R> s(size_t{kRank * kCount});
  const Device<int> info(size_t{kCount});
  int length = 0;
  const auto mode = CUSOLVER_EIG_MODE_VECTOR;
  expect_ok(gesvdaStridedBatched_bufferSize(T{}, mode, kRank, kRows, kColumns, da.get(), kLeading, kStride,
                                            s.get(), kRank, u.get(), kLeading, kLeading * kRank, v.get(),
                                            kColumns, kColumns * kRank, &length, kCount),
            type);
  const Device<T> work(static_cast<size_t>(length));
  double norms[kCount] = {};
  expect_ok(gesvdaStridedBatched(T{}, mode, kRank, kRows, kColumns, da.get(), kLeading, kStride, s.get(),
                                 kRank, u.get(), kLeading, kLeading * kRank, v.get(), kColumns,
                                 kColumns * kRank, work.get(), length, info.get(), norms, kCount),
            type);
  const auto values = s.values();
  const auto of_u = u.values(), of_v = v.values();
  for (int batch = 0; batch < kCount; ++batch) {
    expect(info.values()[batch] == 0, type);
    const auto left = [&](int i, int k) { return exact(of_u[batch * kLeading * kRank + i + k * kLeading]); };
    const auto right = [&](int j, int k) { return exact(of_v[batch * kColumns * kRank + j + k * kColumns]); };
    const auto at = [&](int i, int j) { return exact(a[batch * kStride + i + j * kLeading]); };
    double worst = 0, rest = 0;
    for (int k = 0; k < kRank; ++k) {
      const double value = values[batch * kRank + k];
      if (k > 0) expect(value <= values[batch * kRank + k - 1], "order of singular values");
      for (int i = 0; i < kRows; ++i) {
        Number sum = 0;
        for (int j = 0; j < kColumns; ++j) sum += at(i, j) * right(j, k);
        worst = std::max(worst, std::abs(sum - value * left(i, k)));
      }
      for (int other = 0; other < kRank; ++other) {
        Number product = 0;
        for (int i = 0; i < kRows; ++i) product += std::conj(left(i, k)) * left(i, other);
        worst = std::max(worst, std::abs(product - (k == other ? 1.0 : 0.0)));
      }
    }
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < kColumns; ++j) {
        Number sum = at(i, j);
        for (int k = 0; k < kRank; ++k)
          sum -= left(i, k) * static_cast<double>(values[batch * kRank + k]) * std::conj(right(j, k));
        rest += std::norm(sum);
      }
    }
    expect(worst < bound, type);
    expect(std::fabs(norms[batch] - std::sqrt(rest)) < bound && rest > 0, "what is left");
  }
  expect(
      gesvdaStridedBatched_bufferSize(T{}, mode, kColumns + 1, kRows, kColumns, da.get(), kLeading, kStride,
                                      s.get(), kRank, u.get(), kLeading, kLeading * kRank, v.get(), kColumns,
                                      kColumns * kRank, &length, kCount) == CUSOLVER_STATUS_INVALID_VALUE,
      "more values than there are");
}

int main() {
  expect_ok(cusolverDnCreate(&handle), "create");
  test_approximation<float, float>(2e-3, "Sgesvda");
  test_approximation<double, double>(1e-9, "Dgesvda");
  test_approximation<cuComplex, float>(2e-3, "Cgesvda");
  test_approximation<cuDoubleComplex, double>(1e-9, "Zgesvda");
  expect_ok(cusolverDnDestroy(handle), "destroy");
  return result();
}
