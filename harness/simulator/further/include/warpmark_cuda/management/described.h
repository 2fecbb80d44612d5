// NVML queries. They fail before nvmlInit and for an invalid device.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "cuda_runtime_api.h"
#include "warpmark_cuda/management/types.h"

namespace warpmark_management {

// number of nvmlInit calls minus number of nvmlShutdown calls; NVML is initialised while it is above 0
inline int users = 0;

// NVML device handles hold the device's number plus 1, so that no handle is null.
inline nvmlDevice_t handle_of(int device) {
  return reinterpret_cast<nvmlDevice_t>(static_cast<std::uintptr_t>(device) + 1);
}
inline int device_of(nvmlDevice_t handle) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(handle)) - 1;
}
inline int count() {
  int devices = 0;
  return ::cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

// Calls answer(), which performs an NVML query, and returns its status; or returns an error if NVML is not
// initialised or a result pointer is null.
template <typename Answer, typename... Results>
nvmlReturn_t of_library(const Answer& answer, Results*... results) {
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  if (((results == nullptr) || ...)) return NVML_ERROR_INVALID_ARGUMENT;
  return answer();
}
// Returns answer(device number), which performs an NVML query, or an error if NVML is not initialised, the
// handle is invalid or a result pointer is null.
template <typename Answer, typename... Results>
nvmlReturn_t of_device(nvmlDevice_t handle, const Answer& answer, Results*... results) {
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  const int device = device_of(handle);
  if (device < 0 || device >= count() || ((results == nullptr) || ...)) return NVML_ERROR_INVALID_ARGUMENT;
  return answer(device);
}
inline nvmlReturn_t not_supported(nvmlDevice_t handle) {
  return of_device(handle, [](int) { return NVML_ERROR_NOT_SUPPORTED; });
}

inline nvmlReturn_t write(const char* text, char* to, unsigned int length) {
  if (std::strlen(text) >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(to, text, std::strlen(text) + 1);
  return NVML_SUCCESS;
}

inline unsigned int attribute(int device, cudaDeviceAttr which) {
  int value = 0;
  return ::cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? static_cast<unsigned int>(value)
                                                                        : 0;
}
struct Properties {
  cudaDeviceProp all;
  explicit Properties(int device) { ::cudaGetDeviceProperties(&all, device); }
};

// NVML's device UUID: the text "GPU-" and 16 bytes in hexadecimal, in hyphenated groups.
struct Uuid {
  char text[64] = "GPU-";
  explicit Uuid(int device) {
    const Properties of(device);
    std::size_t at = 4;
    for (int i = 0; i < 16; ++i) {
      if (i == 4 || i == 6 || i == 8 || i == 10) text[at++] = '-';
      std::snprintf(text + at, sizeof text - at, "%02x", static_cast<unsigned char>(of.all.uuid.bytes[i]));
      at += 2;
    }
  }
};

inline void fill(nvmlPciInfo_t* info, int device) {
  *info = {};
  info->bus = attribute(device, cudaDevAttrPciBusId);
  std::snprintf(info->busIdLegacy, sizeof info->busIdLegacy, NVML_DEVICE_PCI_BUS_ID_LEGACY_FMT, info->domain,
                info->bus, info->device);
  std::snprintf(info->busId, sizeof info->busId, NVML_DEVICE_PCI_BUS_ID_FMT, info->domain, info->bus,
                info->device);
}

// Stores the total, free and used memory of the given device, which need not be the current CUDA device.
inline nvmlReturn_t memory_of(int device, nvmlMemory_t* memory) {
  int before = 0;
  std::size_t free = 0;
  std::size_t total = 0;
  if (::cudaGetDevice(&before) != cudaSuccess) return NVML_ERROR_UNKNOWN;
  if (before != device) ::cudaSetDevice(device);
  const cudaError_t error = ::cudaMemGetInfo(&free, &total);
  if (before != device) ::cudaSetDevice(before);
  *memory = {total, free, total - free};
  return error == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}

// Stores the device's clock rate in MHz; all rates are constant.
inline nvmlReturn_t clock_of(nvmlDevice_t handle, nvmlClockType_t type, unsigned int* clock) {
  return of_device(
      handle,
      [=](int device) {
        switch (type) {
          case NVML_CLOCK_GRAPHICS:
          case NVML_CLOCK_SM:
            *clock = attribute(device, cudaDevAttrClockRate) / 1000;
            return NVML_SUCCESS;
          case NVML_CLOCK_MEM:
            *clock = attribute(device, cudaDevAttrMemoryClockRate) / 1000;
            return NVML_SUCCESS;
          case NVML_CLOCK_VIDEO:
            return NVML_ERROR_NOT_SUPPORTED;
          default:
            return NVML_ERROR_INVALID_ARGUMENT;
        }
      },
      clock);
}

}  // namespace warpmark_management
