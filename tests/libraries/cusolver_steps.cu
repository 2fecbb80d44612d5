// cuSOLVER: systems with a sparse matrix in steps: many of one pattern, and one that is factored once, on the
// device and on the host.
#include <complex>

#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include "check.h"

cusolverSpHandle_t handle;
cusparseMatDescr_t descr;
constexpr int kSize = 20;

void expect_ok(cusolverStatus_t status, const char* what) {
  expect(status == CUSOLVER_STATUS_SUCCESS, what);
}

// Five diagonals, by rows, with indices from 0; rows have to be exchanged.
struct Pattern {
  std::vector<int> offsets = {0}, columns;
  Pattern() {
    for (int row = 0; row < kSize; ++row) {
      for (const int beside : {-4, -1, 0, 1, 3}) {
        if (row + beside >= 0 && row + beside < kSize) columns.push_back(row + beside);
      }
      offsets.push_back(static_cast<int>(columns.size()));
    }
  }
  int count() const { return static_cast<int>(columns.size()); }
  template <typename T>
  std::vector<T> product(const T* values, const T* x, T mu) const {
    std::vector<T> b(kSize);
    for (int i = 0; i < kSize; ++i) {
      b[i] = -mu * x[i];
      for (int k = offsets[i]; k < offsets[i + 1]; ++k) b[i] += values[k] * x[columns[k]];
    }
    return b;
  }
};

void test_batch(const Pattern& pattern) {
  constexpr int kBatches = 3;
  const auto x = numbers<double>(kSize * kBatches, 9);
  std::vector<double> values = numbers<double>(pattern.count() * kBatches, 9), b;
  for (int i = 0; i < kBatches; ++i) {
    const auto each = pattern.product(&values[i * pattern.count()], &x[i * kSize], 0.0);
    b.insert(b.end(), each.begin(), each.end());
  }
  const Device<int> offsets(pattern.offsets), columns(pattern.columns);
  const Device<double> a(values), right(b), solution(b.size());
  csrqrInfo_t info;
  size_t internal = 0, workspace = 0;
  expect_ok(cusolverSpCreateCsrqrInfo(&info), "info");
  expect_ok(
      cusolverSpXcsrqrAnalysisBatched(handle, kSize, kSize, pattern.count(), descr, offsets, columns, info),
      "analysis");
  expect_ok(cusolverSpDcsrqrBufferInfoBatched(handle, kSize, kSize, pattern.count(), descr, a, offsets,
                                              columns, kBatches, info, &internal, &workspace),
            "sizes");
  expect(workspace > 0, "sizes");
  const Device<char> buffer(workspace);
  expect_ok(cusolverSpDcsrqrsvBatched(handle, kSize, kSize, pattern.count(), descr, a, offsets, columns,
                                      right, solution, kBatches, info, buffer),
            "batch");
  expect_near(solution.values(), x, 1e-8, "batch");
  expect(cusolverSpXcsrqrAnalysisBatched(handle, -1, kSize, pattern.count(), descr, offsets, columns, info) ==
             CUSOLVER_STATUS_INVALID_VALUE,
         "a negative size");
  expect_ok(cusolverSpDestroyCsrqrInfo(info), "no info");
}

void test_steps(const Pattern& pattern) {
  const auto x = numbers<double>(kSize, 9), y = numbers<double>(kSize, 9);
  auto values = numbers<double>(pattern.count(), 9);
  const double mu = 0.5;
  const auto b = pattern.product(values.data(), x.data(), mu),
             c = pattern.product(values.data(), y.data(), mu);
  const Device<int> offsets(pattern.offsets), columns(pattern.columns);
  const Device<double> a(values), first(b), second(c), solution(b.size());
  csrqrInfo_t info;
  size_t internal = 0, workspace = 0;
  int position = 7;
  expect_ok(cusolverSpCreateCsrqrInfo(&info), "info");
  expect_ok(cusolverSpXcsrqrAnalysis(handle, kSize, kSize, pattern.count(), descr, offsets, columns, info),
            "analysis");
  expect_ok(cusolverSpDcsrqrBufferInfo(handle, kSize, kSize, pattern.count(), descr, a, offsets, columns,
                                       info, &internal, &workspace),
            "sizes");
  const Device<char> buffer(workspace);
  expect_ok(
      cusolverSpDcsrqrSetup(handle, kSize, kSize, pattern.count(), descr, a, offsets, columns, mu, info),
      "set up");
  expect_ok(cusolverSpDcsrqrFactor(handle, kSize, kSize, pattern.count(), nullptr, nullptr, info, buffer),
            "factor");
  expect_ok(cusolverSpDcsrqrZeroPivot(handle, info, 1e-12, &position), "pivot");
  expect(position == -1, "no pivot of 0");
  expect_ok(cusolverSpDcsrqrSolve(handle, kSize, kSize, first, solution, info, buffer), "solve");
  expect_near(solution.values(), x, 1e-8, "solution");
  expect_ok(cusolverSpDcsrqrSolve(handle, kSize, kSize, second, solution, info, buffer), "solve again");
  expect_near(solution.values(), y, 1e-8, "another solution");
  expect_ok(cusolverSpDestroyCsrqrInfo(info), "no info");
}

// A row of zeros has no pivot.
void test_singular() {
  const std::vector<int> host_offsets{0, 1, 2, 3}, host_columns{0, 1, 2};
  const Device<int> offsets(host_offsets), columns(host_columns);
  const Device<float> a(std::vector<float>{2, 0, 3});
  csrqrInfo_t info;
  size_t internal = 0, workspace = 0;
  int position = 7;
  expect_ok(cusolverSpCreateCsrqrInfo(&info), "info");
  expect_ok(cusolverSpXcsrqrAnalysis(handle, 3, 3, 3, descr, offsets, columns, info), "analysis");
  expect_ok(
      cusolverSpScsrqrBufferInfo(handle, 3, 3, 3, descr, a, offsets, columns, info, &internal, &workspace),
      "sizes");
  const Device<char> buffer(workspace);
  expect_ok(cusolverSpScsrqrSetup(handle, 3, 3, 3, descr, a, offsets, columns, 0, info), "set up");
  expect_ok(cusolverSpScsrqrFactor(handle, 3, 3, 3, nullptr, nullptr, info, buffer), "factor");
  expect_ok(cusolverSpScsrqrZeroPivot(handle, info, 1e-6f, &position), "pivot");
  expect(position == 1, "a pivot of 0");
  expect_ok(cusolverSpDestroyCsrqrInfo(info), "no info");
}

void test_host(const Pattern& pattern) {
  using Number = std::complex<double>;
  const Number mu(1, -2);
  std::vector<Number> values, x;
  for (int i = 0; i < pattern.count(); ++i)
    values.emplace_back(numbers<double>(1, 9)[0], numbers<double>(1, 9)[0]);
  for (int i = 0; i < kSize; ++i) x.emplace_back(i - 3, 2 * i % 7);
  auto b = pattern.product(values.data(), x.data(), mu), again = b;  // a right side is not kept
  std::vector<Number> solution(kSize);
  const auto plain = [](std::vector<Number>& all) { return reinterpret_cast<cuDoubleComplex*>(all.data()); };
  csrqrInfoHost_t info;
  size_t internal = 0, workspace = 0;
  expect_ok(cusolverSpCreateCsrqrInfoHost(&info), "info on the host");
  expect_ok(cusolverSpXcsrqrAnalysisHost(handle, kSize, kSize, pattern.count(), descr, pattern.offsets.data(),
                                         pattern.columns.data(), info),
            "analysis on the host");
  expect_ok(cusolverSpZcsrqrBufferInfoHost(handle, kSize, kSize, pattern.count(), descr, plain(values),
                                           pattern.offsets.data(), pattern.columns.data(), info, &internal,
                                           &workspace),
            "sizes on the host");
  std::vector<char> buffer(workspace);
  expect_ok(
      cusolverSpZcsrqrSetupHost(handle, kSize, kSize, pattern.count(), descr, plain(values),
                                pattern.offsets.data(), pattern.columns.data(), {mu.real(), mu.imag()}, info),
      "set up on the host");
  expect_ok(cusolverSpZcsrqrFactorHost(handle, kSize, kSize, pattern.count(), plain(b), plain(solution), info,
                                       buffer.data()),
            "factor on the host");
  const auto expect_solution = [&](const char* what) {
    for (int i = 0; i < kSize; ++i) {
      if (std::abs(solution[i] - x[i]) < 1e-8) continue;
      return expect(false, what);
    }
  };
  expect_solution("solution with the factors on the host");
  expect_ok(
      cusolverSpZcsrqrSolveHost(handle, kSize, kSize, plain(again), plain(solution), info, buffer.data()),
      "solve on the host");
  expect_solution("solution on the host");
  expect_ok(cusolverSpDestroyCsrqrInfoHost(info), "no info on the host");
}

int main() {
  expect_ok(cusolverSpCreate(&handle), "create");
  cusparseCreateMatDescr(&descr);
  const Pattern pattern;
  test_batch(pattern);
  test_steps(pattern);
  test_singular();
  test_host(pattern);
  cusparseDestroyMatDescr(descr);
  expect_ok(cusolverSpDestroy(handle), "destroy");
  return result();
}
