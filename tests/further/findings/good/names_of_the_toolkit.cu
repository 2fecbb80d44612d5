// Names of CUDA's headers that programs spell without calling what they belong to: helpers that print any
// setting, structures filled from a table, flags. Memory that asks for compression gets it or does not.
#include <cstdio>
#include <cstdlib>

#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cufftXt.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

#define CHECK(call) \
  if ((call) != CUDA_SUCCESS) std::exit(2)

template <class T>
__global__ void add(const T* a, T* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += a[i] + 10;
}

const char* name_of(cudaEmulationMantissaControl control) {
  switch (control) {
    case CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC:
      return "dynamic";
    case CUDA_EMULATION_MANTISSA_CONTROL_FIXED:
      return "fixed";
  }
  return "unknown";
}
const char* name_of(cublasGemmAlgo_t algorithm) {
  return algorithm == CUBLAS_GEMM_ALGO12_TENSOR_OP ? "12"
         : algorithm == CUBLAS_GEMM_AUTOTUNE       ? "tuned"
                                                   : "any";
}
const char* name_of(cusolverDeterministicMode_t mode) {
  return mode == CUSOLVER_DETERMINISTIC_RESULTS ? "the same each time" : "close";
}
const char* name_of(cufftXtSubFormat format) {
  return format == CUFFT_XT_FORMAT_INPLACE ? "in place" : "elsewhere";
}
const char* name_of(CUpointer_attribute attribute) {
  return attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE ? "kind" : "other";
}

struct Attribute {
  CUfunction_attribute number;
  const char* name;
};
constexpr Attribute kAttributes[] = {{CU_FUNC_ATTRIBUTE_NUM_REGS, "registers"},
                                     {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, "shared bytes"},
                                     {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, "threads"}};
static_assert(CU_FUNC_ATTRIBUTE_NUM_REGS == 4 && CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK == 0, "");
static_assert(CU_MEM_ALLOCATION_COMP_GENERIC == 1 && CU_MEM_LOCATION_TYPE_HOST_NUMA == 3, "");
static_assert(CU_AD_FORMAT_NV12 == 0xb0 && CU_RES_VIEW_FORMAT_UNSIGNED_BC7 == 34, "");
static_assert(CU_JIT_TARGET == 9 && CU_TARGET_COMPUTE_90 == 90 && CU_JIT_CACHE_OPTION_CA == 2, "");
static_assert(CU_CTX_SCHED_BLOCKING_SYNC == CU_CTX_BLOCKING_SYNC && CU_EVENT_DISABLE_TIMING == 2, "");
static_assert(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION == 4 && CU_GRAPH_NODE_TYPE_MEM_FREE == 11, "");
static_assert(CURAND_DIRECTION_VECTORS_64_JOEKUO6 == 103 && CU_MEMHOSTREGISTER_DEVICEMAP == 2, "");
static_assert(cudaArraySparse == 0x40 && cudaSurfaceTypeCubemap == 0x0C, "");

int main() {
  std::printf("%s %s %s %s %s\n", name_of(CUDA_EMULATION_MANTISSA_CONTROL_FIXED),
              name_of(CUBLAS_GEMM_AUTOTUNE), name_of(CUSOLVER_DETERMINISTIC_RESULTS),
              name_of(CUFFT_XT_FORMAT_INPLACE), name_of(CU_POINTER_ATTRIBUTE_MEMORY_TYPE));
  for (const Attribute& each : kAttributes) std::printf("%d %s\n", each.number, each.name);

  CHECK(cuInit(0));
  CUdevice device;
  CHECK(cuDeviceGet(&device, 0));
  CUcontext context;
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  int compresses = -1;
  CHECK(cuDeviceGetAttribute(&compresses, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, device));
  CUmemAllocationProp wanted = {};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  wanted.location.id = device;
  wanted.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
  size_t bytes;
  CHECK(cuMemGetAllocationGranularity(&bytes, &wanted, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  CUmemGenericAllocationHandle handle;
  CHECK(cuMemCreate(&handle, bytes, &wanted, 0));
  CUmemAllocationProp got = {};
  CHECK(cuMemGetAllocationPropertiesFromHandle(&got, handle));
  if (compresses == 0 && got.allocFlags.compressionType != CU_MEM_ALLOCATION_COMP_NONE) return 3;
  CUdeviceptr at;
  CHECK(cuMemAddressReserve(&at, bytes, 0, 0, 0));
  CHECK(cuMemMap(at, bytes, 0, handle, 0));
  CHECK(cuMemRelease(handle));
  CUmemAccessDesc access = {};
  access.location = wanted.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK(cuMemSetAccess(at, bytes, &access, 1));
  int* values = reinterpret_cast<int*>(at);
  constexpr int kCount = 1000;
  if (cudaMemset(values, 0, 2 * kCount * sizeof(int)) != cudaSuccess) return 4;
  add<<<(kCount + 127) / 128, 128>>>(values, values + kCount, kCount);
  int sum = 0;
  if (cudaMemcpy(&sum, values + 2 * kCount - 1, sizeof sum, cudaMemcpyDeviceToHost) != cudaSuccess) return 4;
  CHECK(cuMemUnmap(at, bytes));
  CHECK(cuMemAddressFree(at, bytes));
  CHECK(cuDevicePrimaryCtxRelease(device));
  std::printf("%d\n", sum);
  return sum == 10 ? 0 : 1;
}
