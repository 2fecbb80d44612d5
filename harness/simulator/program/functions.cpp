// CUDA runtime functions that are forwarded to the device process with their arguments unchanged.
#include "harness/simulator/program/forward.h"
#include "harness/simulator/program/stream_capture.h"

using warpmark::simulator::forward;
using warpmark::simulator::forward_copy;
using warpmark::simulator::remember;
using warpmark::simulator::StreamCapture;

// WARPMARK_FORWARDED(name, types...) defines the CUDA runtime function `name`, which only forwards its
// arguments to the device process. It does not compile if the types differ from those of the function's
// declaration, which has C linkage.
#define WARPMARK_FORWARD_1(name, A) \
  cudaError_t name(A a) {           \
    return forward<&(name)>(a);     \
  }
#define WARPMARK_FORWARD_2(name, A, B) \
  cudaError_t name(A a, B b) {         \
    return forward<&(name)>(a, b);     \
  }
#define WARPMARK_FORWARD_3(name, A, B, C) \
  cudaError_t name(A a, B b, C c) {       \
    return forward<&(name)>(a, b, c);     \
  }
#define WARPMARK_FORWARD_4(name, A, B, C, D) \
  cudaError_t name(A a, B b, C c, D d) {     \
    return forward<&(name)>(a, b, c, d);     \
  }
#define WARPMARK_FORWARD_5(name, A, B, C, D, E) \
  cudaError_t name(A a, B b, C c, D d, E e) {   \
    return forward<&(name)>(a, b, c, d, e);     \
  }
#define WARPMARK_FORWARD_6(name, A, B, C, D, E, F) \
  cudaError_t name(A a, B b, C c, D d, E e, F f) { \
    return forward<&(name)>(a, b, c, d, e, f);     \
  }
#define WARPMARK_FORWARD_7(name, A, B, C, D, E, F, G)   \
  cudaError_t name(A a, B b, C c, D d, E e, F f, G g) { \
    return forward<&(name)>(a, b, c, d, e, f, g);       \
  }
#define WARPMARK_FORWARD_8(name, A, B, C, D, E, F, G, H)     \
  cudaError_t name(A a, B b, C c, D d, E e, F f, G g, H h) { \
    return forward<&(name)>(a, b, c, d, e, f, g, h);         \
  }
#define WARPMARK_NINTH(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define WARPMARK_FORWARDED(name, ...)                                                            \
  WARPMARK_NINTH(__VA_ARGS__, WARPMARK_FORWARD_8, WARPMARK_FORWARD_7, WARPMARK_FORWARD_6,        \
                 WARPMARK_FORWARD_5, WARPMARK_FORWARD_4, WARPMARK_FORWARD_3, WARPMARK_FORWARD_2, \
                 WARPMARK_FORWARD_1)                                                             \
  (name, __VA_ARGS__)

WARPMARK_FORWARDED(cudaMalloc, void**, size_t)

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  if (StreamCapture::instance().allocation(pointer, bytes, stream, error)) return error;
  return forward<&cudaMallocAsync>(pointer, bytes, stream);
}

WARPMARK_FORWARDED(cudaHostRegister, void*, size_t, unsigned int)
WARPMARK_FORWARDED(cudaHostUnregister, void*)
WARPMARK_FORWARDED(cudaHostGetDevicePointer, void**, void*, unsigned int)
WARPMARK_FORWARDED(cudaPointerGetAttributes, cudaPointerAttributes*, const void*)
WARPMARK_FORWARDED(warpmark_device_address_range, void**, size_t*, const void*)
WARPMARK_FORWARDED(warpmark_device_graph_condition, const void*, unsigned int*, int)
WARPMARK_FORWARDED(warpmark_device_library_call, WarpmarkLibraryCall, cudaStream_t)
WARPMARK_FORWARDED(cudaMemGetInfo, size_t*, size_t*)
WARPMARK_FORWARDED(cudaMallocPitch, void**, size_t*, size_t, size_t)
WARPMARK_FORWARDED(cudaMemPrefetchAsync, const void*, size_t, int, cudaStream_t)
WARPMARK_FORWARDED(cudaMemAdvise, const void*, size_t, cudaMemoryAdvise, int)
WARPMARK_FORWARDED(cudaHostGetFlags, unsigned int*, void*)
WARPMARK_FORWARDED(cudaMemcpy2D, void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind)
WARPMARK_FORWARDED(cudaMemcpy2DAsync, void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind,
                   cudaStream_t)
WARPMARK_FORWARDED(cudaMemset2D, void*, size_t, int, size_t, size_t)
WARPMARK_FORWARDED(cudaMemset2DAsync, void*, size_t, int, size_t, size_t, cudaStream_t)

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return forward_copy<&cudaMemcpyToSymbolAsync>(from, bytes, kind, symbol, from, bytes, offset, kind, stream);
}

WARPMARK_FORWARDED(cudaMemcpyFromSymbolAsync, void*, const void*, size_t, size_t, cudaMemcpyKind,
                   cudaStream_t)

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return forward_copy<&cudaMemcpy>(from, bytes, kind, to, from, bytes, kind);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return forward_copy<&cudaMemcpyAsync>(from, bytes, kind, to, from, bytes, kind, stream);
}

WARPMARK_FORWARDED(cudaMemset, void*, int, size_t)
WARPMARK_FORWARDED(cudaMemsetAsync, void*, int, size_t, cudaStream_t)

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return forward_copy<&cudaMemcpyToSymbol>(from, bytes, kind, symbol, from, bytes, offset, kind);
}

WARPMARK_FORWARDED(cudaMemcpyFromSymbol, void*, const void*, size_t, size_t, cudaMemcpyKind)
WARPMARK_FORWARDED(cudaGetSymbolAddress, void**, const void*)
WARPMARK_FORWARDED(cudaGetSymbolSize, size_t*, const void*)
WARPMARK_FORWARDED(cudaStreamCreate, cudaStream_t*)
WARPMARK_FORWARDED(cudaStreamCreateWithFlags, cudaStream_t*, unsigned int)
WARPMARK_FORWARDED(cudaStreamCreateWithPriority, cudaStream_t*, unsigned int, int)
WARPMARK_FORWARDED(cudaStreamDestroy, cudaStream_t)

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (StreamCapture::instance().invalidates(stream)) return remember(cudaErrorStreamCaptureUnsupported);
  return forward<&cudaStreamSynchronize>(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (StreamCapture::instance().invalidates(stream)) return remember(cudaErrorStreamCaptureUnsupported);
  return forward<&cudaStreamQuery>(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  if (StreamCapture::instance().wait(stream, event)) return cudaSuccess;
  return forward<&cudaStreamWaitEvent>(stream, event, flags);
}

WARPMARK_FORWARDED(cudaDeviceGetStreamPriorityRange, int*, int*)
WARPMARK_FORWARDED(cudaStreamGetPriority, cudaStream_t, int*)
WARPMARK_FORWARDED(cudaStreamGetFlags, cudaStream_t, unsigned int*)

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* argument) {
  const auto again = [=](cudaStream_t on) { return cudaLaunchHostFunc(on, function, argument); };
  if (StreamCapture::instance().work(stream, cudaGraphNodeTypeHost, again)) return cudaSuccess;
  return forward<&cudaLaunchHostFunc>(stream, function, argument);
}

WARPMARK_FORWARDED(cudaStreamAddCallback, cudaStream_t, cudaStreamCallback_t, void*, unsigned int)
WARPMARK_FORWARDED(cudaEventCreate, cudaEvent_t*)
WARPMARK_FORWARDED(cudaEventCreateWithFlags, cudaEvent_t*, unsigned int)
WARPMARK_FORWARDED(cudaEventDestroy, cudaEvent_t)

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (StreamCapture::instance().record(event, stream)) return cudaSuccess;
  return forward<&cudaEventRecord>(event, stream);
}

WARPMARK_FORWARDED(cudaEventSynchronize, cudaEvent_t)
WARPMARK_FORWARDED(cudaEventQuery, cudaEvent_t)
WARPMARK_FORWARDED(cudaEventElapsedTime, float*, cudaEvent_t, cudaEvent_t)
WARPMARK_FORWARDED(cudaGetDeviceCount, int*)
WARPMARK_FORWARDED(cudaGetDevice, int*)
WARPMARK_FORWARDED(cudaGetDeviceProperties, cudaDeviceProp*, int)
WARPMARK_FORWARDED(cudaDeviceGetAttribute, int*, cudaDeviceAttr, int)
WARPMARK_FORWARDED(cudaSetDeviceFlags, unsigned int)
WARPMARK_FORWARDED(cudaGetDeviceFlags, unsigned int*)
WARPMARK_FORWARDED(cudaChooseDevice, int*, const cudaDeviceProp*)
WARPMARK_FORWARDED(cudaDeviceCanAccessPeer, int*, int, int)
WARPMARK_FORWARDED(cudaDeviceEnablePeerAccess, int, unsigned int)
WARPMARK_FORWARDED(cudaDeviceDisablePeerAccess, int)
WARPMARK_FORWARDED(cudaDeviceGetP2PAttribute, int*, cudaDeviceP2PAttr, int, int)
WARPMARK_FORWARDED(cudaMemcpyPeer, void*, int, const void*, int, size_t)
WARPMARK_FORWARDED(cudaMemcpyPeerAsync, void*, int, const void*, int, size_t, cudaStream_t)
WARPMARK_FORWARDED(cudaDeviceSetLimit, cudaLimit, size_t)
WARPMARK_FORWARDED(cudaDeviceGetLimit, size_t*, cudaLimit)

cudaError_t cudaProfilerStart() {
  return forward<&cudaProfilerStart>();
}

cudaError_t cudaProfilerStop() {
  return forward<&cudaProfilerStop>();
}

WARPMARK_FORWARDED(cudaDriverGetVersion, int*)
WARPMARK_FORWARDED(cudaRuntimeGetVersion, int*)
WARPMARK_FORWARDED(cudaFuncSetAttribute, const void*, cudaFuncAttribute, int)
WARPMARK_FORWARDED(cudaFuncGetAttributes, cudaFuncAttributes*, const void*)
WARPMARK_FORWARDED(cudaFuncSetCacheConfig, const void*, cudaFuncCache)
WARPMARK_FORWARDED(cudaDeviceSetCacheConfig, cudaFuncCache)
WARPMARK_FORWARDED(cudaOccupancyMaxActiveBlocksPerMultiprocessor, int*, const void*, int, size_t)
WARPMARK_FORWARDED(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int*, const void*, int, size_t,
                   unsigned int)
WARPMARK_FORWARDED(cudaOccupancyAvailableDynamicSMemPerBlock, size_t*, const void*, int, int)
