// Reads a GPU's state (clocks, temperature, ...) by NVIDIA's management library NVML. The library is part of
// the driver and takes tens of milliseconds to initialise, so it is loaded on first use.
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

  // Returns the current state of the GPU. uuid: the GPU's UUID without the prefix "GPU-".
  wire::ConditionsReply conditions(const std::string& uuid);

 private:
  template <class Function>
  Function find(const char* name) const;
  bool start();

  void* library_ = nullptr;
  bool started_ = false;
};

}  // namespace warpmark
