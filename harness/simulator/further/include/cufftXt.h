// cuFFT plans by data type (float and double), for several GPUs, and with callbacks.
#pragma once

#include "cudalibxt.h"
#include "cufft.h"

typedef enum cufftXtSubFormat_t {
  CUFFT_XT_FORMAT_INPUT = 0,
  CUFFT_XT_FORMAT_OUTPUT = 1,
  CUFFT_XT_FORMAT_INPLACE = 2,
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
  CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4,
  CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 5,
  CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 6,
  CUFFT_FORMAT_UNDEFINED = 7
} cufftXtSubFormat;
typedef enum cufftXtCopyType_t {
  CUFFT_COPY_HOST_TO_DEVICE = 0,
  CUFFT_COPY_DEVICE_TO_HOST = 1,
  CUFFT_COPY_DEVICE_TO_DEVICE = 2,
  CUFFT_COPY_UNDEFINED = 3
} cufftXtCopyType;
typedef enum cufftXtQueryType_t { CUFFT_QUERY_1D_FACTORS = 0, CUFFT_QUERY_UNDEFINED = 1 } cufftXtQueryType;
typedef enum cufftXtWorkAreaPolicy_t {
  CUFFT_WORKAREA_MINIMAL = 0,
  CUFFT_WORKAREA_USER = 1,
  CUFFT_WORKAREA_PERFORMANCE = 2
} cufftXtWorkAreaPolicy;
typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0,
  CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
  CUFFT_CB_LD_REAL = 2,
  CUFFT_CB_LD_REAL_DOUBLE = 3,
  CUFFT_CB_ST_COMPLEX = 4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
  CUFFT_CB_ST_REAL = 6,
  CUFFT_CB_ST_REAL_DOUBLE = 7,
  CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;
typedef struct cufftXt1dFactors_t {
  long long size, stringCount, stringLength, substringLength;
  long long factor1, factor2, stringMask, substringMask, factor1Mask, factor2Mask;
  int stringShift, substringShift, factor1Shift, factor2Shift;
} cufftXt1dFactors;
#define WARPMARK_FFT_CALLBACKS(letter, T)                                             \
  typedef T (*cufftCallbackLoad##letter)(void*, size_t, void*, void*);                \
  typedef void (*cufftCallbackStore##letter)(void*, size_t, T, void*, void*);         \
  typedef T (*cufftJITCallbackLoad##letter)(void*, unsigned long long, void*, void*); \
  typedef void (*cufftJITCallbackStore##letter)(void*, unsigned long long, T, void*, void*)
WARPMARK_FFT_CALLBACKS(C, cufftComplex);
WARPMARK_FFT_CALLBACKS(Z, cufftDoubleComplex);
WARPMARK_FFT_CALLBACKS(R, cufftReal);
WARPMARK_FFT_CALLBACKS(D, cufftDoubleReal);
#undef WARPMARK_FFT_CALLBACKS

#include "warpmark_cuda/fft/callbacks.h"
#include "warpmark_cuda/fft/several_gpus.h"

namespace warpmark_fft {

// Returns the cuFFT plan type (e.g. CUFFT_R2C) for the data types of input, output and execution, or 0 if
// cuFFT does not support that combination.
inline int type_of(cudaDataType input, cudaDataType output, cudaDataType execution) {
  if (execution == CUDA_C_32F) {
    if (input == CUDA_C_32F) return output == CUDA_C_32F ? CUFFT_C2C : output == CUDA_R_32F ? CUFFT_C2R : 0;
    return input == CUDA_R_32F && output == CUDA_C_32F ? CUFFT_R2C : 0;
  }
  if (execution != CUDA_C_64F) return 0;
  if (input == CUDA_C_64F) return output == CUDA_C_64F ? CUFFT_Z2Z : output == CUDA_R_64F ? CUFFT_Z2D : 0;
  return input == CUDA_R_64F && output == CUDA_C_64F ? CUFFT_D2Z : 0;
}

}  // namespace warpmark_fft

WARPMARK_IF_CALLED
inline cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                       long long istride, long long idist, cudaDataType inputtype,
                                       long long* onembed, long long ostride, long long odist,
                                       cudaDataType outputtype, long long batch, size_t* workSize,
                                       cudaDataType executiontype) {
  const int type = warpmark_fft::type_of(inputtype, outputtype, executiontype);
  if (type == 0) return CUFFT_NOT_SUPPORTED;
  return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist,
                             static_cast<cufftType>(type), batch, workSize);
}
inline cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                      long long istride, long long idist, cudaDataType inputtype,
                                      long long* onembed, long long ostride, long long odist,
                                      cudaDataType outputtype, long long batch, size_t* workSize,
                                      cudaDataType executiontype) {
  const int type = warpmark_fft::type_of(inputtype, outputtype, executiontype);
  if (type == 0) return CUFFT_NOT_SUPPORTED;
  return cufftGetSizeMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist,
                            static_cast<cufftType>(type), batch, workSize);
}
// cufftXtExec: the direction (forward or inverse) is ignored unless the plan is complex to complex, as the
// other types have only one.
WARPMARK_IF_CALLED
inline cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction) {
  const warpmark_fft::Plan* const found = warpmark_fft::find(plan);
  if (found == nullptr) return CUFFT_INVALID_PLAN;
  switch (found->type) {
    case CUFFT_C2C:
      return cufftExecC2C(plan, static_cast<cufftComplex*>(input), static_cast<cufftComplex*>(output),
                          direction);
    case CUFFT_R2C:
      return cufftExecR2C(plan, static_cast<cufftReal*>(input), static_cast<cufftComplex*>(output));
    case CUFFT_C2R:
      return cufftExecC2R(plan, static_cast<cufftComplex*>(input), static_cast<cufftReal*>(output));
    case CUFFT_Z2Z:
      return cufftExecZ2Z(plan, static_cast<cufftDoubleComplex*>(input),
                          static_cast<cufftDoubleComplex*>(output), direction);
    case CUFFT_D2Z:
      return cufftExecD2Z(plan, static_cast<cufftDoubleReal*>(input),
                          static_cast<cufftDoubleComplex*>(output));
    case CUFFT_Z2D:
      return cufftExecZ2D(plan, static_cast<cufftDoubleComplex*>(input),
                          static_cast<cufftDoubleReal*>(output));
  }
  return CUFFT_INVALID_PLAN;
}

inline cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int* whichGPUs) {
  return warpmark_fft::choose_gpus(handle, nGPUs, whichGPUs);
}
// cufftXtSetWorkArea takes one work area per GPU; the simulator uses only the first, because the plan's first
// GPU computes all.
inline cufftResult cufftXtSetWorkArea(cufftHandle plan, void** workArea) {
  return workArea == nullptr ? CUFFT_INVALID_VALUE : cufftSetWorkArea(plan, workArea[0]);
}
inline cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc** descriptor, cufftXtSubFormat format) {
  return warpmark_fft::allocate(plan, descriptor, format);
}
inline cufftResult cufftXtFree(cudaLibXtDesc* descriptor) {
  return warpmark_fft::give_back(descriptor);
}
WARPMARK_IF_CALLED
inline cufftResult cufftXtMemcpy(cufftHandle plan, void* dstPointer, void* srcPointer, cufftXtCopyType type) {
  return warpmark_fft::copy_array<>(plan, dstPointer, srcPointer, type);
}
// cufftXtExecDescriptor: the direction (forward or inverse) is ignored unless the plan is complex to complex,
// as the other types have only one.
WARPMARK_IF_CALLED
inline cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output,
                                         int direction) {
  const warpmark_fft::Plan* const found = warpmark_fft::find(plan);
  if (found == nullptr) return CUFFT_INVALID_PLAN;
  if (found->is_real_to_complex()) direction = CUFFT_FORWARD;
  if (found->is_complex_to_real()) direction = CUFFT_INVERSE;
  return warpmark_fft::execute_array<>(plan, found->type, input, output, direction);
}
#define WARPMARK_FFT_COMPLEX(Name)                                                       \
  WARPMARK_IF_CALLED                                                                     \
  inline cufftResult cufftXtExecDescriptor##Name(cufftHandle plan, cudaLibXtDesc* input, \
                                                 cudaLibXtDesc* output, int direction) { \
    return warpmark_fft::execute_array<>(plan, CUFFT_##Name, input, output, direction);  \
  }
#define WARPMARK_FFT_REAL(Name, direction)                                               \
  WARPMARK_IF_CALLED                                                                     \
  inline cufftResult cufftXtExecDescriptor##Name(cufftHandle plan, cudaLibXtDesc* input, \
                                                 cudaLibXtDesc* output) {                \
    return warpmark_fft::execute_array<>(plan, CUFFT_##Name, input, output, direction);  \
  }
WARPMARK_FFT_COMPLEX(C2C)
WARPMARK_FFT_COMPLEX(Z2Z)
WARPMARK_FFT_REAL(R2C, CUFFT_FORWARD)
WARPMARK_FFT_REAL(D2Z, CUFFT_FORWARD)
WARPMARK_FFT_REAL(C2R, CUFFT_INVERSE)
WARPMARK_FFT_REAL(Z2D, CUFFT_INVERSE)
#undef WARPMARK_FFT_COMPLEX
#undef WARPMARK_FFT_REAL

// cufftXtSetCallback: callback_routine is an array of one device function pointer, which the program copied
// from a __device__ variable.
WARPMARK_IF_CALLED
inline cufftResult cufftXtSetCallback(cufftHandle plan, void** callback_routine, cufftXtCallbackType cbType,
                                      void** caller_info) {
  return warpmark_fft::set_callback<>(plan, callback_routine, cbType, caller_info);
}
inline cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType cbType) {
  return warpmark_fft::change_callback(plan, cbType, [](warpmark_fft::Callback& callback) { callback = {}; });
}
inline cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType cbType,
                                                size_t sharedSize) {
  if (sharedSize > warpmark_fft::kMaxSharedBytes) return CUFFT_ALLOC_FAILED;
  return warpmark_fft::change_callback(
      plan, cbType, [&](warpmark_fft::Callback& callback) { callback.shared_bytes = sharedSize; });
}
