// cuSOLVER: eigenvalues of a pair of matrices, and of a range.
#include <cusolverDn.h>

#include "../libraries/check.h"

constexpr int kSize = 6;
cusolverDnHandle_t handle;
const auto kVectors = CUSOLVER_EIG_MODE_VECTOR;

void expect_ok(cusolverStatus_t status, const char* what) {
  expect(status == CUSOLVER_STATUS_SUCCESS, what);
}

// Symmetric, with a diagonal of `diagonal` and 1 / (1 + distance) beside it.
std::vector<double> matrix(double diagonal, double beside) {
  std::vector<double> a(kSize * kSize);
  for (int i = 0; i < kSize * kSize; ++i) {
    const int distance = std::abs(i % kSize - i / kSize);
    a[i] = distance == 0 ? diagonal + i % kSize : beside / (1 + distance);
  }
  return a;
}

void test_pair(cublasFillMode_t fill) {
  const auto a = matrix(-2, 3), b = matrix(4, 1);
  const Device<double> da(a), db(b), w(kSize);
  const Device<int> info(1);
  int size = 0;
  const auto type = CUSOLVER_EIG_TYPE_1;
  expect_ok(cusolverDnDsygvd_bufferSize(handle, type, kVectors, fill, kSize, da, kSize, db, kSize, w, &size),
            "sygvd");
  const Device<double> work(static_cast<size_t>(size));
  expect_ok(cusolverDnDsygvd(handle, type, kVectors, fill, kSize, da, kSize, db, kSize, w, work, size, info),
            "sygvd");
  expect(info.value() == 0, "sygvd");
  const auto x = da.values(), values = w.values();
  // A x - w B x, and x^T B x.
  std::vector<double> rest, sizes;
  for (int k = 0; k < kSize; ++k) {
    double own = 0;
    for (int i = 0; i < kSize; ++i) {
      double of_a = 0, of_b = 0;
      for (int j = 0; j < kSize; ++j) {
        of_a += a[i + j * kSize] * x[j + k * kSize];
        of_b += b[i + j * kSize] * x[j + k * kSize];
      }
      rest.push_back(of_a - values[k] * of_b);
      own += x[i + k * kSize] * of_b;
    }
    sizes.push_back(own);
  }
  expect_near(rest, std::vector<double>(rest.size()), 1e-11, "A x = w B x");
  expect_near(sizes, std::vector<double>(sizes.size(), 1), 1e-11, "x^T B x = 1");

  const Device<double> again(a), bad(matrix(-4, 1));
  expect_ok(
      cusolverDnDsygvd(handle, type, kVectors, fill, kSize, again, kSize, bad, kSize, w, work, size, info),
      "sygvd");
  expect(info.value() == kSize + 1, "B is not positive");
}

void test_range() {
  const auto a = matrix(-2, 3);
  const auto fill = CUBLAS_FILL_MODE_LOWER;
  const Device<double> all(a), w(kSize);
  const Device<int> info(1);
  int size = 0, found = 0;
  expect_ok(cusolverDnDsyevdx_bufferSize(handle, kVectors, CUSOLVER_EIG_RANGE_ALL, fill, kSize, all, kSize, 0,
                                         0, 0, 0, &found, w, &size),
            "syevdx");
  const Device<double> work(static_cast<size_t>(size));
  expect_ok(cusolverDnDsyevdx(handle, kVectors, CUSOLVER_EIG_RANGE_ALL, fill, kSize, all, kSize, 0, 0, 0, 0,
                              &found, w, work, size, info),
            "syevdx");
  expect(found == kSize, "all eigenvalues");
  const auto values = w.values(), vectors = all.values();
  const std::vector<double> some(values.begin() + 1, values.begin() + 4);
  const std::vector<double> their(vectors.begin() + kSize, vectors.begin() + 4 * kSize);
  for (const auto range : {CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V}) {
    const Device<double> part(a);
    expect_ok(cusolverDnDsyevdx(handle, kVectors, range, fill, kSize, part, kSize, values[0] + 1e-9,
                                values[3] + 1e-9, 2, 4, &found, w, work, size, info),
              "syevdx");
    expect(found == 3, "eigenvalues of a range");
    expect_equal(w.values(3), some, "eigenvalues of a range");
    expect_equal(part.values(3 * kSize), their, "vectors of a range");
  }
}

int main() {
  expect_ok(cusolverDnCreate(&handle), "create");
  test_pair(CUBLAS_FILL_MODE_LOWER);
  test_pair(CUBLAS_FILL_MODE_UPPER);
  test_range();
  expect_ok(cusolverDnDestroy(handle), "destroy");
  return result();
}
