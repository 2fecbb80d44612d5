// cuSOLVER: many systems with sparse matrices of one pattern.
#include <cusolverSp.h>

#include "../libraries/check.h"

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
  std::vector<double> product(const double* values, const double* x) const {
    std::vector<double> b(kSize);
    for (int i = 0; i < kSize; ++i) {
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
    const auto each = pattern.product(&values[i * pattern.count()], &x[i * kSize]);
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

int main() {
  expect_ok(cusolverSpCreate(&handle), "create");
  cusparseCreateMatDescr(&descr);
  const Pattern pattern;
  test_batch(pattern);
  cusparseDestroyMatDescr(descr);
  expect_ok(cusolverSpDestroy(handle), "destroy");
  return result();
}
