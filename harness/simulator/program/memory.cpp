// Implements allocation of pinned and managed memory, which the program can access as well.
#include "harness/simulator/program/forward.h"

using namespace warpmark::simulator;

namespace {

cudaError_t opened(cudaError_t error, void** pointer, size_t bytes) {
  if (error == cudaSuccess && bytes != 0) Connection::instance().allocated(*pointer, bytes);
  return error;
}

cudaError_t closed(cudaError_t error, void* pointer) {
  if (error == cudaSuccess) Connection::instance().released(pointer);
  return error;
}

}  // namespace

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  return opened(forward<&cudaMallocManaged>(pointer, bytes, flags), pointer, bytes);
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return opened(forward<&cudaMallocHost>(pointer, bytes), pointer, bytes);
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return opened(forward<&cudaHostAlloc>(pointer, bytes, flags), pointer, bytes);
}

cudaError_t cudaFree(void* pointer) {
  if (StreamCapture::instance().owns_freed(pointer)) return cudaDeviceSynchronize();
  return closed(forward<&cudaFree>(pointer), pointer);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (StreamCapture::instance().freeing(pointer, stream)) return cudaSuccess;
  if (StreamCapture::instance().owns_freed(pointer)) return cudaSuccess;
  return closed(forward<&cudaFreeAsync>(pointer, stream), pointer);
}

cudaError_t cudaFreeHost(void* pointer) {
  return closed(forward<&cudaFreeHost>(pointer), pointer);
}
