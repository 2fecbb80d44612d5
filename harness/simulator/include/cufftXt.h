// cuFFT's plans by data types (float and double). Several GPUs and callbacks are not simulated.
#pragma once

#include "cufft.h"

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
