// Transfers and launches on a GPU, from CUPTI's activity records. CUPTI is loaded when recording starts, so
// that a machine without it still grades everything but the upload.
#include <cstdlib>
#include <mutex>

#include <cuda_runtime.h>
#include <cupti.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "harness/worker/nvml.h"
#include "harness/worker/observer.h"

namespace warpmark {
namespace {

using nlohmann::json;

// What CUPTI's callbacks, which carry no argument of ours, write to. Filled on CUPTI's thread, taken by
// drain().
struct Records {
  std::mutex mutex;
  json transfers = json::array();
  json launches = json::array();
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
};
Records& records() {
  static Records instance;
  return instance;
}

const char* direction_of(std::uint8_t copy_kind) {
  switch (copy_kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
      return "host_to_device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
      return "device_to_host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "device_to_device";
    default:
      return "other";
  }
}

void add_transfer(const char* direction, std::uint64_t bytes, const char* kind) {
  records().transfers.push_back({{"direction", direction}, {"bytes", bytes}, {"kind", kind}});
}

void take(const CUpti_Activity* activity) {
  switch (activity->kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto* copy = reinterpret_cast<const CUpti_ActivityMemcpy6*>(activity);
      add_transfer(direction_of(copy->copyKind), copy->bytes, "copy");
      break;
    }
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER: {
      const auto* counter = reinterpret_cast<const CUpti_ActivityUnifiedMemoryCounter3*>(activity);
      if (counter->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD) {
        add_transfer("host_to_device", counter->value, "managed");
      } else if (counter->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH) {
        add_transfer("device_to_host", counter->value, "managed");
      }
      break;
    }
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(activity);
      records().launches.push_back({{"kernel", kernel->name == nullptr ? "" : kernel->name},
                                    {"grid", {kernel->gridX, kernel->gridY, kernel->gridZ}},
                                    {"block", {kernel->blockX, kernel->blockY, kernel->blockZ}}});
      break;
    }
    default:
      break;
  }
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

class GpuObserver final : public Observer {
 public:
  [[nodiscard]] const char* engine() const override { return "gpu"; }
  void set_mode(const RunMode& /*mode*/) override {}

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
         {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL}) {
      if (const CUptiResult result = enable(kind); result != CUPTI_SUCCESS) {
        flush_ = nullptr;
        return fmt::format("CUPTI could not record activity {}: error {}", static_cast<int>(kind),
                           static_cast<int>(result));
      }
    }
    watch_managed_memory(enable, unified);
    return {};
  }

  json drain() override {
    if (flush_ != nullptr) flush_(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const std::scoped_lock lock(records().mutex);
    json seen{{"findings", json::array()},
              {"launches", std::exchange(records().launches, json::array())},
              {"transfers", std::exchange(records().transfers, json::array())}};
    return seen;
  }

  json describe() override {
    json known = json::object();
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess) {
      known["uuid"] = text_of(properties.uuid);
      known["multiprocessors"] = properties.multiProcessorCount;
    }
    int kilohertz = 0;
    if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0) == cudaSuccess) {
      known["clock_hz"] = kilohertz * 1e3;
    }
    int version = 0;
    if (cudaRuntimeGetVersion(&version) == cudaSuccess) {
      known["cuda"] = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
    }
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &all_bytes) == cudaSuccess) known["free_bytes"] = free_bytes;
    static_cast<void>(cudaGetLastError());
    return known;
  }

  json conditions() override {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return json::object();
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

  // Not every machine can count page migrations. `upload` must return plain device memory anyway, so without
  // this only the amount is unknown, not the verdict on managed memory.
  static void watch_managed_memory(decltype(&cuptiActivityEnable) enable,
                                   decltype(&cuptiActivityConfigureUnifiedMemoryCounter) configure) {
    CUpti_ActivityUnifiedMemoryCounterConfig counters[2]{};
    counters[0].kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
    counters[1].kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH;
    for (auto& counter : counters) {
      counter.scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE;
      counter.enable = 1;
    }
    if (configure(counters, 2) == CUPTI_SUCCESS) {
      static_cast<void>(enable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER));
    }
  }

  decltype(&cuptiActivityFlushAll) flush_ = nullptr;
  Nvml nvml_;
};

}  // namespace

std::unique_ptr<Observer> make_observer(int /*last_words*/) {
  return std::make_unique<GpuObserver>();
}

}  // namespace warpmark
