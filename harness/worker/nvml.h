// What NVIDIA's management library reports about a device. Loaded at run time and only when asked, because it
// is part of the driver and takes tens of milliseconds to start.
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

  // uuid: without its prefix.
  wire::ConditionsReply conditions(const std::string& uuid);

 private:
  template <class Function>
  Function find(const char* name) const;
  bool start();

  void* library_ = nullptr;
  bool started_ = false;
};

}  // namespace warpmark
