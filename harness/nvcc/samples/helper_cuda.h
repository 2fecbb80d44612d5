// Checks of CUDA's errors and the choice of a GPU, with the names that NVIDIA's samples give these functions.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include <cuda_runtime.h>

#include "helper_string.h"

template <class Status>
const char* _cudaGetErrorEnum(Status status) {
  if constexpr (std::is_same_v<Status, cudaError_t>) return cudaGetErrorName(status);
  return "<unknown>";
}

template <class Status>
void check(Status status, const char* call, const char* file, int line) {
  if (static_cast<int>(status) == 0) return;
  std::fprintf(stderr, "CUDA error at %s:%d code=%u(%s) \"%s\" \n", file, line, static_cast<unsigned>(status),
               _cudaGetErrorEnum(status), call);
  std::exit(EXIT_FAILURE);
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

inline void __getLastCudaError(const char* message, const char* file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message,
               static_cast<int>(error), cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)

inline void __printLastCudaError(const char* message, const char* file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    std::fprintf(stderr, "%s(%i) : %s : (%d) %s.\n", file, line, message, static_cast<int>(error),
                 cudaGetErrorString(error));
}
#define printLastCudaError(msg) __printLastCudaError(msg, __FILE__, __LINE__)

inline int ftoi(float value) {
  return static_cast<int>(value >= 0 ? value + 0.5f : value - 0.5f);
}

// CUDA cores per multiprocessor, by compute capability (CUDA C++ Programming Guide, arithmetic throughput).
inline int _ConvertSMVer2Cores(int major, int minor) {
  if (major == 6 && minor == 0) return 64;
  if (major == 7 || (major == 8 && minor == 0)) return 64;
  return major < 6 && major == 3 ? 192 : 128;
}
inline const char* _ConvertSMVer2ArchName(int major, int /*minor*/) {
  static const char* const names[]{"",        "Tesla",  "Fermi", "Kepler", "",
                                   "Maxwell", "Pascal", "Volta", "Ampere", "Hopper"};
  return major > 0 && major < 10 ? names[major] : "Graphics Device";
}

inline int gpuDeviceInit(int device) {
  checkCudaErrors(cudaSetDevice(device));
  return device;
}
inline int gpuGetMaxGflopsDeviceId() {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (count == 0) {
    std::fprintf(stderr, "gpuGetMaxGflopsDeviceId() CUDA error: no devices supporting CUDA.\n");
    std::exit(EXIT_FAILURE);
  }
  return 0;
}
inline int findCudaDevice(int argc, const char** argv) {
  const int device = checkCmdLineFlag(argc, argv, "device") ? getCmdLineArgumentInt(argc, argv, "device")
                                                            : gpuGetMaxGflopsDeviceId();
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  std::printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name,
              properties.major, properties.minor);
  return gpuDeviceInit(device);
}
inline int findIntegratedGPU() {
  return -1;
}
inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0;
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  return properties.major > major || (properties.major == major && properties.minor >= minor);
}
