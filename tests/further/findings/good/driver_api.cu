// Devices, memory, streams and events by the driver's names beside a kernel of the runtime's.
#include <cstdlib>
#include <cstring>

#include <cuda.h>

__global__ void twice(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= 2;
}

void check(CUresult result) {
  const char* text = nullptr;
  if (result == CUDA_SUCCESS) return;
  cuGetErrorString(result, &text);
  exit(text != nullptr ? 2 : 3);
}

int main() {
  constexpr int kCount = 100;
  int host[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = i;
  int devices = 0, multiprocessors = 0;
  char name[64];
  CUdevice device;
  CUcontext context;
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(cuDeviceGet(&device, 0));
  if (cuDeviceGet(&device, devices) != CUDA_ERROR_INVALID_DEVICE) abort();
  check(cuDeviceGetName(name, sizeof name, device));
  check(cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  if (strlen(name) == 0 || multiprocessors < 1) abort();
  check(cuDevicePrimaryCtxRetain(&context, device));
  check(cuCtxSetCurrent(context));
  CUdeviceptr memory;
  check(cuMemAlloc(&memory, sizeof host));
  check(cuMemcpyHtoD(memory, host, sizeof host));
  twice<<<1, 128>>>(reinterpret_cast<int*>(memory), kCount);
  check(cuCtxSynchronize());
  CUdeviceptr begin;
  size_t bytes;
  check(cuMemGetAddressRange(&begin, &bytes, memory + 9));
  if (begin != memory || bytes != sizeof host) abort();
  check(cuMemGetAddressRange(nullptr, &bytes, memory));
  if (cuMemGetAddressRange(&begin, &bytes, memory + bytes) != CUDA_ERROR_NOT_FOUND) abort();
  check(cuMemcpyDtoH(host, memory, sizeof host));
  check(cuMemFree(memory));
  if (host[99] != 198) abort();
}
