// Reads a device's state from NVIDIA's management library. It is part of the driver and takes tens of
// milliseconds to start, so it is loaded at run time, on first use.
#pragma once

#include <string>

#include "harness/wire/reply.h"

namespace warpmark {

class Nvml {
 public:
  Nvml() = default;
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  // uuid: the device's UUID without the "GPU-" prefix.
  wire::ConditionsReply conditions(const std::string& uuid);

 private:
  template <class Function>
  Function find(const char* name) const;
  bool start();

  void* library_ = nullptr;
  bool started_ = false;
};

}  // namespace warpmark
