// cuSOLVER: the largest singular values of many matrices, and eigenvalues of matrices that are not symmetric.
#include <complex>

#include <cusolverDn.h>

#include "../libraries/check.h"

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
  double more[kCount] = {};
  const auto some = [] {  // as the type has it: real where that is
    T value;
    set(value, some_number());
    return exact(value);
  };
  for (int batch = 0; batch < kCount; ++batch) {
    std::vector<Number> left, right;
    for (int i = 0; i < kRows * kRank; ++i) left.push_back(some());
    for (int i = 0; i < kColumns * kRank; ++i) right.push_back(some());
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < kColumns; ++j) {
        Number sum = 0.125 * some();
        more[batch] += std::norm(sum);
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
  double norms[kCount] = {-1, -1, -1};
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
    double worst = 0;
    double found = 0;
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
        product = 0;
        for (int j = 0; j < kColumns; ++j) product += std::conj(right(j, k)) * right(j, other);
        worst = std::max(worst, std::abs(product - (k == other ? 1.0 : 0.0)));
      }
      found += value * value;
    }
    expect(worst < bound, type);
    double all = 0;
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < kColumns; ++j) all += std::norm(at(i, j));
    }
    // Those left out are at most the little more (Eckart and Young, "The approximation of one matrix by
    // another of lower rank", 1936).
    expect(all - found < 1.001 * more[batch] && all - found > -bound, "the largest singular values");
    expect(norms[batch] >= 0 && norms[batch] < bound, "norms that are apart");
  }
}

// A V = V W of a matrix that is not symmetric; a real one has pairs, whose vectors take two columns. A
// Jordan block has one vector only, beside which others grow.
enum class Matrix { of_some_numbers, jordan_block };
template <typename T>
void test_eigenvalues(cudaDataType type, cudaDataType type_of_values, double bound, const char* what,
                      Matrix matrix = Matrix::of_some_numbers) {
  constexpr int kSize = 12, kLeading = 13;
  const bool real = type == CUDA_R_32F || type == CUDA_R_64F;
  const bool in_parts = type_of_values == CUDA_R_32F || type_of_values == CUDA_R_64F;
  std::vector<T> a(kLeading * kSize);
  for (T& value : a) set(value, some_number());
  if (matrix == Matrix::jordan_block) {
    for (int i = 0; i < kSize; ++i) {
      for (int j = 0; j < kSize; ++j) set(a[i + j * kLeading], i == j ? 2.0 : i + 1 == j ? 1.0 : 0.0);
    }
  }
  const Device<T> da(a), vectors(size_t{kSize * kSize});
  const Device<char> w(size_t{kSize * 16});
  const Device<int> info(size_t{1});
  cusolverDnParams_t params;
  expect_ok(cusolverDnCreateParams(&params), "params");
  size_t on_device = 0, on_host = 0;
  const auto none = CUSOLVER_EIG_MODE_NOVECTOR, all = CUSOLVER_EIG_MODE_VECTOR;
  const auto no_left = static_cast<T*>(nullptr);
  expect_ok(
      cusolverDnXgeev_bufferSize(handle, params, none, all, kSize, type, da, kLeading, type_of_values, w,
                                 type, no_left, kSize, type, vectors, kSize, type, &on_device, &on_host),
      what);
  const Device<char> work(on_device);
  std::vector<char> host_work(on_host + 1);
  expect_ok(
      cusolverDnXgeev(handle, params, none, all, kSize, type, da, kLeading, type_of_values, w, type, no_left,
                      kSize, type, vectors, kSize, type, work, on_device, host_work.data(), on_host, info),
      what);
  expect(info.value() == 0, what);
  const bool doubles = type == CUDA_R_64F || type == CUDA_C_64F;
  const auto bytes = w.values(kSize * (doubles ? 16 : 8));
  const auto part = [&](int i) {
    return doubles ? reinterpret_cast<const double*>(bytes.data())[i]
                   : static_cast<double>(reinterpret_cast<const float*>(bytes.data())[i]);
  };
  const auto value = [&](int k) {
    return in_parts && real ? Number(part(k), part(k + kSize)) : Number(part(2 * k), part(2 * k + 1));
  };
  const auto columns = vectors.values();
  const auto element = [&](int i, int k) { return exact(columns[i + k * kSize]); };
  const auto vector = [&](int i, int k) {
    if (!real || value(k).imag() == 0) return element(i, k);
    const bool first = value(k).imag() > 0;
    const Number both(element(i, first ? k : k - 1).real(), element(i, first ? k + 1 : k).real());
    return first ? both : std::conj(both);
  };
  Number sum = 0, trace = 0;
  double worst = 0;
  for (int k = 0; k < kSize; ++k) {
    sum += value(k);
    trace += exact(a[k + k * kLeading]);
    double length = 0;
    for (int i = 0; i < kSize; ++i) {
      Number product = 0;
      for (int j = 0; j < kSize; ++j) product += exact(a[i + j * kLeading]) * vector(j, k);
      worst = std::max(worst, std::abs(product - value(k) * vector(i, k)));
      length += std::norm(vector(i, k));
    }
    worst = std::max(worst, std::fabs(length - 1));
    if (real && value(k).imag() > 0) expect(value(k + 1) == std::conj(value(k)), "a pair");
  }
  worst = std::max(worst, std::abs(sum - trace));
  if (!(worst < bound)) printf("%s: off by %g\n", what, worst);
  expect(worst < bound, what);
  expect(cusolverDnXgeev_bufferSize(handle, params, none, all, kSize, type, da, kSize - 1, type_of_values, w,
                                    type, no_left, kSize, type, vectors, kSize, type, &on_device,
                                    &on_host) == CUSOLVER_STATUS_INVALID_VALUE,
         "rows that do not fit");
  expect(cusolverDnXgeev_bufferSize(handle, params, all, all, kSize, type, da, kLeading, type_of_values, w,
                                    type, no_left, kSize, type, vectors, kSize, type, &on_device,
                                    &on_host) == CUSOLVER_STATUS_INTERNAL_ERROR,
         "left vectors");
  expect_ok(cusolverDnDestroyParams(params), "params");
}

int main() {
  expect_ok(cusolverDnCreate(&handle), "create");
  test_approximation<float, float>(2e-3, "Sgesvda");
  test_approximation<double, double>(1e-9, "Dgesvda");
  test_approximation<cuComplex, float>(2e-3, "Cgesvda");
  test_approximation<cuDoubleComplex, double>(1e-9, "Zgesvda");
  test_eigenvalues<float>(CUDA_R_32F, CUDA_R_32F, 5e-4, "geev of float");
  test_eigenvalues<float>(CUDA_R_32F, CUDA_C_32F, 5e-4, "geev of float");
  test_eigenvalues<double>(CUDA_R_64F, CUDA_R_64F, 1e-9, "geev of double");
  test_eigenvalues<double>(CUDA_R_64F, CUDA_C_64F, 1e-9, "geev of double");
  test_eigenvalues<cuComplex>(CUDA_C_32F, CUDA_C_32F, 5e-4, "geev of complex");
  test_eigenvalues<cuDoubleComplex>(CUDA_C_64F, CUDA_C_64F, 1e-9, "geev of complex double");
  test_eigenvalues<float>(CUDA_R_32F, CUDA_R_32F, 1e-5, "geev of a block of float", Matrix::jordan_block);
  test_eigenvalues<double>(CUDA_R_64F, CUDA_R_64F, 1e-12, "geev of a block of double", Matrix::jordan_block);
  expect_ok(cusolverDnDestroy(handle), "destroy");
  return result();
}
