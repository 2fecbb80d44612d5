// The driver API (cuda.h), implemented on the runtime.
#pragma once

#include <string.h>

#include "warpmark_cuda/driver/driver_enumerators.h"
#include "warpmark_cuda/driver/driver_objects.h"
#include "warpmark_cuda/driver/modules.h"
#include "warpmark_cuda/driver/tensor_maps.h"
#include "warpmark_cuda/host/not_simulated.h"

#define __cuda_cuda_h__
#define CUDA_VERSION CUDART_VERSION
#define CUDAAPI
#define CU_STREAM_LEGACY cudaStreamLegacy
#define CU_STREAM_PER_THREAD cudaStreamPerThread
#define CU_MEMHOSTALLOC_PORTABLE cudaHostAllocPortable
#define CU_MEMHOSTALLOC_DEVICEMAP cudaHostAllocMapped
#define CU_MEMHOSTALLOC_WRITECOMBINED cudaHostAllocWriteCombined

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

#ifdef __cplusplus

#define WARPMARK_DRIVER(name, parameters, expression) \
  inline CUresult name parameters {                   \
    return (CUresult)(expression);                    \
  }

WARPMARK_DRIVER(cuInit, (unsigned int flags), flags == 0 ? cudaSuccess : cudaErrorInvalidValue)
WARPMARK_DRIVER(cuDriverGetVersion, (int* version), cudaDriverGetVersion(version))
inline CUresult cuGetErrorString(CUresult error, const char** text) {
  *text = cudaGetErrorString((cudaError_t)error);
  return CUDA_SUCCESS;
}
inline CUresult cuGetErrorName(CUresult error, const char** name) {
#define WARPMARK_ERROR(each) \
  case each:                 \
    *name = #each;           \
    break;
  switch (error) {
    WARPMARK_ERROR(CUDA_SUCCESS)
    WARPMARK_ERROR(CUDA_ERROR_INVALID_VALUE)
    WARPMARK_ERROR(CUDA_ERROR_OUT_OF_MEMORY)
    WARPMARK_ERROR(CUDA_ERROR_NOT_INITIALIZED)
    WARPMARK_ERROR(CUDA_ERROR_NO_DEVICE)
    WARPMARK_ERROR(CUDA_ERROR_INVALID_DEVICE)
    WARPMARK_ERROR(CUDA_ERROR_INVALID_CONTEXT)
    WARPMARK_ERROR(CUDA_ERROR_INVALID_HANDLE)
    WARPMARK_ERROR(CUDA_ERROR_NOT_FOUND)
    WARPMARK_ERROR(CUDA_ERROR_NOT_READY)
    WARPMARK_ERROR(CUDA_ERROR_ILLEGAL_ADDRESS)
    WARPMARK_ERROR(CUDA_ERROR_LAUNCH_FAILED)
    WARPMARK_ERROR(CUDA_ERROR_NOT_SUPPORTED)
    default:
      *name = "CUDA_ERROR_UNKNOWN";
  }
#undef WARPMARK_ERROR
  return CUDA_SUCCESS;
}

// Devices
WARPMARK_DRIVER(cuDeviceGetCount, (int* count), cudaGetDeviceCount(count))
inline CUresult cuDeviceGet(CUdevice* device, int number) {
  int count = 0;
  cudaGetDeviceCount(&count);
  if (device == nullptr || number < 0) return CUDA_ERROR_INVALID_VALUE;
  if (number >= count) return CUDA_ERROR_INVALID_DEVICE;
  *device = number;
  return CUDA_SUCCESS;
}
WARPMARK_DRIVER(cuDeviceGetAttribute, (int* value, CUdevice_attribute attribute, CUdevice device),
                cudaDeviceGetAttribute(value, (cudaDeviceAttr)attribute, device))
inline CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  struct cudaDeviceProp properties;
  const cudaError_t error = ::cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess && bytes > 0) {
    strncpy(name, properties.name, (size_t)bytes);
    name[bytes - 1] = 0;
  }
  return (CUresult)error;
}
inline CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  struct cudaDeviceProp properties;
  const cudaError_t error = ::cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) *bytes = properties.totalGlobalMem;
  return (CUresult)error;
}
inline CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult error = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return error != CUDA_SUCCESS
             ? error
             : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}
WARPMARK_DRIVER(cuDeviceCanAccessPeer, (int* possible, CUdevice device, CUdevice peer),
                cudaDeviceCanAccessPeer(possible, device, peer))

// A device has one context, the runtime's; its handle is the device's number plus 1.
inline CUcontext warpmark_context(CUdevice device) {
  return (CUcontext)(size_t)(device + 1);
}
inline CUresult cuCtxSetCurrent(CUcontext context) {
  return (CUresult)(context == nullptr ? cudaSuccess : cudaSetDevice((int)(size_t)context - 1));
}
inline CUresult cuCtxGetDevice(CUdevice* device) {
  return (CUresult)cudaGetDevice(device);
}
inline CUresult cuCtxGetCurrent(CUcontext* context) {
  CUdevice device = 0;
  const CUresult error = cuCtxGetDevice(&device);
  *context = warpmark_context(device);
  return error;
}
inline CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  *context = warpmark_context(device);
  return CUDA_SUCCESS;
}
inline CUresult cuDevicePrimaryCtxRelease(CUdevice) {
  return CUDA_SUCCESS;
}
inline CUresult cuCtxCreate(CUcontext* context, unsigned int, CUdevice device) {
  *context = warpmark_context(device);
  return cuCtxSetCurrent(*context);
}
// cuCtxCreate with CUDA 13's signature, which has an additional parameter structure before the flags; it is
// ignored.
inline CUresult cuCtxCreate(CUcontext* context, void*, unsigned int flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}
inline CUresult cuCtxDestroy(CUcontext) {
  return CUDA_SUCCESS;
}
inline CUresult cuCtxPushCurrent(CUcontext context) {
  return cuCtxSetCurrent(context);
}
inline CUresult cuCtxPopCurrent(CUcontext* context) {
  return context == nullptr ? CUDA_SUCCESS : cuCtxGetCurrent(context);
}
WARPMARK_DRIVER(cuCtxSynchronize, (), cudaDeviceSynchronize())

// Memory
inline CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes) {
  void* memory = nullptr;
  const cudaError_t error = ::cudaMalloc(&memory, bytes);
  *pointer = (CUdeviceptr)memory;
  return (CUresult)error;
}
inline CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags) {
  void* memory = nullptr;
  const cudaError_t error = ::cudaMallocManaged(&memory, bytes, flags);
  *pointer = (CUdeviceptr)memory;
  return (CUresult)error;
}
WARPMARK_DRIVER(cuMemFree, (CUdeviceptr pointer), cudaFree((void*)pointer))
WARPMARK_DRIVER(cuMemAllocHost, (void** pointer, size_t bytes), cudaMallocHost(pointer, bytes))
WARPMARK_DRIVER(cuMemHostAlloc, (void** pointer, size_t bytes, unsigned int flags),
                cudaHostAlloc(pointer, bytes, flags))
WARPMARK_DRIVER(cuMemFreeHost, (void* pointer), cudaFreeHost(pointer))
inline CUresult cuMemGetAddressRange(CUdeviceptr* begin, size_t* bytes, CUdeviceptr pointer) {
  void* memory = nullptr;
  size_t size = 0;
  const cudaError_t error = ::warpmark_device_address_range(&memory, &size, (const void*)pointer);
  if (error != cudaSuccess) return (CUresult)error;
  if (size == 0) return CUDA_ERROR_NOT_FOUND;
  if (begin != nullptr) *begin = (CUdeviceptr)memory;
  if (bytes != nullptr) *bytes = size;
  return CUDA_SUCCESS;
}
WARPMARK_DRIVER(cuMemGetInfo, (size_t * free, size_t* total), cudaMemGetInfo(free, total))
WARPMARK_DRIVER(cuMemcpyHtoD, (CUdeviceptr to, const void* from, size_t bytes),
                cudaMemcpy((void*)to, from, bytes, cudaMemcpyHostToDevice))
WARPMARK_DRIVER(cuMemcpyDtoH, (void* to, CUdeviceptr from, size_t bytes),
                cudaMemcpy(to, (const void*)from, bytes, cudaMemcpyDeviceToHost))
WARPMARK_DRIVER(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
                cudaMemcpy((void*)to, (const void*)from, bytes, cudaMemcpyDeviceToDevice))
WARPMARK_DRIVER(cuMemcpyHtoDAsync, (CUdeviceptr to, const void* from, size_t bytes, CUstream stream),
                cudaMemcpyAsync((void*)to, from, bytes, cudaMemcpyHostToDevice, stream))
WARPMARK_DRIVER(cuMemcpyDtoHAsync, (void* to, CUdeviceptr from, size_t bytes, CUstream stream),
                cudaMemcpyAsync(to, (const void*)from, bytes, cudaMemcpyDeviceToHost, stream))
WARPMARK_DRIVER(cuMemsetD8, (CUdeviceptr to, unsigned char value, size_t count),
                cudaMemset((void*)to, value, count))
WARPMARK_DRIVER(cuMemsetD8Async, (CUdeviceptr to, unsigned char value, size_t count, CUstream stream),
                cudaMemsetAsync((void*)to, value, count, stream))

WARPMARK_DRIVER(cuStreamCreate, (CUstream * stream, unsigned int flags),
                cudaStreamCreateWithFlags(stream, flags))
WARPMARK_DRIVER(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
WARPMARK_DRIVER(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
WARPMARK_DRIVER(cuStreamQuery, (CUstream stream), cudaStreamQuery(stream))
WARPMARK_DRIVER(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags),
                cudaStreamWaitEvent(stream, event, flags))
WARPMARK_DRIVER(cuEventCreate, (CUevent * event, unsigned int flags), cudaEventCreateWithFlags(event, flags))
WARPMARK_DRIVER(cuEventDestroy, (CUevent event), cudaEventDestroy(event))
WARPMARK_DRIVER(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
WARPMARK_DRIVER(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
WARPMARK_DRIVER(cuEventQuery, (CUevent event), cudaEventQuery(event))
WARPMARK_DRIVER(cuEventElapsedTime, (float* milliseconds, CUevent start, CUevent end),
                cudaEventElapsedTime(milliseconds, start, end))
// Modules. A CUmodule is a WarpmarkModule, a CUfunction a WarpmarkModuleKernel.
WARPMARK_DRIVER(cuModuleLoadData, (CUmodule * module, const void* image),
                warpmark_device_module_load((WarpmarkModule**)module, image))
WARPMARK_DRIVER(cuModuleLoadDataEx,
                (CUmodule * module, const void* image, unsigned int, CUjit_option*, void**),
                warpmark_device_module_load((WarpmarkModule**)module, image))
WARPMARK_DRIVER(cuModuleLoadFatBinary, (CUmodule * module, const void* image),
                warpmark_device_module_load((WarpmarkModule**)module, image))
WARPMARK_DRIVER(cuModuleLoad, (CUmodule * module, const char* path),
                warpmark_device_module_load_file((WarpmarkModule**)module, path))
WARPMARK_DRIVER(cuModuleUnload, (CUmodule module), warpmark_device_module_unload((WarpmarkModule*)module))
WARPMARK_DRIVER(cuModuleGetFunction, (CUfunction * kernel, CUmodule module, const char* name),
                warpmark_device_module_kernel((const WarpmarkModuleKernel**)kernel, (WarpmarkModule*)module,
                                              name))
WARPMARK_DRIVER(cuModuleGetGlobal, (CUdeviceptr * address, size_t* bytes, CUmodule module, const char* name),
                warpmark_device_module_variable((void**)address, bytes, (WarpmarkModule*)module, name))
WARPMARK_DRIVER(cuLaunchKernel,
                (CUfunction kernel, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                 unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
                 CUstream stream, void** arguments, void** extra),
                warpmark_device_module_launch((WarpmarkModuleKernel*)kernel, 0, dim3(grid_x, grid_y, grid_z),
                                              dim3(block_x, block_y, block_z), shared_bytes, stream,
                                              arguments, extra))
WARPMARK_DRIVER(cuLaunchCooperativeKernel,
                (CUfunction kernel, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                 unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
                 CUstream stream, void** arguments),
                warpmark_device_module_launch((WarpmarkModuleKernel*)kernel, 1, dim3(grid_x, grid_y, grid_z),
                                              dim3(block_x, block_y, block_z), shared_bytes, stream,
                                              arguments, nullptr))
WARPMARK_DRIVER(cuFuncSetAttribute, (CUfunction kernel, CUfunction_attribute attribute, int value),
                ::cudaFuncSetAttribute((const void*)kernel, (cudaFuncAttribute)attribute, value))
WARPMARK_DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor,
                (int* blocks, CUfunction kernel, int block_size, size_t dynamic_shared_bytes),
                ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)kernel, block_size,
                                                                dynamic_shared_bytes))
#undef WARPMARK_DRIVER

#include "warpmark_cuda/driver/driver_mappings.h"

#define WARPMARK_MISSING(name) WARPMARK_NOT_SIMULATED int name(...)
WARPMARK_MISSING(cuArrayCreate);
WARPMARK_MISSING(cuArrayDestroy);
WARPMARK_MISSING(cuMemcpy2D);
WARPMARK_MISSING(cuMemcpy3D);
WARPMARK_MISSING(cuTexObjectCreate);
WARPMARK_MISSING(cuTexObjectDestroy);
WARPMARK_MISSING(cuSurfObjectCreate);
WARPMARK_MISSING(cuSurfObjectDestroy);
WARPMARK_MISSING(cuLinkAddData);
WARPMARK_MISSING(cuLinkAddFile);
WARPMARK_MISSING(cuLinkComplete);
WARPMARK_MISSING(cuLinkDestroy);
WARPMARK_MISSING(cuLibraryLoadData);
WARPMARK_MISSING(cuLibraryLoadFromFile);
WARPMARK_MISSING(cuMemExportToShareableHandle);
WARPMARK_MISSING(cuMemImportFromShareableHandle);
WARPMARK_MISSING(cuOccupancyMaxPotentialBlockSize);
WARPMARK_MISSING(cuLinkCreate);
WARPMARK_MISSING(cuMemsetD32);
#undef WARPMARK_MISSING

#endif
