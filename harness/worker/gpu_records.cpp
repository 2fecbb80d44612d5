#include "harness/worker/gpu_records.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>
#include <fmt/format.h>

#include "harness/wire/stream_message.h"
#include "harness/worker/last_look.h"

namespace warpmark {
namespace {

constexpr std::size_t kMostStrays = 1000;
constexpr std::size_t kMostCalls = 100'000;  // maximum number of CUDA calls with a recorded call stack
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
// Alignment that CUPTI requires of activity buffers (ACTIVITY_RECORD_ALIGNMENT).
constexpr std::size_t kBufferAlignment = 8;

// Returns true for kinds of memory that only the device holds; managed and pinned memory is the host's, too.
bool is_device_memory(std::uint8_t kind) {
  return kind == CUPTI_ACTIVITY_MEMORY_KIND_DEVICE || kind == CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC ||
         kind == CUPTI_ACTIVITY_MEMORY_KIND_ARRAY;
}

// Returns the direction of a copy by where its ends lie. CUPTI's copy kind is what the caller asked for: a
// copy to managed memory may be called one within the device.
wire::Direction direction_of(const CUpti_ActivityMemcpy6& copy) {
  const bool known = copy.srcKind != CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN &&
                     copy.dstKind != CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN;
  const bool from_device = is_device_memory(copy.srcKind);
  const bool to_device = is_device_memory(copy.dstKind);
  if (known && from_device != to_device)
    return from_device ? wire::Direction::device_to_host : wire::Direction::host_to_device;
  switch (copy.copyKind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
      return wire::Direction::host_to_device;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
      return wire::Direction::device_to_host;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return wire::Direction::device_to_device;
    default:
      return wire::Direction::other;
  }
}

// Records a memory transfer of student code. Activity: any CUPTI activity record with start and end times.
template <class Activity>
void add_transfer(wire::Direction direction, std::uint64_t bytes, wire::TransferKind kind,
                  const Activity& activity) {
  records().transfers.push_back({.direction = direction,
                                 .kind = kind,
                                 .bytes = bytes,
                                 .when = wire::Period{activity.start, activity.end}});
}

// Returns the demangled kernel name without its parameter list.
std::string kernel_name(const char* mangled) {
  if (mangled == nullptr) return {};
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  const std::string text = name ? name.get() : mangled;
  return text.substr(0, text.find('('));
}

void add_stray(std::uint32_t stream, Stray stray) {
  const auto& defaults = records().default_streams;
  if (std::find(defaults.begin(), defaults.end(), stream) == defaults.end()) return;
  if (records().strays.size() < kMostStrays) records().strays.push_back(std::move(stray));
}

void take_memory(const CUpti_ActivityMemory4& memory) {
  auto& reached = records().reached;
  const bool made = memory.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
  records().touched[memory.address] = {!made, memory.correlationId};
  if (memory.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION) {
    const bool pinned = memory.memoryKind == CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    const bool managed =
        memory.memoryKind == CUPTI_ACTIVITY_MEMORY_KIND_MANAGED && !records().counts_migrations;
    if (!pinned && !managed) return;
    reached.push_back({.kind = pinned ? wire::TransferKind::mapped : wire::TransferKind::managed,
                       .address = memory.address,
                       .bytes = memory.bytes,
                       .from = memory.timestamp});
    return;
  }
  for (ReachedMemory& held : reached) {
    if (held.address == memory.address) held.to = std::min(held.to, memory.timestamp);
  }
}

void take(const CUpti_Activity* activity) {
  switch (activity->kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto* copy = reinterpret_cast<const CUpti_ActivityMemcpy6*>(activity);
      add_transfer(direction_of(*copy), copy->bytes, wire::TransferKind::copy, *copy);
      records().transfers.back().frames = records().frames_of(copy->correlationId);
      // A synchronous copy from or to the host has no stream argument, and the host waits for it. One within
      // device memory does not wait, and is work on the default stream like any other.
      const bool asynchronous = (copy->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0;
      if (asynchronous || copy->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOD) {
        add_stray(copy->streamId, {copy->correlationId, "", asynchronous ? "cudaMemcpyAsync" : "cudaMemcpy",
                                   "cudaMemcpyAsync(to, from, bytes, kind, stream)"});
      }
      break;
    }
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER: {
      const auto* counter = reinterpret_cast<const CUpti_ActivityUnifiedMemoryCounter3*>(activity);
      if (counter->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD) {
        add_transfer(wire::Direction::host_to_device, counter->value, wire::TransferKind::managed, *counter);
      } else if (counter->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH) {
        add_transfer(wire::Direction::device_to_host, counter->value, wire::TransferKind::managed, *counter);
      }
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto* set = reinterpret_cast<const CUpti_ActivityMemset4*>(activity);
      add_stray(set->streamId,
                {set->correlationId, "", "cudaMemset", "cudaMemsetAsync(pointer, value, bytes, stream)"});
      break;
    }
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(activity);
      const auto side = [](std::int32_t size) { return static_cast<std::uint32_t>(size); };
      records().launches.push_back(
          {.kernel = kernel_name(kernel->name),
           .grid = {side(kernel->gridX), side(kernel->gridY), side(kernel->gridZ)},
           .block = {side(kernel->blockX), side(kernel->blockY), side(kernel->blockZ)},
           .shared_bytes = static_cast<std::uint64_t>(std::max(kernel->staticSharedMemory, 0)) +
                           static_cast<std::uint64_t>(std::max(kernel->dynamicSharedMemory, 0)),
           .work = {},
           .when = wire::Period{kernel->start, kernel->end}});
      const std::string& name = records().launches.back().kernel;
      add_stray(kernel->streamId, {kernel->correlationId, name, fmt::format("the launch of {}", name),
                                   "kernel<<<blocks, threads, shared bytes, stream>>>"});
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      take_memory(*reinterpret_cast<const CUpti_ActivityMemory4*>(activity));
      break;
    default:
      break;
  }
}

}  // namespace

Records& records() {
  static Records instance;
  return instance;
}

void CUPTIAPI cuda_called(void* /*argument*/, CUpti_CallbackDomain /*domain*/, CUpti_CallbackId /*id*/,
                          const void* data) {
  const auto* call = static_cast<const CUpti_CallbackData*>(data);
  const void* function = records().function;
  if (function == nullptr || call->callbackSite != CUPTI_API_ENTER) return;
  auto frames = frames_in_library_of(function);
  if (frames.empty()) return;
  const std::scoped_lock lock(records().mutex);
  if (records().frames.size() < kMostCalls)
    records().frames.insert_or_assign(call->correlationId, std::move(frames));
}

std::vector<wire::Finding> findings_of(const std::vector<Stray>& strays) {
  std::vector<wire::Finding> findings;
  for (const Stray& stray : strays) {
    auto frames = records().frames_of(stray.correlation);
    const bool known = std::any_of(findings.begin(), findings.end(),
                                   [&](const wire::Finding& each) { return each.frames == frames; });
    if (frames.empty() || known) continue;
    findings.push_back({.kind = CauseKind::default_stream,
                        .kernel = stray.kernel,
                        .file = {},
                        .message = wire::other_stream_message(stray.what, "the default stream", stray.right),
                        .frames = std::move(frames)});
  }
  return findings;
}

void note_reached_memory(std::vector<wire::Transfer>& transfers, const std::vector<wire::Launch>& launches) {
  auto& reached = records().reached;
  for (const ReachedMemory& held : reached) {
    const auto reader = std::find_if(launches.begin(), launches.end(), [&](const wire::Launch& launch) {
      return launch.when->end_ns > held.from && launch.when->start_ns < held.to;
    });
    if (reader == launches.end()) continue;
    transfers.push_back({.direction = wire::Direction::host_to_device,
                         .kind = held.kind,
                         .bytes = held.bytes,
                         .when = reader->when});
  }
  std::erase_if(reached, [](const ReachedMemory& held) {
    return held.to != std::numeric_limits<std::uint64_t>::max();
  });
}

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *bytes = *buffer == nullptr ? 0 : kBufferBytes;
  *most_records = 0;
}

void CUPTIAPI buffer_completed(CUcontext /*context*/, std::uint32_t /*stream*/, std::uint8_t* buffer,
                               std::size_t /*bytes*/, std::size_t valid_bytes) {
  const std::scoped_lock lock(records().mutex);
  CUpti_Activity* activity = nullptr;
  while (records().next_record(buffer, valid_bytes, &activity) == CUPTI_SUCCESS) take(activity);
  std::free(buffer);
}

}  // namespace warpmark
