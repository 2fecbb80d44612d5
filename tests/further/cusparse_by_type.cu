// cuSPARSE against plain loops: sparse vectors, orders, conversions of indices, sums, incomplete factors,
// three diagonals.
#include <algorithm>
#include <cstdint>

#include <cusparse.h>

#include "../libraries/check.h"

cusparseHandle_t handle;
using Ints = std::vector<int>;
using Doubles = std::vector<double>;

void expect_ok(cusparseStatus_t status, const char* what) {
  expect(status == CUSPARSE_STATUS_SUCCESS, what);
}

void test_vectors() {
  const Ints places = {2, 3, 5, 9};
  const Doubles elements = {1, -2, 3, 4}, whole = numbers<double>(10, 9);
  const Device<int> indices(places);
  const Device<double> x(elements), y(whole);
  cusparseSpVecDescr_t vx;
  cusparseDnVecDescr_t vy;
  expect_ok(
      cusparseCreateSpVec(&vx, 10, 4, indices, x, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F),
      "sparse vector");
  expect_ok(cusparseCreateDnVec(&vy, 10, y, CUDA_R_64F), "vector");
  double dot = 0, expected = 0;
  for (int i = 0; i < 4; ++i) expected += elements[i] * whole[places[i] - 1];
  expect_ok(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, vx, vy, &dot, CUDA_R_64F, nullptr),
            "SpVV");
  expect(dot == expected, "SpVV");
  const double alpha = 2, beta = 3, c = 0.5, s = 2;
  expect_ok(cusparseAxpby(handle, &alpha, vx, &beta, vy), "Axpby");
  Doubles now = whole;
  for (double& each : now) each *= beta;
  for (int i = 0; i < 4; ++i) now[places[i] - 1] += alpha * elements[i];
  expect_equal(y.values(), now, "Axpby");
  expect_ok(cusparseRot(handle, &c, &s, vx, vy), "Rot");
  Doubles turned = elements;
  for (int i = 0; i < 4; ++i) {
    double& other = now[places[i] - 1];
    turned[i] = c * elements[i] + s * other;
    other = c * other - s * elements[i];
  }
  expect_equal(x.values(), turned, "Rot");
  expect_equal(y.values(), now, "Rot");
  expect_ok(cusparseGather(handle, vy, vx), "Gather");
  for (int i = 0; i < 4; ++i) turned[i] = now[places[i] - 1];
  expect_equal(x.values(), turned, "Gather");
  cudaMemset(y, 0, sizeof(double) * 10);
  expect_ok(cusparseScatter(handle, vx, vy), "Scatter");
  Doubles scattered(10);
  for (int i = 0; i < 4; ++i) scattered[places[i] - 1] = turned[i];
  expect_equal(y.values(), scattered, "Scatter");
  cusparseDestroySpVec(vx);
  cusparseDestroyDnVec(vy);
}

void test_orders() {
  const Ints rows = {2, 0, 1, 2, 0, 2}, columns = {3, 1, 0, 0, 0, 1};
  const Device<int> r(rows), c(columns), p(6), offsets(4), again(6);
  size_t bytes = 0;
  expect_ok(cusparseXcoosort_bufferSizeExt(handle, 3, 4, 6, r, c, &bytes), "coosort");
  const Device<char> buffer(bytes);
  expect_ok(cusparseCreateIdentityPermutation(handle, 6, p), "identity");
  expect_ok(cusparseXcoosortByRow(handle, 3, 4, 6, r, c, p, buffer), "coosort");
  expect_equal(r.values(), Ints{0, 0, 1, 2, 2, 2}, "rows in order");
  expect_equal(c.values(), Ints{0, 1, 0, 0, 1, 3}, "columns in order");
  expect_equal(p.values(), Ints{4, 1, 2, 3, 5, 0}, "permutation");
  expect_ok(cusparseXcoo2csr(handle, r, 6, 3, offsets, CUSPARSE_INDEX_BASE_ZERO), "coo2csr");
  expect_equal(offsets.values(), Ints{0, 2, 3, 6}, "coo2csr");
  expect_ok(cusparseXcsr2coo(handle, offsets, 6, 3, again, CUSPARSE_INDEX_BASE_ZERO), "csr2coo");
  expect_equal(again.values(), r.values(), "csr2coo");

  const Device<double> values(Doubles{1, 2, 3, 4, 5, 6}), turned(6);
  const Device<int> column_offsets(5), row_indices(6);
  expect_ok(cusparseCsr2cscEx2(handle, 3, 4, 6, values.get(), offsets, c, turned.get(), column_offsets,
                               row_indices, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                               CUSPARSE_CSR2CSC_ALG1, nullptr),
            "csr2csc");
  expect_equal(column_offsets.values(), Ints{0, 3, 5, 5, 6}, "csr2csc");
  expect_equal(row_indices.values(), Ints{0, 1, 2, 0, 2, 2}, "csr2csc");
  expect_equal(turned.values(), Doubles{1, 3, 4, 2, 5, 6}, "csr2csc");

  cusparseMatDescr_t descr;
  expect_ok(cusparseCreateMatDescr(&descr), "descriptor");
  const Device<int> mixed(Ints{1, 0, 0, 3, 0, 1});
  expect_ok(cusparseXcsrsort(handle, 3, 4, 6, descr, offsets, mixed, nullptr, nullptr), "csrsort");
  expect_equal(mixed.values(), Ints{0, 1, 0, 0, 1, 3}, "csrsort");

  // A + 2 A^T's pattern is not A's: a sum with another matrix.
  const Device<int> other_offsets(Ints{0, 1, 1, 3}), other_columns(Ints{2, 1, 2}), sum_offsets(4);
  const Device<double> other(Doubles{10, 20, 30});
  int total = 0;
  expect_ok(cusparseXcsrgeam2Nnz(handle, 3, 4, descr, 6, offsets, c, descr, 3, other_offsets, other_columns,
                                 descr, sum_offsets, &total, nullptr),
            "geam2");
  expect(total == 8, "elements of a sum");
  expect_equal(sum_offsets.values(), Ints{0, 3, 4, 8}, "offsets of a sum");
  const Device<int> sum_columns(8);
  const Device<double> sum(8);
  const double one = 1, two = 2;
  expect_ok(cusparseDcsrgeam2(handle, 3, 4, &one, descr, 6, values, offsets, c, &two, descr, 3, other,
                              other_offsets, other_columns, descr, sum, sum_offsets, sum_columns, nullptr),
            "geam2");
  expect_equal(sum_columns.values(), Ints{0, 1, 2, 0, 0, 1, 2, 3}, "columns of a sum");
  expect_equal(sum.values(), Doubles{1, 2, 20, 3, 4, 45, 60, 6}, "sum");

  const Device<float> dense(std::vector<float>{1, 0, 2, 0, 0, 3});
  const Device<int> counts(2);
  expect_ok(cusparseSnnz(handle, CUSPARSE_DIRECTION_ROW, 2, 3, descr, dense, 2, counts, &total), "nnz");
  expect_equal(counts.values(), Ints{2, 1}, "nnz");
  expect(total == 3, "nnz");
  cusparseDestroyMatDescr(descr);
}

// Of a matrix of three diagonals the incomplete factors are the whole ones.
void test_factors() {
  constexpr int kSize = 6;
  Ints offsets = {1}, columns;
  Doubles values, lu, root;
  double pivot = 4, before = 0, diagonal = 0;
  for (int i = 0; i < kSize; ++i) {
    if (i > 0) {
      columns.push_back(i);
      values.push_back(-1);
      lu.push_back(-1 / pivot);
      root.push_back(-1 / diagonal);
      before = root.back();
      pivot = 4 - 1 / pivot;
    }
    diagonal = std::sqrt(4 - before * before);
    columns.push_back(i + 1);
    values.push_back(4);
    lu.push_back(pivot);
    root.push_back(diagonal);
    if (i + 1 < kSize) {
      columns.push_back(i + 2);
      values.push_back(-1);
      lu.push_back(-1);
      root.push_back(-1);
    }
    offsets.push_back(static_cast<int>(values.size()) + 1);
  }
  const int count = static_cast<int>(values.size());
  const Device<int> o(offsets), c(columns);
  cusparseMatDescr_t descr;
  cusparseCreateMatDescr(&descr);
  cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE);
  const auto policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
  int bytes = 0, at = 0;
  {
    const Device<double> a(values);
    csrilu02Info_t info;
    expect_ok(cusparseCreateCsrilu02Info(&info), "ilu");
    expect_ok(cusparseDcsrilu02_bufferSize(handle, kSize, count, descr, a, o, c, info, &bytes), "ilu");
    expect_ok(cusparseDcsrilu02_analysis(handle, kSize, count, descr, a, o, c, info, policy, nullptr), "ilu");
    expect_ok(cusparseXcsrilu02_zeroPivot(handle, info, &at), "ilu");
    expect_ok(cusparseDcsrilu02(handle, kSize, count, descr, a, o, c, info, policy, nullptr), "ilu");
    expect_ok(cusparseXcsrilu02_zeroPivot(handle, info, &at), "ilu");
    expect(at == -1, "no zero pivot");
    expect_near(a.values(), lu, 1e-14, "ilu");
    Doubles singular = values;
    singular[0] = 0;
    const Device<double> b(singular);
    expect_ok(cusparseDcsrilu02(handle, kSize, count, descr, b, o, c, info, policy, nullptr), "ilu");
    expect(cusparseXcsrilu02_zeroPivot(handle, info, &at) == CUSPARSE_STATUS_ZERO_PIVOT && at == 1,
           "zero pivot");
    expect_ok(cusparseDestroyCsrilu02Info(info), "ilu");
  }
  const Device<double> a(values);
  csric02Info_t info;
  expect_ok(cusparseCreateCsric02Info(&info), "ic");
  expect_ok(cusparseDcsric02_analysis(handle, kSize, count, descr, a, o, c, info, policy, nullptr), "ic");
  expect_ok(cusparseDcsric02(handle, kSize, count, descr, a, o, c, info, policy, nullptr), "ic");
  expect_ok(cusparseXcsric02_zeroPivot(handle, info, &at), "ic");
  expect_near(a.values(), root, 1e-14, "ic");
  expect_ok(cusparseDestroyCsric02Info(info), "ic");
  cusparseDestroyMatDescr(descr);
}

void test_diagonals() {
  constexpr int kSize = 8, kSystems = 2;
  // Without exchanges the first pivot is 0.
  Doubles dl(kSize, 3), d(kSize, 1), du(kSize, -2);
  d[0] = 0;
  const Doubles x = numbers<double>(kSize * kSystems, 9);
  Doubles b(x.size());
  for (int j = 0; j < kSystems; ++j) {
    for (int i = 0; i < kSize; ++i) {
      const double* own = x.data() + j * kSize;
      b[j * kSize + i] =
          d[i] * own[i] + (i > 0 ? dl[i] * own[i - 1] : 0) + (i + 1 < kSize ? du[i] * own[i + 1] : 0);
    }
  }
  const Device<double> ddl(dl), dd(d), ddu(du), right(b);
  size_t bytes = 0;
  expect_ok(cusparseDgtsv2_bufferSizeExt(handle, kSize, kSystems, ddl, dd, ddu, right, kSize, &bytes),
            "gtsv2");
  const Device<char> buffer(bytes);
  expect_ok(cusparseDgtsv2(handle, kSize, kSystems, ddl, dd, ddu, right, kSize, buffer), "gtsv2");
  expect_near(right.values(), x, 1e-10, "gtsv2");
  expect(cusparseDgtsv2(nullptr, kSize, kSystems, ddl, dd, ddu, right, kSize, buffer) ==
             CUSPARSE_STATUS_NOT_INITIALIZED,
         "no handle");
}

int main() {
  expect_ok(cusparseCreate(&handle), "create");
  test_vectors();
  test_orders();
  test_factors();
  test_diagonals();
  expect_ok(cusparseDestroy(handle), "destroy");
  return result();
}
