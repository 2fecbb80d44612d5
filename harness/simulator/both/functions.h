// Lists the runtime functions that the program's process forwards unchanged to the device process: arguments
// there, result back. The type of an argument decides how it is passed: an output parameter (pointer to a
// non-const object) is read and written in the program; everything else, including device and host addresses,
// is passed by value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// <host_runtime.h> must precede <cuda_runtime_api.h>: the latter's typed overloads would make a runtime
// function's name ambiguous when its address is taken.
#include <warpmark_cuda/host/host_runtime.h>
#include <warpmark_cuda/host/library_call.h>

namespace warpmark::simulator {

// Message numbers of those requests to the simulator's device process that are not forwarded CUDA runtime
// functions.
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
  posted_error,  // returns and clears the first error of the posted calls
  report_writes
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
  // True if this compile-time list of functions contains the function with the given number (index) in the
  // list `Other`.
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
    // If a function is missing in the list, this compile-time search reads past the end of the array, which
    // fails to compile.
    while (!same[number]) ++number;
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
    &cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, &cudaOccupancyAvailableDynamicSMemPerBlock,
    &warpmark_device_library_call>;

// Runtime functions that the device process may execute before stream work that it deferred
// (device/order/late_work.h): they enqueue work, wait for the right part of it, or do not touch memory. Any
// other function first runs all deferred work.
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
                 &cudaLaunchHostFunc, &cudaStreamAddCallback, &warpmark_device_library_call>;

// Runtime functions for which the program sends its call stack along with the call, because the device
// process nearly always needs it (to report an error).
using PlacedFunctions =
    FunctionList<&cudaMalloc, &cudaFree, &cudaMallocAsync, &cudaFreeAsync, &cudaMallocManaged,
                 &cudaMallocHost, &cudaHostAlloc, &cudaFreeHost, &cudaMallocPitch, &cudaMemcpy2D,
                 &cudaMemcpy2DAsync, &cudaMemcpyToSymbolAsync, &cudaMemcpyFromSymbolAsync, &cudaMemcpy,
                 &cudaMemcpyAsync, &cudaMemcpyToSymbol, &cudaMemcpyFromSymbol, &cudaMemcpyPeer,
                 &cudaMemcpyPeerAsync, &warpmark_device_library_call>;

// True if an argument of type T is an output parameter: a pointer to an object that the function writes.
template <class T>
inline constexpr bool kFilledIn = false;
template <class T>
inline constexpr bool kFilledIn<T*> = !std::is_const_v<T> && !std::is_void_v<T> && !std::is_function_v<T>;
template <>
inline constexpr bool kFilledIn<CUstream_st*> = false;
template <>
inline constexpr bool kFilledIn<CUevent_st*> = false;

}  // namespace warpmark::simulator
