// What NVIDIA's management library tells of a device. Loaded at run time and only when asked, because it is
// part of the driver and takes tens of milliseconds to start.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace warpmark {

class Nvml {
 public:
  Nvml() = default;
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  // {"driver", "processes": that hold memory of the device for computing, "sm_mhz", "memory_mhz", "celsius",
  //  "throttled_by": [words]}, each only where the machine tells it. uuid: without its prefix.
  nlohmann::json conditions(const std::string& uuid);

 private:
  template <class Function>
  Function find(const char* name) const;
  bool start();

  void* library_ = nullptr;
  bool started_ = false;
};

}  // namespace warpmark
