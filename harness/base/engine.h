// The engines on which a submission can run.
#pragma once

#include <array>
#include <string_view>

#include "harness/base/names.h"

namespace warpmark {

// host: plain C++ versions, compiled by g++. The two sanitizer engines run `clean` of host versions: workers
// that load a library built with that sanitizer, next to its runtime. They never appear in a check or a
// grade.
enum class Engine { gpu, simulator, host, thread_sanitizer, address_sanitizer };

constexpr std::array<std::string_view, 5> names_of(Engine /*type*/) {
  return {"gpu", "simulator", "host", "thread-sanitizer", "address-sanitizer"};
}

constexpr bool is_sanitizer(Engine engine) {
  return engine == Engine::thread_sanitizer || engine == Engine::address_sanitizer;
}

// Returns true if the engine runs C++ versions, false if it runs CUDA versions.
constexpr bool is_host(Engine engine) {
  return engine == Engine::host || is_sanitizer(engine);
}

inline constexpr int kMostDevices = 8;  // GPUs that a version or a program may use, real or simulated

}  // namespace warpmark
