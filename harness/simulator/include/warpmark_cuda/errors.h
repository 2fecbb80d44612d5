// Error codes: numbers and texts as in CUDA's documentation.
#pragma once

// X(name, number, text)
#define WARPMARK_CUDA_ERRORS(X)                                                                         \
  X(cudaSuccess, 0, "no error")                                                                         \
  X(cudaErrorInvalidValue, 1, "invalid argument")                                                       \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                                                      \
  X(cudaErrorInitializationError, 3, "initialization error")                                            \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                 \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                           \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                        \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                           \
  X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")    \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                      \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                       \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                              \
  X(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                      \
  X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")   \
  X(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                           \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                     \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found")                                             \
  X(cudaErrorNotReady, 600, "device not ready")                                                         \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                           \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                      \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                             \
  X(cudaErrorAssert, 710, "device-side assert triggered")                                               \
  X(cudaErrorHostMemoryAlreadyRegistered, 712,                                                          \
    "part or all of the requested memory range is already mapped")                                      \
  X(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
  X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                         \
  X(cudaErrorMisalignedAddress, 716, "misaligned address")                                              \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                          \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                   \
  X(cudaErrorNotPermitted, 800, "operation not permitted")                                              \
  X(cudaErrorNotSupported, 801, "operation not supported")                                              \
  X(cudaErrorUnknown, 999, "unknown error")

#define WARPMARK_ENUMERATOR(name, number, text) name = number,
enum cudaError { WARPMARK_CUDA_ERRORS(WARPMARK_ENUMERATOR) };
#undef WARPMARK_ENUMERATOR
typedef enum cudaError cudaError_t;
