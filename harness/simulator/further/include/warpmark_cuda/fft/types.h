// cuFFT enumerators, with the values of the documentation, and plans, which are held by the program's
// process.
#pragma once

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"

#define _CUFFT_H_
#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VER_BUILD 0
#define CUFFT_VERSION 12000
#define CUFFTAPI
#define MAX_CUFFT_ERROR 0x15

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20,
  // cuFFT error codes that CUDA 13 removed; kept because programs list them in their tables of error texts.
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_LICENSE_ERROR = 15
} cufftResult;

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1

typedef enum cufftType_t {
  CUFFT_C2C = 0x29,
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_Z2Z = 0x69,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c
} cufftType;
typedef enum cufftProperty_t {
  NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT = 0x1,
  NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS = 0x2
} cufftProperty;
typedef enum cufftCompatibility_t { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 } cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING

typedef int cufftHandle;
#define CUFFT_PLAN_NULL (-1)

namespace warpmark_fft {

using Index = long long;
constexpr int kMaxRank = 3;

// Memory layout of a batch of cuFFT arrays. Index of element (x0, x1, x2) of array b: b * distance + ((x0 *
// sizes[1] + x1) * sizes[2] + x2) * stride.
struct Layout {
  Index sizes[kMaxRank];
  Index stride;
  Index distance;
  __device__ __forceinline__ Index at(Index batch, Index x0, Index x1, Index x2) const {
    return batch * distance + ((x0 * sizes[1] + x1) * sizes[2] + x2) * stride;
  }
};

// Extents of one array of a cuFFT transform; n2 is the innermost (fastest) dimension.
struct Shape {
  Index n0, n1, n2;
  // Returns the layout of a batch of cuFFT arrays that have these extents n0, n1, n2 and are stored without
  // gaps.
  Layout dense() const { return {{n0, n1, n2}, 1, n0 * n1 * n2}; }
};

constexpr int kMaxGpus = 16;

struct Plan;
// cuFFT callback: a device function of the program, called for each element read or written.
struct Callback {
  void* function;  // the program's device function, called per element; null if no callback is set
  void* info;
  size_t shared_bytes;
  // Runs a kernel that passes each element through the program's cuFFT callback, between the program's array
  // and `numbers`, a temporary array without gaps.
  cudaError_t (*through)(const Plan& plan, void* array, void* numbers, const Layout& layout,
                         const Shape& shape);
};

struct Plan {
  bool made;
  cufftType type;
  int rank;
  Index batch;
  // extents of the cuFFT transform; for fewer than 3 dimensions, the leading ones are 1
  Index sizes[kMaxRank];
  // true if the program gave a cuFFT plan explicit strides; else the layouts depend on whether the transform
  // is in place
  bool advanced;
  Layout input;
  Layout output;
  cudaStream_t stream;
  bool allocates;
  void* work;  // work area of a cuFFT plan: `elements` complex numbers, for multi-GPU plans twice as many
  bool owns_work;
  Index elements;
  // number of GPUs of a multi-GPU cuFFT plan; 0 for a plan of one GPU, the one current at the plan's creation
  int gpu_count;
  int gpus[kMaxGpus];
  Callback load;
  Callback store;

  // Returns the extents of a cuFFT plan's input or output. A real transform's spectrum has only sizes[2] / 2
  // + 1 elements in the innermost dimension, because the rest follows by symmetry.
  Shape shape(bool of_input) const {
    const bool half = of_input ? is_complex_to_real() : is_real_to_complex();
    return {sizes[0], sizes[1], half ? sizes[2] / 2 + 1 : sizes[2]};
  }
  bool is_double() const { return (type & 0x40) != 0; }
  bool is_real_to_complex() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
  bool is_complex_to_real() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
  size_t complex_bytes() const { return is_double() ? sizeof(cuDoubleComplex) : sizeof(cuComplex); }
  size_t work_bytes() const {
    return (gpu_count > 0 ? 2 : 1) * static_cast<size_t>(elements) * complex_bytes();
  }
};

// Maximum number of cuFFT plans of a program; a cufftHandle is an index in the array `plans`.
constexpr int kMaxPlans = 4096;
inline Plan* plans[kMaxPlans];

inline Plan* find(cufftHandle handle) {
  return handle < 0 || handle >= kMaxPlans ? nullptr : __atomic_load_n(&plans[handle], __ATOMIC_ACQUIRE);
}
// Stores a new cuFFT plan in the table of plans and returns its handle. Returns false if the table is full;
// the caller then still owns the plan.
inline bool keep(Plan* plan, cufftHandle* handle) {
  for (int i = 0; i < kMaxPlans; ++i) {
    Plan* nothing = nullptr;
    if (!__atomic_compare_exchange_n(&plans[i], &nothing, plan, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      continue;
    *handle = i;
    return true;
  }
  return false;
}

}  // namespace warpmark_fft
