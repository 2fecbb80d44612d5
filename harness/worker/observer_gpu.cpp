// Observer for a GPU: records transfers and kernel launches by CUPTI's activity API. CUPTI is loaded when
// recording starts, so that a machine without it can grade everything except the student's upload function.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include <cuda_runtime.h>
#include <cupti.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "harness/worker/gpu_records.h"
#include "harness/worker/nvml.h"
#include "harness/worker/observer.h"

namespace warpmark {
namespace {

// Formats a UUID as nvidia-smi does, without the prefix "GPU-".
std::string text_of(const cudaUUID_t& uuid) {
  std::string text;
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    const bool gap = i == 4 || i == 6 || i == 8 || i == 10;
    text += fmt::format("{}{:02x}", gap ? "-" : "", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

// Compares launches or transfers by start time, which records from CUPTI always have.
constexpr auto starts_before = [](const auto& a, const auto& b) {
  return a.when->start_ns < b.when->start_ns;
};

// argument of cuptiGetStreamIdEx: 1 selects the per-thread default stream, 0 the legacy one
constexpr std::uint8_t kOfThread = 1;

class GpuObserver final : public Observer {
 public:
  [[nodiscard]] const char* engine() const override { return "gpu"; }

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

  // CUDA's default memory pool gives freed memory back to the system at each synchronisation, so that a
  // version that calls cudaMallocAsync would pay for mapping it in every call, after its events.
  void prepare_call(bool /*timed*/) override {
    if (std::exchange(pool_keeps_memory_, true)) return;
    cudaMemPool_t pool = nullptr;
    std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    if (cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess)
      static_cast<void>(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    static_cast<void>(cudaGetLastError());
  }

  void begin_call(const void* function, const void* stream) override {
    const std::scoped_lock lock(records().mutex);
    records().frames.clear();
    records().touched.clear();
    records().strays.clear();
    records().default_streams.clear();
    // A student's upload function gets no stream argument (`stream` is null) and may use the default streams;
    // in any other student function, their use is reported as an error.
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
    if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess) {
      reply.uuid = text_of(properties.uuid);
      reply.capability = static_cast<std::uint64_t>(10 * properties.major + properties.minor);
    }
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

  // Releases persisting L2 cache lines. An error is ignored: a GPU that cannot persist L2 lines has none to
  // release.
  void drop_persisting_lines() override {
    static_cast<void>(cudaCtxResetPersistingL2Cache());
    static_cast<void>(cudaGetLastError());
  }

 private:
  template <class Function>
  static Function find(void* library, const char* name) {
    return reinterpret_cast<Function>(::dlsym(library, name));
  }

  // Subscribes to CUDA API calls, whose call stacks give findings and transfers a source line.
  void note_where_cuda_is_called(void* library) {
    stream_number_ = find<decltype(&cuptiGetStreamIdEx)>(library, "cuptiGetStreamIdEx");
    const auto subscribe = find<decltype(&cuptiSubscribe)>(library, "cuptiSubscribe");
    const auto enable = find<decltype(&cuptiEnableDomain)>(library, "cuptiEnableDomain");
    CUpti_SubscriberHandle subscriber{};
    notes_calls_ = subscribe != nullptr && enable != nullptr &&
                   subscribe(&subscriber, cuda_called, nullptr) == CUPTI_SUCCESS &&
                   enable(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API) == CUPTI_SUCCESS;
  }

  // Enables CUPTI's counters of page migrations if the machine supports them. CUPTI needs an initialised
  // driver for that, and querying the devices initialises the driver.
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
  bool pool_keeps_memory_ = false;  // CUDA's default memory pool has been told to
  Nvml nvml_;
};

}  // namespace

std::unique_ptr<Observer> make_observer(int /*last_words*/) {
  return std::make_unique<GpuObserver>();
}

}  // namespace warpmark
