// The runtime functions that go to the device as they are: their arguments there, their result back. What an
// argument is follows from its type: a pointer to an object that the function fills in is read and written in
// the program; every other one is a value, and an address of device memory or of the program's is one, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Not <cuda_runtime_api.h>, whose typed forms make these names ambiguous: to be included before it.
#include <warpmark_cuda/host_runtime.h>

namespace warpmark::simulator {

// The number of a call: of a function below, or one of these.
enum class Special : std::uint32_t {
  add_module = 1000,
  add_kernel,
  add_variable,
  manage,
  remove_module,
  parameter_sizes,
  launch,
  sticky_error,
  reset,
  undefine,
  mark,
  begin_call,
  end_call,
  history_of,
  early_access,
  end_program,
  filled,
  take,
  save,
  nothing,
  posted_error  // the first of the calls that were posted since it was last asked for
};

template <auto... kFunctions>
struct FunctionList {
  static constexpr std::size_t kCount = sizeof...(kFunctions);

  template <auto kFunction>
  static constexpr bool contains() {
    return (std::is_same_v<std::integral_constant<decltype(kFunctions), kFunctions>,
                           std::integral_constant<decltype(kFunction), kFunction>> ||
            ...);
  }
  // Whether one of these functions has that number in another list.
  template <class Other>
  static constexpr bool has_number(std::uint32_t number) {
    return ((Other::template number_of<kFunctions>() == number) || ...);
  }
  template <auto kFunction>
  static constexpr std::uint32_t number_of() {
    constexpr std::array<bool, kCount> same{
        std::is_same_v<std::integral_constant<decltype(kFunctions), kFunctions>,
                       std::integral_constant<decltype(kFunction), kFunction>>...};
    std::uint32_t number = 0;
    while (!same[number]) ++number;  // no such function: no constant expression
    return number;
  }
};

using Functions = FunctionList<
    &cudaMalloc, &cudaFree, &cudaMallocAsync, &cudaFreeAsync, &cudaMallocManaged, &cudaMallocHost,
    &cudaHostAlloc, &cudaFreeHost, &cudaHostRegister, &cudaHostUnregister, &cudaHostGetDevicePointer,
    &cudaPointerGetAttributes, &cudaMemGetInfo, &warpmark_device_address_range,
    &warpmark_device_graph_condition, &cudaMallocPitch, &cudaMemPrefetchAsync, &cudaMemAdvise,
    &cudaHostGetFlags, &cudaMemcpy2D, &cudaMemcpy2DAsync, &cudaMemset2D, &cudaMemset2DAsync,
    &cudaMemcpyToSymbolAsync, &cudaMemcpyFromSymbolAsync, &cudaMemcpy, &cudaMemcpyAsync, &cudaMemset,
    &cudaMemsetAsync, &cudaMemcpyToSymbol, &cudaMemcpyFromSymbol, &cudaGetSymbolAddress, &cudaGetSymbolSize,
    &cudaStreamCreate, &cudaStreamCreateWithFlags, &cudaStreamCreateWithPriority, &cudaStreamDestroy,
    &cudaStreamSynchronize, &cudaStreamQuery, &cudaStreamWaitEvent, &cudaDeviceGetStreamPriorityRange,
    &cudaStreamGetPriority, &cudaStreamGetFlags, &cudaEventCreate, &cudaEventCreateWithFlags,
    &cudaEventDestroy, &cudaEventRecord, &cudaEventSynchronize, &cudaEventQuery, &cudaEventElapsedTime,
    &cudaGetDeviceCount, &cudaGetDevice, &cudaSetDevice, &cudaGetDeviceProperties, &cudaDeviceGetAttribute,
    &cudaDeviceSynchronize, &cudaSetDeviceFlags, &cudaGetDeviceFlags, &cudaChooseDevice,
    &cudaDeviceCanAccessPeer, &cudaDeviceEnablePeerAccess, &cudaDeviceDisablePeerAccess,
    &cudaDeviceGetP2PAttribute, &cudaMemcpyPeer, &cudaMemcpyPeerAsync, &cudaDeviceSetLimit,
    &cudaDeviceGetLimit, &cudaProfilerStart, &cudaProfilerStop, &cudaDriverGetVersion, &cudaRuntimeGetVersion,
    &cudaFuncSetAttribute, &cudaFuncGetAttributes, &cudaFuncSetCacheConfig, &cudaDeviceSetCacheConfig,
    &cudaLaunchHostFunc, &cudaStreamAddCallback, &cudaOccupancyMaxActiveBlocksPerMultiprocessor,
    &cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, &cudaOccupancyAvailableDynamicSMemPerBlock>;

// Those before which work that is late stays late (order/late_work.h): what they do is work on streams
// itself, waits for the right part of it, or has nothing to do with memory.
using OrderedFunctions =
    FunctionList<&cudaMalloc, &cudaFree, &cudaMallocAsync, &cudaFreeAsync, &cudaMallocManaged,
                 &cudaMallocHost, &cudaHostAlloc, &cudaFreeHost, &cudaHostUnregister, &cudaMallocPitch,
                 &cudaMemcpy2D, &cudaMemcpy2DAsync, &cudaMemset2D, &cudaMemset2DAsync,
                 &cudaMemcpyToSymbolAsync, &cudaMemcpyFromSymbolAsync, &cudaMemcpy, &cudaMemcpyAsync,
                 &cudaMemset, &cudaMemsetAsync, &cudaMemcpyToSymbol, &cudaMemcpyFromSymbol, &cudaStreamCreate,
                 &cudaStreamCreateWithFlags, &cudaStreamCreateWithPriority, &cudaStreamDestroy,
                 &cudaStreamSynchronize, &cudaStreamQuery, &cudaStreamWaitEvent, &cudaEventCreate,
                 &cudaEventCreateWithFlags, &cudaEventDestroy, &cudaEventRecord, &cudaEventSynchronize,
                 &cudaEventQuery, &cudaEventElapsedTime, &cudaGetDevice, &cudaDeviceSynchronize,
                 &cudaLaunchHostFunc, &cudaStreamAddCallback>;

// Those whose place in the program the device nearly always wants to know.
using PlacedFunctions =
    FunctionList<&cudaMalloc, &cudaFree, &cudaMallocAsync, &cudaFreeAsync, &cudaMallocManaged,
                 &cudaMallocHost, &cudaHostAlloc, &cudaFreeHost, &cudaMallocPitch, &cudaMemcpy2D,
                 &cudaMemcpy2DAsync, &cudaMemcpyToSymbolAsync, &cudaMemcpyFromSymbolAsync, &cudaMemcpy,
                 &cudaMemcpyAsync, &cudaMemcpyToSymbol, &cudaMemcpyFromSymbol, &cudaMemcpyPeer,
                 &cudaMemcpyPeerAsync>;

// Whether a function fills in what an argument of this type points to.
template <class T>
inline constexpr bool kFilledIn = false;
template <class T>
inline constexpr bool kFilledIn<T*> = !std::is_const_v<T> && !std::is_void_v<T> && !std::is_function_v<T>;
template <>
inline constexpr bool kFilledIn<CUstream_st*> = false;
template <>
inline constexpr bool kFilledIn<CUevent_st*> = false;

}  // namespace warpmark::simulator
