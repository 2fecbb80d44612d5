// cuFFT on two GPUs and three: one array and batches, in natural order and shuffled, complex and real; what
// it refuses. Run with three devices.
#include <cufftXt.h>

#include "fourier_sums.h"

// A kernel on each GPU works on its own part.
__global__ void scale(cufftDoubleComplex* values, size_t count, double by) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < count) values[i] = {values[i].x * by, values[i].y * by};
}
void scale_parts(const cudaLibXtDesc& array, double by) {
  for (int i = 0; i < array.descriptor->nGPUs; ++i) {
    const size_t count = array.descriptor->size[i] / sizeof(cufftDoubleComplex);
    cudaSetDevice(array.descriptor->GPUs[i]);
    scale<<<unsigned((count + 127) / 128), 128>>>(static_cast<cufftDoubleComplex*>(array.descriptor->data[i]),
                                                  count, by);
  }
  cudaSetDevice(0);
}

template <typename T>
std::vector<T> from_gpus(cufftHandle plan, cudaLibXtDesc* array, int count) {
  std::vector<T> values(static_cast<size_t>(count));
  expect_ok(cufftXtMemcpy(plan, values.data(), array, CUFFT_COPY_DEVICE_TO_HOST), "copy to the host");
  return values;
}

cufftHandle plan_of(std::vector<int> gpus, Sizes sizes, int rank, cufftType type, int batch = 1) {
  cufftHandle plan = 0;
  size_t bytes[3] = {};
  expect_ok(cufftCreate(&plan), "plan");
  expect_ok(cufftXtSetGPUs(plan, int(gpus.size()), gpus.data()), "GPUs");
  const cufftResult made = rank == 1   ? cufftMakePlan1d(plan, sizes.n2, type, batch, bytes)
                           : rank == 2 ? cufftMakePlan2d(plan, sizes.n1, sizes.n2, type, bytes)
                                       : cufftMakePlan3d(plan, sizes.n0, sizes.n1, sizes.n2, type, bytes);
  expect_ok(made, "several GPUs");
  expect(bytes[0] > 0 && bytes[gpus.size() - 1] > 0, "a work area a GPU");
  return plan;
}

void test_complex(std::vector<int> gpus, Sizes sizes, int rank) {
  char what[64];
  std::snprintf(what, sizeof what, "%zu GPUs, %d x %d x %d", gpus.size(), sizes.n0, sizes.n1, sizes.n2);
  const Array input = complex_numbers(sizes.total());
  auto values = narrowed<cufftDoubleComplex, double>(input);
  const auto spectrum = parts_of(transformed(input, sizes, -1));
  const cufftHandle plan = plan_of(gpus, sizes, rank, CUFFT_Z2Z);
  cudaLibXtDesc *array = nullptr, *sorted = nullptr;
  expect_ok(cufftXtMalloc(plan, &array, CUFFT_XT_FORMAT_INPLACE), what);
  expect_ok(cufftXtMalloc(plan, &sorted, CUFFT_XT_FORMAT_INPLACE), what);
  size_t bytes = 0;
  for (int i = 0; i < array->descriptor->nGPUs; ++i) bytes += array->descriptor->size[i];
  expect(array->descriptor->nGPUs == int(gpus.size()) && array->descriptor->GPUs[0] == gpus[0] &&
             bytes >= values.size() * sizeof values[0] && array->library == LIB_FORMAT_CUFFT,
         "a descriptor");
  expect_ok(cufftXtMemcpy(plan, array, values.data(), CUFFT_COPY_HOST_TO_DEVICE), what);
  expect_ok(cufftXtExecDescriptorZ2Z(plan, array, array, CUFFT_FORWARD), what);
  expect(array->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED, "shuffled");
  expect_near(parts_of(from_gpus<cufftDoubleComplex>(plan, array, sizes.total())), spectrum, 1e-8, what);
  expect_ok(cufftXtMemcpy(plan, sorted, array, CUFFT_COPY_DEVICE_TO_DEVICE), what);
  const size_t first = sorted->descriptor->size[0] / sizeof values[0] / 2;
  cufftDoubleComplex inside;
  cudaMemcpy(&inside, static_cast<cufftDoubleComplex*>(sorted->descriptor->data[0]) + first, sizeof inside,
             cudaMemcpyDeviceToHost);
  expect(std::fabs(inside.x - spectrum[2 * first]) < 1e-8, "natural order behind a copy");
  scale_parts(*sorted, 1.0 / sizes.total());
  expect_ok(cufftXtExecDescriptor(plan, sorted, sorted, CUFFT_INVERSE), what);
  expect_near(parts_of(from_gpus<cufftDoubleComplex>(plan, sorted, sizes.total())), parts_of(input), 1e-10,
              what);
  expect_ok(cufftXtFree(array), what);
  expect_ok(cufftXtFree(sorted), what);
  expect_ok(cufftDestroy(plan), what);
}

void test_batch() {
  const Sizes sizes{1, 5, 20};
  const Array input = complex_numbers(sizes.total());
  Array expected = input;
  transform_axis(expected, sizes.n2, 1, -1);
  auto values = narrowed<cufftComplex, float>(input);
  const cufftHandle plan = plan_of({1, 0}, sizes, 1, CUFFT_C2C, sizes.n1);
  cudaLibXtDesc* array = nullptr;
  expect_ok(cufftXtMalloc(plan, &array, CUFFT_XT_FORMAT_INPLACE), "batch");
  expect(array->descriptor->size[0] == 3 * 20 * sizeof(cufftComplex), "three of five");
  expect_ok(cufftXtMemcpy(plan, array, values.data(), CUFFT_COPY_HOST_TO_DEVICE), "batch");
  expect_ok(cufftXtExecDescriptorC2C(plan, array, array, CUFFT_FORWARD), "batch");
  expect_near(parts_of(from_gpus<cufftComplex>(plan, array, 100)), parts_of(expected), 1e-3, "batch");
  expect_ok(cufftXtFree(array), "batch");
  expect_ok(cufftDestroy(plan), "batch");
}

// Rows of real numbers have room for their spectrum; another plan transforms back.
void test_real() {
  const Sizes sizes{1, 33, 34};
  Array input = complex_numbers(sizes.total());
  for (Complex& each : input) each = each.real();
  std::vector<double> padded, half;
  const Array whole = transformed(input, sizes, -1);
  for (int row = 0; row < sizes.n1; ++row) {
    for (int i = 0; i < 2 * sizes.half(); ++i)
      padded.push_back(i < sizes.n2 ? input[size_t(row * sizes.n2 + i)].real() : 0);
    for (int i = 0; i < sizes.half(); ++i) {
      half.push_back(whole[size_t(row * sizes.n2 + i)].real());
      half.push_back(whole[size_t(row * sizes.n2 + i)].imag());
    }
  }
  const cufftHandle there = plan_of({0, 2}, sizes, 2, CUFFT_D2Z);
  const cufftHandle back = plan_of({0, 2}, sizes, 2, CUFFT_Z2D);
  cudaLibXtDesc* array = nullptr;
  expect_ok(cufftXtMalloc(there, &array, CUFFT_XT_FORMAT_INPLACE), "real");
  expect_ok(cufftXtMemcpy(there, array, padded.data(), CUFFT_COPY_HOST_TO_DEVICE), "real");
  expect_ok(cufftXtExecDescriptorD2Z(there, array, array), "real");
  expect_near(from_gpus<double>(there, array, int(half.size())), half, 1e-8, "real");
  expect_ok(cufftXtExecDescriptorZ2D(back, array, array), "real");
  const auto again = from_gpus<double>(back, array, int(padded.size()));
  double worst = 0;
  for (int row = 0; row < sizes.n1; ++row) {
    for (int i = 0; i < sizes.n2; ++i) {
      const auto at = size_t(row * 2 * sizes.half() + i);
      worst = std::fmax(worst, std::fabs(again[at] / sizes.total() - padded[at]));
    }
  }
  expect(worst < 1e-10, "real numbers again");
  expect_ok(cufftXtFree(array), "real");
  expect_ok(cufftDestroy(there), "real");
  expect_ok(cufftDestroy(back), "real");
}

// Memory of the program's, one area a GPU.
void test_work_area() {
  int gpus[2] = {0, 1};
  size_t bytes[2] = {};
  void* areas[2] = {};
  cufftHandle plan = 0;
  expect_ok(cufftCreate(&plan), "area");
  expect_ok(cufftSetAutoAllocation(plan, 0), "area");
  expect_ok(cufftXtSetGPUs(plan, 2, gpus), "area");
  expect_ok(cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, bytes), "area");
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(gpus[i]);
    cudaMalloc(&areas[i], bytes[i]);
  }
  cudaSetDevice(0);
  expect_ok(cufftXtSetWorkArea(plan, areas), "area");
  cudaLibXtDesc* array = nullptr;
  expect_ok(cufftXtMalloc(plan, &array, CUFFT_XT_FORMAT_INPLACE), "area");
  std::vector<cufftComplex> values(64, {1, 0});
  expect_ok(cufftXtMemcpy(plan, array, values.data(), CUFFT_COPY_HOST_TO_DEVICE), "area");
  expect_ok(cufftXtExecDescriptorC2C(plan, array, array, CUFFT_FORWARD), "area");
  values = from_gpus<cufftComplex>(plan, array, 64);
  expect(std::fabs(values[0].x - 64) < 1e-4 && std::fabs(values[33].x) < 1e-4, "area");
  expect_ok(cufftXtFree(array), "area");
  expect_ok(cufftDestroy(plan), "area");
  for (void* area : areas) cudaFree(area);
}

void test_errors() {
  int gpus[3] = {0, 1, 3};
  cufftHandle plan = 0;
  size_t bytes[3] = {};
  cudaLibXtDesc* array = nullptr;
  expect_ok(cufftCreate(&plan), "errors");
  expect(cufftXtSetGPUs(plan, 1, gpus) == CUFFT_INVALID_VALUE, "one GPU");
  expect(cufftXtSetGPUs(plan, 3, gpus) == CUFFT_INVALID_DEVICE, "a fourth GPU");
  expect_ok(cufftXtSetGPUs(plan, 2, gpus), "errors");
  expect(cufftMakePlan1d(plan, 60, CUFFT_C2C, 1, bytes) == CUFFT_INVALID_SIZE, "too short");
  expect_ok(cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, bytes), "errors");
  expect(cufftXtSetGPUs(plan, 2, gpus) == CUFFT_INVALID_PLAN, "chosen too late");
  expect_ok(cufftXtMalloc(plan, &array, CUFFT_XT_FORMAT_INPLACE), "errors");
  expect(cufftXtExecDescriptorZ2Z(plan, array, array, CUFFT_FORWARD) == CUFFT_INVALID_TYPE, "another type");
  expect(cufftXtExecDescriptorC2C(plan, array, array, 0) == CUFFT_INVALID_VALUE, "no direction");
  expect_ok(cufftXtFree(array), "errors");
  expect_ok(cufftDestroy(plan), "errors");
  expect_ok(cufftPlan1d(&plan, 64, CUFFT_C2C, 1), "errors");
  expect(cufftXtMalloc(plan, &array, CUFFT_XT_FORMAT_INPLACE) == CUFFT_INVALID_PLAN, "a plan for one GPU");
  expect_ok(cufftDestroy(plan), "errors");
}

int main() {
  test_complex({0, 1}, {1, 1, 64}, 1);
  test_complex({2, 0, 1}, {1, 1, 67}, 1);
  test_complex({0, 0}, {1, 64, 32}, 2);
  test_complex({0, 1}, {1, 32, 45}, 2);
  test_complex({1, 2, 0}, {33, 32, 34}, 3);
  test_batch();
  test_real();
  test_work_area();
  test_errors();
  return result();
}
