// Implements properties and attributes of the devices, which are identical: limits of compute capability 8.0,
// for which PTX is compiled, and limits of the simulator.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

constexpr char kDeviceName[] = "Warpmark simulator";
constexpr int kRegisters = 64 << 10;
constexpr int kConstantBytes = 64 << 10;

// Arbitrary nonzero clock rate and bus width, because programs divide by these device properties. The
// simulator models no time.
constexpr int kClockKilohertz = 1'000'000;
constexpr int kMemoryBusBits = 256;

template <std::size_t kCount>
void set(int (&to)[kCount], std::array<int, kCount> from) {
  std::copy(from.begin(), from.end(), to);
}

void describe_images(cudaDeviceProp& all) {
  all.textureAlignment = 512;
  all.texturePitchAlignment = 32;
  all.surfaceAlignment = 512;
  all.maxTexture1D = 131072;
  all.maxTexture1DMipmap = 32768;
  set(all.maxTexture2D, {131072, 65536});
  set(all.maxTexture2DMipmap, {32768, 32768});
  set(all.maxTexture2DLinear, {131072, 65000, 2097120});
  set(all.maxTexture2DGather, {32768, 32768});
  set(all.maxTexture3D, {16384, 16384, 16384});
  set(all.maxTexture3DAlt, {8192, 8192, 32768});
  all.maxTextureCubemap = 32768;
  set(all.maxTexture1DLayered, {32768, 2048});
  set(all.maxTexture2DLayered, {32768, 32768, 2048});
  set(all.maxTextureCubemapLayered, {32768, 2046});
  all.maxSurface1D = 32768;
  set(all.maxSurface2D, {131072, 65536});
  set(all.maxSurface3D, {16384, 16384, 16384});
  set(all.maxSurface1DLayered, {32768, 2048});
  set(all.maxSurface2DLayered, {32768, 32768, 2048});
  all.maxSurfaceCubemap = 32768;
  set(all.maxSurfaceCubemapLayered, {32768, 2046});
}

cudaDeviceProp properties_of(const Runtime& runtime, int device) {
  cudaDeviceProp all{};
  std::copy(std::begin(kDeviceName), std::end(kDeviceName), std::begin(all.name));
  std::copy_n(kDeviceName, sizeof all.uuid.bytes, all.uuid.bytes);
  all.uuid.bytes[sizeof all.uuid.bytes - 1] = static_cast<char>(device);
  all.pciBusID = device;
  all.totalGlobalMem = runtime.memory.capacity();
  all.sharedMemPerBlock = kSharedPerBlock;
  all.regsPerBlock = kRegisters;
  all.warpSize = 32;
  all.memPitch = 2147483647;
  all.maxThreadsPerBlock = kThreadsPerBlock;
  const auto spread = [](Dim3 from, int* to) {
    to[0] = static_cast<int>(from.x);
    to[1] = static_cast<int>(from.y);
    to[2] = static_cast<int>(from.z);
  };
  spread(kLargestBlock, all.maxThreadsDim);
  spread(kLargestGrid, all.maxGridSize);
  all.totalConstMem = kConstantBytes;
  all.major = 8;
  describe_images(all);
  all.multiProcessorCount = kMultiprocessors;
  all.canMapHostMemory = 1;
  all.concurrentKernels = 1;
  all.asyncEngineCount = 1;
  all.unifiedAddressing = 1;
  all.memoryBusWidth = kMemoryBusBits;
  all.l2CacheSize = 40 << 20;
  all.persistingL2CacheMaxSize = 30 << 20;
  all.accessPolicyMaxWindowSize = 128 << 20;
  all.streamPrioritiesSupported = 1;
  all.maxThreadsPerMultiProcessor = kThreadsPerMultiprocessor;
  all.globalL1CacheSupported = 1;
  all.localL1CacheSupported = 1;
  all.sharedMemPerMultiprocessor = kSharedPerMultiprocessor;
  all.regsPerMultiprocessor = kRegisters;
  all.managedMemory = 1;
  all.concurrentManagedAccess = 1;
  all.computePreemptionSupported = 1;
  all.cooperativeLaunch = 1;
  all.sharedMemPerBlockOptin = kSharedPerBlockOptIn;
  all.maxBlocksPerMultiProcessor = kBlocksPerMultiprocessor;
  all.reservedSharedMemPerBlock = kSharedReservedPerBlock;
  all.hostRegisterSupported = 1;
  all.memoryPoolsSupported = 1;
  all.deviceNumaId = -1;
  return all;
}

// Device attributes that equal fields of cudaDeviceProp.
constexpr std::array kOfProperties = {
    std::pair{cudaDevAttrMaxThreadsPerBlock, &cudaDeviceProp::maxThreadsPerBlock},
    std::pair{cudaDevAttrWarpSize, &cudaDeviceProp::warpSize},
    std::pair{cudaDevAttrMaxRegistersPerBlock, &cudaDeviceProp::regsPerBlock},
    std::pair{cudaDevAttrMultiProcessorCount, &cudaDeviceProp::multiProcessorCount},
    std::pair{cudaDevAttrIntegrated, &cudaDeviceProp::integrated},
    std::pair{cudaDevAttrCanMapHostMemory, &cudaDeviceProp::canMapHostMemory},
    std::pair{cudaDevAttrMaxTexture1DWidth, &cudaDeviceProp::maxTexture1D},
    std::pair{cudaDevAttrMaxTexture1DMipmappedWidth, &cudaDeviceProp::maxTexture1DMipmap},
    std::pair{cudaDevAttrMaxTextureCubemapWidth, &cudaDeviceProp::maxTextureCubemap},
    std::pair{cudaDevAttrMaxSurface1DWidth, &cudaDeviceProp::maxSurface1D},
    std::pair{cudaDevAttrMaxSurfaceCubemapWidth, &cudaDeviceProp::maxSurfaceCubemap},
    std::pair{cudaDevAttrConcurrentKernels, &cudaDeviceProp::concurrentKernels},
    std::pair{cudaDevAttrEccEnabled, &cudaDeviceProp::ECCEnabled},
    std::pair{cudaDevAttrGlobalMemoryBusWidth, &cudaDeviceProp::memoryBusWidth},
    std::pair{cudaDevAttrL2CacheSize, &cudaDeviceProp::l2CacheSize},
    std::pair{cudaDevAttrMaxPersistingL2CacheSize, &cudaDeviceProp::persistingL2CacheMaxSize},
    std::pair{cudaDevAttrMaxAccessPolicyWindowSize, &cudaDeviceProp::accessPolicyMaxWindowSize},
    std::pair{cudaDevAttrStreamPrioritiesSupported, &cudaDeviceProp::streamPrioritiesSupported},
    std::pair{cudaDevAttrMaxThreadsPerMultiProcessor, &cudaDeviceProp::maxThreadsPerMultiProcessor},
    std::pair{cudaDevAttrAsyncEngineCount, &cudaDeviceProp::asyncEngineCount},
    std::pair{cudaDevAttrGpuOverlap, &cudaDeviceProp::asyncEngineCount},
    std::pair{cudaDevAttrUnifiedAddressing, &cudaDeviceProp::unifiedAddressing},
    std::pair{cudaDevAttrComputeCapabilityMajor, &cudaDeviceProp::major},
    std::pair{cudaDevAttrComputeCapabilityMinor, &cudaDeviceProp::minor},
    std::pair{cudaDevAttrGlobalL1CacheSupported, &cudaDeviceProp::globalL1CacheSupported},
    std::pair{cudaDevAttrLocalL1CacheSupported, &cudaDeviceProp::localL1CacheSupported},
    std::pair{cudaDevAttrMaxRegistersPerMultiprocessor, &cudaDeviceProp::regsPerMultiprocessor},
    std::pair{cudaDevAttrManagedMemory, &cudaDeviceProp::managedMemory},
    std::pair{cudaDevAttrConcurrentManagedAccess, &cudaDeviceProp::concurrentManagedAccess},
    std::pair{cudaDevAttrComputePreemptionSupported, &cudaDeviceProp::computePreemptionSupported},
    std::pair{cudaDevAttrCooperativeLaunch, &cudaDeviceProp::cooperativeLaunch},
    std::pair{cudaDevAttrMaxBlocksPerMultiprocessor, &cudaDeviceProp::maxBlocksPerMultiProcessor},
    std::pair{cudaDevAttrHostRegisterSupported, &cudaDeviceProp::hostRegisterSupported},
    std::pair{cudaDevAttrMemoryPoolsSupported, &cudaDeviceProp::memoryPoolsSupported},
    std::pair{cudaDevAttrPciBusId, &cudaDeviceProp::pciBusID},
    std::pair{cudaDevAttrNumaId, &cudaDeviceProp::deviceNumaId},
};

// Attribute of the driver API without a runtime equivalent: VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED.
constexpr auto kVirtualMemoryManagement = static_cast<cudaDeviceAttr>(102);

// Returns the value of an attribute that is no field of cudaDeviceProp; 0 for an attribute not listed.
int value_of(const cudaDeviceProp& all, cudaDeviceAttr attribute) {
  const std::array others = {
      std::pair{kVirtualMemoryManagement, 1},
      std::pair{cudaDevAttrMaxBlockDimX, all.maxThreadsDim[0]},
      std::pair{cudaDevAttrMaxBlockDimY, all.maxThreadsDim[1]},
      std::pair{cudaDevAttrMaxBlockDimZ, all.maxThreadsDim[2]},
      std::pair{cudaDevAttrMaxGridDimX, all.maxGridSize[0]},
      std::pair{cudaDevAttrMaxGridDimY, all.maxGridSize[1]},
      std::pair{cudaDevAttrMaxGridDimZ, all.maxGridSize[2]},
      std::pair{cudaDevAttrMaxSharedMemoryPerBlock, static_cast<int>(all.sharedMemPerBlock)},
      std::pair{cudaDevAttrTotalConstantMemory, static_cast<int>(all.totalConstMem)},
      std::pair{cudaDevAttrMaxPitch, static_cast<int>(all.memPitch)},
      std::pair{cudaDevAttrClockRate, kClockKilohertz},
      std::pair{cudaDevAttrMemoryClockRate, kClockKilohertz},
      std::pair{cudaDevAttrTextureAlignment, static_cast<int>(all.textureAlignment)},
      std::pair{cudaDevAttrTexturePitchAlignment, static_cast<int>(all.texturePitchAlignment)},
      std::pair{cudaDevAttrSurfaceAlignment, static_cast<int>(all.surfaceAlignment)},
      std::pair{cudaDevAttrMaxTexture1DLinearWidth, 1 << 28},
      std::pair{cudaDevAttrMaxTexture2DWidth, all.maxTexture2D[0]},
      std::pair{cudaDevAttrMaxTexture2DHeight, all.maxTexture2D[1]},
      std::pair{cudaDevAttrMaxTexture2DLinearWidth, all.maxTexture2DLinear[0]},
      std::pair{cudaDevAttrMaxTexture2DLinearHeight, all.maxTexture2DLinear[1]},
      std::pair{cudaDevAttrMaxTexture2DLinearPitch, all.maxTexture2DLinear[2]},
      std::pair{cudaDevAttrMaxTexture2DMipmappedWidth, all.maxTexture2DMipmap[0]},
      std::pair{cudaDevAttrMaxTexture2DMipmappedHeight, all.maxTexture2DMipmap[1]},
      std::pair{cudaDevAttrMaxTexture2DGatherWidth, all.maxTexture2DGather[0]},
      std::pair{cudaDevAttrMaxTexture2DGatherHeight, all.maxTexture2DGather[1]},
      std::pair{cudaDevAttrMaxTexture2DLayeredWidth, all.maxTexture2DLayered[0]},
      std::pair{cudaDevAttrMaxTexture2DLayeredHeight, all.maxTexture2DLayered[1]},
      std::pair{cudaDevAttrMaxTexture2DLayeredLayers, all.maxTexture2DLayered[2]},
      std::pair{cudaDevAttrMaxTexture1DLayeredWidth, all.maxTexture1DLayered[0]},
      std::pair{cudaDevAttrMaxTexture1DLayeredLayers, all.maxTexture1DLayered[1]},
      std::pair{cudaDevAttrMaxTexture3DWidth, all.maxTexture3D[0]},
      std::pair{cudaDevAttrMaxTexture3DHeight, all.maxTexture3D[1]},
      std::pair{cudaDevAttrMaxTexture3DDepth, all.maxTexture3D[2]},
      std::pair{cudaDevAttrMaxTexture3DWidthAlt, all.maxTexture3DAlt[0]},
      std::pair{cudaDevAttrMaxTexture3DHeightAlt, all.maxTexture3DAlt[1]},
      std::pair{cudaDevAttrMaxTexture3DDepthAlt, all.maxTexture3DAlt[2]},
      std::pair{cudaDevAttrMaxTextureCubemapLayeredWidth, all.maxTextureCubemapLayered[0]},
      std::pair{cudaDevAttrMaxTextureCubemapLayeredLayers, all.maxTextureCubemapLayered[1]},
      std::pair{cudaDevAttrMaxSurface2DWidth, all.maxSurface2D[0]},
      std::pair{cudaDevAttrMaxSurface2DHeight, all.maxSurface2D[1]},
      std::pair{cudaDevAttrMaxSurface3DWidth, all.maxSurface3D[0]},
      std::pair{cudaDevAttrMaxSurface3DHeight, all.maxSurface3D[1]},
      std::pair{cudaDevAttrMaxSurface3DDepth, all.maxSurface3D[2]},
      std::pair{cudaDevAttrMaxSurface1DLayeredWidth, all.maxSurface1DLayered[0]},
      std::pair{cudaDevAttrMaxSurface1DLayeredLayers, all.maxSurface1DLayered[1]},
      std::pair{cudaDevAttrMaxSurface2DLayeredWidth, all.maxSurface2DLayered[0]},
      std::pair{cudaDevAttrMaxSurface2DLayeredHeight, all.maxSurface2DLayered[1]},
      std::pair{cudaDevAttrMaxSurface2DLayeredLayers, all.maxSurface2DLayered[2]},
      std::pair{cudaDevAttrMaxSurfaceCubemapLayeredWidth, all.maxSurfaceCubemapLayered[0]},
      std::pair{cudaDevAttrMaxSurfaceCubemapLayeredLayers, all.maxSurfaceCubemapLayered[1]},
      std::pair{cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                static_cast<int>(all.sharedMemPerMultiprocessor)},
      std::pair{cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(all.sharedMemPerBlockOptin)},
      std::pair{cudaDevAttrReservedSharedMemoryPerBlock, static_cast<int>(all.reservedSharedMemPerBlock)},
      std::pair{cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
  };
  const auto with = [=](const auto& entry) { return entry.first == attribute; };
  if (const auto* found = std::ranges::find_if(kOfProperties, with); found != kOfProperties.end())
    return all.*found->second;
  const auto* found = std::ranges::find_if(others, with);
  return found != others.end() ? found->second : 0;
}

}  // namespace
}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return Runtime::call([=](Runtime& runtime) {
    if (!runtime.has(device)) return cudaErrorInvalidDevice;
    if (properties == nullptr) return cudaErrorInvalidValue;
    *properties = properties_of(runtime, device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return Runtime::call([=](Runtime& runtime) {
    if (!runtime.has(device)) return cudaErrorInvalidDevice;
    if (value == nullptr || attribute < cudaDevAttrMaxThreadsPerBlock || attribute >= cudaDevAttrMax)
      return cudaErrorInvalidValue;
    *value = value_of(properties_of(runtime, device), attribute);
    return cudaSuccess;
  });
}
