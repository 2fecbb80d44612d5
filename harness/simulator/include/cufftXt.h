// cuFFT's plans by data types (float and double). Several GPUs and callbacks are not simulated.
#pragma once

#include "cufft.h"

// Of what is not simulated: several GPUs and callbacks.
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
typedef enum cudaXtCopyType_t {
  LIB_XT_COPY_HOST_TO_DEVICE = 0,
  LIB_XT_COPY_DEVICE_TO_HOST = 1,
  LIB_XT_COPY_DEVICE_TO_DEVICE = 2
} cudaLibXtCopyType;
typedef enum libFormat_t { LIB_FORMAT_CUFFT = 0, LIB_FORMAT_UNDEFINED = 1 } libFormat;

typedef struct cudaXtDesc_t {
  int version, nGPUs, GPUs[64];
  void* data[64];
  size_t size[64];
  void* cudaXtState;
} cudaXtDesc;
typedef struct cudaLibXtDesc_t {
  int version;
  cudaXtDesc* descriptor;
  libFormat library;
  int subFormat;
  void* libDescriptor;
} cudaLibXtDesc;
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

namespace warpmark_fft {

// The plan's type of three data types, or none.
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

template <int = 0>
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
// direction: of plans from complex to complex alone.
template <int = 0>
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
