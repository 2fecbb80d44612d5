// Modules of the driver API: device code that a program loads, and its kernels and variables by name. Kernels
// are launched by the runtime's calls.
#pragma once

#include "warpmark_cuda/host/host_runtime.h"

typedef struct WarpmarkModule WarpmarkModule;
typedef struct WarpmarkModuleKernel WarpmarkModuleKernel;

#ifdef __cplusplus
extern "C" {
#endif
// Load device code: text in PTX, or what `warpmark nvcc -fatbin` writes; both end with a zero byte.
cudaError_t warpmark_device_module_load(WarpmarkModule** module, const void* image);
cudaError_t warpmark_device_module_load_file(WarpmarkModule** module, const char* path);
cudaError_t warpmark_device_module_unload(WarpmarkModule* module);
// Find a kernel or a variable by its name in PTX: cudaErrorSymbolNotFound if the module has none of it. A
// kernel's address stands for it in calls of the runtime, as a stub's does in compiled programs.
cudaError_t warpmark_device_module_kernel(const WarpmarkModuleKernel** kernel, const WarpmarkModule* module,
                                          const char* name);
cudaError_t warpmark_device_module_variable(void** address, size_t* bytes, const WarpmarkModule* module,
                                            const char* name);
// Launches a kernel whose arguments are pointers to values, or, if `arguments` is null, one buffer that
// `extra` names (CU_LAUNCH_PARAM_BUFFER_POINTER).
cudaError_t warpmark_device_module_launch(const WarpmarkModuleKernel* kernel, int cooperative, dim3 grid,
                                          dim3 block, size_t shared_bytes, cudaStream_t stream,
                                          void** arguments, void** extra);
#ifdef __cplusplus
}
#endif
