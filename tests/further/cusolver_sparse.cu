// cuSOLVER for sparse matrices: the solution of a system is found again, on the device and on the host.
#include <cusolverSp.h>

#include "../libraries/check.h"

void expect_ok(cusolverStatus_t status, const char* what) {
  expect(status == CUSOLVER_STATUS_SUCCESS, what);
}

// A matrix of some diagonals, by rows, with indices from 1; the first row has a 0 where its pivot would be.
struct Sparse {
  int size = 30;
  std::vector<int> offsets = {1}, columns;
  std::vector<double> values;
  std::vector<double> product(const std::vector<double>& x) const {
    std::vector<double> b(x.size());
    for (int i = 0; i < size; ++i) {
      for (int k = offsets[i] - 1; k < offsets[i + 1] - 1; ++k) b[i] += values[k] * x[columns[k] - 1];
    }
    return b;
  }
};
Sparse sparse_matrix(bool symmetric) {
  Sparse a;
  for (int row = 0; row < a.size; ++row) {
    for (const int beside : {-3, -1, 0, 1, 3}) {
      const int column = row + beside;
      if (column < 0 || column >= a.size) continue;
      a.columns.push_back(column + 1);
      double value = beside == 0 ? 7 + row % 3 : -1;
      if (!symmetric) value = beside == 0 ? row % 2 : beside - 0.25 * (row % 5);
      a.values.push_back(value);
    }
    a.offsets.push_back(static_cast<int>(a.values.size()) + 1);
  }
  return a;
}

int main() {
  cusolverSpHandle_t handle;
  cusparseMatDescr_t descr;
  expect_ok(cusolverSpCreate(&handle), "create");
  cusparseCreateMatDescr(&descr);
  cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE);
  for (const bool symmetric : {false, true}) {
    const Sparse a = sparse_matrix(symmetric);
    const int count = static_cast<int>(a.values.size());
    const auto x = numbers<double>(a.size, 9);
    const auto b = a.product(x);
    const Device<int> offsets(a.offsets), columns(a.columns);
    const Device<double> values(a.values), right(b), made(x.size());
    int singular = 0;
    expect_ok(cusolverSpDcsrlsvqr(handle, a.size, count, descr, values, offsets, columns, right, 1e-12, 0,
                                  made, &singular),
              "csrlsvqr");
    expect(singular == -1, "csrlsvqr");
    expect_near(made.values(), x, 1e-9, "csrlsvqr");
    std::vector<double> on_host(x.size());
    expect_ok(cusolverSpDcsrlsvluHost(handle, a.size, count, descr, a.values.data(), a.offsets.data(),
                                      a.columns.data(), b.data(), 1e-12, 0, on_host.data(), &singular),
              "csrlsvlu");
    expect(singular == -1, "csrlsvlu");
    expect_near(on_host, x, 1e-9, "csrlsvlu");
    int mirrored = 0;
    expect_ok(cusolverSpXcsrissymHost(handle, a.size, count, descr, a.offsets.data(), a.offsets.data() + 1,
                                      a.columns.data(), &mirrored),
              "csrissym");
    expect(mirrored == 1, "csrissym");
    if (!symmetric) continue;
    const Device<double> again(x.size());
    expect_ok(cusolverSpDcsrlsvchol(handle, a.size, count, descr, values, offsets, columns, right, 1e-12, 0,
                                    again, &singular),
              "csrlsvchol");
    expect_near(again.values(), x, 1e-9, "csrlsvchol");
  }
  // [1 2; 2 4]
  const Device<int> offsets(std::vector<int>{1, 3, 5}), columns(std::vector<int>{1, 2, 1, 2});
  const Device<float> values(std::vector<float>{1, 2, 2, 4}), right(std::vector<float>{1, 2}), made(2);
  int singular = 0;
  expect_ok(
      cusolverSpScsrlsvqr(handle, 2, 4, descr, values, offsets, columns, right, 1e-5f, 0, made, &singular),
      "singular");
  expect(singular == 1, "singular");
  cusparseDestroyMatDescr(descr);
  expect_ok(cusolverSpDestroy(handle), "destroy");
  return result();
}
