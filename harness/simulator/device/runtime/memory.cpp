// Implements allocation and release of device, pinned and managed memory.
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "harness/simulator/decode/names.h"
#include "harness/simulator/device/runtime/byte_count.h"
#include "harness/simulator/device/runtime/handovers.h"
#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

// Allocates memory of the given kind. `stream` is set only for cudaMallocAsync: the memory may be used on
// that stream at once, and elsewhere after synchronisation.
cudaError_t allocate(void** pointer, std::size_t bytes, Allocation::Kind kind,
                     std::optional<cudaStream_t> stream = std::nullopt) {
  return Runtime::call([=](Runtime& runtime) {
    if (stream && !is_stream(runtime, *stream)) return cudaErrorInvalidResourceHandle;
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    const auto address = runtime.memory.allocate(bytes, kind);
    if (!address) {
      runtime.notes.because(fmt::format("{}; the simulated device has {} in all", byte_count(bytes),
                                        runtime.memory.capacity()));
      return cudaErrorMemoryAllocation;
    }
    *pointer = pointer_to(*address);
    runtime.notes.allocated(*address);
    if (kind != Allocation::Kind::device) runtime.order.host_memory_allocated();
    if (stream) {
      QueuedWork work(runtime, *stream, "cudaMallocAsync");
      work.writes(*pointer, bytes);
      work.done(false);
    }
    return cudaSuccess;
  });
}

// Returns the reason why a runtime function cannot free this pointer, for a message. `allocation` is the
// allocation that contains the pointer, if any.
std::string why_not_freed(const std::optional<Allocation>& allocation, bool begins_here, bool pinned) {
  if (!allocation)
    return "no CUDA function allocated this; memory of malloc or new is freed as it was allocated";
  if (allocation->kind == Allocation::Kind::heap)
    return "this is memory that a kernel got from malloc() or new; free() or delete it in a kernel";
  if (!begins_here) {
    return fmt::format("this lies inside an allocation of {} bytes; free the pointer that was allocated",
                       allocation->bytes);
  }
  if (allocation->adopted || allocation->kind == Allocation::Kind::variable)
    return "this is a variable, or memory of the program's own, and not to be freed so";
  return pinned ? "this is no pinned host memory; free it with cudaFree"
                : "this is pinned host memory; free it with cudaFreeHost";
}

// Orders the release of memory after pending stream work. cudaFree waits for the memory's device, or for all
// devices if the memory is host memory. The other functions do not wait, so a release of memory that pending
// work uses is reported.
void note_release(Runtime& runtime, std::string_view function, const Allocation& allocation) {
  if (function == "cudaFree") {
    if (allocation.kind == Allocation::Kind::device)
      runtime.order.streams.host_waits_for_device(allocation.device);
    else
      runtime.order.streams.host_waits_for_all();
  } else {
    runtime.order.host_accessed(HostAccess::free, allocation.begin, allocation.begin + allocation.bytes,
                                call_site(), runtime.recorder);
  }
  runtime.catch_up();
}

cudaError_t free_in_stream(Runtime& runtime, const Allocation& allocation, cudaStream_t stream) {
  QueuedWork work(runtime, stream, "cudaFreeAsync");
  work.writes(pointer_to(allocation.begin), allocation.bytes);
  work.done(false);
  return runtime.do_work(work.stamp(), [&runtime, begin = allocation.begin] {
    runtime.memory.release(begin);
    return cudaSuccess;
  });
}

// Frees memory on behalf of the runtime function `function`. `stream` is given for cudaFreeAsync.
cudaError_t release(std::string_view function, void* pointer, bool pinned,
                    std::optional<cudaStream_t> stream = std::nullopt) {
  return Runtime::call([=](Runtime& runtime) {
    if (stream && !is_stream(runtime, *stream)) return cudaErrorInvalidResourceHandle;
    if (pointer == nullptr) return cudaSuccess;
    const auto allocation = runtime.memory.find(address_of(pointer));
    const bool begins_here = allocation && allocation->begin == address_of(pointer);
    if (begins_here && allocation->freed) {
      runtime.recorder.found(CauseKind::use_after_free, "",
                             fmt::format("{}: this memory was freed before; free it once", function));
      return cudaErrorInvalidValue;
    }
    const bool kind_fits = begins_here && !allocation->adopted &&
                           allocation->kind != Allocation::Kind::heap &&
                           (allocation->kind == Allocation::Kind::host_pinned) == pinned &&
                           allocation->kind != Allocation::Kind::variable;
    if (!kind_fits) {
      runtime.recorder.found(CauseKind::cuda_error, "",
                             fmt::format("{}: {}", function, why_not_freed(allocation, begins_here, pinned)));
      return cudaErrorInvalidValue;
    }
    if (runtime.notes.was_given(allocation->begin)) {
      runtime.recorder.found(
          CauseKind::use_after_free, "",
          fmt::format("{}: this memory is the caller's, who goes on to use it after it is freed here; free "
                      "only what this function allocated",
                      function));
    }
    runtime.notes.freed(allocation->begin);
    if (stream) return free_in_stream(runtime, *allocation, *stream);
    note_release(runtime, function, *allocation);
    runtime.memory.release(allocation->begin);
    return cudaSuccess;
  });
}

cudaPointerAttributes attributes_of(const Runtime& runtime, void* pointer) {
  const auto allocation = runtime.memory.find(address_of(pointer));
  if (allocation && !allocation->freed) {
    switch (allocation->kind) {
      case Allocation::Kind::host_pinned:
        return {cudaMemoryTypeHost, allocation->device, pointer, pointer, {}};
      case Allocation::Kind::managed:
        return {cudaMemoryTypeManaged, allocation->device, pointer, pointer, {}};
      case Allocation::Kind::device:
      case Allocation::Kind::heap:
      case Allocation::Kind::variable:
        return {cudaMemoryTypeDevice, allocation->device, pointer, nullptr, {}};
    }
  }
  return {cudaMemoryTypeUnregistered, -2, nullptr, pointer, {}};
}

}  // namespace

std::byte* device_bytes(Runtime& runtime, std::string_view function, const void* pointer, std::size_t bytes) {
  const Address address = address_of(pointer);
  if (std::byte* view = runtime.memory.host_view(address, bytes)) return view;
  const auto allocation = runtime.memory.nearest(address);
  if (allocation && allocation->freed && address >= allocation->begin) {
    runtime.recorder.found(
        CauseKind::use_after_free, "",
        fmt::format("{}: the pointer lies in memory that was freed; free it after its last use", function));
  } else if (allocation && address >= allocation->begin) {
    const std::size_t offset = address - allocation->begin;
    const std::string past =
        bytes <= SIZE_MAX / 2 ? fmt::format("run {} bytes past its end", offset + bytes - allocation->bytes)
                              : std::string("do not fit it");
    runtime.recorder.found(
        CauseKind::bad_copy, "",
        fmt::format("{}: {} from offset {} of an allocation of {} bytes {}; the count is in bytes "
                    "(elements * sizeof)",
                    function, byte_count(bytes), offset, allocation->bytes, past));
  } else if (const RegisteredVariable* variable = runtime.variable_at(pointer)) {
    runtime.recorder.found(
        CauseKind::bad_copy, "",
        fmt::format(
            "{}: {} is a __device__ or __constant__ variable, and in host code its name is no address of "
            "device memory; pass the address that cudaGetSymbolAddress gives",
            function, variable_name(variable->mangled_name)));
  } else {
    runtime.recorder.found(
        CauseKind::bad_copy, "",
        fmt::format("{}: the pointer is not one to device memory; pass what cudaMalloc returned", function));
  }
  return nullptr;
}

}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return allocate(pointer, bytes, Allocation::Kind::device);
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return allocate(pointer, bytes, Allocation::Kind::device, stream);
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int /*flags*/) {
  return allocate(pointer, bytes, Allocation::Kind::managed);
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return allocate(pointer, bytes, Allocation::Kind::host_pinned);
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int /*flags*/) {
  return allocate(pointer, bytes, Allocation::Kind::host_pinned);
}

cudaError_t cudaFree(void* pointer) {
  return release("cudaFree", pointer, false);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return release("cudaFreeAsync", pointer, false, stream);
}

cudaError_t cudaFreeHost(void* pointer) {
  return release("cudaFreeHost", pointer, true);
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int /*flags*/) {
  return Runtime::call([=](Runtime& runtime) {
    const Address begin = address_of(pointer);
    if (pointer == nullptr || bytes == 0 || runtime.memory.in_range(begin)) return cudaErrorInvalidValue;
    runtime.order.host_memory_allocated();
    return runtime.memory.adopt(begin, bytes) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return Runtime::call([=](Runtime& runtime) {
    const auto allocation = runtime.memory.find(address_of(pointer));
    if (allocation && allocation->adopted) note_release(runtime, "cudaHostUnregister", *allocation);
    const bool ours = allocation && allocation->adopted && runtime.memory.release(address_of(pointer));
    return ours ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  return Runtime::call([=](Runtime& runtime) {
    if (device == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (attributes_of(runtime, host).type != cudaMemoryTypeHost) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return Runtime::call([=](Runtime& runtime) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = attributes_of(runtime, const_cast<void*>(pointer));
    return cudaSuccess;
  });
}

cudaError_t warpmark_device_address_range(void** begin, size_t* bytes, const void* pointer) {
  return Runtime::call([=](Runtime& runtime) {
    const auto allocation = runtime.memory.find(address_of(pointer));
    *bytes = 0;
    if (!allocation || allocation->freed || address_of(pointer) - allocation->begin >= allocation->bytes)
      return cudaSuccess;
    *begin = pointer_to(allocation->begin);
    *bytes = allocation->bytes;
    return cudaSuccess;
  });
}

cudaError_t warpmark_device_graph_condition(const void* word, unsigned int* value, int set) {
  return Runtime::call([=](Runtime& runtime) {
    std::byte* here = device_bytes(runtime, "cudaGraphLaunch", word, sizeof *value);
    if (here == nullptr) return cudaErrorInvalidValue;
    // Recorded as a copy, because the caller may name any word of device memory.
    const auto direction =
        set == 0 ? warpmark::wire::Direction::device_to_host : warpmark::wire::Direction::host_to_device;
    if (const cudaError_t full = runtime.make_room_in_journal(); full != cudaSuccess) return full;
    if (set == 0) {
      std::memcpy(value, here, sizeof *value);
      note_copy(runtime, "cudaGraphLaunch", value, word, {here, sizeof *value}, direction);
    } else {
      std::memcpy(here, value, sizeof *value);
      runtime.memory.written_by_host(address_of(word), sizeof *value);
      runtime.host_writes.written(address_of(word), {here, sizeof *value});
      note_copy(runtime, "cudaGraphLaunch", word, value, {here, sizeof *value}, direction);
    }
    runtime.recorder.copied(direction, sizeof *value, {runtime.device(), {}});
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return Runtime::call([=](Runtime& runtime) {
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    std::size_t used = 0;
    for (const auto& allocation : runtime.memory.allocations())
      used += allocation.device != runtime.device() ? 0 : allocation.bytes;
    *total = runtime.memory.capacity();
    *free = *total - used;
    return cudaSuccess;
  });
}
