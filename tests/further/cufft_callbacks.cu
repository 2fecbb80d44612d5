// cuFFT with device functions that read and write each element: all types, layouts, shared memory; each
// element once; what it refuses.
#include <cufftXt.h>

#include "fourier_sums.h"

// Element i of a signal counts for weights[i % length], and how often each was asked for.
struct Weights {
  const double* weights;
  int length;
  int* asked;
};
__device__ double weight_of(size_t offset, void* info) {
  const Weights& of = *static_cast<const Weights*>(info);
  atomicAdd(&of.asked[offset], 1);
  return of.weights[offset % size_t(of.length)];
}

template <typename T>
__device__ T load_real(void* from, size_t offset, void* info, void*) {
  return static_cast<T*>(from)[offset] * T(weight_of(offset, info));
}
template <typename C>
__device__ C load_complex(void* from, size_t offset, void* info, void*) {
  const C value = static_cast<C*>(from)[offset];
  const auto weight = decltype(value.x)(weight_of(offset, info));
  return C{value.x * weight, value.y * weight};
}
template <typename T>
__device__ void store_real(void* to, size_t offset, T value, void* info, void*) {
  static_cast<T*>(to)[offset] = value * T(weight_of(offset, info));
}
template <typename C>
__device__ void store_complex(void* to, size_t offset, C value, void* info, void*) {
  const auto weight = decltype(value.x)(weight_of(offset, info));
  static_cast<C*>(to)[offset] = C{value.x * weight, value.y * weight};
}
__device__ cufftComplex load_by_way_of_shared(void* from, size_t offset, void*, void* shared) {
  auto* const own = static_cast<cufftComplex*>(shared) + threadIdx.x;
  *own = static_cast<cufftComplex*>(from)[offset];
  return cufftComplex{own->x * 2, own->y * 2};
}

__device__ cufftCallbackLoadR of_load_r = load_real<float>;
__device__ cufftCallbackLoadD of_load_d = load_real<double>;
__device__ cufftCallbackLoadC of_load_c = load_complex<cufftComplex>;
__device__ cufftCallbackLoadZ of_load_z = load_complex<cufftDoubleComplex>;
__device__ cufftCallbackStoreR of_store_r = store_real<float>;
__device__ cufftCallbackStoreD of_store_d = store_real<double>;
__device__ cufftCallbackStoreC of_store_c = store_complex<cufftComplex>;
__device__ cufftCallbackStoreZ of_store_z = store_complex<cufftDoubleComplex>;
__device__ cufftCallbackLoadC of_shared = load_by_way_of_shared;

template <typename Function>
void* pointer_in(const Function& symbol) {
  Function function = nullptr;
  cudaMemcpyFromSymbol(&function, symbol, sizeof function);
  return reinterpret_cast<void*>(function);
}

constexpr int kLength = 20, kBatch = 3, kHalf = kLength / 2 + 1;

void set(cufftHandle plan, void* function, cufftXtCallbackType type, const Weights* info) {
  auto* value = const_cast<Weights*>(info);
  expect_ok(cufftXtSetCallback(plan, &function, type, reinterpret_cast<void**>(&value)), "callback");
}

Array weighted(Array array, const std::vector<double>& weights) {
  for (size_t i = 0; i < array.size(); ++i) array[i] *= weights[i % weights.size()];
  return array;
}
Array lines(Array array, int sign) {
  transform_axis(array, kLength, 1, sign);
  return array;
}
Array halves(const Array& array) {
  Array half;
  for (size_t i = 0; i < array.size(); ++i) {
    if (i % kLength < kHalf) half.push_back(array[i]);
  }
  return half;
}

// C and R: the types of one precision. Real rows of kLength, spectra of kHalf.
template <typename C, typename R>
void test_types(const std::vector<cufftType>& types, const std::vector<void*>& functions, double bound) {
  const int of_double = sizeof(R) == 8 ? 1 : 0;
  const auto type_of = [&](cufftXtCallbackType type) { return cufftXtCallbackType(type + of_double); };
  const auto weights = numbers<double>(7, 5);
  const Device<double> held(weights);
  const Device<int> asked(std::vector<int>(kLength * kBatch * 2));
  const Device<Weights> first(std::vector<Weights>{{held, 7, asked}});
  const Device<Weights> second(std::vector<Weights>{{held, 7, asked + kLength * kBatch}});
  const auto expect_asked = [&](int at, int count, const char* what) {
    auto all = asked.values();
    expect_equal(std::vector<int>(all.begin() + at, all.begin() + at + count),
                 std::vector<int>(size_t(count), 1), what);
    cudaMemset(asked.get(), 0, all.size() * sizeof(int));
  };
  const Array input = complex_numbers(kLength * kBatch);
  cufftHandle plan = 0;

  expect_ok(cufftPlan1d(&plan, kLength, types[0], kBatch), "complex");
  set(plan, functions[0], type_of(CUFFT_CB_LD_COMPLEX), first);
  set(plan, functions[1], type_of(CUFFT_CB_ST_COMPLEX), second);
  const Device<C> data(narrowed<C, R>(input));
  expect_ok(cufftXtExec(plan, data.get(), data.get(), CUFFT_FORWARD), "complex");
  expect_near(parts_of(data.values()), parts_of(weighted(lines(weighted(input, weights), -1), weights)),
              bound, "complex");
  expect_asked(0, 2 * kLength * kBatch, "each complex element once");
  expect_ok(cufftXtClearCallback(plan, type_of(CUFFT_CB_LD_COMPLEX)), "clear");
  expect_ok(cufftXtClearCallback(plan, type_of(CUFFT_CB_ST_COMPLEX)), "clear");
  const Device<C> plain(narrowed<C, R>(input));
  expect_ok(cufftXtExec(plan, plain.get(), plain.get(), CUFFT_FORWARD), "without");
  expect_near(parts_of(plain.values()), parts_of(lines(input, -1)), bound, "without");
  expect_ok(cufftDestroy(plan), "complex");

  Array real = input;
  for (Complex& each : real) each = each.real();
  std::vector<R> narrow;
  for (const Complex& each : real) narrow.push_back(R(each.real()));
  const Device<R> rows(narrow);
  const Device<C> spectra(size_t(kHalf * kBatch));
  expect_ok(cufftPlan1d(&plan, kLength, types[1], kBatch), "to complex");
  set(plan, functions[2], type_of(CUFFT_CB_LD_REAL), first);
  set(plan, functions[1], type_of(CUFFT_CB_ST_COMPLEX), second);
  expect_ok(cufftXtExec(plan, rows.get(), spectra.get(), CUFFT_FORWARD), "to complex");
  expect_near(parts_of(spectra.values()),
              parts_of(weighted(halves(lines(weighted(real, weights), -1)), weights)), bound, "to complex");
  expect_asked(kLength * kBatch, kHalf * kBatch, "each element of the spectra once");
  expect_ok(cufftDestroy(plan), "to complex");

  // Weights that are alike leave a spectrum that real numbers have.
  const Array half = halves(lines(real, -1));
  cudaMemcpy(spectra.get(), narrowed<C, R>(half).data(), half.size() * sizeof(C), cudaMemcpyHostToDevice);
  cudaMemcpy(held.get(), std::vector<double>(7, 3).data(), 7 * sizeof(double), cudaMemcpyHostToDevice);
  expect_ok(cufftPlan1d(&plan, kLength, types[2], kBatch), "to real");
  set(plan, functions[0], type_of(CUFFT_CB_LD_COMPLEX), first);
  set(plan, functions[3], type_of(CUFFT_CB_ST_REAL), second);
  expect_ok(cufftXtExec(plan, spectra.get(), rows.get(), CUFFT_INVERSE), "to real");
  std::vector<double> expected = real_parts(real), made;
  for (double& each : expected) each *= 9 * kLength;
  for (const R each : rows.values()) made.push_back(double(each));
  expect_near(made, expected, 20 * bound, "to real");
  expect_asked(0, kHalf * kBatch, "each stored element once");
  expect_ok(cufftDestroy(plan), "to real");
}

void test_shared_and_layout() {
  constexpr int kRows = 8, kColumns = 5;
  int n[1] = {kRows};
  const Array input = complex_numbers(kRows * kColumns);
  Array expected = input;
  transform_axis(expected, kRows, kColumns, -1);
  for (Complex& each : expected) each *= 2;
  cufftHandle plan = 0;
  expect_ok(cufftPlanMany(&plan, 1, n, n, kColumns, 1, n, kColumns, 1, CUFFT_C2C, kColumns), "columns");
  set(plan, pointer_in(of_shared), CUFFT_CB_LD_COMPLEX, nullptr);
  expect_ok(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 256 * sizeof(cufftComplex)), "shared");
  expect(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 1 << 20) == CUFFT_ALLOC_FAILED, "too much");
  const Device<cufftComplex> data(narrowed<cufftComplex, float>(input));
  expect_ok(cufftExecC2C(plan, data, data, CUFFT_FORWARD), "columns");
  expect_near(parts_of(data.values()), parts_of(expected), 1e-3, "columns");
  expect_ok(cufftDestroy(plan), "columns");
}

void test_errors() {
  cufftHandle plan = 0;
  void* function = pointer_in(of_load_c);
  void* none = nullptr;
  expect_ok(cufftCreate(&plan), "errors");
  expect(cufftXtSetCallback(plan, &function, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_INVALID_PLAN, "not made");
  expect_ok(cufftMakePlan1d(plan, 8, CUFFT_R2C, 1, nullptr), "errors");
  expect(cufftXtSetCallback(plan, &function, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_INVALID_TYPE,
         "reads real");
  expect(cufftXtSetCallback(plan, &none, CUFFT_CB_LD_REAL, nullptr) == CUFFT_INVALID_VALUE, "no function");
  expect(cufftXtClearCallback(plan, CUFFT_CB_ST_REAL) == CUFFT_INVALID_TYPE, "writes complex");
  expect_ok(cufftDestroy(plan), "errors");
}

int main() {
  test_types<cufftComplex, float>(
      {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R},
      {pointer_in(of_load_c), pointer_in(of_store_c), pointer_in(of_load_r), pointer_in(of_store_r)}, 2e-3);
  test_types<cufftDoubleComplex, double>(
      {CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D},
      {pointer_in(of_load_z), pointer_in(of_store_z), pointer_in(of_load_d), pointer_in(of_store_d)}, 1e-9);
  test_shared_and_layout();
  test_errors();
  return result();
}
