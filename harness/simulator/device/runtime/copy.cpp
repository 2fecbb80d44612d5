// Implements copies and memsets: all ranges are validated before a byte moves, and every copy is recorded.
#include "harness/simulator/device/runtime/copy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/simulator/decode/names.h"
#include "harness/simulator/device/runtime/handovers.h"
#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

constexpr std::array<std::string_view, 5> kKindNames = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                                        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                                        "cudaMemcpyDefault"};

bool is_to_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}

bool is_from_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

// Memory kinds that a pointer may be used as: device memory only as device, plain host memory only as host,
// managed and pinned memory as both.
struct Sides {
  bool device = false;
  bool host = false;
};

Sides sides_of(const Runtime& runtime, const void* pointer) {
  if (runtime.memory.in_range(address_of(pointer))) return {.device = true, .host = false};
  return {.device = runtime.memory.find(address_of(pointer)).has_value(), .host = true};
}

bool is_managed(const Runtime& runtime, const void* pointer) {
  const auto allocation = runtime.memory.find(address_of(pointer));
  return allocation && allocation->kind == Allocation::Kind::managed;
}

// Returns the direction of a copy by where its ends lie, whatever kind the caller names: managed, pinned and
// registered memory is the host's, so that a copy from device memory to it brings the bytes to the host.
// Between two of these the kind decides.
wire::Direction direction_of(const Runtime& runtime, const void* to, const void* from, cudaMemcpyKind kind) {
  const bool to_device = runtime.memory.in_range(address_of(to));
  const bool from_device = runtime.memory.in_range(address_of(from));
  if (to_device && from_device) return wire::Direction::device_to_device;
  if (from_device) return wire::Direction::device_to_host;
  if (to_device || kind == cudaMemcpyHostToDevice) return wire::Direction::host_to_device;
  return kind == cudaMemcpyDeviceToHost ? wire::Direction::device_to_host : wire::Direction::host_to_host;
}

// True if cudaMemcpyAsync is synchronous for these pointers: to pageable memory, or from host to host.
bool ends_at_once(const Runtime& runtime, const void* to, const void* from) {
  const auto in_host = [&](const void* pointer) {
    return !runtime.memory.in_range(address_of(pointer)) && !is_managed(runtime, pointer);
  };
  return is_pageable(runtime, to) || (in_host(to) && in_host(from));
}

cudaMemcpyKind resolve(const Runtime& runtime, const void* to, const void* from) {
  const auto on_device = [&](const void* pointer) {
    return runtime.memory.in_range(address_of(pointer)) || is_managed(runtime, pointer);
  };
  return static_cast<cudaMemcpyKind>((on_device(from) ? 2 : 0) + (on_device(to) ? 1 : 0));
}

// Returns true, with a finding, if the pointer is the host's name of a __device__ or __constant__ variable.
bool is_a_symbol(Runtime& runtime, std::string_view function, const void* pointer, bool is_target) {
  const RegisteredVariable* variable = runtime.variable_at(pointer);
  if (variable == nullptr) return false;
  const std::string name = variable_name(variable->mangled_name);
  const std::string_view end = function.ends_with("Async") ? "Async" : "";
  const std::string_view stream = end.empty() ? "" : ", stream";
  const std::string call =
      is_target ? fmt::format("cudaMemcpyToSymbol{}({}, from, bytes, 0, kind{})", end, name, stream)
                : fmt::format("cudaMemcpyFromSymbol{}(to, {}, bytes, 0, kind{})", end, name, stream);
  runtime.recorder.found(
      CauseKind::bad_copy, "",
      fmt::format("{}: {} is a __device__ or __constant__ variable, and in host code its name is "
                  "no address of device memory: copy with {}, or get the address from "
                  "cudaGetSymbolAddress",
                  function, name, call));
  return true;
}

// Returns true if both pointers match the copy's kind; otherwise reports a finding.
bool sides_fit(Runtime& runtime, std::string_view function, cudaMemcpyKind kind, const void* to,
               const void* from) {
  if (is_a_symbol(runtime, function, to, true) || is_a_symbol(runtime, function, from, false)) return false;
  const auto fits = [&](const void* pointer, bool on_device, std::string_view role) {
    const Sides sides = sides_of(runtime, pointer);
    if (on_device ? sides.device : sides.host) return true;
    runtime.recorder.found(
        CauseKind::bad_copy, "",
        fmt::format("{}: {} makes the {} {} memory, but the pointer is to {} memory; between these pointers "
                    "it is {}, and the order is (to, from, bytes, kind)",
                    function, kKindNames.at(kind), role, on_device ? "device" : "host",
                    on_device ? "host" : "device", kKindNames.at(resolve(runtime, to, from))));
    return false;
  };
  return fits(to, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice, "destination") &&
         fits(from, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice, "source");
}

// Returns the CUDA error for an invalid memory copy that has just been reported. Marks the copy's target as
// initialised, so that a later read of it is not reported as well.
cudaError_t refuse(Runtime& runtime, const void* to, std::size_t bytes) {
  const auto target = runtime.memory.find(address_of(to));
  if (target && !target->freed) {
    const std::size_t room = target->begin + target->bytes - address_of(to);
    runtime.memory.written_by_host(address_of(to), std::min(bytes, room));
  }
  return cudaErrorInvalidValue;
}

// The source or the target of a memory copy: `here` is its address in the device process, `there` its
// address in the CUDA program's process.
struct End {
  std::byte* here = nullptr;
  void* there = nullptr;
};

// Translates the source or target address of a memory copy. Returns nullopt, with a finding, if it is a
// device address and the range is not valid.
std::optional<End> end_of(Runtime& runtime, std::string_view function, void* pointer, std::size_t bytes,
                          bool on_device) {
  if (!on_device) return End{nullptr, pointer};
  std::byte* here = device_bytes(runtime, function, pointer, bytes);
  if (here == nullptr) return std::nullopt;
  // Memory passed to cudaHostRegister has a copy in the device process only while a kernel runs; at other
  // times only the memory of the CUDA program's process is valid.
  const auto allocation = runtime.memory.find(address_of(pointer));
  return allocation->copy != nullptr ? End{nullptr, pointer} : End{here, nullptr};
}

bool move(const End& to, const End& from, std::size_t bytes) {
  if (to.here != nullptr && from.here != nullptr) {
    std::memmove(to.here, from.here, bytes);
    return true;
  }
  if (to.here != nullptr) return read_host(to.here, from.there, bytes);
  if (from.here != nullptr) return write_host(to.there, from.here, bytes);
  return move_in_host(to.there, from.there, bytes);
}

// Updates the record of host writes (host_writes.h) for the target of a copy from the host or from device
// memory.
void note_writer(Runtime& runtime, const void* to, const void* from, std::size_t bytes, bool from_device) {
  if (!runtime.memory.in_range(address_of(to))) return;
  if (from_device) {
    runtime.host_writes.moved(address_of(to), address_of(from), bytes);
  } else if (const std::byte* here = runtime.memory.host_view(address_of(to), bytes)) {
    runtime.host_writes.written(address_of(to), {here, bytes});
  }
}

ObservationRecorder::Route route_of(const Runtime& runtime, const void* to, const void* from) {
  const auto target = runtime.memory.find(address_of(to));
  const auto source = runtime.memory.find(address_of(from));
  if (!target) return {source ? source->device : runtime.device(), {}};
  if (!source || source->device == target->device) return {target->device, {}};
  return {target->device, source->device};
}

void look_for_undefined(Runtime& runtime, std::string_view function, const void* from, std::size_t bytes) {
  const DefinedBytes::Undefined undefined = runtime.memory.undefined_in(address_of(from), bytes);
  const auto allocation = runtime.memory.find(address_of(from));
  if (allocation && allocation->constant) return;  // constant memory that was never set is 0
  if (undefined.bytes == 0 || runtime.memory.may_be_padding(address_of(from), bytes)) return;
  const double percent = 100.0 * static_cast<double>(undefined.bytes) / static_cast<double>(bytes);
  const std::string where =
      undefined.bytes == bytes ? std::string() : fmt::format(", the first of them byte {}", undefined.first);
  runtime.recorder.found(
      CauseKind::uninitialised_read, "",
      fmt::format(
          "{}: {} of the {} bytes that it copies to the host ({:.3g} %) were never set{}: memory from "
          "cudaMalloc begins undefined; copy what the kernel has stored, or set the rest by cudaMemset first",
          function, undefined.bytes, bytes, percent, where));
}

// Returns an error, with a finding, if the copy is invalid. Resolves cudaMemcpyDefault to the kind that fits
// the pointers.
cudaError_t check_copy(Runtime& runtime, std::string_view function, void* to, const void* from,
                       std::size_t bytes, cudaMemcpyKind& kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (bytes == 0) return cudaSuccess;
  if (const cudaError_t full = runtime.make_room_in_journal(); full != cudaSuccess) return full;
  if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
  if (kind == cudaMemcpyDefault) kind = resolve(runtime, to, from);
  if (!sides_fit(runtime, function, kind, to, from)) return refuse(runtime, to, bytes);
  const bool there = end_of(runtime, function, to, bytes, is_to_device(kind)) &&
                     end_of(runtime, function, const_cast<void*>(from), bytes, is_from_device(kind));
  return there ? cudaSuccess : refuse(runtime, to, bytes);
}

// Performs a validated copy. `staged` has the source's contents as they were at the runtime call, for a
// deferred copy; null: the source is read now.
cudaError_t copy(Runtime& runtime, std::string_view function, void* to, const void* from, std::size_t bytes,
                 cudaMemcpyKind kind, const std::byte* staged) {
  if (bytes == 0) return cudaSuccess;
  const auto target = end_of(runtime, function, to, bytes, is_to_device(kind));
  auto source = end_of(runtime, function, const_cast<void*>(from), bytes, is_from_device(kind));
  if (source && staged != nullptr) source = End{const_cast<std::byte*>(staged), nullptr};
  if (!target || !source || !move(*target, *source, bytes)) return refuse(runtime, to, bytes);
  if (kind == cudaMemcpyDeviceToHost) look_for_undefined(runtime, function, from, bytes);
  if (is_to_device(kind)) {
    if (is_from_device(kind))
      runtime.memory.copied(address_of(to), address_of(from), bytes);
    else
      runtime.memory.written_by_host(address_of(to), bytes);
    const bool by_device = runtime.memory.in_range(address_of(from)) || is_managed(runtime, from);
    note_writer(runtime, to, from, bytes, by_device);
  }
  const wire::Direction direction = direction_of(runtime, to, from, kind);
  if (const std::byte* copied = target->here != nullptr ? target->here : source->here; copied != nullptr)
    note_copy(runtime, function, to, from, {copied, bytes}, direction);
  runtime.recorder.copied(direction, bytes, route_of(runtime, to, from));
  return cudaSuccess;
}

cudaError_t set(Runtime& runtime, std::string_view function, void* pointer, int value, std::size_t bytes) {
  std::byte* target = device_bytes(runtime, function, pointer, bytes);
  if (target == nullptr) return refuse(runtime, pointer, bytes);
  std::memset(target, value, bytes);
  note_set(runtime, function, pointer, value, bytes);
  runtime.recorder.passed_beside(sizeof value);
  const auto allocation = runtime.memory.find(address_of(pointer));
  if (allocation->copy != nullptr && !write_host(pointer, target, bytes)) return cudaErrorInvalidValue;
  runtime.memory.written_by_host(address_of(pointer), bytes);
  if (runtime.memory.in_range(address_of(pointer)))
    runtime.host_writes.written(address_of(pointer), {target, bytes});
  return cudaSuccess;
}

// Orders the default streams of two devices if default-stream work on one device uses memory of the other.
void meet_owners(Runtime& runtime, cudaStream_t stream, std::initializer_list<const void*> pointers) {
  if (runtime.devices() == 1 || !runtime.order.streams.is_legacy(stream)) return;
  for (const void* pointer : pointers) {
    const auto allocation = runtime.memory.find(address_of(pointer));
    if (allocation && allocation->kind == Allocation::Kind::device)
      runtime.order.streams.meet(runtime.device(), allocation->device);
  }
}

cudaError_t queue_set(Runtime& runtime, const char* function, void* pointer, int value, std::size_t bytes,
                      cudaStream_t stream, bool host_waits) {
  if (bytes == 0) return cudaSuccess;
  if (device_bytes(runtime, function, pointer, bytes) == nullptr) return refuse(runtime, pointer, bytes);
  meet_owners(runtime, stream, {pointer});
  QueuedWork work(runtime, stream, function);
  work.writes(pointer, bytes);
  const cudaError_t error =
      runtime.do_work(work.stamp(), [=, &runtime] { return set(runtime, function, pointer, value, bytes); });
  work.done(host_waits);
  meet_owners(runtime, stream, {pointer});
  return error;
}

}  // namespace

bool is_pageable(const Runtime& runtime, const void* pointer) {
  return !runtime.memory.find(address_of(pointer));
}

cudaError_t queue_copy(Runtime& runtime, const char* function, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind, cudaStream_t stream, bool host_waits) {
  if (const cudaError_t error = check_copy(runtime, function, to, from, bytes, kind); error != cudaSuccess)
    return error;
  meet_owners(runtime, stream, {to, from});
  QueuedWork work(runtime, stream, function);
  work.writes(to, bytes);
  // A copy from pageable memory is staged: the source has been read when the runtime call returns.
  const bool staged = !host_waits && is_pageable(runtime, from);
  if (!staged) work.reads(from, bytes);
  std::vector<std::byte> source(staged && runtime.is_late() ? bytes : 0);
  if (!source.empty() && !read_host(source.data(), from, bytes)) return cudaErrorInvalidValue;
  const cudaError_t error = runtime.do_work(work.stamp(), [=, &runtime, source = std::move(source)] {
    return copy(runtime, function, to, from, bytes, kind, source.empty() ? nullptr : source.data());
  });
  work.done(host_waits);
  meet_owners(runtime, stream, {to, from});
  return error;
}

}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return Runtime::call([=](Runtime& runtime) {
    // cudaMemcpy is synchronous, except between two addresses in device memory.
    const bool host_waits =
        !runtime.memory.in_range(address_of(to)) || !runtime.memory.in_range(address_of(from));
    if (host_waits)
      runtime.streams_used.joined(nullptr);
    else
      runtime.streams_used.queued(nullptr, "cudaMemcpy", "cudaMemcpyAsync(to, from, bytes, kind, stream)");
    return queue_copy(runtime, "cudaMemcpy", to, from, bytes, kind, nullptr, host_waits);
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    runtime.streams_used.queued(stream, "cudaMemcpyAsync", "cudaMemcpyAsync(to, from, bytes, kind, stream)");
    return queue_copy(runtime, "cudaMemcpyAsync", to, from, bytes, kind, stream,
                      ends_at_once(runtime, to, from));
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return Runtime::call([=](Runtime& runtime) {
    runtime.streams_used.queued(nullptr, "cudaMemset", "cudaMemsetAsync(pointer, value, bytes, stream)");
    // cudaMemset is synchronous only for memory that is not on the device alone, such as pinned or managed
    // memory.
    return queue_set(runtime, "cudaMemset", pointer, value, bytes, nullptr,
                     !runtime.memory.in_range(address_of(pointer)));
  });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    runtime.streams_used.queued(stream, "cudaMemsetAsync", "cudaMemsetAsync(pointer, value, bytes, stream)");
    return queue_set(runtime, "cudaMemsetAsync", pointer, value, bytes, stream, false);
  });
}
