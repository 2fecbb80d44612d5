#include "harness/worker/nvml.h"

#include <array>
#include <utility>

#include <dlfcn.h>

namespace warpmark {
namespace {

// Types and constants of libnvidia-ml.so.1, whose ABI is stable (NVML API reference, release 580). Declared
// here because not every CUDA toolkit contains the header.
using Device = void*;
constexpr int kSuccess = 0;
constexpr int kInsufficientSize = 7;
constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;
constexpr int kGpuTemperature = 0;
constexpr std::array kReasons{
    std::pair{0x4ULL, "power limit"},      std::pair{0x8ULL, "hardware slowdown"},
    std::pair{0x10ULL, "sync boost"},      std::pair{0x20ULL, "temperature"},
    std::pair{0x40ULL, "temperature"},     std::pair{0x80ULL, "power supply"},
    std::pair{0x2ULL, "clocks set lower"},
};

}  // namespace

Nvml::~Nvml() {
  if (started_) {
    if (const auto shut_down = find<int (*)()>("nvmlShutdown")) shut_down();
  }
  if (library_ != nullptr) ::dlclose(library_);
}

template <class Function>
Function Nvml::find(const char* name) const {
  return reinterpret_cast<Function>(::dlsym(library_, name));
}

bool Nvml::start() {
  if (started_) return true;
  library_ = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) return false;
  const auto init = find<int (*)()>("nvmlInit_v2");
  started_ = init != nullptr && init() == kSuccess;
  return started_;
}

wire::ConditionsReply Nvml::conditions(const std::string& uuid) {
  wire::ConditionsReply seen;
  if (!start()) return seen;
  if (const auto version = find<int (*)(char*, unsigned)>("nvmlSystemGetDriverVersion")) {
    std::array<char, 80> text{};
    if (version(text.data(), text.size()) == kSuccess) seen.driver = text.data();
  }
  Device device = nullptr;
  const auto by_uuid = find<int (*)(const char*, Device*)>("nvmlDeviceGetHandleByUUID");
  if (by_uuid == nullptr) return seen;
  // NVML's UUIDs have the prefix "GPU-" or, for a MIG instance, "MIG-".
  if (by_uuid(("GPU-" + uuid).c_str(), &device) != kSuccess &&
      by_uuid(("MIG-" + uuid).c_str(), &device) != kSuccess) {
    return seen;
  }
  unsigned value = 0;
  if (const auto clock = find<int (*)(Device, int, unsigned*)>("nvmlDeviceGetClockInfo")) {
    if (clock(device, kSmClock, &value) == kSuccess) seen.sm_mhz = value;
    if (clock(device, kMemoryClock, &value) == kSuccess) seen.memory_mhz = value;
  }
  if (const auto temperature = find<int (*)(Device, int, unsigned*)>("nvmlDeviceGetTemperature")) {
    if (temperature(device, kGpuTemperature, &value) == kSuccess) seen.celsius = value;
  }
  if (const auto reasons =
          find<int (*)(Device, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons")) {
    unsigned long long bits = 0;
    if (reasons(device, &bits) == kSuccess) {
      for (const auto& [bit, word] : kReasons) {
        if ((bits & bit) != 0) seen.throttled_by.push_back(word);
      }
    }
  }
  // With a null array, nvmlDeviceGetComputeRunningProcesses reports only the number of processes.
  if (const auto processes =
          find<int (*)(Device, unsigned*, void*)>("nvmlDeviceGetComputeRunningProcesses_v3")) {
    unsigned count = 0;
    const int status = processes(device, &count, nullptr);
    if (status == kSuccess || status == kInsufficientSize) seen.processes = count;
  }
  return seen;
}

}  // namespace warpmark
