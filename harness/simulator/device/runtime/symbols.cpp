// Implements copies to and from __device__ and __constant__ variables, which host code names by symbols.
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "harness/simulator/decode/names.h"
#include "harness/simulator/device/runtime/copy.h"
#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

constexpr std::string_view kToSymbol = "cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, stream)";
constexpr std::string_view kFromSymbol = "cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, stream)";

// Returns the host address of a __device__ variable's storage, which is separate for -O0 code (`level` 0) and
// -O2 code (`level` 1); null if there is none.
std::byte* symbol_address(Runtime& runtime, const void* symbol, std::size_t level) {
  const auto variable = runtime.variables.find(symbol);
  if (variable == runtime.variables.end()) return nullptr;
  const LoadedModule* module = runtime.load(*variable->second.module, level);
  const auto address = module != nullptr ? module->variable(variable->second.mangled_name) : std::nullopt;
  return address ? static_cast<std::byte*>(pointer_to(*address)) : nullptr;
}

// Reports an argument that is no symbol, and returns the error of CUDA.
cudaError_t no_symbol(Runtime& runtime, std::string_view function) {
  runtime.recorder.found(
      CauseKind::bad_copy, "",
      fmt::format(
          "{}: invalid symbol during the copy: the symbol is the name of a __device__ or __constant__ "
          "variable itself, without & or quotes, and no pointer to memory",
          function));
  return cudaErrorInvalidSymbol;
}

// True if the offset leads out of a known variable. A copy that begins in it and ends behind it is found by
// the bounds of its memory.
bool begins_outside(const Runtime& runtime, const void* symbol, std::size_t offset) {
  return offset > runtime.variables.at(symbol).bytes;
}

cudaError_t outside(Runtime& runtime, std::string_view function, const void* symbol, std::size_t offset) {
  const RegisteredVariable& variable = runtime.variables.at(symbol);
  runtime.recorder.found(CauseKind::bad_copy, "",
                         fmt::format("{}: offset {} is behind the end of {}, which has {} bytes", function,
                                     offset, variable_name(variable.mangled_name), variable.bytes));
  return cudaErrorInvalidValue;
}

// Like cudaMemcpy, copies to and from symbols are synchronous, except between two addresses in device memory.
bool is_synchronous(const Runtime& runtime, const void* other) {
  return !runtime.memory.in_range(address_of(other));
}

// Implements cudaMemcpyToSymbol. Both code levels (-O0, -O2) have their own copy of the variable; both copies
// are written, because later launches may use another level.
cudaError_t copy_to_symbol(Runtime& runtime, const char* function, const void* symbol, const void* from,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                           bool host_waits) {
  std::byte* to = symbol_address(runtime, symbol, runtime.level());
  std::byte* twin = symbol_address(runtime, symbol, 1 - runtime.level());
  if (to == nullptr || twin == nullptr) return no_symbol(runtime, function);
  if (begins_outside(runtime, symbol, offset)) return outside(runtime, function, symbol, offset);
  const cudaError_t error = queue_copy(runtime, function, to + offset, from, bytes, kind, stream, host_waits);
  if (error == cudaSuccess && bytes > 0) {
    std::memcpy(runtime.memory.host_view(address_of(twin + offset), bytes),
                runtime.memory.host_view(address_of(to + offset), bytes), bytes);
    runtime.memory.written_by_host(address_of(twin + offset), bytes);
  }
  return error;
}

cudaError_t copy_from_symbol(Runtime& runtime, const char* function, void* to, const void* symbol,
                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                             bool host_waits) {
  const std::byte* from = symbol_address(runtime, symbol, runtime.level());
  if (from == nullptr) return no_symbol(runtime, function);
  if (begins_outside(runtime, symbol, offset)) return outside(runtime, function, symbol, offset);
  return queue_copy(runtime, function, to, from + offset, bytes, kind, stream, host_waits);
}

}  // namespace
}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return Runtime::call([=](Runtime& runtime) {
    const bool waits = is_synchronous(runtime, from);
    if (!waits) runtime.streams_used.queued(nullptr, "cudaMemcpyToSymbol", kToSymbol);
    return copy_to_symbol(runtime, "cudaMemcpyToSymbol", symbol, from, bytes, offset, kind, nullptr, waits);
  });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return Runtime::call([=](Runtime& runtime) {
    const bool waits = is_synchronous(runtime, to);
    if (!waits) runtime.streams_used.queued(nullptr, "cudaMemcpyFromSymbol", kFromSymbol);
    return copy_from_symbol(runtime, "cudaMemcpyFromSymbol", to, symbol, bytes, offset, kind, nullptr, waits);
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    runtime.streams_used.queued(stream, "cudaMemcpyToSymbolAsync", kToSymbol);
    return copy_to_symbol(runtime, "cudaMemcpyToSymbolAsync", symbol, from, bytes, offset, kind, stream,
                          false);
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    runtime.streams_used.queued(stream, "cudaMemcpyFromSymbolAsync", kFromSymbol);
    return copy_from_symbol(runtime, "cudaMemcpyFromSymbolAsync", to, symbol, bytes, offset, kind, stream,
                            is_pageable(runtime, to));
  });
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return Runtime::call([=](Runtime& runtime) {
    *pointer = symbol_address(runtime, symbol, runtime.level());
    return *pointer != nullptr ? cudaSuccess : cudaErrorInvalidSymbol;
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return Runtime::call([=](Runtime& runtime) {
    const auto variable = runtime.variables.find(symbol);
    if (variable == runtime.variables.end()) return cudaErrorInvalidSymbol;
    *bytes = variable->second.bytes;
    return cudaSuccess;
  });
}
