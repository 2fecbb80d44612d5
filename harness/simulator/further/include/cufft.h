// cuFFT on the simulator: NVIDIA's API; the device transforms by FFTW (warpmark_cuda/fft/).
#pragma once

#if !defined(__CUDA__)
#error 'cufft.h' is unavailable: not simulated by Warpmark in a file of C
#endif

#include "warpmark_cuda/fft/plan.h"

#define WARPMARK_FFT_LIST(...) __VA_ARGS__
// Defines cufftMakePlan<Shape> and cufftGetSize<Shape> with the given parameters; `wanted` describes the
// plan to make.
#define WARPMARK_FFT_PLAN(Shape, parameters, wanted)                                                         \
  WARPMARK_IF_CALLED                                                                                         \
  inline cufftResult cufftMakePlan##Shape(cufftHandle plan, WARPMARK_FFT_LIST parameters,                    \
                                          size_t* workSize) {                                                \
    return warpmark_fft::make<>(plan, wanted, workSize);                                                     \
  }                                                                                                          \
  inline cufftResult cufftGetSize##Shape(cufftHandle plan, WARPMARK_FFT_LIST parameters, size_t* workSize) { \
    return warpmark_fft::size_of(plan, wanted, workSize);                                                    \
  }
#define WARPMARK_FFT_PLAN_AT_ONCE(Shape, parameters, wanted)                                \
  WARPMARK_FFT_PLAN(Shape, parameters, wanted)                                              \
  WARPMARK_IF_CALLED                                                                        \
  inline cufftResult cufftPlan##Shape(cufftHandle* plan, WARPMARK_FFT_LIST parameters) {    \
    return warpmark_fft::create_and_make<>(plan, wanted);                                   \
  }                                                                                         \
  inline cufftResult cufftEstimate##Shape(WARPMARK_FFT_LIST parameters, size_t* workSize) { \
    return warpmark_fft::size_of(wanted, workSize);                                         \
  }

WARPMARK_FFT_PLAN_AT_ONCE(1d, (int nx, cufftType type, int batch), warpmark_fft::simple(type, batch, 1, nx))
WARPMARK_FFT_PLAN_AT_ONCE(2d, (int nx, int ny, cufftType type), warpmark_fft::simple(type, 1, 2, nx, ny))
WARPMARK_FFT_PLAN_AT_ONCE(3d, (int nx, int ny, int nz, cufftType type),
                          warpmark_fft::simple(type, 1, 3, nx, ny, nz))
WARPMARK_FFT_PLAN_AT_ONCE(Many,
                          (int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride,
                           int odist, cufftType type, int batch),
                          warpmark_fft::many(rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                                             batch))
WARPMARK_FFT_PLAN(Many64,
                  (int rank, long long* n, long long* inembed, long long istride, long long idist,
                   long long* onembed, long long ostride, long long odist, cufftType type, long long batch),
                  warpmark_fft::many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch))
#undef WARPMARK_FFT_PLAN_AT_ONCE
#undef WARPMARK_FFT_PLAN
#undef WARPMARK_FFT_LIST

inline cufftResult cufftCreate(cufftHandle* plan) {
  return warpmark_fft::create(plan);
}
inline cufftResult cufftDestroy(cufftHandle plan) {
  return warpmark_fft::destroy(plan);
}
inline cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  warpmark_fft::Plan* const found = warpmark_fft::find(plan);
  if (found == nullptr) return CUFFT_INVALID_PLAN;
  found->stream = stream;
  return CUFFT_SUCCESS;
}
inline cufftResult cufftGetSize(cufftHandle plan, size_t* workSize) {
  const warpmark_fft::Plan* const found = warpmark_fft::find(plan);
  if (found == nullptr || !found->made) return CUFFT_INVALID_PLAN;
  if (workSize == nullptr) return CUFFT_INVALID_VALUE;
  warpmark_fft::set_work_bytes(*found, workSize);
  return CUFFT_SUCCESS;
}
inline cufftResult cufftSetAutoAllocation(cufftHandle plan, int autoAllocate) {
  warpmark_fft::Plan* const found = warpmark_fft::find(plan);
  if (found == nullptr) return CUFFT_INVALID_PLAN;
  found->allocates = autoAllocate != 0;
  return CUFFT_SUCCESS;
}
// cufftSetWorkArea: the work area that the program supplies must have the size that cufftGetSize returns, and
// remains the program's.
inline cufftResult cufftSetWorkArea(cufftHandle plan, void* workArea) {
  warpmark_fft::Plan* const found = warpmark_fft::find(plan);
  if (found == nullptr) return CUFFT_INVALID_PLAN;
  if (found->owns_work) ::cudaFree(found->work);
  found->owns_work = false;
  found->work = workArea;
  return CUFFT_SUCCESS;
}
inline cufftResult cufftGetVersion(int* version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
inline cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUFFT_INVALID_VALUE;
  *value = type == MAJOR_VERSION   ? CUFFT_VER_MAJOR
           : type == MINOR_VERSION ? CUFFT_VER_MINOR
                                   : CUFFT_VER_PATCH;
  return CUFFT_SUCCESS;
}

#define WARPMARK_FFT_COMPLEX(Name, C)                                                       \
  inline cufftResult cufftExec##Name(cufftHandle plan, C* idata, C* odata, int direction) { \
    return warpmark_fft::execute(plan, CUFFT_##Name, idata, odata, direction);              \
  }
#define WARPMARK_FFT_REAL(Name, From, To, direction)                             \
  inline cufftResult cufftExec##Name(cufftHandle plan, From* idata, To* odata) { \
    return warpmark_fft::execute(plan, CUFFT_##Name, idata, odata, direction);   \
  }
WARPMARK_FFT_COMPLEX(C2C, cufftComplex)
WARPMARK_FFT_COMPLEX(Z2Z, cufftDoubleComplex)
WARPMARK_FFT_REAL(R2C, cufftReal, cufftComplex, CUFFT_FORWARD)
WARPMARK_FFT_REAL(D2Z, cufftDoubleReal, cufftDoubleComplex, CUFFT_FORWARD)
WARPMARK_FFT_REAL(C2R, cufftComplex, cufftReal, CUFFT_INVERSE)
WARPMARK_FFT_REAL(Z2D, cufftDoubleComplex, cufftDoubleReal, CUFFT_INVERSE)
#undef WARPMARK_FFT_COMPLEX
#undef WARPMARK_FFT_REAL
