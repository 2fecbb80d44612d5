// Transfers and launches on a GPU, from CUPTI's activity records. CUPTI is loaded when recording starts, so
// that a machine without it still grades everything but the upload.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <cuda_runtime.h>
#include <cupti.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "harness/wire/stream_message.h"
#include "harness/worker/last_look.h"
#include "harness/worker/nvml.h"
#include "harness/worker/observer.h"

namespace warpmark {
namespace {

constexpr std::size_t kMostStrays = 1000;
constexpr std::size_t kMostCalls = 100'000;  // whose place is kept

// Host memory that kernels reach, or managed memory where migrations cannot be counted, from its allocation
// to its release, in CUPTI's nanoseconds.
struct ReachedMemory {
  wire::TransferKind kind = wire::TransferKind::mapped;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t from = 0;
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
};

// What the last call did with device memory.
struct Touched {
  bool freed = false;
  std::uint32_t correlation = 0;
};

// Work in the default stream, which nothing orders with the given one.
struct Stray {
  std::uint32_t correlation = 0;
  std::string kernel;  // empty: no launch
  std::string what;
  std::string right;
};

// What CUPTI's callbacks, which carry no argument of ours, write to. Filled on CUPTI's thread, taken by
// drain().
struct Records {
  std::mutex mutex;
  std::vector<ReachedMemory> reached;
  bool counts_migrations = false;
  std::vector<wire::Transfer> transfers;
  std::vector<wire::Launch> launches;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;

  // Of the call that is under way or was the last: the function, and where its CUDA calls were made, by their
  // correlation.
  std::atomic<const void*> function{nullptr};
  std::map<std::uint32_t, std::vector<std::uint64_t>> frames;
  std::map<std::uint64_t, Touched> touched;    // by address
  std::vector<std::uint32_t> default_streams;  // their numbers; empty: not known
  std::vector<Stray> strays;

  // Where the CUDA call was made; empty outside of a submission's call.
  [[nodiscard]] std::vector<std::uint64_t> frames_of(std::uint32_t correlation) const {
    const auto found = frames.find(correlation);
    return found == frames.end() ? std::vector<std::uint64_t>() : found->second;
  }
};
Records& records() {
  static Records instance;
  return instance;
}

wire::Direction direction_of(std::uint8_t copy_kind) {
  switch (copy_kind) {
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

// Every activity record has them.
template <class Activity>
void add_transfer(wire::Direction direction, std::uint64_t bytes, wire::TransferKind kind,
                  const Activity& activity) {
  records().transfers.push_back({.direction = direction,
                                 .kind = kind,
                                 .bytes = bytes,
                                 .when = wire::Period{activity.start, activity.end}});
}

// Demangled, without its parameters.
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
      add_transfer(direction_of(copy->copyKind), copy->bytes, wire::TransferKind::copy, *copy);
      records().transfers.back().frames = records().frames_of(copy->correlationId);
      // A copy that the host waits for has no stream to be given.
      if ((copy->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0) {
        add_stray(copy->streamId, {copy->correlationId, "", "cudaMemcpyAsync",
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

// Notes where in a submission's code a CUDA call is made.
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

// Work of the submission in the default stream, one finding for each place.
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

// As nvidia-smi writes it, without the prefix.
std::string text_of(const cudaUUID_t& uuid) {
  std::string text;
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    const bool gap = i == 4 || i == 6 || i == 8 || i == 10;
    text += fmt::format("{}{:02x}", gap ? "-" : "", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

// A kernel that reads such memory leaves no record of what crossed: all of the memory is counted, once, where
// a kernel ran while it was there. Takes the lists in order of time.
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

// Of launches and transfers as CUPTI records them: all have times.
constexpr auto starts_before = [](const auto& a, const auto& b) {
  return a.when->start_ns < b.when->start_ns;
};

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kBufferAlignment = 8;  // what CUPTI asks for (ACTIVITY_RECORD_ALIGNMENT)

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

constexpr std::uint8_t kOfThread = 1;  // the default stream of a thread of its own, else the legacy one

class GpuObserver final : public Observer {
 public:
  [[nodiscard]] const char* engine() const override { return "gpu"; }
  void set_mode(const wire::RunMode& /*mode*/) override {}

  std::string start() override {
    void* library = nullptr;
    for (const char* name : {WARPMARK_CUPTI_LIBRARY, "libcupti.so.13", "libcupti.so"}) {
      library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (library != nullptr) break;
    }
    if (library == nullptr) return fmt::format("CUPTI could not be loaded: {}", ::dlerror());
    const auto enable = find<decltype(&cuptiActivityEnable)>(library, "cuptiActivityEnable");
    const auto callbacks =
        find<decltype(&cuptiActivityRegisterCallbacks)>(library, "cuptiActivityRegisterCallbacks");
    const auto unified = find<decltype(&cuptiActivityConfigureUnifiedMemoryCounter)>(
        library, "cuptiActivityConfigureUnifiedMemoryCounter");
    records().next_record =
        find<decltype(&cuptiActivityGetNextRecord)>(library, "cuptiActivityGetNextRecord");
    flush_ = find<decltype(&cuptiActivityFlushAll)>(library, "cuptiActivityFlushAll");
    if (enable == nullptr || callbacks == nullptr || unified == nullptr || flush_ == nullptr ||
        records().next_record == nullptr) {
      return "CUPTI lacks a function of the activity interface";
    }
    if (callbacks(buffer_requested, buffer_completed) != CUPTI_SUCCESS) return "CUPTI refused our callbacks";
    for (const CUpti_ActivityKind kind :
         {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL}) {
      if (const CUptiResult result = enable(kind); result != CUPTI_SUCCESS) {
        flush_ = nullptr;
        return fmt::format("CUPTI could not record activity {}: error {}", static_cast<int>(kind),
                           static_cast<int>(result));
      }
    }
    note_where_cuda_is_called(library);
    watch_managed_memory(enable, unified);
    static_cast<void>(enable(CUPTI_ACTIVITY_KIND_MEMORY2));
    return {};
  }

  void begin_call(const void* function, const void* stream) override {
    const std::scoped_lock lock(records().mutex);
    records().frames.clear();
    records().touched.clear();
    records().strays.clear();
    records().default_streams.clear();
    // An upload is given no stream.
    for (const std::uint8_t which : {std::uint8_t{0}, kOfThread}) {
      std::uint32_t number = 0;
      if (stream != nullptr && stream_number_ != nullptr &&
          stream_number_(nullptr, nullptr, which, &number) == CUPTI_SUCCESS)
        records().default_streams.push_back(number);
    }
    records().function = notes_calls_ ? function : nullptr;
  }
  void end_call(const void* /*kept*/) override { records().function = nullptr; }

  [[nodiscard]] MemoryHistory history_of(const void* memory) const override {
    const std::scoped_lock lock(records().mutex);
    const auto found = records().touched.find(reinterpret_cast<std::uint64_t>(memory));
    if (found == records().touched.end()) return {};
    return {found->second.freed, records().frames_of(found->second.correlation)};
  }

  wire::Observation drain() override {
    if (flush_ != nullptr) flush_(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const std::scoped_lock lock(records().mutex);
    wire::Observation seen;
    seen.launches = std::exchange(records().launches, {});
    seen.transfers = std::exchange(records().transfers, {});
    seen.findings = findings_of(std::exchange(records().strays, {}));
    std::sort(seen.launches.begin(), seen.launches.end(), starts_before);
    note_reached_memory(seen.transfers, seen.launches);
    std::sort(seen.transfers.begin(), seen.transfers.end(), starts_before);
    for (wire::Transfer& transfer : seen.transfers) {
      const auto next = std::lower_bound(seen.launches.begin(), seen.launches.end(), transfer, starts_before);
      transfer.launches_before = static_cast<std::uint64_t>(next - seen.launches.begin());
    }
    return seen;
  }

  void describe(wire::HelloReply& reply) override {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess) reply.uuid = text_of(properties.uuid);
    int kilohertz = 0;
    if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0) == cudaSuccess) {
      reply.clock_hz = kilohertz * 1e3;
    }
    int version = 0;
    if (cudaRuntimeGetVersion(&version) == cudaSuccess) {
      reply.cuda = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
    }
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &all_bytes) == cudaSuccess) reply.free_bytes = free_bytes;
    static_cast<void>(cudaGetLastError());
  }

  wire::ConditionsReply conditions() override {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return {};
    return nvml_.conditions(text_of(properties.uuid));
  }

  // Not every device can keep lines; then there are none to give up.
  void drop_persisting_lines() override {
    static_cast<void>(cudaCtxResetPersistingL2Cache());
    static_cast<void>(cudaGetLastError());
  }

 private:
  template <class Function>
  static Function find(void* library, const char* name) {
    return reinterpret_cast<Function>(::dlsym(library, name));
  }

  // Without it findings and transfers have no line.
  void note_where_cuda_is_called(void* library) {
    stream_number_ = find<decltype(&cuptiGetStreamIdEx)>(library, "cuptiGetStreamIdEx");
    const auto subscribe = find<decltype(&cuptiSubscribe)>(library, "cuptiSubscribe");
    const auto enable = find<decltype(&cuptiEnableDomain)>(library, "cuptiEnableDomain");
    CUpti_SubscriberHandle subscriber{};
    notes_calls_ = subscribe != nullptr && enable != nullptr &&
                   subscribe(&subscriber, cuda_called, nullptr) == CUPTI_SUCCESS &&
                   enable(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API) == CUPTI_SUCCESS;
  }

  // Not every machine can count page migrations. CUPTI cannot before the driver is ready, which asking for
  // the devices makes it.
  static void watch_managed_memory(decltype(&cuptiActivityEnable) enable,
                                   decltype(&cuptiActivityConfigureUnifiedMemoryCounter) configure) {
    CUpti_ActivityUnifiedMemoryCounterConfig counters[2]{};
    counters[0].kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
    counters[1].kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH;
    for (auto& counter : counters) {
      counter.scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE;
      counter.enable = 1;
    }
    int devices = 0;
    static_cast<void>(cudaGetDeviceCount(&devices));
    records().counts_migrations = configure(counters, 2) == CUPTI_SUCCESS &&
                                  enable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) == CUPTI_SUCCESS;
  }

  decltype(&cuptiActivityFlushAll) flush_ = nullptr;
  decltype(&cuptiGetStreamIdEx) stream_number_ = nullptr;
  bool notes_calls_ = false;
  Nvml nvml_;
};

}  // namespace

std::unique_ptr<Observer> make_observer(int /*last_words*/) {
  return std::make_unique<GpuObserver>();
}

}  // namespace warpmark
