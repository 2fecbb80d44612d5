// CUDA runtime functions that are forwarded to the device process with their arguments unchanged.
#include "harness/simulator/program/forward.h"
#include "harness/simulator/program/stream_capture.h"

using warpmark::simulator::forward;
using warpmark::simulator::forward_copy;
using warpmark::simulator::remember;
using warpmark::simulator::StreamCapture;

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return forward<&cudaMalloc>(pointer, bytes);
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  if (StreamCapture::instance().allocation(pointer, bytes, stream, error)) return error;
  return forward<&cudaMallocAsync>(pointer, bytes, stream);
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  return forward<&cudaHostRegister>(pointer, bytes, flags);
}

cudaError_t cudaHostUnregister(void* pointer) {
  return forward<&cudaHostUnregister>(pointer);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  return forward<&cudaHostGetDevicePointer>(device, host, flags);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return forward<&cudaPointerGetAttributes>(attributes, pointer);
}

cudaError_t warpmark_device_address_range(void** begin, size_t* bytes, const void* pointer) {
  return forward<&warpmark_device_address_range>(begin, bytes, pointer);
}

cudaError_t warpmark_device_graph_condition(const void* word, unsigned int* value, int set) {
  return forward<&warpmark_device_graph_condition>(word, value, set);
}

cudaError_t warpmark_device_library_call(WarpmarkLibraryCall call, cudaStream_t stream) {
  return forward<&warpmark_device_library_call>(call, stream);
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return forward<&cudaMemGetInfo>(free, total);
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return forward<&cudaMallocPitch>(pointer, pitch, width, height);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream) {
  return forward<&cudaMemPrefetchAsync>(pointer, bytes, device, stream);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  return forward<&cudaMemAdvise>(pointer, bytes, advice, device);
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  return forward<&cudaHostGetFlags>(flags, pointer);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return forward<&cudaMemcpy2D>(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return forward<&cudaMemcpy2DAsync>(to, to_pitch, from, from_pitch, width, height, kind, stream);
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return forward<&cudaMemset2D>(pointer, pitch, value, width, height);
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return forward<&cudaMemset2DAsync>(pointer, pitch, value, width, height, stream);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return forward_copy<&cudaMemcpyToSymbolAsync>(from, bytes, kind, symbol, from, bytes, offset, kind, stream);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return forward<&cudaMemcpyFromSymbolAsync>(to, symbol, bytes, offset, kind, stream);
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return forward_copy<&cudaMemcpy>(from, bytes, kind, to, from, bytes, kind);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return forward_copy<&cudaMemcpyAsync>(from, bytes, kind, to, from, bytes, kind, stream);
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return forward<&cudaMemset>(pointer, value, bytes);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return forward<&cudaMemsetAsync>(pointer, value, bytes, stream);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return forward_copy<&cudaMemcpyToSymbol>(from, bytes, kind, symbol, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return forward<&cudaMemcpyFromSymbol>(to, symbol, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return forward<&cudaGetSymbolAddress>(pointer, symbol);
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return forward<&cudaGetSymbolSize>(bytes, symbol);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return forward<&cudaStreamCreate>(stream);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return forward<&cudaStreamCreateWithFlags>(stream, flags);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return forward<&cudaStreamCreateWithPriority>(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return forward<&cudaStreamDestroy>(stream);
}

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

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return forward<&cudaDeviceGetStreamPriorityRange>(least, greatest);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return forward<&cudaStreamGetPriority>(stream, priority);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return forward<&cudaStreamGetFlags>(stream, flags);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* argument) {
  const auto again = [=](cudaStream_t on) { return cudaLaunchHostFunc(on, function, argument); };
  if (StreamCapture::instance().work(stream, cudaGraphNodeTypeHost, again)) return cudaSuccess;
  return forward<&cudaLaunchHostFunc>(stream, function, argument);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* argument,
                                  unsigned int flags) {
  return forward<&cudaStreamAddCallback>(stream, function, argument, flags);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return forward<&cudaEventCreate>(event);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return forward<&cudaEventCreateWithFlags>(event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return forward<&cudaEventDestroy>(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (StreamCapture::instance().record(event, stream)) return cudaSuccess;
  return forward<&cudaEventRecord>(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return forward<&cudaEventSynchronize>(event);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return forward<&cudaEventQuery>(event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return forward<&cudaEventElapsedTime>(milliseconds, start, end);
}

cudaError_t cudaGetDeviceCount(int* count) {
  return forward<&cudaGetDeviceCount>(count);
}

cudaError_t cudaGetDevice(int* device) {
  return forward<&cudaGetDevice>(device);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return forward<&cudaGetDeviceProperties>(properties, device);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return forward<&cudaDeviceGetAttribute>(value, attribute, device);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return forward<&cudaSetDeviceFlags>(flags);
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return forward<&cudaGetDeviceFlags>(flags);
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return forward<&cudaChooseDevice>(device, wanted);
}

cudaError_t cudaDeviceCanAccessPeer(int* possible, int device, int peer) {
  return forward<&cudaDeviceCanAccessPeer>(possible, device, peer);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return forward<&cudaDeviceEnablePeerAccess>(peer, flags);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return forward<&cudaDeviceDisablePeerAccess>(peer);
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
  return forward<&cudaDeviceGetP2PAttribute>(value, attribute, device, peer);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return forward<&cudaMemcpyPeer>(to, to_device, from, from_device, bytes);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  return forward<&cudaMemcpyPeerAsync>(to, to_device, from, from_device, bytes, stream);
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return forward<&cudaDeviceSetLimit>(limit, value);
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return forward<&cudaDeviceGetLimit>(value, limit);
}

cudaError_t cudaProfilerStart() {
  return forward<&cudaProfilerStart>();
}

cudaError_t cudaProfilerStop() {
  return forward<&cudaProfilerStop>();
}

cudaError_t cudaDriverGetVersion(int* version) {
  return forward<&cudaDriverGetVersion>(version);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return forward<&cudaRuntimeGetVersion>(version);
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  return forward<&cudaFuncSetAttribute>(kernel, attribute, value);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return forward<&cudaFuncGetAttributes>(attributes, kernel);
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache config) {
  return forward<&cudaFuncSetCacheConfig>(kernel, config);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return forward<&cudaDeviceSetCacheConfig>(config);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int block_size,
                                                          size_t dynamic_shared_bytes) {
  return forward<&cudaOccupancyMaxActiveBlocksPerMultiprocessor>(blocks, kernel, block_size,
                                                                 dynamic_shared_bytes);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned int flags) {
  return forward<&cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags>(blocks, kernel, block_size,
                                                                          dynamic_shared_bytes, flags);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks,
                                                      int block_size) {
  return forward<&cudaOccupancyAvailableDynamicSMemPerBlock>(bytes, kernel, blocks, block_size);
}
