// cuFFT: arrays distributed over several GPUs. The plan's first GPU transforms them; the other GPUs' parts
// are copied there and back.
#pragma once

#include "cudalibxt.h"
#include "warpmark_cuda/algorithms/run.h"
#include "warpmark_cuda/fft/execute.h"

namespace warpmark_fft {

// Distribution of a complex array over GPUs. Natural order: each GPU has consecutive rows. Shuffled order,
// the result of a transform: each GPU has consecutive columns of all rows; of an array with a single column,
// every gpus-th element. For batched transforms, each array of the batch counts as a row, which stays on one
// GPU (`whole`).
struct Spread {
  Index rows, columns, inner;
  bool whole;
  Index gpus;

  // Index of the first of `count` rows or columns that a GPU owns. If the GPU count does not divide `count`,
  // the first GPUs own one more each.
  __host__ __device__ Index begin(Index count, Index gpu) const {
    const Index extra = count % gpus;
    return gpu * (count / gpus) + (gpu < extra ? gpu : extra);
  }
  __host__ __device__ Index gpu_of(Index thing, Index count) const {
    const Index each = count / gpus;
    const Index with_more = count % gpus * (each + 1);
    return thing < with_more ? thing / (each + 1) : count % gpus + (thing - with_more) / each;
  }
  __host__ __device__ Index elements() const { return rows * columns * inner; }
  bool operator==(const Spread& other) const {
    return rows == other.rows && columns == other.columns && inner == other.inner && whole == other.whole &&
           gpus == other.gpus;
  }
  // Array distributed over several GPUs: returns the offset of a GPU's first element in the concatenation of
  // all GPUs' parts.
  Index first(Index gpu, bool shuffled) const {
    const bool by_columns = shuffled && !whole && columns > 1;
    return by_columns ? begin(columns, gpu) * rows * inner : begin(rows, gpu) * columns * inner;
  }
  // Position of array element i if the parts of all GPUs are concatenated in shuffled order (cuFFT's order
  // after a multi-GPU transform).
  __device__ Index shuffled(Index i) const {
    const Index row = i / (columns * inner);
    if (columns == 1) return begin(rows, row % gpus) + row / gpus;
    const Index column = i / inner % columns;
    const Index gpu = gpu_of(column, columns);
    const Index from = begin(columns, gpu);
    const Index own = begin(columns, gpu + 1) - from;
    return (from * rows + row * own + column - from) * inner + i % inner;
  }
};

template <typename C>
struct Shuffle {
  const C* from;
  C* to;
  Spread spread;
  bool back;
  __device__ void operator()(Index i) {
    const Index at = spread.shuffled(i);
    to[back ? i : at] = from[back ? at : i];
  }
};

struct Array {
  cudaLibXtDesc described;
  cudaXtDesc parts;
  Spread spread;
  size_t complex_bytes;

  bool is_shuffled() const {
    const int format = described.subFormat;
    return format == CUFFT_XT_FORMAT_OUTPUT || format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED ||
           format == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED;
  }
  // Sets the order of a distributed array (a cufftXtSubFormat: natural or shuffled) and, accordingly, the
  // size in bytes of each GPU's part.
  void set_format(int format) {
    described.subFormat = format;
    for (int i = 0; i < parts.nGPUs; ++i)
      parts.size[i] =
          static_cast<size_t>(spread.first(i + 1, is_shuffled()) - spread.first(i, is_shuffled())) *
          complex_bytes;
  }
};

inline Spread spread_of(const Plan& plan) {
  const bool real = plan.is_real_to_complex() || plan.is_complex_to_real();
  const Index n0 = plan.sizes[0];
  const Index n1 = plan.sizes[1];
  const Index last = real ? plan.sizes[2] / 2 + 1 : plan.sizes[2];
  if (plan.batch > 1) return {plan.batch, n0 * n1 * last, 1, true, plan.gpu_count};
  if (plan.rank == 1) return {last, 1, 1, false, plan.gpu_count};
  return plan.rank == 2 ? Spread{n1, last, 1, false, plan.gpu_count}
                        : Spread{n0, n1, last, false, plan.gpu_count};
}

// cufftXtSetGPUs: selects a plan's GPUs. The same GPU may be listed more than once.
inline cufftResult choose_gpus(cufftHandle handle, int count, const int* gpus) {
  Plan* const plan = find(handle);
  if (plan == nullptr || plan->made) return CUFFT_INVALID_PLAN;
  if (count < 2 || count > kMaxGpus || gpus == nullptr) return CUFFT_INVALID_VALUE;
  int there = 0;
  if (::cudaGetDeviceCount(&there) != cudaSuccess) return CUFFT_SETUP_FAILED;
  for (int i = 0; i < count; ++i) {
    if (gpus[i] < 0 || gpus[i] >= there) return CUFFT_INVALID_DEVICE;
  }
  plan->gpu_count = count;
  for (int i = 0; i < count; ++i) plan->gpus[i] = gpus[i];
  return CUFFT_SUCCESS;
}

inline Plan* find_spread(cufftHandle handle) {
  Plan* const plan = find(handle);
  return plan != nullptr && plan->made && plan->gpu_count > 0 ? plan : nullptr;
}
// Returns the distributed array behind a program's cudaLibXtDesc, or null if the array does not fit the cuFFT
// plan.
inline Array* find_array(const Plan& plan, void* descriptor) {
  auto* const described = static_cast<cudaLibXtDesc*>(descriptor);
  if (described == nullptr || described->library != LIB_FORMAT_CUFFT || described->libDescriptor == nullptr)
    return nullptr;
  auto* const array = static_cast<Array*>(described->libDescriptor);
  return array->spread == spread_of(plan) && array->complex_bytes == plan.complex_bytes() ? array : nullptr;
}

inline cufftResult give_back(cudaLibXtDesc* descriptor) {
  if (descriptor == nullptr || descriptor->libDescriptor == nullptr) return CUFFT_INVALID_VALUE;
  auto* const array = static_cast<Array*>(descriptor->libDescriptor);
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < array->parts.nGPUs; ++i) {
    const cudaError_t freed = ::cudaFree(array->parts.data[i]);
    if (error == cudaSuccess) error = freed;
  }
  delete array;
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_INTERNAL_ERROR;
}

// Allocates a distributed array; each GPU's part is large enough for both natural and shuffled order.
inline cufftResult allocate(cufftHandle handle, cudaLibXtDesc** descriptor, cufftXtSubFormat format) {
  const Plan* const plan = find_spread(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  if (descriptor == nullptr || format > CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED) return CUFFT_INVALID_VALUE;
  if (format == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED && plan->rank != 1) return CUFFT_INVALID_VALUE;
  Array* const array = new Array{{}, {}, spread_of(*plan), plan->complex_bytes()};
  array->described = {CUDA_XT_DESCRIPTOR_VERSION, &array->parts, LIB_FORMAT_CUFFT, format, array};
  array->parts.version = CUDA_XT_DESCRIPTOR_VERSION;
  int before = 0;
  ::cudaGetDevice(&before);
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < plan->gpu_count && error == cudaSuccess; ++i) {
    Index most = 0;
    for (const bool shuffled : {false, true}) {
      const Index count = array->spread.first(i + 1, shuffled) - array->spread.first(i, shuffled);
      if (count > most) most = count;
    }
    array->parts.GPUs[i] = plan->gpus[i];
    ::cudaSetDevice(plan->gpus[i]);
    error = ::cudaMalloc(&array->parts.data[i], static_cast<size_t>(most) * array->complex_bytes);
    if (error == cudaSuccess) array->parts.nGPUs = i + 1;
  }
  ::cudaSetDevice(before);
  if (error != cudaSuccess) {
    give_back(&array->described);
    return CUFFT_ALLOC_FAILED;
  }
  array->set_format(format);
  *descriptor = &array->described;
  return CUFFT_SUCCESS;
}

// Gathers a distributed array from all GPUs into the plan's work area in natural order, or scatters it back.
// Ordered before and after other work of the plan's GPUs, like any copy between GPUs.
template <typename C>
cudaError_t move_parts(const Plan& plan, Array& array, bool gather) {
  C* const between = static_cast<C*>(plan.work);
  C* const natural = between + plan.elements;
  const bool shuffled = array.is_shuffled() && !array.spread.whole;
  const auto shuffle = [&](const C* from, C* to) {
    return warpmark_lib::for_each_index(array.spread.elements(), nullptr,
                                        Shuffle<C>{from, to, array.spread, gather});
  };
  cudaError_t error = shuffled && !gather ? shuffle(natural, between) : cudaSuccess;
  C* const whole = shuffled ? between : natural;
  for (int i = 0; i < plan.gpu_count && error == cudaSuccess; ++i) {
    const Index first = array.spread.first(i, shuffled);
    const size_t bytes = static_cast<size_t>(array.spread.first(i + 1, shuffled) - first) * sizeof(C);
    void* const part = array.parts.data[i];
    if (bytes == 0) continue;
    error = gather ? ::cudaMemcpyPeer(whole + first, plan.gpus[0], part, plan.gpus[i], bytes)
                   : ::cudaMemcpyPeer(part, plan.gpus[i], whole + first, plan.gpus[0], bytes);
  }
  return error == cudaSuccess && shuffled && gather ? shuffle(between, natural) : error;
}

// Synchronises the default streams of all GPUs of a multi-GPU cuFFT plan.
inline cudaError_t wait_for_gpus(const Plan& plan) {
  cudaError_t error = cudaSuccess;
  for (int i = plan.gpu_count; i-- > 0 && error == cudaSuccess;) {
    ::cudaSetDevice(plan.gpus[i]);
    error = ::cudaStreamSynchronize(nullptr);
  }
  return error;
}

template <typename C>
cufftResult copy_as(const Plan& plan, void* to, void* from, cufftXtCopyType type) {
  const OnFirstGpu on(plan);
  Array* const target = type == CUFFT_COPY_DEVICE_TO_HOST ? nullptr : find_array(plan, to);
  Array* const source = type == CUFFT_COPY_HOST_TO_DEVICE ? nullptr : find_array(plan, from);
  if ((type != CUFFT_COPY_DEVICE_TO_HOST && target == nullptr) ||
      (type != CUFFT_COPY_HOST_TO_DEVICE && source == nullptr) || to == nullptr || from == nullptr)
    return CUFFT_INVALID_VALUE;
  if (plan.work == nullptr) return CUFFT_NO_WORKSPACE;
  C* const natural = static_cast<C*>(plan.work) + plan.elements;
  const size_t bytes = static_cast<size_t>(spread_of(plan).elements()) * sizeof(C);
  cudaError_t error = source == nullptr ? ::cudaMemcpy(natural, from, bytes, cudaMemcpyHostToDevice)
                                        : move_parts<C>(plan, *source, true);
  if (error == cudaSuccess)
    error = target == nullptr ? ::cudaMemcpy(to, natural, bytes, cudaMemcpyDeviceToHost)
                              : move_parts<C>(plan, *target, false);
  if (error == cudaSuccess) error = wait_for_gpus(plan);
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}
WARPMARK_IF_CALLED
cufftResult copy_array(cufftHandle handle, void* to, void* from, cufftXtCopyType type) {
  const Plan* const plan = find_spread(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  if (type > CUFFT_COPY_DEVICE_TO_DEVICE) return CUFFT_INVALID_VALUE;
  return plan->is_double() ? copy_as<cuDoubleComplex>(*plan, to, from, type)
                           : copy_as<cuComplex>(*plan, to, from, type);
}

template <typename C>
cufftResult execute_on(const Plan& plan, Array& array, int direction) {
  const OnFirstGpu on(plan);
  if (plan.work == nullptr) return CUFFT_NO_WORKSPACE;
  C* const natural = static_cast<C*>(plan.work) + plan.elements;
  auto* const real = reinterpret_cast<decltype(C::x)*>(natural);
  if (move_parts<C>(plan, array, true) != cudaSuccess) return CUFFT_EXEC_FAILED;
  // A multi-GPU cuFFT transform ignores the plan's stream and uses the default stream, on which the copies
  // between GPUs run.
  Plan transform = plan;
  transform.stream = nullptr;
  const cufftResult result = plan.is_real_to_complex()   ? execute(transform, real, natural, direction)
                             : plan.is_complex_to_real() ? execute(transform, natural, real, direction)
                                                         : execute(transform, natural, natural, direction);
  if (result != CUFFT_SUCCESS) return result;
  if (!array.spread.whole)
    array.set_format(array.is_shuffled() ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  return move_parts<C>(plan, array, false) == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}
// Executes a transform of a distributed array in place.
WARPMARK_IF_CALLED
cufftResult execute_array(cufftHandle handle, cufftType type, cudaLibXtDesc* input, cudaLibXtDesc* output,
                          int direction) {
  const Plan* const plan = find_spread(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  if (plan->type != type) return CUFFT_INVALID_TYPE;
  Array* const array = find_array(*plan, input);
  if (array == nullptr || input != output || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  return plan->is_double() ? execute_on<cuDoubleComplex>(*plan, *array, direction)
                           : execute_on<cuComplex>(*plan, *array, direction);
}

}  // namespace warpmark_fft
