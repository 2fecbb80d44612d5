// cuBLASLt: products of types, orders and batches against plain loops.
#include <cuda_fp8.h>

#include "lt_products.h"

constexpr int kRows = 18;
constexpr int kColumns = 10;
constexpr int kInner = 7;

template <typename T, typename S>
void check_operations(cudaDataType type, cublasComputeType_t compute, cudaDataType scale, const char* what) {
  const S two = static_cast<S>(2.0F);
  const S minus = static_cast<S>(-1.0F);
  for (int trans = 0; trans < 4; ++trans) {
    const bool trans_a = trans % 2 == 1;
    const bool trans_b = trans / 2 == 1;
    const int rows_a = trans_a ? kInner : kRows;
    const int rows_b = trans_b ? kColumns : kInner;
    const int lda = 24;
    const int ldb = 16;
    const auto a = small<T>(lda * 24);
    const auto b = small<T>(ldb * 24);
    const auto c = small<T>(kRows * kColumns);
    const Device<T> on_a(a);
    const Device<T> on_b(b);
    const Device<T> on_c(c);
    const Device<T> on_d(static_cast<size_t>(kRows * kColumns));
    Product product(compute, scale);
    product.operations(trans_a ? CUBLAS_OP_T : CUBLAS_OP_N, trans_b ? CUBLAS_OP_T : CUBLAS_OP_N);
    const Layout of_a(type, rows_a, trans_a ? kRows : kInner, lda);
    const Layout of_b(type, rows_b, trans_b ? kInner : kColumns, ldb);
    const Layout of_c(type, kRows, kColumns, kRows);
    multiply(product, &two, on_a, of_a, on_b, of_b, &minus, on_c, of_c, on_d, of_c, what);
    auto wanted = sums<double>(a, lda, trans_a, b, ldb, trans_b, kRows, kColumns, kInner);
    std::vector<T> rounded;
    for (size_t i = 0; i < wanted.size(); ++i)
      rounded.push_back(static_cast<T>(static_cast<float>(2 * wanted[i] - static_cast<float>(c[i]))));
    expect_equal(on_d.values(), rounded, what);
  }
}

void check_integers() {
  const int k = 8;
  const int n = 12;
  const auto a = small<signed char>(k * kRows * 2);
  const auto b = small<signed char>(k * n);
  const Device<signed char> on_a(a);
  const Device<signed char> on_b(b);
  const Device<int> on_d(static_cast<size_t>(20 * n));
  const int one = 1;
  const int zero = 0;
  Product product(CUBLAS_COMPUTE_32I, CUDA_R_32I);
  product.operations(CUBLAS_OP_T, CUBLAS_OP_N);
  const Layout of_a(CUDA_R_8I, k, 20, k);
  const Layout of_b(CUDA_R_8I, k, n, k);
  const Layout of_d(CUDA_R_32I, 20, n, 20);
  multiply(product, &one, on_a, of_a, on_b, of_b, &zero, on_d, of_d, on_d, of_d, "int8 to int32");
  expect_equal(on_d.values(), sums<int>(a, k, true, b, k, false, 20, n, k), "int8 to int32");
}

void check_8_bits() {
  const int m = 16;
  const int n = 16;
  const int k = 32;
  const auto a = small<__nv_fp8_e4m3>(m * k);
  const auto b = small<__nv_fp8_e4m3>(k * n);
  const Device<__nv_fp8_e4m3> on_a(a);
  const Device<__nv_fp8_e4m3> on_b(b);
  const std::vector<float> factors{0.5F, 4};
  const Device<float> on_factors(factors);
  const Device<__nv_bfloat16> on_d(static_cast<size_t>(m * n));
  Product product(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  product.operations(CUBLAS_OP_T, CUBLAS_OP_N)
      .set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, on_factors.get())
      .set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, on_factors.get() + 1);
  const Layout of_a(CUDA_R_8F_E4M3, k, m, k);
  const Layout of_b(CUDA_R_8F_E4M3, k, n, k);
  const Layout of_d(CUDA_R_16BF, m, n, m);
  const float one = 1;
  const float zero = 0;
  multiply(product, &one, on_a, of_a, on_b, of_b, &zero, on_d, of_d, on_d, of_d, "8 bits");
  auto wanted = sums<float>(a, k, true, b, k, false, m, n, k);
  std::vector<__nv_bfloat16> rounded;
  for (const float each : wanted) rounded.push_back(static_cast<__nv_bfloat16>(2 * each));
  const auto actual = on_d.values();
  bool right = true;
  for (size_t i = 0; i < rounded.size(); ++i)
    right = right && static_cast<float>(actual[i]) == static_cast<float>(rounded[i]);
  expect(right, "8 bits");
}

void to_order(const void* from, const Layout& of_from, void* to, const Layout& of_to) {
  const float one = 1;
  cublasLtMatrixTransformDesc_t how;
  expect_ok(cublasLtMatrixTransformDescCreate(&how, CUDA_R_32F), "a transform");
  expect_ok(cublasLtMatrixTransform(handle, how, &one, from, of_from, nullptr, nullptr, nullptr, to, of_to,
                                    nullptr),
            "a transform");
  expect_ok(cublasLtMatrixTransformDescDestroy(how), "a transform");
}

// Integers scaled to 8 bits, in the orders of tensor cores of Turing and Ampere: B is transposed.
void check_tiled_integers() {
  const int m = 40;
  const int n = 16;
  const int k = 32;
  const auto a = small<signed char>(m * k);
  const auto b = small<signed char>(n * k);
  const Device<signed char> on_a(a);
  const Device<signed char> on_b(b);
  const Layout plain_a(CUDA_R_8I, m, k, m);
  const Layout plain_b(CUDA_R_8I, n, k, n);
  const Layout plain_d(CUDA_R_8I, m, n, m);
  Layout of_a(CUDA_R_8I, m, k, 32 * m);
  Layout of_b(CUDA_R_8I, n, k, 32 * n);
  Layout of_d(CUDA_R_8I, m, n, 32 * m);
  const Device<signed char> tiled_a(static_cast<size_t>(32 * m));
  const Device<signed char> tiled_b(static_cast<size_t>(32 * n));
  const Device<signed char> tiled_d(static_cast<size_t>(32 * m));
  const Device<signed char> on_d(static_cast<size_t>(m * n));
  const float half = 0.5F;
  const float zero = 0;
  to_order(on_a, plain_a, tiled_a, of_a.order(CUBLASLT_ORDER_COL32));
  to_order(on_b, plain_b, tiled_b, of_b.order(CUBLASLT_ORDER_COL4_4R2_8C));
  Product product(CUBLAS_COMPUTE_32I, CUDA_R_32F);
  product.operations(CUBLAS_OP_N, CUBLAS_OP_T);
  multiply(product, &half, tiled_a, of_a, tiled_b, of_b, &zero, tiled_d, of_d.order(CUBLASLT_ORDER_COL32),
           tiled_d, of_d, "int8 in tiles");
  to_order(tiled_d, of_d, on_d, plain_d);
  std::vector<signed char> wanted;
  for (const int each : sums<int>(a, m, false, b, n, true, m, n, k)) {
    const double rounded = std::nearbyint(each * 0.5);
    wanted.push_back(static_cast<signed char>(rounded < -128 ? -128 : rounded > 127 ? 127 : rounded));
  }
  expect_equal(on_d.values(), wanted, "int8 in tiles");
}

// To 8 bits of floating point, with a factor for D and the largest value.
void check_scaled_results() {
  const int size = 16;
  const auto a = small<__nv_fp8_e4m3>(size * size);
  const auto b = small<__nv_fp8_e5m2>(size * size);
  const auto c = small<__nv_bfloat16>(size * size, 8);
  const Device<__nv_fp8_e4m3> on_a(a);
  const Device<__nv_fp8_e5m2> on_b(b);
  const Device<__nv_bfloat16> on_c(c);
  const Device<__nv_fp8_e4m3> on_d(static_cast<size_t>(size * size));
  const Device<float> factor(std::vector<float>{0.25F});
  const Device<float> largest(std::vector<float>{1e9F});
  Product product(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  product.operations(CUBLAS_OP_T, CUBLAS_OP_N)
      .set(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, factor.get())
      .set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, largest.get());
  const Layout of_a(CUDA_R_8F_E4M3, size, size, size);
  const Layout of_b(CUDA_R_8F_E5M2, size, size, size);
  const Layout of_c(CUDA_R_16BF, size, size, size);
  const Layout of_d(CUDA_R_8F_E4M3, size, size, size);
  const float one = 1;
  multiply(product, &one, on_a, of_a, on_b, of_b, &one, on_c, of_c, on_d, of_d, "to 8 bits");
  const auto products = sums<float>(a, size, true, b, size, false, size, size, size);
  std::vector<float> wanted;
  float most = 0;
  for (size_t i = 0; i < products.size(); ++i) {
    const float value = products[i] + static_cast<float>(c[i]);
    most = std::fmax(most, std::fabs(value));
    wanted.push_back(static_cast<float>(__nv_fp8_e4m3(value / 4)));
  }
  std::vector<float> actual;
  for (const auto each : on_d.values()) actual.push_back(static_cast<float>(each));
  expect_equal(actual, wanted, "to 8 bits");
  expect(largest.value() == most, "the largest value");
}

// Batches anywhere in memory.
void check_pointers() {
  const auto a = numbers<float>(2 * kRows * kInner, 4);
  const auto b = numbers<float>(kInner * kColumns, 4);
  const Device<float> on_a(a);
  const Device<float> on_b(b);
  const Device<float> on_d(static_cast<size_t>(2 * kRows * kColumns));
  const Device<float*> all_a(std::vector<float*>{on_a.get() + kRows * kInner, on_a.get()});
  const Device<float*> all_b(std::vector<float*>{on_b.get(), on_b.get()});
  const Device<float*> all_d(std::vector<float*>{on_d.get(), on_d.get() + kRows * kColumns});
  Layout of_a(CUDA_R_32F, kRows, kInner, kRows);
  Layout of_b(CUDA_R_32F, kInner, kColumns, kInner);
  Layout of_d(CUDA_R_32F, kRows, kColumns, kRows);
  for (Layout* each : {&of_a, &of_b, &of_d})
    each->batches(2, 0).set(CUBLASLT_MATRIX_LAYOUT_BATCH_MODE,
                            static_cast<int>(CUBLASLT_BATCH_MODE_POINTER_ARRAY));
  const Product product(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const float one = 1;
  const float zero = 0;
  multiply(product, &one, all_a, of_a, all_b, of_b, &zero, all_d, of_d, all_d, of_d, "batches by pointers");
  const std::vector<float> first(a.begin() + kRows * kInner, a.end());
  auto wanted = sums<float>(first, kRows, false, b, kInner, false, kRows, kColumns, kInner);
  const auto second = sums<float>(a, kRows, false, b, kInner, false, kRows, kColumns, kInner);
  wanted.insert(wanted.end(), second.begin(), second.end());
  expect_equal(on_d.values(), wanted, "batches by pointers");
}

// Rows one after the other, batches with one B, factors in device memory, a stream.
void check_orders_and_batches() {
  const int batches = 3;
  const int size_a = kRows * kInner;
  const int size_d = kRows * kColumns;
  const auto a = numbers<float>(batches * size_a, 4);
  const auto b = numbers<float>(kInner * kColumns, 4);
  const auto c = numbers<float>(batches * size_d, 4);
  const std::vector<float> factors{3, -2};
  const Device<float> on_a(a);
  const Device<float> on_b(b);
  const Device<float> on_d(c);
  const Device<float> on_factors(factors);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  Product product(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  product.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, static_cast<int>(CUBLASLT_POINTER_MODE_DEVICE));
  Layout of_a(CUDA_R_32F, kRows, kInner, kInner);
  Layout of_b(CUDA_R_32F, kInner, kColumns, kColumns);
  Layout of_d(CUDA_R_32F, kRows, kColumns, kColumns);
  of_a.order(CUBLASLT_ORDER_ROW).batches(batches, size_a);
  of_b.order(CUBLASLT_ORDER_ROW).batches(batches, 0);
  of_d.order(CUBLASLT_ORDER_ROW).batches(batches, size_d);
  multiply(product, on_factors.get(), on_a, of_a, on_b, of_b, on_factors.get() + 1, on_d, of_d, on_d, of_d,
           "batches in rows", stream);
  std::vector<float> wanted(c.size());
  for (int i = 0; i < batches * size_d; ++i) {
    const int row = i % size_d / kColumns;
    float sum = 0;
    for (int l = 0; l < kInner; ++l)
      sum += a[i / size_d * size_a + row * kInner + l] * b[l * kColumns + i % kColumns];
    wanted[i] = 3 * sum - 2 * c[i];
  }
  expect_equal(on_d.values(), wanted, "batches in rows");
  cudaStreamDestroy(stream);
}

void check_attributes() {
  Product product(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  int number = 0;
  int64_t wide = 0;
  size_t written = 0;
  expect_ok(cublasLtMatmulDescGetAttribute(product, CUBLASLT_MATMUL_DESC_FILL_MODE, &number, 4, nullptr),
            "fill mode");
  expect(number == CUBLAS_FILL_MODE_FULL, "fill mode");
  expect_ok(cublasLtMatmulDescGetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, nullptr, 0, &written),
            "a size");
  expect(written == 8, "a size");
  expect_status(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &wide, 8),
                CUBLAS_STATUS_INVALID_VALUE, "a size that is not the attribute's");
  cublasLtMatrixLayoutOpaque_t own;
  expect_ok(cublasLtMatrixLayoutInit(&own, CUDA_R_16F, 5, 6, 7), "a layout of the program");
  expect_ok(cublasLtMatrixLayoutGetAttribute(&own, CUBLASLT_MATRIX_LAYOUT_LD, &wide, 8, &written), "ld");
  expect(wide == 7 && written == 8, "ld");
  expect(sizeof(own) == 64 && sizeof(cublasLtMatmulDescOpaque_t) == 256 &&
             sizeof(cublasLtMatmulHeuristicResult_t) == 96,
         "sizes");
  expect_status(cublasLtMatrixLayoutCreate(nullptr, CUDA_R_16F, 5, 6, 7), CUBLAS_STATUS_INVALID_VALUE,
                "a layout nowhere");
  expect(cublasLtGetVersion() >= 130000, "a version");
  expect_ok(cublasLtLoggerSetLevel(0), "a level");
}

int main() {
  expect_ok(cublasLtCreate(&handle), "a handle");
  check_operations<float, float>(CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "float");
  check_operations<double, double>(CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F, "double");
  check_operations<__half, float>(CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "half");
  check_operations<__half, __half>(CUDA_R_16F, CUBLAS_COMPUTE_16F, CUDA_R_16F, "half alone");
  check_operations<__nv_bfloat16, float>(CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, "bfloat16");
  check_integers();
  check_tiled_integers();
  check_8_bits();
  check_scaled_results();
  check_pointers();
  check_orders_and_batches();
  check_attributes();
  expect_ok(cublasLtDestroy(handle), "the end");
  return result();
}
