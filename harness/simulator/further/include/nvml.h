// NVML on the simulator: properties of the simulated devices. Sensors (temperature, power, load) are not
// supported; changing a GPU's settings returns "no permission", as for most users.
#pragma once

#if !defined(__cplusplus)
#error 'nvml.h' is unavailable: not simulated by Warpmark in a file of C
#endif

#include "warpmark_cuda/management/described.h"
#include "warpmark_cuda/management/texts.h"

// NVML function names without a version suffix are macros for the latest version, as in NVIDIA's header.
#ifndef NVML_NO_UNVERSIONED_FUNC_DEFS
#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetPciInfo nvmlDeviceGetPciInfo_v3
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2
#endif

inline nvmlReturn_t nvmlInitWithFlags(unsigned int) {
  if (warpmark_management::count() == 0) return NVML_ERROR_DRIVER_NOT_LOADED;
  ++warpmark_management::users;
  return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlInit_v2() {
  return nvmlInitWithFlags(0);
}
inline nvmlReturn_t nvmlShutdown() {
  if (warpmark_management::users == 0) return NVML_ERROR_UNINITIALIZED;
  --warpmark_management::users;
  return NVML_SUCCESS;
}

// NVML reports the driver version that NVIDIA shipped with CUDA 13.0.
inline nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  return warpmark_management::of_library(
      [=] { return warpmark_management::write("580.65.06", version, length); }, version);
}
inline nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
  return warpmark_management::of_library(
      [=] { return warpmark_management::write("13.580.65.06", version, length); }, version);
}
inline nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) {
  return warpmark_management::of_library(
      [=] { return cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN; },
      version);
}
inline nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) {
  return nvmlSystemGetCudaDriverVersion(version);
}
#define NVML_CUDA_DRIVER_VERSION_MAJOR(version) ((version) / 1000)
#define NVML_CUDA_DRIVER_VERSION_MINOR(version) (((version) % 1000) / 10)

inline nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  return warpmark_management::of_library(
      [=] {
        *count = static_cast<unsigned int>(warpmark_management::count());
        return NVML_SUCCESS;
      },
      count);
}
inline nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  return warpmark_management::of_library(
      [=] {
        if (index >= static_cast<unsigned int>(warpmark_management::count()))
          return NVML_ERROR_INVALID_ARGUMENT;
        *device = warpmark_management::handle_of(static_cast<int>(index));
        return NVML_SUCCESS;
      },
      device);
}
inline nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  return warpmark_management::of_library(
      [=] {
        for (int i = 0; i < warpmark_management::count(); ++i) {
          if (std::strcmp(warpmark_management::Uuid(i).text, uuid) != 0) continue;
          *device = warpmark_management::handle_of(i);
          return NVML_SUCCESS;
        }
        return NVML_ERROR_NOT_FOUND;
      },
      uuid, device);
}
inline nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* place, nvmlDevice_t* device) {
  return warpmark_management::of_library(
      [=] {
        for (int i = 0; i < warpmark_management::count(); ++i) {
          nvmlPciInfo_t info;
          warpmark_management::fill(&info, i);
          if (std::strcmp(info.busId, place) != 0 && std::strcmp(info.busIdLegacy, place) != 0) continue;
          *device = warpmark_management::handle_of(i);
          return NVML_SUCCESS;
        }
        return NVML_ERROR_NOT_FOUND;
      },
      place, device);
}

inline nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  return warpmark_management::of_device(
      device,
      [=](int of) {
        return warpmark_management::write(warpmark_management::Properties(of).all.name, name, length);
      },
      name);
}
inline nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  return warpmark_management::of_device(
      device,
      [=](int of) { return warpmark_management::write(warpmark_management::Uuid(of).text, uuid, length); },
      uuid);
}
inline nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* info) {
  return warpmark_management::of_device(
      device,
      [=](int of) {
        warpmark_management::fill(info, of);
        return NVML_SUCCESS;
      },
      info);
}
inline nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  return warpmark_management::of_device(
      device, [=](int of) { return warpmark_management::memory_of(of, memory); }, memory);
}
inline nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory) {
  return warpmark_management::of_device(
      device,
      [=](int of) {
        if (memory->version != nvmlMemory_v2) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        nvmlMemory_t now{};
        const nvmlReturn_t error = warpmark_management::memory_of(of, &now);
        *memory = {memory->version, now.total, 0, now.free, now.used};
        return error;
      },
      memory);
}
inline nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  return warpmark_management::of_device(
      device,
      [=](int of) {
        *major = static_cast<int>(warpmark_management::attribute(of, cudaDevAttrComputeCapabilityMajor));
        *minor = static_cast<int>(warpmark_management::attribute(of, cudaDevAttrComputeCapabilityMinor));
        return NVML_SUCCESS;
      },
      major, minor);
}

// Defines an NVML query function. `value` is the expression that computes its result; in this expression,
// `of` is the number of the queried device.
#define WARPMARK_NVML_VALUE(name, Type, value)                  \
  inline nvmlReturn_t name(nvmlDevice_t device, Type* result) { \
    return warpmark_management::of_device(                      \
        device,                                                 \
        [=]([[maybe_unused]] int of) {                          \
          *result = static_cast<Type>(value);                   \
          return NVML_SUCCESS;                                  \
        },                                                      \
        result);                                                \
  }
WARPMARK_NVML_VALUE(nvmlDeviceGetIndex, unsigned int, of)
WARPMARK_NVML_VALUE(nvmlDeviceGetMinorNumber, unsigned int, of)
WARPMARK_NVML_VALUE(nvmlDeviceGetBrand, nvmlBrandType_t, NVML_BRAND_UNKNOWN)
WARPMARK_NVML_VALUE(nvmlDeviceGetArchitecture, nvmlDeviceArchitecture_t, NVML_DEVICE_ARCH_AMPERE)
WARPMARK_NVML_VALUE(nvmlDeviceGetComputeMode, nvmlComputeMode_t, NVML_COMPUTEMODE_DEFAULT)
WARPMARK_NVML_VALUE(nvmlDeviceGetPersistenceMode, nvmlEnableState_t, NVML_FEATURE_DISABLED)
WARPMARK_NVML_VALUE(nvmlDeviceGetDisplayMode, nvmlEnableState_t, NVML_FEATURE_DISABLED)
WARPMARK_NVML_VALUE(nvmlDeviceGetDisplayActive, nvmlEnableState_t, NVML_FEATURE_DISABLED)
WARPMARK_NVML_VALUE(nvmlDeviceGetMultiGpuBoard, unsigned int, 0)
WARPMARK_NVML_VALUE(nvmlDeviceGetNumFans, unsigned int, 0)
WARPMARK_NVML_VALUE(nvmlDeviceGetMemoryBusWidth, unsigned int,
                    warpmark_management::attribute(of, cudaDevAttrGlobalMemoryBusWidth))
// devices of compute capability 8.0 have 64 CUDA cores per multiprocessor
WARPMARK_NVML_VALUE(nvmlDeviceGetNumGpuCores, unsigned int,
                    64 * warpmark_management::attribute(of, cudaDevAttrMultiProcessorCount))
#undef WARPMARK_NVML_VALUE

inline nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* clock) {
  return warpmark_management::clock_of(device, type, clock);
}
inline nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                              unsigned int* clock) {
  return warpmark_management::clock_of(device, type, clock);
}
inline nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type,
                                                   unsigned int* clock) {
  return warpmark_management::clock_of(device, type, clock);
}
inline nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device, nvmlClockType_t type,
                                                          unsigned int* clock) {
  return warpmark_management::clock_of(device, type, clock);
}
inline nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t,
                                       unsigned int* clock) {
  return warpmark_management::clock_of(device, type, clock);
}

// Defines an NVML query that returns "not supported", because the simulated device lacks the sensor or
// counter.
#define WARPMARK_NVML_NONE(name, ...)                          \
  inline nvmlReturn_t name(nvmlDevice_t device, __VA_ARGS__) { \
    return warpmark_management::not_supported(device);         \
  }
WARPMARK_NVML_NONE(nvmlDeviceGetTemperature, nvmlTemperatureSensors_t, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetTemperatureThreshold, nvmlTemperatureThresholds_t, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetPowerUsage, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetTotalEnergyConsumption, unsigned long long*)
WARPMARK_NVML_NONE(nvmlDeviceGetPowerManagementMode, nvmlEnableState_t*)
WARPMARK_NVML_NONE(nvmlDeviceGetPowerManagementLimit, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetPowerManagementDefaultLimit, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetPowerManagementLimitConstraints, unsigned int*, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetEnforcedPowerLimit, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetUtilizationRates, nvmlUtilization_t*)
WARPMARK_NVML_NONE(nvmlDeviceGetEncoderUtilization, unsigned int*, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetDecoderUtilization, unsigned int*, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetFanSpeed, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetPerformanceState, nvmlPstates_t*)
WARPMARK_NVML_NONE(nvmlDeviceGetPowerState, nvmlPstates_t*)
WARPMARK_NVML_NONE(nvmlDeviceGetCurrentClocksEventReasons, unsigned long long*)
WARPMARK_NVML_NONE(nvmlDeviceGetCurrentClocksThrottleReasons, unsigned long long*)
WARPMARK_NVML_NONE(nvmlDeviceGetPcieThroughput, nvmlPcieUtilCounter_t, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetMaxPcieLinkGeneration, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetMaxPcieLinkWidth, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetCurrPcieLinkGeneration, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetCurrPcieLinkWidth, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetSupportedMemoryClocks, unsigned int*, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetSupportedGraphicsClocks, unsigned int, unsigned int*, unsigned int*)
WARPMARK_NVML_NONE(nvmlDeviceGetEccMode, nvmlEnableState_t*, nvmlEnableState_t*)
WARPMARK_NVML_NONE(nvmlDeviceGetTotalEccErrors, nvmlMemoryErrorType_t, nvmlEccCounterType_t,
                   unsigned long long*)
WARPMARK_NVML_NONE(nvmlDeviceGetBAR1MemoryInfo, nvmlBAR1Memory_t*)
WARPMARK_NVML_NONE(nvmlDeviceGetSerial, char*, unsigned int)
WARPMARK_NVML_NONE(nvmlDeviceGetVbiosVersion, char*, unsigned int)
WARPMARK_NVML_NONE(nvmlDeviceGetBoardPartNumber, char*, unsigned int)
WARPMARK_NVML_NONE(nvmlDeviceGetComputeRunningProcesses, unsigned int*, nvmlProcessInfo_t*)
WARPMARK_NVML_NONE(nvmlDeviceGetGraphicsRunningProcesses, unsigned int*, nvmlProcessInfo_t*)
#undef WARPMARK_NVML_NONE

#define WARPMARK_NVML_SETTING(name, ...)                                                         \
  inline nvmlReturn_t name(nvmlDevice_t device, ##__VA_ARGS__) {                                 \
    return warpmark_management::of_device(device, [](int) { return NVML_ERROR_NO_PERMISSION; }); \
  }
WARPMARK_NVML_SETTING(nvmlDeviceSetPersistenceMode, nvmlEnableState_t)
WARPMARK_NVML_SETTING(nvmlDeviceSetComputeMode, nvmlComputeMode_t)
WARPMARK_NVML_SETTING(nvmlDeviceSetPowerManagementLimit, unsigned int)
WARPMARK_NVML_SETTING(nvmlDeviceSetApplicationsClocks, unsigned int, unsigned int)
WARPMARK_NVML_SETTING(nvmlDeviceResetApplicationsClocks)
WARPMARK_NVML_SETTING(nvmlDeviceSetGpuLockedClocks, unsigned int, unsigned int)
WARPMARK_NVML_SETTING(nvmlDeviceResetGpuLockedClocks)
#undef WARPMARK_NVML_SETTING
